/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/distribution.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const fw_place *at(const fw_args *args, const char *name, fw_place *place) {
  *place = args->place;
  if (fw_args_given(args, name)) place->line = fw_args_value(args, name)->line;
  return place;
}

static fw_status demand(fw_context *ctx, const fw_args *vary, const char *name) {
  if (fw_args_given(vary, name)) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, vary->place, "attribute '%s': missing for distribution '%s'", name,
                    fw_args_text(vary, "distribution"));
}

static fw_status check_order(fw_context *ctx, const fw_args *vary, bool positive) {
  fw_place place;
  if (positive && fw_args_given(vary, "min") && fw_args_number(vary, "min") <= 0)
    return fw_fail_at(ctx, FW_ERR_DECK, *at(vary, "min", &place), "attribute 'min': must be above 0 for '%s'",
                      fw_args_text(vary, "distribution"));
  if (fw_args_given(vary, "min") && fw_args_given(vary, "max") &&
      fw_args_number(vary, "min") >= fw_args_number(vary, "max"))
    return fw_fail_at(ctx, FW_ERR_DECK, *at(vary, "max", &place), "attribute 'max': must be above min = %g",
                      fw_args_number(vary, "min"));
  return FW_OK;
}

static double scale(const fw_distribution *d, double value) {
  return d->kind == FW_LOG_UNIFORM || d->kind == FW_LOG_NORMAL ? log(value) : value;
}

static double probability(const fw_distribution *d, double value) {
  double x = scale(d, value);
  if (d->kind == FW_UNIFORM || d->kind == FW_LOG_UNIFORM) return (x - d->a) / (d->b - d->a);
  return gsl_cdf_gaussian_P(x - d->a, d->b);
}

static fw_status read_limits(fw_context *ctx, const fw_args *vary, fw_distribution *d) {
  FW_TRY(demand(ctx, vary, "min"));
  FW_TRY(demand(ctx, vary, "max"));
  d->a = scale(d, fw_args_number(vary, "min"));
  d->b = scale(d, fw_args_number(vary, "max"));
  d->p_low = 0.0;
  d->p_high = 1.0;
  return FW_OK;
}

/* Mean m and deviation s of a log-normal value: its logarithm has variance ln(1 + s^2/m^2) and mean ln m minus half of
 * that. */
static fw_status read_moments(fw_context *ctx, const fw_args *vary, bool corners, fw_distribution *d) {
  enum { CUT = 3 };
  fw_place place;
  FW_TRY(demand(ctx, vary, "mean"));
  FW_TRY(demand(ctx, vary, "deviation"));
  d->a = fw_args_number(vary, "mean");
  d->b = fw_args_number(vary, "deviation");
  if (d->b <= 0)
    return fw_fail_at(ctx, FW_ERR_DECK, *at(vary, "deviation", &place), "attribute 'deviation': must be above 0");
  if (d->kind == FW_LOG_NORMAL) {
    if (d->a <= 0) return fw_fail_at(ctx, FW_ERR_DECK, *at(vary, "mean", &place), "attribute 'mean': must be above 0");
    double variance = log1p(d->b * d->b / (d->a * d->a));
    d->a = log(d->a) - variance / 2;
    d->b = sqrt(variance);
  }
  d->p_low = corners ? gsl_cdf_ugaussian_P(-CUT) : 0.0;
  d->p_high = corners ? gsl_cdf_ugaussian_P(CUT) : 1.0;
  if (fw_args_given(vary, "min")) d->p_low = probability(d, fw_args_number(vary, "min"));
  if (fw_args_given(vary, "max")) d->p_high = probability(d, fw_args_number(vary, "max"));
  if (d->p_low < d->p_high) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, vary->place, "min and max leave nothing of the distribution");
}

fw_status fw_distribution_read(fw_context *ctx, const fw_args *vary, bool corners, fw_distribution *d) {
  *d = (fw_distribution){.kind = (fw_distribution_kind)fw_args_integer(vary, "distribution")};
  FW_TRY(check_order(ctx, vary, d->kind == FW_LOG_UNIFORM || d->kind == FW_LOG_NORMAL));
  if (d->kind == FW_UNIFORM || d->kind == FW_LOG_UNIFORM) return read_limits(ctx, vary, d);
  return read_moments(ctx, vary, corners, d);
}

double fw_distribution_value(const fw_distribution *d, double u) {
  double p = d->p_low + u * (d->p_high - d->p_low);
  double x = d->kind == FW_UNIFORM || d->kind == FW_LOG_UNIFORM ? d->a + p * (d->b - d->a)
                                                                : d->a + gsl_cdf_gaussian_Pinv(p, d->b);
  return d->kind == FW_LOG_UNIFORM || d->kind == FW_LOG_NORMAL ? exp(x) : x;
}

double fw_distribution_place(const fw_distribution *d, double value) {
  if (value <= 0 && (d->kind == FW_LOG_UNIFORM || d->kind == FW_LOG_NORMAL)) return 0.0;
  double u = (probability(d, value) - d->p_low) / (d->p_high - d->p_low);
  return fmin(1.0, fmax(0.0, u));
}

/* ---- correlation ------------------------------------------------------------------------- */

bool fw_copula_factor(int d, double *r) {
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      if (j > i) {
        r[i * d + j] = 0.0;
        continue;
      }
      double sum = r[i * d + j];
      for (int k = 0; k < j; k++) sum -= r[i * d + k] * r[j * d + k];
      if (i == j && sum <= 1e-12) return false;
      r[i * d + j] = i == j ? sqrt(sum) : sum / r[j * d + j];
    }
  return true;
}

/* Row i needs the scores before it only, so the last row is replaced first. */
void fw_copula_apply(int d, const double *factor, double *u) {
  for (int i = 0; i < d; i++) u[i] = gsl_cdf_ugaussian_Pinv(u[i]);
  for (int i = d - 1; i >= 0; i--) {
    double sum = 0.0;
    for (int k = 0; k <= i; k++) sum += factor[i * d + k] * u[k];
    u[i] = gsl_cdf_ugaussian_P(sum);
  }
}
