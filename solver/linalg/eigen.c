/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/linalg/eigen.h"

#include <arpack.h>
#include <lapacke.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solver/linalg/arpack.h"

static pthread_mutex_t arpack_lock = PTHREAD_MUTEX_INITIALIZER;

void fw_arpack_enter(void) { pthread_mutex_lock(&arpack_lock); }
void fw_arpack_leave(void) { pthread_mutex_unlock(&arpack_lock); }

void fw_arpack_start(size_t rows, double *resid) {
  uint32_t state = 1;
  for (size_t i = 0; i < rows; i++) {
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    resid[i] = state / 4294967296.0 - 0.5;
  }
}

typedef struct fw_shift_invert {
  fw_context *ctx;
  const fw_sparse *M;
  int64_t n, size;
  double shift;
  fw_factor *factor;
  double *work;  /* [size] */
  int64_t loose; /* a freedom that nothing holds, where the factors do not exist */
} fw_shift_invert;

/* Factors K - shift M. Without supports K is singular: a shift far below every elastic eigenvalue then
 * makes it regular without moving the answer. */
static fw_status shift_factor(fw_shift_invert *op, const fw_sparse *K) {
  fw_status status = FW_OK;
  fw_sparse *A = NULL;
  FW_TRY_DONE(fw_sparse_like(op->ctx, K, &A));
  if (op->size == op->n) /* no multipliers */
    FW_TRY_DONE(fw_factor_create_definite(op->ctx, A, &op->factor));
  else
    FW_TRY_DONE(fw_factor_create(op->ctx, A, &op->factor));
  fw_sparse_combine(K, 1.0, op->M, 0.0, A);
  bool sound = false;
  FW_TRY_DONE(fw_factor_try(op->ctx, op->factor, A, &sound));
  if (sound) goto done;
  double most = 0.0;
  for (int64_t i = 0; i < op->n; i++) {
    int64_t at = fw_sparse_position(K, i, i);
    if (op->M->x[at] > 0.0) most = fmax(most, fabs(K->x[at]) / op->M->x[at]);
  }
  op->shift = most > 0.0 ? -1e-9 * most : -1.0;
  fw_sparse_combine(K, 1.0, op->M, -op->shift, A);
  int64_t column = -1;
  FW_TRY_DONE(fw_factor_try(op->ctx, op->factor, A, &sound));
  if (sound) goto done;
  /* Some eigenvalues are negative: the state is unstable. */
  fw_factor_destroy(&op->factor);
  FW_TRY_DONE(fw_factor_create(op->ctx, A, &op->factor));
  status = fw_factor_compute(op->ctx, op->factor, A, &column);
  if (status == FW_ERR_SINGULAR) op->loose = column;
done:
  fw_sparse_destroy(&A);
  return status;
}

/* y = (K - shift M)^-1 x on the first n freedoms, constraints kept. */
static fw_status shift_solve(fw_shift_invert *op, const double *x, double *y) {
  memcpy(op->work, x, (size_t)op->n * sizeof *x);
  memset(op->work + op->n, 0, (size_t)(op->size - op->n) * sizeof *x);
  FW_TRY(fw_factor_solve(op->ctx, op->factor, op->work, 1));
  memcpy(y, op->work, (size_t)op->n * sizeof *x);
  return FW_OK;
}

/* y = M x (M's multiplier rows are empty). */
static void mass_multiply(const fw_shift_invert *op, const double *x, double *y) {
  memset(y, 0, (size_t)op->n * sizeof *y);
  for (int64_t j = 0; j < op->n; j++)
    for (int64_t k = op->M->p[j]; k < op->M->p[j + 1]; k++)
      if (op->M->i[k] < op->n) y[op->M->i[k]] += op->M->x[k] * x[j];
}

/* Few freedoms: with M = V D V^T the operator sqrt(D) V^T (K - shift M)^-1 V sqrt(D) is a dense symmetric
 * matrix whose eigenvalues are 1/(lambda - shift). */
