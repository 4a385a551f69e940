/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A large structure on a subspace (Craig and Bampton 1968, AIAA J. 6(7)): q = Q x, Q an orthonormal basis of the static
 * shapes of the contact functionals B and of the loads, and of the lowest modes with B^T q = 0,
 *
 *   [K B; B^T 0] [q; s] = [F; 0] or [0; 1],     (K - w^2 M) q + B s = 0,  B^T q = 0.
 *
 * Where K is not symmetric these are of its symmetric part. Else statics stay exact; how much the dynamics lose is measured at two frequencies by the forces that hold the functionals,
 * of the whole model and of the subspace. */
#include "solver/hb/vibration.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/linalg/eigen.h"

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

/* K less `skew` (NULL: nothing), a matrix on its pattern. */
static fw_status held_create(fw_context *ctx, const fw_system *system, const fw_sparse *skew, const double *B, int rows,
                             held *h) {
  const fw_sparse *K = system->K, *M = system->M;
  int n = system->model->dof_count;
  FW_TRY(fw_sparse_create(ctx, K->n + rows, held_entries, &(border){system, B, rows}, &h->K));
  FW_TRY(fw_sparse_like(ctx, h->K, &h->M));
  for (int64_t c = 0; c < K->n; c++)
    for (int64_t k = K->p[c]; k < K->p[c + 1]; k++) {
      int64_t at = fw_sparse_position(h->K, K->i[k], c);
      h->K->x[at] = K->x[k] - (skew ? skew->x[k] : 0);
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

/* The lowest modes after the static shapes in *Q, which grows: as many as wished, or until one is not below. */
static fw_status held_modes(fw_context *ctx, const held *h, int n, int statics, fw_reduction how, double **Q,
                            int *found) {
  int most = n / 4;
  for (int modes = how.below > 0 ? 20 : how.modes;; modes *= 2) {
    double *values, *larger;
    if (modes > most) modes = most;
    larger = realloc(*Q, (size_t)n * (size_t)(statics + modes) * sizeof **Q);
    if (!larger) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
    *Q = larger;
    FW_TRY(fw_alloc(ctx, (size_t)modes, sizeof *values, &values));
    fw_status status = fw_eigen_lowest(ctx, h->K, h->M, n, modes, values, *Q + (size_t)n * (size_t)statics, found);
    if (status == FW_ERR_SINGULAR) fw_fail(ctx, status, "harmonic balance: a freedom has neither stiffness nor mass");
    int below = 0;
    while (status == FW_OK && below < *found && values[below] < how.below * how.below) below++;
    free(values);
    FW_TRY(status);
    if (!(how.below > 0)) return FW_OK;
    if (below < *found || modes == most) {
      *found = below > 0 ? below : 1;
      return FW_OK;
    }
  }
}

fw_status fw_subspace_create(fw_context *ctx, const fw_system *system, const double *B, int rows, const double *loads,
                             int load_count, fw_reduction how, double **Q, int *size) {
  int n = system->model->dof_count, statics = rows + load_count, found = 0;
  held h = {0};
  fw_status status = FW_OK;
  *Q = NULL;
  FW_TRY_DONE(held_create(ctx, system, system->K_flow, B, rows, &h));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n * (size_t)statics, sizeof **Q, Q));
  FW_TRY_DONE(static_shapes(ctx, system, &h, rows, loads, load_count, *Q));
  FW_TRY_DONE(held_modes(ctx, &h, n, statics, how, Q, &found));
  FW_TRY_DONE(orthonormalise(ctx, *Q, n, statics + found, size));
done:
  fw_sparse_destroy(&h.K);
  fw_sparse_destroy(&h.M);
  if (status != FW_OK) {
    free(*Q);
    *Q = NULL;
  }
  return status;
}

/* ---- error --------------------------------------------------------------------------------- */

