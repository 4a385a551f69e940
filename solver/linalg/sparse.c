/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/linalg/sparse.h"

#include <klu.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/memo.h"
#include "solver/linalg/cholesky.h"

/* ---- patterns ---------------------------------------------------------------------------- */

typedef struct fw_pattern {
  int64_t *p, *i;
  atomic_int users;
} fw_pattern;

static void pattern_release(fw_pattern *pattern) {
  if (!pattern || atomic_fetch_sub(&pattern->users, 1) > 1) return;
  free(pattern->p);
  free(pattern->i);
  free(pattern);
}

/* First the entries of each column are counted, then their rows are put where they belong: a counting sort. */
struct fw_entries {
  int64_t *next; /* of each column: how many, or where the next one goes */
  int64_t *rows; /* NULL while counting */
};

void fw_entries_add(fw_entries *entries, int64_t row, int64_t column) {
  int64_t at = entries->next[column]++;
  if (entries->rows) entries->rows[at] = row;
}

void fw_entries_clique(fw_entries *entries, const int *dofs, int n) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (dofs[i] >= 0 && dofs[j] >= 0) fw_entries_add(entries, dofs[i], dofs[j]);
}

static int compare_rows(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static int64_t sort_unique(int64_t *rows, int64_t count) {
  qsort(rows, (size_t)count, sizeof *rows, compare_rows);
  int64_t kept = 0;
  for (int64_t k = 0; k < count; k++)
    if (k == 0 || rows[k] != rows[k - 1]) rows[kept++] = rows[k];
  return kept;
}

/* Sorts the rows of each column and drops repeated ones, in place: what is kept never overtakes what is read. */
static void compact(fw_pattern *pattern, int64_t n, const int64_t *end) {
  int64_t total = 0, from = 0;
  for (int64_t j = 0; j < n; j++) {
    int64_t kept = sort_unique(pattern->i + from, end[j] - from);
    memmove(pattern->i + total, pattern->i + from, (size_t)kept * sizeof *pattern->i);
    from = end[j];
    total += kept;
    pattern->p[j + 1] = total;
  }
  int64_t *less = realloc(pattern->i, (size_t)(total > 0 ? total : 1) * sizeof *less);
  if (less) pattern->i = less;
}

static fw_status pattern_create(fw_context *ctx, int64_t n, fw_entries_fn list, const void *user,
                                fw_pattern **pattern) {
  fw_status status = FW_OK;
  fw_entries entries = {0};
  fw_pattern *self = NULL;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof *self, &self));
  atomic_init(&self->users, 1);
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n + 1, sizeof *self->p, &self->p));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n, sizeof *entries.next, &entries.next));
  list(user, &entries);
  int64_t total = 0;
  for (int64_t j = 0; j < n; j++) {
    int64_t count = entries.next[j];
    entries.next[j] = total;
    total += count;
  }
  FW_TRY_DONE(fw_alloc(ctx, (size_t)total, sizeof *self->i, &self->i));
  entries.rows = self->i;
  list(user, &entries);
  compact(self, n, entries.next);
done:
  free(entries.next);
  if (status != FW_OK) {
    pattern_release(self);
    self = NULL;
  }
  *pattern = self;
  return status;
}

/* ---- matrices ---------------------------------------------------------------------------- */

/* Takes one use of the pattern over, also where it fails. */
static fw_status sparse_on(fw_context *ctx, int64_t n, fw_pattern *pattern, fw_sparse **matrix) {
  fw_status status = FW_OK;
  fw_sparse *A = NULL;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof *A, &A));
  *A = (fw_sparse){.n = n, .p = pattern->p, .i = pattern->i};
  FW_TRY_DONE(fw_alloc(ctx, (size_t)pattern->p[n], sizeof *A->x, &A->x));
  A->shared = pattern;
done:
  if (status != FW_OK) {
    pattern_release(pattern);
    fw_sparse_destroy(&A);
  }
  *matrix = A;
  return status;
}

fw_status fw_sparse_create(fw_context *ctx, int64_t n, fw_entries_fn list, const void *user, fw_sparse **matrix) {
  fw_pattern *pattern;
  *matrix = NULL;
  FW_TRY(pattern_create(ctx, n, list, user, &pattern));
  return sparse_on(ctx, n, pattern, matrix);
}

