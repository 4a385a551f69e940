/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/continuation/corrector.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double fw_plane_value(void *user, const double *y, double *gradient) {
  const fw_plane *plane = user;
  double value = 0;
  for (int i = 0; i <= plane->n; i++) {
    gradient[i] = plane->normal[i] / plane->scale[i];
    value += gradient[i] * (y[i] - plane->at[i]);
  }
  return value;
}

double fw_fixed_value(void *user, const double *y, double *gradient) {
  const fw_fixed *fixed = user;
  memset(gradient, 0, (size_t)fixed->n * sizeof(double));
  gradient[fixed->n] = 1;
  return y[fixed->n] - fixed->lambda;
}

fw_status fw_continuation_init(fw_context *ctx, fw_continuation *curve) {
  openblas_set_num_threads(1); /* small matrices; parallelism is over levels and samples */
  size_t m = (size_t)curve->n + 1;
  curve->ctx = ctx;
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->scale));
  FW_TRY(fw_alloc(ctx, m * m, sizeof(double), &curve->A));
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->step));
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->row));
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->inverse));
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->r));
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->r_lambda));
  FW_TRY(fw_alloc(ctx, m * m, sizeof(double), &curve->last));
  FW_TRY(fw_alloc(ctx, m, sizeof(int), &curve->pivot));
  for (size_t i = 0; i < m; i++) curve->scale[i] = 1;
  return FW_OK;
}

void fw_continuation_clear(fw_continuation *curve) {
  free(curve->scale);
  free(curve->A);
  free(curve->step);
  free(curve->row);
  free(curve->inverse);
  free(curve->r);
  free(curve->r_lambda);
  free(curve->last);
  free(curve->pivot);
  *curve = (fw_continuation){0};
}

/* The bordered matrix in scaled unknowns, A = [J s, r_lambda s; gradient s], and r with the condition's value
 * below it; `row` has the largest entry of each row. Without `along`, r_lambda stays as it was: it changes little. */
static fw_status evaluate(fw_continuation *curve, fw_condition condition, const double *y, bool along) {
  int n = curve->n, m = n + 1;
  double *J = curve->last; /* evaluated compactly, then spread into A */
  FW_TRY(fw_interrupted(curve->ctx));
  FW_TRY(curve->residual(curve->user, y, curve->r, J, along ? curve->r_lambda : NULL));
  curve->r[n] = condition.value(condition.user, y, curve->step);
  for (int j = 0; j <= n; j++) {
    double *column = curve->A + (size_t)j * (size_t)m, s = curve->scale[j];
    const double *from = j < n ? J + (size_t)j * (size_t)n : curve->r_lambda;
    for (int i = 0; i < n; i++) column[i] = s * from[i];
    column[n] = s * curve->step[j];
  }
  memset(curve->row, 0, (size_t)m * sizeof(double));
  for (int j = 0; j < m; j++)
    for (int i = 0; i < m; i++) {
      double size = fabs(curve->A[(size_t)j * (size_t)m + (size_t)i]);
      if (!(size <= curve->row[i])) curve->row[i] = size;
    }
  double largest = 0;
  for (int i = 0; i < m; i++) {
    if (!isfinite(curve->row[i]) || !isfinite(curve->r[i])) return FW_RECOVER_NAN;
    if (curve->row[i] == 0) curve->row[i] = 1;
    largest = fmax(largest, fabs(curve->r[i]) / curve->row[i]);
  }
  return isfinite(largest) ? FW_OK : FW_RECOVER_NAN;
}

static double merit(const fw_continuation *curve, const double *weight) {
  double sum = 0;
  for (int i = 0; i <= curve->n; i++) sum += pow(curve->r[i] / weight[i], 2);
  return sqrt(sum);
}

static double largest_residual(const fw_continuation *curve) {
  double largest = 0;
  for (int i = 0; i <= curve->n; i++) largest = fmax(largest, fabs(curve->r[i]) / curve->row[i]);
  return largest;
}