static fw_status dense_pairs(fw_shift_invert *op, int count, double *values, double *vectors, int *found) {
  fw_status status = FW_OK;
  lapack_int n = (lapack_int)op->n;
  size_t nn = (size_t)n * (size_t)n;
  double *memory = NULL;
  FW_TRY(fw_alloc(op->ctx, 4 * nn + 4 * (size_t)n, sizeof *memory, &memory));
  double *V = memory, *S = V + nn, *B = S + nn, *P = B + nn, *D = P + nn, *nu = D + n, *unit = nu + n, *y = unit + n;
  for (lapack_int j = 0; j < n; j++)
    for (int64_t k = op->M->p[j]; k < op->M->p[j + 1]; k++)
      if (op->M->i[k] < n) V[op->M->i[k] * n + j] = op->M->x[k];
  if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'U', n, V, n, D) != 0) {
    status = fw_fail(op->ctx, FW_ERR_LIBRARY, "LAPACK dsyev failed");
    goto done;
  }
  for (lapack_int j = 0; j < n; j++) { /* column j of V sqrt(D), then its solution */
    double root = sqrt(fmax(D[j], 0.0));
    for (lapack_int i = 0; i < n; i++) unit[i] = P[i * n + j] = V[i * n + j] * root;
    FW_TRY_DONE(shift_solve(op, unit, y));
    for (lapack_int i = 0; i < n; i++) S[i * n + j] = y[i];
  }
  for (lapack_int i = 0; i < n; i++)
    for (lapack_int j = 0; j < n; j++) {
      double sum = 0.0;
      for (lapack_int k = 0; k < n; k++) sum += P[k * n + i] * S[k * n + j];
      B[i * n + j] = sum;
    }
  if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'U', n, B, n, nu) != 0) {
    status = fw_fail(op->ctx, FW_ERR_LIBRARY, "LAPACK dsyev failed");
    goto done;
  }
  double most = fmax(fabs(nu[0]), fabs(nu[n - 1]));
  *found = 0;
  for (lapack_int low = 0, high = n - 1; low <= high && *found < count;) { /* the largest of either sign */
    lapack_int m = fabs(nu[low]) > fabs(nu[high]) ? low++ : high--;
    if (!(fabs(nu[m]) > 1e-14 * most)) break;
    double *x = vectors + (size_t)*found * (size_t)n; /* x = S y / nu: the solution operator's own vector */
    for (lapack_int i = 0; i < n; i++) {
      x[i] = 0.0;
      for (lapack_int j = 0; j < n; j++) x[i] += S[i * n + j] * B[j * n + m];
      x[i] /= nu[m];
    }
    values[(*found)++] = op->shift + 1.0 / nu[m];
  }
done:
  free(memory);
  return status;
}

static fw_status arpack_pairs(fw_shift_invert *op, int count, double *values, double *vectors, int *found) {
  fw_status status = FW_OK;
  a_int n = (a_int)op->n, nev = count, ncv = 2 * count + 10 < n ? 2 * count + 10 : n;
  a_int lworkl = ncv * (ncv + 8), ido = 0, info = 1, iparam[11] = {1, 0, 3000, 1, 0, 0, 3}, ipntr[11] = {0};
  double *memory = NULL;
  a_int *select = NULL;
  size_t rows = (size_t)n;
  FW_TRY_DONE(fw_alloc(op->ctx, rows * (size_t)(ncv + 5) + (size_t)lworkl, sizeof *memory, &memory));
  FW_TRY_DONE(fw_alloc(op->ctx, (size_t)ncv, sizeof *select, &select));
  double *resid = memory, *v = resid + rows, *workd = v + rows * (size_t)ncv, *product = workd + 3 * rows,
         *workl = product + rows;
  fw_arpack_start(rows, resid);
  for (;;) {
    dsaupd_c(&ido, "G", n, "LM", nev, 1e-14, resid, ncv, v, n, iparam, ipntr, workd, workl, lworkl, &info);
    double *x = workd + ipntr[0] - 1, *y = workd + ipntr[1] - 1;
    if (ido == -1) {
      mass_multiply(op, x, product);
      FW_TRY_DONE(shift_solve(op, product, y));
    } else if (ido == 1) { /* M x is already there */
      FW_TRY_DONE(shift_solve(op, workd + ipntr[2] - 1, y));
    } else if (ido == 2) {
      mass_multiply(op, x, y);
    } else {
      break;
    }
  }
  if (info < 0) {
    status = fw_fail(op->ctx, FW_ERR_LIBRARY, "ARPACK dsaupd failed (%d)", (int)info);
    goto done;
  }
  *found = iparam[4] < count ? (int)iparam[4] : count;
  dseupd_c(1, "A", select, values, vectors, n, op->shift, "G", n, "LM", nev, 1e-14, resid, ncv, v, n, iparam, ipntr,
           workd, workl, lworkl, &info);
  if (info != 0) status = fw_fail(op->ctx, FW_ERR_LIBRARY, "ARPACK dseupd failed (%d)", (int)info);
done:
  free(memory);
  free(select);
  return status;
}