fw_status fw_sparse_like(fw_context *ctx, const fw_sparse *pattern, fw_sparse **matrix) {
  atomic_fetch_add(&pattern->shared->users, 1);
  return sparse_on(ctx, pattern->n, pattern->shared, matrix);
}

void fw_sparse_destroy(fw_sparse **matrix) {
  if (!matrix || !*matrix) return;
  pattern_release((*matrix)->shared);
  free((*matrix)->x);
  free(*matrix);
  *matrix = NULL;
}

void fw_sparse_entries(const fw_sparse *matrix, fw_entries *entries) {
  for (int64_t j = 0; j < matrix->n; j++)
    for (int64_t k = matrix->p[j]; k < matrix->p[j + 1]; k++) fw_entries_add(entries, matrix->i[k], j);
}

typedef struct alike {
  int count;
  const fw_sparse *const *matrices;
} alike;

static bool is_filled(const alike *them, int64_t at) {
  for (int m = 0; m < them->count; m++)
    if (them->matrices[m]->x[at] != 0.0) return true;
  return false;
}

static void filled_entries(const void *user, fw_entries *entries) {
  const alike *them = user;
  const fw_sparse *A = them->matrices[0];
  for (int64_t j = 0; j < A->n; j++)
    for (int64_t k = A->p[j]; k < A->p[j + 1]; k++)
      if (is_filled(them, k)) fw_entries_add(entries, A->i[k], j);
}

fw_status fw_sparse_filled(fw_context *ctx, int count, const fw_sparse *const matrices[], fw_sparse *copies[]) {
  const alike them = {count, matrices};
  int64_t all = matrices[0]->p[matrices[0]->n], filled = 0;
  for (int m = 0; m < count; m++) copies[m] = NULL;
  for (int64_t k = 0; k < all; k++) filled += is_filled(&them, k);
  if (3 * filled > 2 * all) return FW_OK;
  FW_TRY(fw_sparse_create(ctx, matrices[0]->n, filled_entries, &them, &copies[0]));
  for (int m = 1; m < count; m++) FW_TRY(fw_sparse_like(ctx, copies[0], &copies[m]));
  for (int64_t k = 0, at = 0; k < all; k++)
    if (is_filled(&them, k)) {
      for (int m = 0; m < count; m++) copies[m]->x[at] = matrices[m]->x[k];
      at++;
    }
  return FW_OK;
}

