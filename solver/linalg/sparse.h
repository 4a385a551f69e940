/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse matrices by columns, and their factors (KLU stays inside sparse.c, CHOLMOD inside cholesky.c). */
#ifndef FW_LINALG_SPARSE_H
#define FW_LINALG_SPARSE_H

#include <stdint.h>

#include "core/context.h"

/* Square, compressed columns, row indices sorted within a column. Matrices of one pattern share p and i. */
typedef struct fw_sparse {
  int64_t n;
  int64_t *p, *i;            /* column starts [n+1], row indices [p[n]] */
  double *x;                 /* values [p[n]] */
  struct fw_pattern *shared; /* p and i, freed with the last matrix that uses them */
} fw_sparse;

/* Names entries of a pattern to `add`, in any order, repeated ones too; the same ones whenever it is called. */
typedef struct fw_entries fw_entries;
typedef void (*fw_entries_fn)(const void *user, fw_entries *entries);
void fw_entries_add(fw_entries *entries, int64_t row, int64_t column);
/* Every pair of n freedoms; negative ones are left out. */
void fw_entries_clique(fw_entries *entries, const int *dofs, int n);

/* All entries of a matrix. */
void fw_sparse_entries(const fw_sparse *matrix, fw_entries *entries);

/* A matrix with zero values and the entries that `list` names. It is called twice, so that nothing but the pattern
 * itself need be stored. */
fw_status fw_sparse_create(fw_context *ctx, int64_t n, fw_entries_fn list, const void *user, fw_sparse **matrix);
/* Same pattern (shared), zero values. */
fw_status fw_sparse_like(fw_context *ctx, const fw_sparse *pattern, fw_sparse **matrix);
void fw_sparse_destroy(fw_sparse **matrix);
/* Copies of matrices that share one pattern, on a smaller one: without what is zero in all of them. NULL where that is
 * less than a third of the entries. */
fw_status fw_sparse_filled(fw_context *ctx, int count, const fw_sparse *const matrices[], fw_sparse *copies[]);
/* Position of entry (row, column) in x, or -1. */
int64_t fw_sparse_position(const fw_sparse *matrix, int64_t row, int64_t column);
/* y += a * A x. */
void fw_sparse_multiply(const fw_sparse *A, double a, const double *x, double *y);
/* y += (a A + b B) x; both share one pattern. */
void fw_sparse_multiply_sum(const fw_sparse *A, double a, const fw_sparse *B, double b, const double *x, double *y);
/* sum = a A + b B; all three share one pattern. */
void fw_sparse_combine(const fw_sparse *A, double a, const fw_sparse *B, double b, fw_sparse *sum);

/* saddle = [M G^T; G 0]: M between the first `freedoms`, beyond them K's rows and columns, where the multipliers stand;
 * all three share one pattern. */
void fw_sparse_saddle(const fw_sparse *M, const fw_sparse *K, int64_t freedoms, fw_sparse *saddle);

/* A factored matrix. The pattern is analysed once; later values are refactored cheaply. */
typedef struct fw_factor fw_factor;
fw_status fw_factor_create(fw_context *ctx, const fw_sparse *pattern, fw_factor **factor);
/* The same for a matrix expected to be symmetric positive definite: where it is large, by Cholesky, much faster; a
 * matrix that turns out to be something else is factored all the same. */
fw_status fw_factor_create_definite(fw_context *ctx, const fw_sparse *pattern, fw_factor **factor);
/* FW_ERR_SINGULAR leaves the message to the caller; *column (may be NULL) is the freedom with the weakest pivot. */
fw_status fw_factor_compute(fw_context *ctx, fw_factor *factor, const fw_sparse *A, int64_t *column);
/* The same, but a factor for definite matrices leaves one that is not alone: *sound false. Singular: false too. */
fw_status fw_factor_try(fw_context *ctx, fw_factor *factor, const fw_sparse *A, bool *sound);
/* Solves A X = B in place, `count` right-hand sides stored one after the other. */
fw_status fw_factor_solve(fw_context *ctx, fw_factor *factor, double *b, int count);
/* Bytes that the numbers and indices of the factor take. */
size_t fw_factor_memory(const fw_factor *factor);
void fw_factor_destroy(fw_factor **factor);

#endif
