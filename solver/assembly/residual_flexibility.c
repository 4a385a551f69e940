/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/residual_flexibility.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NOTHING_LEFT = 1e-10; /* of the energy of an answer; of the largest eigenvalue of shapes together */

static double inner(const double *x, const double *y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* x^T A y; work: [n] */
static double form(const fw_sparse *A, const double *x, const double *y, int n, double *work) {
  memset(work, 0, (size_t)n * sizeof *work);
  fw_sparse_multiply(A, 1.0, y, work);
  return inner(x, work, n);
}

/* answer -= Phi Phi^T M answer */
static void take_modes(const fw_residual_flexibility *r, double *answer, double *work) {
  memset(work, 0, (size_t)r->n * sizeof *work);
  fw_sparse_multiply(r->M, 1.0, answer, work);
  for (int m = 0; m < r->modes; m++) {
    const double *phi = r->mode + (size_t)m * (size_t)r->n;
    double part = inner(phi, work, r->n);
    for (int i = 0; i < r->n; i++) answer[i] -= part * phi[i];
  }
}

fw_status fw_residual_flexibility_add(fw_context *ctx, fw_residual_flexibility *self, double *answer) {
  double *work;
  size_t n = (size_t)self->n;
  FW_TRY(fw_alloc(ctx, n, sizeof *work, &work));
  double whole = form(self->K, answer, answer, self->n, work);
  take_modes(self, answer, work);
  take_modes(self, answer, work); /* what rounding left of them */
  double left = form(self->K, answer, answer, self->n, work);
  free(work);
  if (!(left > NOTHING_LEFT * whole)) return FW_OK;
  FW_TRY(fw_grow(ctx, self->count, &self->room, n * sizeof *self->shape, &self->shape));
  double *shape = self->shape + (size_t)self->count++ * n;
  for (size_t i = 0; i < n; i++) shape[i] = answer[i] / sqrt(left);
  return FW_OK;
}

/* G = Z^T A Z */
static void gram(const fw_residual_flexibility *r, const fw_sparse *A, double *G, double *work) {
  for (int i = 0; i < r->count; i++) {
    const double *z = r->shape + (size_t)i * (size_t)r->n;
    memset(work, 0, (size_t)r->n * sizeof *work);
    fw_sparse_multiply(A, 1.0, z, work);
    for (int j = 0; j <= i; j++)
      G[i * r->count + j] = G[j * r->count + i] = inner(r->shape + (size_t)j * (size_t)r->n, work, r->n);
  }
}

/* Z = Z V diag(scale), V in the columns of G, those whose scale is 0 left out. row: [count] */
static void combine(fw_residual_flexibility *r, const double *G, const double *scale, double *row) {
  int kept = 0;
  for (int j = 0; j < r->count; j++) kept += scale[j] != 0.0;
  for (int i = 0; i < r->n; i++) {
    int at = 0;
    for (int j = 0; j < r->count; j++) {
      if (scale[j] == 0.0) continue;
      row[at] = 0.0;
      for (int k = 0; k < r->count; k++)
        row[at] += r->shape[(size_t)k * (size_t)r->n + (size_t)i] * G[j * r->count + k] * scale[j];
      at++;
    }
    for (int j = 0; j < kept; j++) r->shape[(size_t)j * (size_t)r->n + (size_t)i] = row[j];
  }
  r->count = kept;
}

/* One after the other: orthonormal in K without those that depend on the others, then orthogonal in M. */
static fw_status separate(fw_context *ctx, fw_residual_flexibility *r, double *G, double *value, double *work) {
  for (int pass = 0; pass < 2 && r->count > 0; pass++) {
    gram(r, pass == 0 ? r->K : r->M, G, work);
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', r->count, G, r->count, value) != 0)
      return fw_fail(ctx, FW_ERR_ANALYSIS, "the residual flexibility of a reduced structure was not found");
    double largest = value[r->count - 1];
    for (int j = 0; j < r->count; j++)
      value[j] = pass == 1 ? 1.0 : value[j] > NOTHING_LEFT * largest ? 1.0 / sqrt(value[j]) : 0.0;
    combine(r, G, value, work);
  }
  return FW_OK;
}

fw_status fw_residual_flexibility_finish(fw_context *ctx, fw_residual_flexibility *self) {
  fw_status status = FW_OK;
  double *G = NULL, *value = NULL, *work = NULL;
  size_t m = (size_t)self->count;
  if (m == 0) return FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, m * m, sizeof *G, &G));
  FW_TRY_DONE(fw_alloc(ctx, m, sizeof *value, &value));
  FW_TRY_DONE(fw_alloc(ctx, m + (size_t)self->n, sizeof *work, &work));
  FW_TRY_DONE(separate(ctx, self, G, value, work));
done:
  free(G);
  free(value);
  free(work);
  return status;
}

void fw_residual_flexibility_clear(fw_residual_flexibility *self) {
  free(self->shape);
  self->shape = NULL;
  self->count = self->room = 0;
}