/* step = -A^{-1} r, leaving the factors of A. */
static fw_status newton_step(fw_continuation *curve) {
  int m = curve->n + 1;
  for (int i = 0; i < m; i++) curve->inverse[i] = 1 / curve->row[i];
  for (int j = 0; j < m; j++)
    for (int i = 0; i < m; i++) curve->A[(size_t)j * (size_t)m + (size_t)i] *= curve->inverse[i];
  for (int i = 0; i < m; i++) curve->step[i] = -curve->r[i] / curve->row[i];
  if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, curve->A, m, curve->pivot) != 0) return FW_RECOVER_DIVERGED;
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', m, 1, curve->A, m, curve->pivot, curve->step, m);
  return FW_OK;
}

fw_status fw_continuation_correct(fw_continuation *curve, fw_condition condition, fw_newton *newton, double *y) {
  int m = curve->n + 1, halvings = 0, idle = 0;
  fw_status status = FW_OK;
  double *weight = NULL, *taken = NULL;
  weight = malloc((size_t)m * sizeof(double));
  taken = malloc((size_t)m * sizeof(double));
  if (!weight || !taken) {
    status = FW_ERR_MEMORY;
    goto done;
  }
  double before = INFINITY, shortest = INFINITY;
  newton->last_step = INFINITY;
  for (newton->iterations = 0; newton->iterations < newton->most; newton->iterations++) {
    status = evaluate(curve, condition, y, newton->iterations % 4 == 0);
    if (status < 0) goto done;
    if (newton->iterations == 0) {
      if (status != FW_OK) goto done;
      memcpy(weight, curve->row, (size_t)m * sizeof(double));
    }
    double now = status == FW_OK ? merit(curve, weight) : INFINITY;
    if (newton->iterations > 0 && now > 2 * before && halvings < 6) { /* the last step went too far */
      halvings++;
      for (int i = 0; i < m; i++) {
        taken[i] /= 2;
        y[i] -= taken[i];
      }
      continue;
    }
    if (status != FW_OK) goto done;
    halvings = 0;
    before = now;
    newton->residual = largest_residual(curve);
    FW_TRY_DONE(newton_step(curve));
    newton->last_step = 0;
    for (int i = 0; i < m; i++) {
      newton->last_step = fmax(newton->last_step, fabs(curve->step[i]));
      taken[i] = curve->step[i] * curve->scale[i];
      y[i] += taken[i];
    }
    if (!isfinite(newton->last_step) || newton->last_step > 1e6) break;
    if (newton->last_step < newton->tolerance) {
      newton->iterations++;
      goto done;
    }
    idle = newton->last_step > 0.7 * shortest ? idle + 1 : 0; /* to and fro over a kink */
    shortest = fmin(shortest, newton->last_step);
    if (newton->idle && idle >= newton->idle) break;
  }
  status = FW_RECOVER_DIVERGED;
done:
  free(weight);
  free(taken);
  return status;
}

/* Sign of the determinant of the matrix whose factors are in A. */
static double determinant_sign(const fw_continuation *curve) {
  int m = curve->n + 1;
  double sign = 1;
  for (int i = 0; i < m; i++) {
    if (curve->A[(size_t)i * (size_t)(m + 1)] < 0) sign = -sign;
    if (curve->pivot[i] != i + 1) sign = -sign;
  }
  return sign;
}

fw_status fw_continuation_tangent(fw_continuation *curve, double *tangent) {
  int m = curve->n + 1;
  memset(tangent, 0, (size_t)m * sizeof(double));
  tangent[m - 1] = 1; /* the condition's gradient has a component along the tangent: it defined the point */
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', m, 1, curve->A, m, curve->pivot, tangent, m);
  double length = cblas_dnrm2(m, tangent, 1);
  if (!isfinite(length) || length == 0) return FW_RECOVER_DIVERGED;
  cblas_dscal(m, determinant_sign(curve) / length, tangent, 1); /* gradient . tangent > 0 before this */
  return FW_OK;
}

fw_status fw_continuation_look(fw_continuation *curve, fw_condition condition, const double *y, double *tangent) {
  FW_TRY(evaluate(curve, condition, y, true));
  FW_TRY(newton_step(curve));
  return fw_continuation_tangent(curve, tangent);
}

double fw_continuation_distance(fw_continuation *curve, const double *y) {
  if (curve->residual(curve->user, y, curve->r, NULL, NULL) != FW_OK) return INFINITY;
  curve->r[curve->n] = 0;
  return largest_residual(curve);
}
