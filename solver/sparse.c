/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/sparse.h"

#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/cholesky.h"

/* ---- matrices ---------------------------------------------------------------------------- */

/* Rows of each column gathered by a counting sort over columns, then sorted and made unique. */
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

static fw_status sparse_create(fw_context *ctx, int64_t n, int64_t entries, fw_sparse **matrix) {
  fw_status status = FW_OK;
  fw_sparse *A = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *A, &A));
  A->n = n;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n + 1, sizeof *A->p, &A->p));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)entries, sizeof *A->i, &A->i));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)entries, sizeof *A->x, &A->x));
done:
  if (status != FW_OK) fw_sparse_destroy(&A);
  *matrix = A;
  return status;
}

fw_status fw_sparse_from_pairs(fw_context *ctx, int64_t n, const int64_t *rows, const int64_t *columns, size_t count,
                               fw_sparse **matrix) {
  fw_status status = FW_OK;
  int64_t *start = NULL, *row = NULL;
  *matrix = NULL;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n + 2, sizeof *start, &start));
  FW_TRY_DONE(fw_alloc(ctx, count, sizeof *row, &row));
  for (size_t k = 0; k < count; k++) start[columns[k] + 2]++;
  for (int64_t j = 0; j < n; j++) start[j + 2] += start[j + 1];
  for (size_t k = 0; k < count; k++) row[start[columns[k] + 1]++] = rows[k];
  int64_t total = 0;
  for (int64_t j = 0; j < n; j++) { /* compact in place: total never overtakes start[j] */
    int64_t kept = sort_unique(row + start[j], start[j + 1] - start[j]);
    memmove(row + total, row + start[j], (size_t)kept * sizeof *row);
    start[j] = total;
    total += kept;
  }
  FW_TRY_DONE(sparse_create(ctx, n, total, matrix));
  memcpy((*matrix)->p, start, (size_t)n * sizeof *start);
  (*matrix)->p[n] = total;
  memcpy((*matrix)->i, row, (size_t)total * sizeof *row);
done:
  free(start);
  free(row);
  return status;
}

fw_status fw_sparse_like(fw_context *ctx, const fw_sparse *pattern, fw_sparse **matrix) {
  int64_t entries = pattern->p[pattern->n];
  FW_TRY(sparse_create(ctx, pattern->n, entries, matrix));
  memcpy((*matrix)->p, pattern->p, ((size_t)pattern->n + 1) * sizeof *pattern->p);
  memcpy((*matrix)->i, pattern->i, (size_t)entries * sizeof *pattern->i);
  return FW_OK;
}

void fw_sparse_destroy(fw_sparse **matrix) {
  if (!matrix || !*matrix) return;
  free((*matrix)->p);
  free((*matrix)->i);
  free((*matrix)->x);
  free(*matrix);
  *matrix = NULL;
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

void fw_sparse_combine(const fw_sparse *A, double a, const fw_sparse *B, double b, fw_sparse *sum) {
  for (int64_t k = 0; k < A->p[A->n]; k++) sum->x[k] = a * A->x[k] + b * B->x[k];
}

/* ---- factors ----------------------------------------------------------------------------- */

/* A large matrix that ought to be symmetric positive definite gets a Cholesky factor until it turns out not to be;
 * everything else is KLU's. */
struct fw_factor {
  fw_cholesky *cholesky; /* NULL: KLU */
  klu_l_common common;
  klu_l_symbolic *symbolic;
  klu_l_numeric *numeric;
};

static fw_status analyse(fw_context *ctx, const fw_sparse *pattern, fw_factor *factor) {
  klu_l_defaults(&factor->common);
  factor->symbolic = klu_l_analyze(pattern->n, pattern->p, pattern->i, &factor->common);
  if (factor->symbolic) return FW_OK;
  return factor->common.status == KLU_OUT_OF_MEMORY
             ? fw_fail(ctx, FW_ERR_MEMORY, "out of memory while ordering a matrix of size %lld", (long long)pattern->n)
             : fw_fail(ctx, FW_ERR_SINGULAR, "the matrix is structurally singular");
}

fw_status fw_factor_create(fw_context *ctx, const fw_sparse *pattern, fw_factor **factor) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **factor, factor));
  fw_status status = analyse(ctx, pattern, *factor);
  if (status != FW_OK) fw_factor_destroy(factor);
  return status;
}

enum { CHOLESKY_LEAST = 4000 }; /* below, KLU is as fast */

fw_status fw_factor_create_definite(fw_context *ctx, const fw_sparse *pattern, fw_factor **factor) {
  if (pattern->n < CHOLESKY_LEAST) return fw_factor_create(ctx, pattern, factor);
  FW_TRY(fw_alloc(ctx, 1, sizeof **factor, factor));
  fw_status status = fw_cholesky_create(ctx, pattern, &(*factor)->cholesky);
  if (status != FW_OK) fw_factor_destroy(factor);
  return status;
}

/* A pivot this small against its scaled row is round-off: the freedom has no stiffness. */
static const double pivot_tolerance = 1e-13;

/* Column of the smallest scaled pivot, or -1 when all are sound. */
static int64_t weakest_pivot(const fw_factor *factor) {
  const double *pivot = factor->numeric->Udiag;
  double least = pivot_tolerance;
  int64_t weakest = -1;
  for (int64_t k = 0; k < factor->symbolic->n; k++)
    if (!(fabs(pivot[k]) >= least)) {
      least = fabs(pivot[k]);
      weakest = factor->symbolic->Q[k];
    }
  return weakest;
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
               factor->common.status == KLU_OK && weakest_pivot(factor) < 0;
  if (again) return FW_OK;
  klu_l_free_numeric(&factor->numeric, &factor->common);
  factor->numeric = klu_l_factor(A->p, A->i, A->x, factor->symbolic, &factor->common);
  if (factor->common.status == KLU_OUT_OF_MEMORY || factor->common.status == KLU_TOO_LARGE)
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory while factoring a matrix of size %lld", (long long)A->n);
  int64_t weak = factor->numeric ? weakest_pivot(factor) : factor->common.singular_col;
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

void fw_factor_destroy(fw_factor **factor) {
  if (!factor || !*factor) return;
  fw_cholesky_destroy(&(*factor)->cholesky);
  klu_l_free_numeric(&(*factor)->numeric, &(*factor)->common);
  klu_l_free_symbolic(&(*factor)->symbolic, &(*factor)->common);
  free(*factor);
  *factor = NULL;
}
