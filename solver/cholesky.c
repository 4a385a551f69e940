/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/cholesky.h"

#include <cblas.h>
#include <cholmod.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* L L^T = S A S with S = diag(A)^-1/2, so that a pivot is compared with 1 whatever the units of its freedom. */
struct fw_cholesky {
  cholmod_common common;
  cholmod_sparse *lower; /* of S A S */
  cholmod_factor *L;
  cholmod_dense *X, *Y, *E; /* solution and workspace, kept between solves */
  int64_t n;
  int64_t *next; /* [n] while comparing with the transpose */
  double *scale; /* [n] */
};

static const double pivot_tolerance = 1e-13;

static fw_status failed(fw_context *ctx, const fw_cholesky *c, const char *doing) {
  if (c->common.status == CHOLMOD_OUT_OF_MEMORY || c->common.status == CHOLMOD_TOO_LARGE)
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory while %s a matrix of size %lld", doing, (long long)c->n);
  return fw_fail(ctx, FW_ERR_LIBRARY, "CHOLMOD fails while %s (status %d)", doing, c->common.status);
}

static fw_status analyse(fw_context *ctx, const fw_sparse *pattern, fw_cholesky *c) {
  size_t n = (size_t)pattern->n;
  int64_t entries = 0;
  FW_TRY(fw_alloc(ctx, n, sizeof *c->next, &c->next));
  FW_TRY(fw_alloc(ctx, n, sizeof *c->scale, &c->scale));
  for (int64_t j = 0; j < pattern->n; j++)
    for (int64_t k = pattern->p[j]; k < pattern->p[j + 1]; k++) entries += pattern->i[k] >= j;
  c->lower = cholmod_l_allocate_sparse(n, n, (size_t)entries, 1, 1, -1, CHOLMOD_REAL, &c->common);
  if (!c->lower) return failed(ctx, c, "storing");
  int64_t *p = c->lower->p, *i = c->lower->i, used = 0;
  for (int64_t j = 0; j < pattern->n; j++) {
    p[j] = used;
    for (int64_t k = pattern->p[j]; k < pattern->p[j + 1]; k++)
      if (pattern->i[k] >= j) i[used++] = pattern->i[k];
  }
  p[pattern->n] = used;
  c->L = cholmod_l_analyze(c->lower, &c->common);
  return c->L ? FW_OK : failed(ctx, c, "ordering");
}

fw_status fw_cholesky_create(fw_context *ctx, const fw_sparse *pattern, fw_cholesky **cholesky) {
  fw_cholesky *c = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *c, &c));
  openblas_set_num_threads(1); /* parallelism is over samples and levels */
  cholmod_l_start(&c->common);
  c->common.print = 0;
  c->common.supernodal = CHOLMOD_SUPERNODAL;
  c->common.quick_return_if_not_posdef = 1;
  c->n = pattern->n;
  fw_status status = analyse(ctx, pattern, c);
  if (status != FW_OK) fw_cholesky_destroy(&c);
  *cholesky = c;
  return status;
}

void fw_cholesky_destroy(fw_cholesky **cholesky) {
  if (!cholesky || !*cholesky) return;
  fw_cholesky *c = *cholesky;
  cholmod_l_free_dense(&c->X, &c->common);
  cholmod_l_free_dense(&c->Y, &c->common);
  cholmod_l_free_dense(&c->E, &c->common);
  cholmod_l_free_factor(&c->L, &c->common);
  cholmod_l_free_sparse(&c->lower, &c->common);
  cholmod_l_finish(&c->common);
  free(c->next);
  free(c->scale);
  free(c);
  *cholesky = NULL;
}

/* Fills the lower triangle of S A S; false if the diagonal is not positive or A is not symmetric. The entries above the
 * diagonal of column i are met in the order of the columns j < i, so that one pointer for each column finds them all.
 */
static bool fill(fw_cholesky *c, const fw_sparse *A) {
  for (int64_t j = 0; j < A->n; j++) {
    int64_t at = fw_sparse_position(A, j, j);
    if (at < 0 || !(A->x[at] > 0.0) || !isfinite(A->x[at])) return false;
    c->scale[j] = 1.0 / sqrt(A->x[at]);
    c->next[j] = A->p[j];
  }
  double *x = c->lower->x;
  for (int64_t j = 0, used = 0; j < A->n; j++)
    for (int64_t k = A->p[j]; k < A->p[j + 1]; k++) {
      int64_t i = A->i[k];
      if (i < j) continue;
      double entry = c->scale[i] * A->x[k] * c->scale[j];
      x[used++] = entry;
      if (i == j) continue;
      int64_t mirror = c->next[i]++;
      if (A->i[mirror] != j || !(fabs(c->scale[i] * A->x[mirror] * c->scale[j] - entry) <= 1e-9)) return false;
    }
  return true;
}

fw_status fw_cholesky_compute(fw_context *ctx, fw_cholesky *c, const fw_sparse *A, bool *sound) {
  *sound = false;
  if (!fill(c, A)) return FW_OK;
  cholmod_l_factorize(c->lower, c->L, &c->common);
  if (c->common.status < CHOLMOD_OK) return failed(ctx, c, "factoring");
  /* rcond: squared ratio of the extreme entries on the diagonal of L; the largest pivot of S A S is at most 1. */
  *sound = c->common.status == CHOLMOD_OK && cholmod_l_rcond(c->L, &c->common) >= pivot_tolerance;
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
  for (size_t k = 0; k < n * (size_t)count; k++) b[k] *= c->scale[k % n];
  if (!cholmod_l_solve2(CHOLMOD_A, c->L, &B, NULL, &c->X, NULL, &c->Y, &c->E, &c->common))
    return failed(ctx, c, "solving with");
  const double *x = c->X->x;
  for (size_t k = 0; k < n * (size_t)count; k++) b[k] = x[k] * c->scale[k % n];
  return FW_OK;
}
