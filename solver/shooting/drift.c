/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/assembly/constraints.h"
#include "solver/shooting/cycle.h"

/* last: it defines I */
#include <lapacke.h>

static const double RANK = 1e-11;     /* of the largest singular value: what is free */
static const double STRETCHED = 1e-6; /* of the terms of a force: it is there */

/* A = [K, k G^T; k G, 0] in full, k the largest entry of K. Returns k. */
static double spread(const fw_system *system, double *A) {
  int64_t n = system->model->dof_count, size = system->size;
  const fw_sparse *K = system->K;
  double largest = 0;
  for (int64_t j = 0; j < n; j++)
    for (int64_t e = K->p[j]; e < K->p[j + 1]; e++)
      if (K->i[e] < n) largest = fmax(largest, fabs(K->x[e]));
  double k = largest > 0 ? largest : 1;
  for (int64_t j = 0; j < size; j++)
    for (int64_t e = K->p[j]; e < K->p[j + 1]; e++)
      A[j * size + K->i[e]] = (j < n) == (K->i[e] < n) ? K->x[e] : k * K->x[e];
  return k;
}

/* Whether moving so loads the structure: K d is not nothing. */
static bool is_stretched(const fw_system *system, const double *d) {
  int64_t n = system->model->dof_count;
  const fw_sparse *K = system->K; /* symmetric */
  for (int64_t j = 0; j < n; j++) {
    double force = 0, terms = 0;
    for (int64_t e = K->p[j]; e < K->p[j + 1]; e++) {
      if (K->i[e] >= n) continue;
      force += K->x[e] * d[K->i[e]];
      terms += fabs(K->x[e] * d[K->i[e]]);
    }
    if (fabs(force) > STRETCHED * terms) return true;
  }
  return false;
}

fw_status fw_drift_find(fw_context *ctx, fw_system *system, const fw_state *state, double *drift) {
  lapack_int size = (lapack_int)system->size, rank = 0;
  size_t n = (size_t)system->model->dof_count, N = (size_t)size;
  fw_status status = FW_OK;
  double *A = NULL, *rhs = NULL, *sigma = NULL;
  FW_TRY_DONE(fw_alloc(ctx, N * N, sizeof *A, &A));
  FW_TRY_DONE(fw_alloc(ctx, N, sizeof *rhs, &rhs));
  FW_TRY_DONE(fw_alloc(ctx, N, sizeof *sigma, &sigma));
  FW_TRY_DONE(fw_system_force(ctx, system, state->q, state->lambda, state->time, rhs, true));
  double k = spread(system, A);
  memset(rhs, 0, N * sizeof *rhs);
  fw_constraints_find(system->model, state->q, NULL, state->time, &(fw_constraints){.phi_t = rhs + n});
  for (size_t i = n; i < N; i++) rhs[i] *= -k;
  if (LAPACKE_dgelsd(LAPACK_COL_MAJOR, size, size, 1, A, size, rhs, size, sigma, RANK, &rank) != 0)
    FW_TRY_DONE(fw_fail(ctx, FW_ERR_SINGULAR, "the motion that joints prescribe cannot be found"));
  memcpy(drift, rhs, n * sizeof *drift);
  if (is_stretched(system, drift))
    status = fw_fail(ctx, FW_ERR_ANALYSIS,
                     "the motion that joints prescribe stretches the structure further and further: nothing repeats");
done:
  free(A);
  free(rhs);
  free(sigma);
  return status;
}
