/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/subspace.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/eigen.h"

/* [K B; B^T 0] and M on one pattern; K has the joints already. */
typedef struct held {
  fw_sparse *K, *M;
} held;

/* The structure's pattern, bordered by the rows of B. */
typedef struct border {
  const fw_system *system;
  const double *B;
  int rows;
} border;

static void held_entries(const void *user, fw_entries *entries) {
  const border *b = user;
  const fw_sparse *K = b->system->K;
  int n = b->system->model->dof_count;
  fw_sparse_entries(K, entries);
  for (int r = 0; r < b->rows; r++) {
    fw_entries_add(entries, K->n + r, K->n + r); /* an explicit zero keeps the pattern square */
    for (int d = 0; d < n; d++) {
      if (b->B[(size_t)r * (size_t)n + (size_t)d] == 0) continue;
      fw_entries_add(entries, K->n + r, d);
      fw_entries_add(entries, d, K->n + r);
    }
  }
}

static fw_status held_create(fw_context *ctx, const fw_system *system, const double *B, int rows, held *h) {
  const fw_sparse *K = system->K, *M = system->M;
  int n = system->model->dof_count;
  FW_TRY(fw_sparse_create(ctx, K->n + rows, held_entries, &(border){system, B, rows}, &h->K));
  FW_TRY(fw_sparse_like(ctx, h->K, &h->M));
  for (int64_t c = 0; c < K->n; c++)
    for (int64_t k = K->p[c]; k < K->p[c + 1]; k++) {
      int64_t at = fw_sparse_position(h->K, K->i[k], c);
      h->K->x[at] = K->x[k];
      h->M->x[at] = M->x[k];
    }
  for (int r = 0; r < rows; r++)
    for (int d = 0; d < n; d++) {
      double entry = B[(size_t)r * (size_t)n + (size_t)d];
      if (entry == 0) continue;
      h->K->x[fw_sparse_position(h->K, K->n + r, d)] = entry;
      h->K->x[fw_sparse_position(h->K, d, K->n + r)] = entry;
    }
  return FW_OK;
}

/* Static answers, one after the other in X (n each). */
static fw_status static_shapes(fw_context *ctx, const fw_system *system, const held *h, int rows, const double *loads,
                               int load_count, double *X) {
  fw_factor *factor = NULL;
  double *b = NULL;
  fw_status status = FW_OK;
  size_t n = (size_t)system->model->dof_count, size = (size_t)h->K->n;
  FW_TRY_DONE(fw_factor_create(ctx, h->K, &factor));
  status = fw_factor_compute(ctx, factor, h->K, NULL);
  if (status == FW_ERR_SINGULAR)
    fw_fail(ctx, status, "harmonic balance: the structure with all its contact points held is a mechanism");
  if (status != FW_OK) goto done;
  FW_TRY_DONE(fw_alloc(ctx, size, sizeof *b, &b));
  for (int c = 0; c < rows + load_count; c++) {
    memset(b, 0, size * sizeof *b);
    if (c < rows)
      b[(size_t)system->K->n + (size_t)c] = 1;
    else
      memcpy(b, loads + n * (size_t)(c - rows), n * sizeof *b);
    FW_TRY_DONE(fw_factor_solve(ctx, factor, b, 1));
    memcpy(X + n * (size_t)c, b, n * sizeof *b);
  }
done:
  fw_factor_destroy(&factor);
  free(b);
  return status;
}

/* Orthonormal basis of the columns of X (overwritten), those that depend on others dropped. */
static fw_status orthonormalise(fw_context *ctx, double *X, int n, int count, int *size) {
  double *tau = NULL;
  lapack_int *order = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *tau, &tau));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *order, &order));
  for (int c = 0; c < count; c++) {
    double length = cblas_dnrm2(n, X + (size_t)c * (size_t)n, 1);
    if (length > 0) cblas_dscal(n, 1 / length, X + (size_t)c * (size_t)n, 1);
  }
  int info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, n, count, X, n, order, tau);
  *size = 0;
  while (info == 0 && *size < count && fabs(X[(size_t)*size * (size_t)n + (size_t)*size]) > 1e-9) (*size)++;
  if (info == 0) info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, *size, *size, X, n, tau);
  if (info != 0) status = fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK: QR of the reduction basis failed (%d)", info);
done:
  free(tau);
  free(order);
  return status;
}

fw_status fw_subspace_create(fw_context *ctx, const fw_system *system, const double *B, int rows, const double *loads,
                             int load_count, int modes, double **Q, int *size) {
  int n = system->model->dof_count, statics = rows + load_count, found = 0;
  held h = {0};
  double *values = NULL;
  fw_status status = FW_OK;
  if (modes > n / 4) modes = n / 4;
  *Q = NULL;
  FW_TRY_DONE(held_create(ctx, system, B, rows, &h));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n * (size_t)(statics + modes), sizeof **Q, Q));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)modes, sizeof *values, &values));
  FW_TRY_DONE(static_shapes(ctx, system, &h, rows, loads, load_count, *Q));
  FW_TRY_DONE(fw_eigen_lowest(ctx, h.K, h.M, n, modes, values, *Q + (size_t)n * (size_t)statics, &found));
  FW_TRY_DONE(orthonormalise(ctx, *Q, n, statics + found, size));
done:
  fw_sparse_destroy(&h.K);
  fw_sparse_destroy(&h.M);
  free(values);
  if (status != FW_OK) {
    free(*Q);
    *Q = NULL;
  }
  return status;
}
