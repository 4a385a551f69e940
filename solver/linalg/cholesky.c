/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/linalg/cholesky.h"

#include <cblas.h>
#include <cholmod.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memo.h"

struct fw_cholesky {
  cholmod_common common;
  cholmod_factor *L;
  cholmod_dense *X, *Y, *E; /* solution and workspace, kept between solves */
  int64_t n;
};

/* A pivot this small against its diagonal entry, which makes it independent of the units of its freedom, is
 * round-off. */
static const double pivot_tolerance = 1e-13;

static fw_status failed(fw_context *ctx, const fw_cholesky *c, const char *doing) {
  if (c->common.status == CHOLMOD_OUT_OF_MEMORY || c->common.status == CHOLMOD_TOO_LARGE)
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory while %s a matrix of size %lld", doing, (long long)c->n);
  return fw_fail(ctx, FW_ERR_LIBRARY, "CHOLMOD fails while %s (status %d)", doing, c->common.status);
}

/* The matrix as CHOLMOD sees it, without a copy; it reads the lower triangle only. */
static cholmod_sparse lend(const fw_sparse *A) {
  return (cholmod_sparse){.nrow = (size_t)A->n,
                          .ncol = (size_t)A->n,
                          .nzmax = (size_t)A->p[A->n],
                          .p = A->p,
                          .i = A->i,
                          .x = A->x,
                          .stype = -1,
                          .itype = CHOLMOD_LONG,
                          .xtype = CHOLMOD_REAL,
                          .dtype = CHOLMOD_DOUBLE,
                          .sorted = 1,
                          .packed = 1};
}

/* With nothing in it yet. */
static fw_status open_factor(fw_context *ctx, int64_t n, fw_cholesky **cholesky) {
  fw_cholesky *c;
  FW_TRY(fw_alloc(ctx, 1, sizeof *c, &c));
  cholmod_l_start(&c->common);
  c->common.print = 0;
  c->common.quick_return_if_not_posdef = 1;
  c->n = n;
  *cholesky = c;
  return FW_OK;
}

static size_t index_memory(const cholmod_factor *L) {
  size_t own = L->is_super ? L->ssize + 3 * (L->nsuper + 1) : L->nzmax + 4 * L->n;
  return (own + 2 * L->n) * sizeof(int64_t);
}

size_t fw_cholesky_memory(const fw_cholesky *c) {
  size_t numbers = c->L->is_super ? c->L->xsize : c->L->nzmax;
  return numbers * sizeof(double) + index_memory(c->L);
}

static void release(void *cholesky) {
  fw_cholesky *c = cholesky;
  fw_cholesky_destroy(&c);
}

/* Orders the pattern, or copies the ordering from where it is remembered. */
static fw_status order(fw_context *ctx, const fw_sparse *pattern, fw_cholesky *c) {
  const size_t n = (size_t)pattern->n, entries = (size_t)pattern->p[n];
  const fw_memo_part parts[] = {{pattern->p, (n + 1) * sizeof *pattern->p}, {pattern->i, entries * sizeof *pattern->i}};
  const fw_memo_key key = {"CHOLMOD ordering", parts, 2};
  fw_cholesky *known = fw_memo_find(ctx, &key), *kept;
  cholmod_sparse lent = lend(pattern);
  c->L = known ? cholmod_l_copy_factor(known->L, &c->common) : cholmod_l_analyze(&lent, &c->common);
  if (!c->L) return failed(ctx, c, "ordering");
  if (known || !fw_context_memo(ctx)) return FW_OK;
  FW_TRY(open_factor(ctx, c->n, &kept));
  kept->L = cholmod_l_copy_factor(c->L, &kept->common);
  if (kept->L)
    fw_memo_keep(ctx, &key, kept, index_memory(kept->L), release);
  else
    release(kept);
  return FW_OK;
}

fw_status fw_cholesky_create(fw_context *ctx, const fw_sparse *pattern, fw_cholesky **cholesky) {
  *cholesky = NULL;
  FW_TRY(open_factor(ctx, pattern->n, cholesky));
  openblas_set_num_threads(1); /* parallelism is over samples and levels */
  fw_status status = order(ctx, pattern, *cholesky);
  if (status != FW_OK) fw_cholesky_destroy(cholesky);
  return status;
}