/* Forces that hold the functionals of the whole model, rows for each functional and load. */
static fw_status forces_of_model(fw_context *ctx, const fw_system *system, const double *B, const double *loads,
                                 const fw_projection *p, double w, double *forces) {
  fw_status status = FW_OK;
  held h = {0};
  fw_factor *factor = NULL;
  double *b = NULL;
  size_t n = (size_t)system->model->dof_count, rows = (size_t)p->rows;
  FW_TRY_DONE(held_create(ctx, system, NULL, B, p->rows, &h));
  size_t size = (size_t)h.K->n, first = size - rows;
  for (int64_t k = 0; k < h.K->p[h.K->n]; k++) h.K->x[k] -= w * w * h.M->x[k];
  FW_TRY_DONE(fw_factor_create(ctx, h.K, &factor));
  FW_TRY_DONE(fw_factor_compute(ctx, factor, h.K, NULL));
  FW_TRY_DONE(fw_alloc(ctx, size, sizeof *b, &b));
  for (size_t c = 0; c < rows + (size_t)p->load_count; c++) {
    memset(b, 0, size * sizeof *b);
    if (c < rows)
      b[first + c] = 1;
    else
      memcpy(b, loads + n * (c - rows), n * sizeof *b);
    FW_TRY_DONE(fw_factor_solve(ctx, factor, b, 1));
    memcpy(forces + c * rows, b + first, rows * sizeof *b);
  }
done:
  fw_factor_destroy(&factor);
  fw_sparse_destroy(&h.K);
  fw_sparse_destroy(&h.M);
  free(b);
  return status;
}

/* The same of the subspace. */
static fw_status forces_of_subspace(fw_context *ctx, const fw_projection *p, double w, double *forces) {
  size_t size = (size_t)p->size, rows = (size_t)p->rows, all = size + rows, columns = rows + (size_t)p->load_count;
  fw_status status = FW_OK;
  double *A = NULL, *b = NULL;
  lapack_int *pivot = NULL;
  FW_TRY_DONE(fw_alloc(ctx, all * all, sizeof *A, &A));
  FW_TRY_DONE(fw_alloc(ctx, all * columns, sizeof *b, &b));
  FW_TRY_DONE(fw_alloc(ctx, all, sizeof *pivot, &pivot));
  for (size_t j = 0; j < size; j++)
    for (size_t i = 0; i < size; i++) A[j * all + i] = p->K[j * size + i] - w * w * p->M[j * size + i];
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < size; i++) A[(size + r) * all + i] = A[i * all + size + r] = p->B[r * size + i];
  for (size_t r = 0; r < rows; r++) b[r * all + size + r] = 1;
  for (size_t l = 0; l < (size_t)p->load_count; l++)
    memcpy(b + (rows + l) * all, p->loads + l * size, size * sizeof *b);
  if (LAPACKE_dgesv(LAPACK_COL_MAJOR, (int)all, (int)columns, A, (int)all, pivot, b, (int)all) != 0)
    FW_TRY_DONE(fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK: the reduced structure is singular at %g rad/s", w));
  for (size_t c = 0; c < columns; c++) memcpy(forces + c * rows, b + c * all + size, rows * sizeof *b);
done:
  free(A);
  free(b);
  free(pivot);
  return status;
}

fw_status fw_subspace_error(fw_context *ctx, const fw_system *system, const double *B, const double *loads,
                            const fw_projection *p, double w, double *error) {
  size_t rows = (size_t)p->rows, columns = rows + (size_t)p->load_count;
  double *forces;
  *error = 0;
  FW_TRY(fw_alloc(ctx, 2 * rows * columns, sizeof *forces, &forces));
  double *reduced = forces + rows * columns;
  fw_status status = forces_of_model(ctx, system, B, loads, p, w, forces);
  if (status == FW_OK) status = forces_of_subspace(ctx, p, w, reduced);
  for (size_t c = 0; status == FW_OK && c < columns; c++) {
    double size = cblas_dnrm2(p->rows, forces + c * rows, 1);
    cblas_daxpy(p->rows, -1, forces + c * rows, 1, reduced + c * rows, 1);
    if (size > 0) *error = fmax(*error, cblas_dnrm2(p->rows, reduced + c * rows, 1) / size);
  }
  free(forces);
  return status;
}
