/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structures whose K or C is not symmetric. The shapes are those of the symmetric part of K; a skew part S is on them
 *
 *   V^T S V  beside the other matrices of the coordinates,   V^T S R,   R^T S V = -(V^T S R)^T,
 *   R^T S R = sum of sigma u y^T                             (singular values; no more of them than matter)
 *
 * so that condensing stays Woodbury's formula (dynamic.c). */
#include "solver/hb/reduction/reduced.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROUNDING = 1e-12; /* of the largest entry: less is none */
static const double MATTERS = 1e-13;  /* of the unit stiffness of a mode */

static bool is_skew(int n, const double *A) {
  double most = 0, skew = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++) {
      double a = A[(size_t)j * (size_t)n + (size_t)i], b = A[(size_t)i * (size_t)n + (size_t)j];
      most = fmax(most, fmax(fabs(a), fabs(b)));
      skew = fmax(skew, fabs(a - b));
    }
  return skew > ROUNDING * most;
}

bool fw_structure_is_skew(const fw_structure *s) { return is_skew(s->n, s->K) || is_skew(s->n, s->C); }

void fw_split_skew(int n, double *A, double *skew) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++) {
      size_t upper = (size_t)j * (size_t)n + (size_t)i, lower = (size_t)i * (size_t)n + (size_t)j;
      skew[upper] = 0.5 * (A[upper] - A[lower]);
      skew[lower] = -skew[upper];
      A[upper] = A[lower] = 0.5 * (A[upper] + A[lower]);
    }
}

/* out = X^T SY, X: n x rows, SY: n x columns. */
static void project(int n, int rows, int columns, const double *X, const double *SY, double *out) {
  if (rows && columns)
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, columns, n, 1, X, n, SY, n, 0, out, rows);
}

static void multiply(int n, int columns, const double *S, const double *Y, double *SY) {
  if (columns) cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, columns, n, 1, S, n, Y, n, 0, SY, n);
}

/* Appends the singular values of A (rest squared, overwritten) above `least` to `weights`, u to U and y to Y. */
static fw_status append(fw_context *ctx, double *A, double least, fw_reduced *out, double *weights) {
  size_t rest = (size_t)out->rest;
  int n = out->rest;
  double *memory;
  FW_TRY(fw_alloc(ctx, 2 * rest * rest + rest, sizeof *memory, &memory));
  double *U = memory, *Yt = U + rest * rest, *values = Yt + rest * rest;
  if (n && LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', n, n, A, n, values, U, n, Yt, n) != 0) {
    free(memory);
    return fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK: singular values of a skew matrix failed");
  }
  for (size_t j = 0; j < rest && values[j] > least; j++, out->rank++) {
    memcpy(out->U + (size_t)out->rank * rest, U + j * rest, rest * sizeof(double));
    cblas_dcopy(n, Yt + j, n, out->Y + (size_t)out->rank * rest, 1);
    weights[out->rank] = values[j];
  }
  free(memory);
  return FW_OK;
}

/* One skew matrix: onto `own` of the coordinates, between them and the rest, among the rest. */
static fw_status add(fw_context *ctx, int n, const double *S, double *own, double **between, double *weights,
                     fw_reduced *out) {
  int c = out->coordinates, rest = out->rest, most = c > rest ? c : rest;
  double *SY = NULL, *A = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)n * (size_t)most, sizeof *SY, &SY));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)most * (size_t)most, sizeof *A, &A));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)c * (size_t)rest, sizeof **between, between));
  multiply(n, c, S, out->V, SY);
  project(n, c, c, out->V, SY, A);
  if (c) cblas_daxpy(c * c, 1, A, 1, own, 1);
  multiply(n, rest, S, out->R, SY);
  project(n, c, rest, out->V, SY, *between);
  project(n, rest, rest, out->R, SY, A);
  double size = 1; /* of K: unit stiffness; of C its own */
  if (weights == out->C_u && rest) size = fabs(A[cblas_idamax(rest * rest, A, 1)]);
  status = append(ctx, A, MATTERS * size, out, weights);
done:
  free(SY);
  free(A);
  return status;
}

fw_status fw_reduced_add_skew(fw_context *ctx, int n, const double *K_skew, const double *C_skew, fw_reduced *out) {
  FW_TRY(add(ctx, n, K_skew, out->K, &out->K_skew_zr, out->K_u, out));
  out->still = out->rank;
  FW_TRY(add(ctx, n, C_skew, out->C, &out->C_skew_zr, out->C_u, out));
  out->skew_rank = out->rank;
  return FW_OK;
}