void fw_cholesky_destroy(fw_cholesky **cholesky) {
  if (!cholesky || !*cholesky) return;
  fw_cholesky *c = *cholesky;
  cholmod_l_free_dense(&c->X, &c->common);
  cholmod_l_free_dense(&c->Y, &c->common);
  cholmod_l_free_dense(&c->E, &c->common);
  cholmod_l_free_factor(&c->L, &c->common);
  cholmod_l_finish(&c->common);
  free(c);
  *cholesky = NULL;
}

/* True if A is symmetric with a positive diagonal. The entries above the diagonal of column i are met in the order of
 * the columns j < i, so that one pointer for each column finds them all. next, root: [n] for work. */
static bool is_symmetric(const fw_sparse *A, int64_t *next, double *root) {
  for (int64_t j = 0; j < A->n; j++) {
    int64_t at = fw_sparse_position(A, j, j);
    if (at < 0 || !(A->x[at] > 0.0) || !isfinite(A->x[at])) return false;
    root[j] = sqrt(A->x[at]);
    next[j] = A->p[j];
  }
  for (int64_t j = 0; j < A->n; j++)
    for (int64_t k = A->p[j]; k < A->p[j + 1]; k++) {
      int64_t i = A->i[k];
      if (i <= j) continue;
      int64_t mirror = next[i]++;
      if (A->i[mirror] != j || !(fabs(A->x[mirror] - A->x[k]) <= 1e-9 * root[i] * root[j])) return false;
    }
  return true;
}

/* True if a pivot, of the freedom that comes at place k in the factor's order, is more than round-off of its diagonal
 * entry. */
static bool pivot_sound(const fw_cholesky *c, const fw_sparse *A, int64_t k, double pivot) {
  const int64_t *perm = c->L->Perm;
  return pivot >= pivot_tolerance * A->x[fw_sparse_position(A, perm[k], perm[k])];
}

/* Of L L^T by supernodes: dense blocks whose first columns' rows are their own. */
static bool supernodes_sound(const fw_cholesky *c, const fw_sparse *A) {
  const int64_t *super = c->L->super, *pi = c->L->pi, *px = c->L->px;
  const double *x = c->L->x;
  for (size_t s = 0; s < c->L->nsuper; s++) {
    int64_t rows = pi[s + 1] - pi[s];
    for (int64_t k = super[s]; k < super[s + 1]; k++) {
      double root = x[px[s] + (k - super[s]) * (rows + 1)];
      if (!pivot_sound(c, A, k, root * root)) return false;
    }
  }
  return true;
}

/* Of L D L^T by columns, which begin with D. */
static bool columns_sound(const fw_cholesky *c, const fw_sparse *A) {
  const int64_t *p = c->L->p;
  const double *x = c->L->x;
  for (int64_t k = 0; k < c->n; k++)
    if (!pivot_sound(c, A, k, x[p[k]])) return false;
  return true;
}

static bool pivots_sound(const fw_cholesky *c, const fw_sparse *A) {
  return c->L->is_super ? supernodes_sound(c, A) : columns_sound(c, A);
}

fw_status fw_cholesky_compute(fw_context *ctx, fw_cholesky *c, const fw_sparse *A, bool *sound) {
  int64_t *next = NULL;
  double *root = NULL;
  *sound = false;
  fw_status status = fw_alloc(ctx, (size_t)A->n, sizeof *next, &next);
  if (status == FW_OK) status = fw_alloc(ctx, (size_t)A->n, sizeof *root, &root);
  bool symmetric = status == FW_OK && is_symmetric(A, next, root);
  free(next);
  free(root);
  if (!symmetric) return status;
  cholmod_sparse lent = lend(A);
  cholmod_l_factorize(&lent, c->L, &c->common);
  if (c->common.status < CHOLMOD_OK) return failed(ctx, c, "factoring");
  *sound = c->common.status == CHOLMOD_OK && pivots_sound(c, A);
  return FW_OK;
}

fw_status fw_cholesky_solve(fw_context *ctx, fw_cholesky *c, double *b, int count) {
  size_t n = (size_t)c->n;
  cholmod_dense B = {.nrow = n,
                     .ncol = (size_t)count,
                     .nzmax = n * (size_t)count,
                     .d = n,
                     .x = b,
                     .xtype = CHOLMOD_REAL,
                     .dtype = CHOLMOD_DOUBLE};
  if (!cholmod_l_solve2(CHOLMOD_A, c->L, &B, NULL, &c->X, NULL, &c->Y, &c->E, &c->common))
    return failed(ctx, c, "solving with");
  memcpy(b, c->X->x, n * (size_t)count * sizeof *b);
  return FW_OK;
}
