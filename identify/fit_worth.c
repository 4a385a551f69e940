/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a fit is worth, by the singular values of the Jacobian J over the ranges S of the parameters, J S = U W V^T. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "identify/fit.h"

/* Range over which a parameter is told to vary: its Jacobian is scaled by it so that singular values can be compared.
 */
static double scale_of(const fw_fit_parameter *x, double p) {
  return x->logarithmic ? p : fmin(x->high - x->low, fmax(fabs(p), 1e-3 * (x->high - x->low)));
}

/* Singular values W and directions V. */
static fw_status decompose(fw_context *ctx, const double *scale, fw_fit *fit) {
  size_t n = (size_t)fit->parameters, m = (size_t)(fit->residuals > fit->parameters ? fit->residuals : fit->parameters);
  gsl_matrix *a = gsl_matrix_calloc(m, n), *v = gsl_matrix_alloc(n, n);
  gsl_vector *s = gsl_vector_alloc(n), *room = gsl_vector_alloc(n);
  fw_status status = a && v && s && room ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (status == FW_OK) {
    for (int i = 0; i < fit->residuals; i++)
      for (size_t k = 0; k < n; k++) gsl_matrix_set(a, (size_t)i, k, fit->jacobian[(size_t)i * n + k] * scale[k]);
    gsl_linalg_SV_decomp(a, v, s, room);
    for (size_t k = 0; k < n; k++) {
      fit->singular[k] = gsl_vector_get(s, k);
      for (size_t i = 0; i < n; i++) fit->directions[k * n + i] = gsl_matrix_get(v, i, k);
    }
  }
  gsl_matrix_free(a);
  gsl_matrix_free(v);
  gsl_vector_free(s);
  gsl_vector_free(room);
  return status;
}

/* C = S V W^-2 V^T S over the directions that count; a parameter with a part in another one is not determined. */
static void judge(const fw_fit_problem *problem, const fw_fit_options *options, const double *scale, fw_fit *fit) {
  int n = fit->parameters, freedom = fit->residuals - n;
  double least = (options->rank_least > 0.0 ? options->rank_least : 1e-6) * fit->singular[0];
  double factor = options->scaled && freedom > 0 ? fit->squares / freedom : 1.0;
  fit->rank = 0;
  while (fit->rank < n && fit->singular[fit->rank] > least) fit->rank++;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      double sum = 0.0;
      for (int k = 0; k < fit->rank; k++)
        sum += fit->directions[k * n + a] * fit->directions[k * n + b] / (fit->singular[k] * fit->singular[k]);
      fit->covariance[a * n + b] = factor * sum * scale[a] * scale[b];
    }
  for (int a = 0; a < n; a++) {
    const fw_fit_parameter *x = &problem->list[a];
    double column = 0.0, lost = 0.0, edge = 2e-3 * (fw_fit_coordinate(x, x->high) - fw_fit_coordinate(x, x->low));
    for (int i = 0; i < fit->residuals; i++) column = fmax(column, fabs(fit->jacobian[i * n + a]) * scale[a]);
    for (int k = fit->rank; k < n; k++) lost = fmax(lost, fabs(fit->directions[k * n + a]));
    fit->idle[a] = column <= 1e-9 * fit->singular[0];
    fit->on_bound[a] = fw_fit_coordinate(x, fit->p[a]) - fw_fit_coordinate(x, x->low) < edge ||
                       fw_fit_coordinate(x, x->high) - fw_fit_coordinate(x, fit->p[a]) < edge;
    fit->deviation[a] = lost > 0.05 ? INFINITY : sqrt(fit->covariance[a * n + a]);
  }
}

fw_status fw_fit_judge(fw_context *ctx, const fw_fit_problem *problem, const fw_fit_options *options, fw_fit *fit) {
  double *scale;
  FW_TRY(fw_alloc(ctx, (size_t)fit->parameters, sizeof *scale, &scale));
  for (int k = 0; k < fit->parameters; k++) scale[k] = scale_of(&problem->list[k], fit->p[k]);
  fw_status status = decompose(ctx, scale, fit);
  if (status == FW_OK) judge(problem, options, scale, fit);
  free(scale);
  return status;
}

double fw_fit_correlation(const fw_fit *fit, int a, int b) {
  if (!isfinite(fit->deviation[a]) || !isfinite(fit->deviation[b])) return a == b ? 1.0 : 0.0;
  double product = fit->deviation[a] * fit->deviation[b];
  return product > 0.0 ? fit->covariance[a * fit->parameters + b] / product : a == b ? 1.0 : 0.0;
}

double fw_fit_student(const fw_fit *fit) {
  int freedom = fit->residuals - fit->parameters;
  return freedom > 0 ? gsl_cdf_tdist_Pinv(0.975, freedom) : NAN;
}