int64_t fw_sparse_position(const fw_sparse *matrix, int64_t row, int64_t column) {
  int64_t low = matrix->p[column], high = matrix->p[column + 1] - 1;
  while (low <= high) {
    int64_t middle = low + (high - low) / 2;
    if (matrix->i[middle] == row) return middle;
    if (matrix->i[middle] < row)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

void fw_sparse_multiply(const fw_sparse *A, double a, const double *x, double *y) {
  for (int64_t j = 0; j < A->n; j++) {
    double ax = a * x[j];
    if (ax == 0.0) continue;
    for (int64_t k = A->p[j]; k < A->p[j + 1]; k++) y[A->i[k]] += A->x[k] * ax;
  }
}

void fw_sparse_multiply_sum(const fw_sparse *A, double a, const fw_sparse *B, double b, const double *x, double *y) {
  for (int64_t j = 0; j < A->n; j++)
    for (int64_t k = A->p[j]; k < A->p[j + 1]; k++) y[A->i[k]] += (a * A->x[k] + b * B->x[k]) * x[j];
}

void fw_sparse_combine(const fw_sparse *A, double a, const fw_sparse *B, double b, fw_sparse *sum) {
  for (int64_t k = 0; k < A->p[A->n]; k++) sum->x[k] = a * A->x[k] + b * B->x[k];
}

void fw_sparse_saddle(const fw_sparse *M, const fw_sparse *K, int64_t freedoms, fw_sparse *saddle) {
  for (int64_t j = 0; j < saddle->n; j++)
    for (int64_t k = saddle->p[j]; k < saddle->p[j + 1]; k++)
      saddle->x[k] = saddle->i[k] < freedoms && j < freedoms ? M->x[k] : K->x[k];
}

/* ---- factors ----------------------------------------------------------------------------- */

/* A large matrix that ought to be symmetric positive definite gets a Cholesky factor until it turns out not to be;
 * everything else is KLU's. */
struct fw_factor {
  fw_cholesky *cholesky; /* NULL: KLU */
  klu_l_common common;
  struct ordering *ordering;
  klu_l_symbolic *symbolic; /* of the ordering */
  klu_l_numeric *numeric;
};

/* KLU's analysis of a pattern, which factors of equal pattern share. */
typedef struct ordering {
  klu_l_symbolic *symbolic;
  atomic_int users;
} ordering;

static void ordering_release(void *ordered) {
  ordering *o = ordered;
  if (!o || atomic_fetch_sub(&o->users, 1) > 1) return;
  klu_l_common common;
  klu_l_defaults(&common);
  klu_l_free_symbolic(&o->symbolic, &common);
  free(o);
}

static fw_status order(fw_context *ctx, const fw_sparse *pattern, klu_l_common *common, ordering **o) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **o, o));
  atomic_init(&(*o)->users, 1);
  (*o)->symbolic = klu_l_analyze(pattern->n, pattern->p, pattern->i, common);
  if ((*o)->symbolic) return FW_OK;
  ordering_release(*o);
  *o = NULL;
  return common->status == KLU_OUT_OF_MEMORY
             ? fw_fail(ctx, FW_ERR_MEMORY, "out of memory while ordering a matrix of size %lld", (long long)pattern->n)
             : fw_fail(ctx, FW_ERR_SINGULAR, "the matrix is structurally singular");
}

static fw_status analyse(fw_context *ctx, const fw_sparse *pattern, fw_factor *factor) {
  const size_t n = (size_t)pattern->n, entries = (size_t)pattern->p[n];
  const fw_memo_part parts[] = {{pattern->p, (n + 1) * sizeof *pattern->p}, {pattern->i, entries * sizeof *pattern->i}};
  const fw_memo_key key = {"KLU ordering", parts, 2};
  klu_l_defaults(&factor->common);
  factor->ordering = fw_memo_find(ctx, &key);
  bool known = factor->ordering;
  if (!known) FW_TRY(order(ctx, pattern, &factor->common, &factor->ordering));
  factor->symbolic = factor->ordering->symbolic;
  atomic_fetch_add(&factor->ordering->users, 1);
  if (!known) fw_memo_keep(ctx, &key, factor->ordering, 8 * n * sizeof(int64_t), ordering_release);
  return FW_OK;
}

fw_status fw_factor_create(fw_context *ctx, const fw_sparse *pattern, fw_factor **factor) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **factor, factor));
  fw_status status = analyse(ctx, pattern, *factor);
  if (status != FW_OK) fw_factor_destroy(factor);
  return status;
}

enum { CHOLESKY_LEAST = 1000 }; /* below, KLU is as fast */

fw_status fw_factor_create_definite(fw_context *ctx, const fw_sparse *pattern, fw_factor **factor) {
  if (pattern->n < CHOLESKY_LEAST) return fw_factor_create(ctx, pattern, factor);
  FW_TRY(fw_alloc(ctx, 1, sizeof **factor, factor));
  fw_status status = fw_cholesky_create(ctx, pattern, &(*factor)->cholesky);
  if (status != FW_OK) fw_factor_destroy(factor);
  return status;
}

/* A pivot this small against its scaled row and column is round-off: the freedom has no stiffness. */
static const double pivot_tolerance = 1e-13;

static bool pivots_are_sound(const fw_factor *factor) {
  const double *pivot = factor->numeric->Udiag;
  for (int64_t k = 0; k < factor->symbolic->n; k++)
    if (!(fabs(pivot[k]) >= pivot_tolerance)) return false;
  return true;
}

/* Largest entry of each column once every row is divided by its own largest, as KLU does. */
static void measure_columns(const fw_sparse *A, double *row, double *column) {
  for (int64_t k = 0; k < A->p[A->n]; k++) row[A->i[k]] = fmax(row[A->i[k]], fabs(A->x[k]));
  for (int64_t j = 0; j < A->n; j++)
    for (int64_t k = A->p[j]; k < A->p[j + 1]; k++)
      if (row[A->i[k]] > 0.0) column[j] = fmax(column[j], fabs(A->x[k]) / row[A->i[k]]);
}