/* Ascending, each vector scaled to x^T M x = 1 with its largest entry positive. */
static void sort_and_normalise(const fw_shift_invert *op, int found, double *values, double *vectors, double *work) {
  size_t n = (size_t)op->n;
  for (int i = 1; i < found; i++)
    for (int j = i; j > 0 && values[j] < values[j - 1]; j--) {
      double swap = values[j];
      values[j] = values[j - 1];
      values[j - 1] = swap;
      for (size_t k = 0; k < n; k++) {
        swap = vectors[(size_t)j * n + k];
        vectors[(size_t)j * n + k] = vectors[((size_t)j - 1) * n + k];
        vectors[((size_t)j - 1) * n + k] = swap;
      }
    }
  for (int i = 0; i < found; i++) {
    double *x = vectors + (size_t)i * n, mass = 0.0, peak = 0.0;
    mass_multiply(op, x, work);
    for (size_t k = 0; k < n; k++) {
      mass += x[k] * work[k];
      if (fabs(x[k]) > fabs(peak) * (1.0 + 1e-6)) peak = x[k];
    }
    double scale = (peak < 0.0 ? -1.0 : 1.0) / sqrt(mass > 0.0 ? mass : 1.0);
    for (size_t k = 0; k < n; k++) x[k] *= scale;
  }
}

static bool has_mass(const fw_sparse *M) {
  for (int64_t k = 0; k < M->p[M->n]; k++)
    if (M->x[k] != 0.0) return true;
  return false;
}

/* Of a structure without any stiffness every eigenvalue is 0, and what is found instead is rounding of the shift. */
static void drop_rounding(const fw_shift_invert *op, int found, double *values) {
  for (int i = 0; i < found; i++)
    if (fabs(values[i]) < 1e-9 * fabs(op->shift)) values[i] = 0.0;
}

enum { DENSE_MOST = 60 }; /* below this many freedoms ARPACK's subspace would be the whole space */

fw_status fw_eigen_lowest(fw_context *ctx, const fw_sparse *K, const fw_sparse *M, int64_t n, int count, double *values,
                          double *vectors, int *found) {
  fw_status status = FW_OK;
  fw_shift_invert op = {.ctx = ctx, .M = M, .n = n, .size = K->n};
  *found = 0;
  if (!has_mass(M)) return fw_fail(ctx, FW_ERR_ANALYSIS, "nothing in the model has mass: there are no modes");
  FW_TRY_DONE(fw_alloc(ctx, (size_t)K->n, sizeof *op.work, &op.work));
  status = shift_factor(&op, K);
  if (status == FW_ERR_SINGULAR) *found = (int)op.loose;
  if (status != FW_OK) goto done;
  if (n <= DENSE_MOST || 2 * (int64_t)count + 10 >= n) {
    FW_TRY_DONE(dense_pairs(&op, count, values, vectors, found));
  } else {
    fw_arpack_enter();
    status = arpack_pairs(&op, count, values, vectors, found);
    fw_arpack_leave();
    if (status != FW_OK) goto done;
  }
  drop_rounding(&op, *found, values);
  sort_and_normalise(&op, *found, values, vectors, op.work);
done:
  fw_factor_destroy(&op.factor);
  free(op.work);
  return status;
}