/* Column of the smallest pivot, or -1 when all are sound. Columns of multipliers are small beside stiff rows, and so
 * are their pivots, without being round-off: small steps make every row stiff. */
static fw_status weakest_pivot(fw_context *ctx, const fw_factor *factor, const fw_sparse *A, int64_t *weakest) {
  *weakest = -1;
  if (pivots_are_sound(factor)) return FW_OK;
  const double *pivot = factor->numeric->Udiag;
  double *row, least = pivot_tolerance;
  FW_TRY(fw_alloc(ctx, 2 * (size_t)A->n, sizeof *row, &row));
  double *column = row + A->n;
  measure_columns(A, row, column);
  for (int64_t k = 0; k < A->n; k++) {
    int64_t j = factor->symbolic->Q[k];
    double size = column[j] > 0.0 ? fabs(pivot[k]) / column[j] : 0.0;
    if (size >= least) continue;
    least = size;
    *weakest = j;
  }
  free(row);
  return FW_OK;
}

fw_status fw_factor_compute(fw_context *ctx, fw_factor *factor, const fw_sparse *A, int64_t *column) {
  if (factor->cholesky) {
    bool sound = false;
    FW_TRY(fw_cholesky_compute(ctx, factor->cholesky, A, &sound));
    if (sound) return FW_OK;
    fw_cholesky_destroy(&factor->cholesky);
    FW_TRY(analyse(ctx, A, factor));
  }
  /* Refactoring keeps the old pivot order: cheap, and redone from scratch where it fails. */
  bool again = factor->numeric &&
               klu_l_refactor(A->p, A->i, A->x, factor->symbolic, factor->numeric, &factor->common) &&
               factor->common.status == KLU_OK && pivots_are_sound(factor);
  if (again) return FW_OK;
  klu_l_free_numeric(&factor->numeric, &factor->common);
  factor->numeric = klu_l_factor(A->p, A->i, A->x, factor->symbolic, &factor->common);
  if (factor->common.status == KLU_OUT_OF_MEMORY || factor->common.status == KLU_TOO_LARGE)
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory while factoring a matrix of size %lld", (long long)A->n);
  int64_t weak = factor->common.singular_col;
  if (factor->numeric) FW_TRY(weakest_pivot(ctx, factor, A, &weak));
  if (factor->numeric && factor->common.status == KLU_OK && weak < 0) return FW_OK;
  if (column) *column = weak;
  return FW_ERR_SINGULAR;
}

fw_status fw_factor_try(fw_context *ctx, fw_factor *factor, const fw_sparse *A, bool *sound) {
  if (factor->cholesky) return fw_cholesky_compute(ctx, factor->cholesky, A, sound);
  fw_status status = fw_factor_compute(ctx, factor, A, NULL);
  *sound = status == FW_OK;
  return status == FW_ERR_SINGULAR ? FW_OK : status;
}

fw_status fw_factor_solve(fw_context *ctx, fw_factor *factor, double *b, int count) {
  if (factor->cholesky) return fw_cholesky_solve(ctx, factor->cholesky, b, count);
  if (klu_l_solve(factor->symbolic, factor->numeric, factor->symbolic->n, count, b, &factor->common)) return FW_OK;
  return fw_fail(ctx, FW_ERR_LIBRARY, "KLU cannot solve (status %d)", (int)factor->common.status);
}

size_t fw_factor_memory(const fw_factor *factor) {
  if (factor->cholesky) return fw_cholesky_memory(factor->cholesky);
  return factor->numeric ? factor->common.memusage : 0;
}

void fw_factor_destroy(fw_factor **factor) {
  if (!factor || !*factor) return;
  fw_cholesky_destroy(&(*factor)->cholesky);
  klu_l_free_numeric(&(*factor)->numeric, &(*factor)->common);
  ordering_release((*factor)->ordering);
  free(*factor);
  *factor = NULL;
}
