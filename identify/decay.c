/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/free_decay.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>

#include "core/unknown.h"
#include "identify/fit.h"
#include "identify/quiet.h"

const char *fw_decay_name(fw_decay_estimator estimator) {
#define NAME(name, text, meaning) text,
  static const char *const names[] = {FW_DECAY_ESTIMATORS(NAME)};
#undef NAME
  return names[estimator];
}

static int side_of(const fw_decay_data *d, int i) { return i % 2 ? -d->side : d->side; }

/* Fills in what follows from r: beta = -ln r/pi, zeta = beta/sqrt(1 + beta^2). */
static void complete(fw_decay *e) {
  e->found = e->ratio > 0.0 && isfinite(e->ratio) && isfinite(e->x_k);
  if (!e->found) return;
  e->beta = -log(e->ratio) / M_PI;
  double root = sqrt(1.0 + e->beta * e->beta);
  e->zeta = e->beta / root;
  e->zeta_deviation = e->ratio_deviation / (e->ratio * M_PI * root * root * root);
}

static fw_decay nothing(double offset) {
  double unknown = fw_unknown();
  return (fw_decay){.ratio = unknown,
                    .x_k = unknown,
                    .offset = isnan(offset) ? unknown : offset,
                    .ratio_deviation = unknown,
                    .zeta_deviation = unknown,
                    .x_k_deviation = unknown,
                    .offset_deviation = unknown,
                    .amplitude = unknown,
                    .chi2 = unknown};
}

/* ---- from a few extremes ----------------------------------------------------------------- */

/* A linear combination of extremes with its gradient: what propagates their deviations. */
enum { TOUCHED = 6 };
typedef struct combination {
  double value;
  int index[TOUCHED];
  double weight[TOUCHED];
  int count;
} combination;

static combination combine(const fw_decay_data *d, double offset, int a, double weight_a, int b, double weight_b) {
  return (combination){weight_a * (d->x[a] - offset) + weight_b * (d->x[b] - offset), {a, b}, {weight_a, weight_b}, 2};
}

/* weight_a a + weight_b b, gradients too. */
static combination add(const combination *a, double weight_a, const combination *b, double weight_b) {
  combination sum = {weight_a * a->value + weight_b * b->value, {0}, {0}, 0};
  for (int k = 0; k < a->count; k++) {
    sum.index[sum.count] = a->index[k];
    sum.weight[sum.count++] = weight_a * a->weight[k];
  }
  for (int k = 0; k < b->count; k++) {
    int same = 0;
    while (same < sum.count && sum.index[same] != b->index[k]) same++;
    if (same == sum.count) {
      sum.index[sum.count] = b->index[k];
      sum.weight[sum.count++] = 0.0;
    }
    sum.weight[same] += weight_b * b->weight[k];
  }
  return sum;
}

static double deviation_of(const fw_decay_data *d, const combination *c) {
  double sum = 0.0;
  for (int k = 0; k < c->count; k++) sum += pow(c->weight[k] * d->deviation[c->index[k]], 2);
  return sqrt(sum);
}

/* (last/first)^(1/n) up to sign, as a combination whose weights are its gradient. */
static combination ratio_of(const combination *first, const combination *last, int n) {
  double r = pow(fabs(last->value / first->value), 1.0 / n);
  if ((last->value / first->value < 0.0) != (n % 2 == 1)) r = NAN; /* noise has turned the sign */
  combination out = add(last, r / (n * last->value), first, -r / (n * first->value));
  out.value = r;
  return out;
}

/* x_k = s (X_1 + r X_0)/(1 + r) of neighbours i, i + 1, with the deviation that r brings in. */
static void friction_of(const fw_decay_data *d, double offset, int i, const combination *ratio, fw_decay *e) {
  double r = ratio->value, s = side_of(d, i), x0 = d->x[i] - offset, x1 = d->x[i + 1] - offset;
  combination own = combine(d, offset, i, s * r / (1.0 + r), i + 1, s / (1.0 + r));
  combination all = add(&own, 1.0, ratio, s * (x0 - x1) / ((1.0 + r) * (1.0 + r)));
  e->x_k = own.value;
  e->x_k_deviation = deviation_of(d, &all);
}

/* Sums of neighbours, n half cycles apart. */
static fw_decay from_sums(const fw_decay_data *d, double offset, int n) {
  fw_decay e = nothing(offset);
  if (n < 1 || n + 1 >= d->count) return e;
  combination first = combine(d, offset, 0, 1.0, 1, 1.0), last = combine(d, offset, n, 1.0, n + 1, 1.0);
  combination ratio = ratio_of(&first, &last, n);
  e.ratio = ratio.value;
  e.ratio_deviation = deviation_of(d, &ratio);
  friction_of(d, offset, 0, &ratio, &e);
  complete(&e);
  return e;
}

/* Differences X_(i+2) - X_i, n half cycles apart; then 2 s (1 + r) x_k = X_1 - X_2 - r (X_1 - X_0), and the offset. */
static fw_decay from_differences(const fw_decay_data *d, int n) {
  fw_decay e = nothing(NAN);
  if (n < 1 || n + 2 >= d->count) return e;
  combination first = combine(d, 0.0, 2, 1.0, 0, -1.0), last = combine(d, 0.0, n + 2, 1.0, n, -1.0);
  combination ratio = ratio_of(&first, &last, n);
  double r = ratio.value, s = d->side, below = 2.0 * s * (1.0 + r);
  combination own = combine(d, 0.0, 1, (1.0 - r) / below, 2, -1.0 / below);
  combination start = combine(d, 0.0, 0, r / below, 1, 0.0);
  own = add(&own, 1.0, &start, 1.0);
  combination all = add(&own, 1.0, &ratio, (d->x[0] - d->x[1]) / below - own.value / (1.0 + r));
  e.ratio = r;
  e.ratio_deviation = deviation_of(d, &ratio);
  e.x_k = own.value;
  e.x_k_deviation = deviation_of(d, &all);
  e.offset = (d->x[1] + r * d->x[0]) / (1.0 + r) - s * e.x_k;
  complete(&e);
  return e;
}

/* As published: every three neighbours give a beta and an x_k, and the mean of each is taken; deviations are those of
 * the mean of what scatters. */
static fw_decay from_mean(const fw_decay_data *d, double offset) {
  fw_decay e = nothing(offset);
  double beta = 0.0, beta2 = 0.0, x = 0.0, x2 = 0.0;
  int n = 0;
  for (int i = 0; i + 2 < d->count; i++) {
    fw_decay_data part = {d->x + i, d->deviation + i, 3, side_of(d, i), offset};
    fw_decay one = from_sums(&part, offset, 1);
    if (!one.found) continue;
    beta += one.beta;
    beta2 += one.beta * one.beta;
    x += one.x_k;
    x2 += one.x_k * one.x_k;
    n++;
  }
  if (n == 0) return e;
  e.ratio = exp(-M_PI * beta / n);
  e.x_k = x / n;
  if (n > 2) {
    e.ratio_deviation = M_PI * e.ratio * sqrt(fmax(beta2 / n - beta * beta / n / n, 0.0) / (n - 1));
    e.x_k_deviation = sqrt(fmax(x2 / n - x * x / n / n, 0.0) / (n - 1));
  }
  complete(&e);
  return e;
}

/* ---- regression -------------------------------------------------------------------------- */

/* X_(i+1) = -r X_i + (1 + r) d + s_i (1 + r) x_k is linear in r, (1 + r) d and (1 + r) x_k. About the mean of the
 * extremes, so that a large offset costs no digits. */
static fw_status regress(fw_context *ctx, const fw_decay_data *d, fw_decay *e) {
  bool known = !isnan(d->offset);
  size_t n = (size_t)d->count - 1, p = known ? 2 : 3;
  double base = known ? d->offset : 0.5 * (d->x[0] + d->x[1]), chi2;
  gsl_matrix *a = gsl_matrix_alloc(n, p), *c = gsl_matrix_alloc(p, p);
  gsl_vector *y = gsl_vector_alloc(n), *b = gsl_vector_alloc(p);
  gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc(n, p);
  fw_status status = a && c && y && b && w ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (status == FW_OK) {
    for (size_t i = 0; i < n; i++) {
      gsl_matrix_set(a, i, 0, base - d->x[i]);
      gsl_matrix_set(a, i, 1, side_of(d, (int)i));
      if (!known) gsl_matrix_set(a, i, 2, 1.0);
      gsl_vector_set(y, i, d->x[i + 1] - base);
    }
    gsl_multifit_linear(a, y, b, c, &chi2, w);
    double r = gsl_vector_get(b, 0), x = gsl_vector_get(b, 1), one = 1.0 + r;
    bool judged = n > p;
    *e = nothing(d->offset);
    e->ratio = r;
    e->x_k = x / one;
    double rr = gsl_matrix_get(c, 0, 0), xx = gsl_matrix_get(c, 1, 1), rx = gsl_matrix_get(c, 0, 1);
    if (judged) e->ratio_deviation = sqrt(rr);
    if (judged) e->x_k_deviation = sqrt(fmax(xx - 2.0 * e->x_k * rx + e->x_k * e->x_k * rr, 0.0)) / one;
    if (!known) {
      double shift = gsl_vector_get(b, 2) / one, oo = gsl_matrix_get(c, 2, 2), ro = gsl_matrix_get(c, 0, 2);
      e->offset = base + shift;
      if (judged) e->offset_deviation = sqrt(fmax(oo - 2.0 * shift * ro + shift * shift * rr, 0.0)) / one;
    }
    complete(e);
  }
  gsl_matrix_free(a);
  gsl_matrix_free(c);
  gsl_vector_free(y);
  gsl_vector_free(b);
  if (w) gsl_multifit_linear_free(w);
  return status;
}

fw_status fw_decay_regression(fw_context *ctx, const fw_decay_data *data, fw_decay *estimate) {
  *estimate = nothing(data->offset);
  if (data->count < (isnan(data->offset) ? 4 : 3)) return FW_OK;
  fw_gsl_enter();
  fw_status status = regress(ctx, data, estimate);
  fw_gsl_leave();
  return status;
}

/* ---- the decay through all extremes ------------------------------------------------------ */

/* y_i = A r^i - x_k (1 + r) G_i, G_i = 1 + r + ... + r^(i-1); rates by A, r, x_k. */
static double swing(double amplitude, double r, double x_k, int i, double rates[3]) {
  double power = 1.0, sum = 0.0, power_rate = 0.0, sum_rate = 0.0;
  for (int k = 0; k < i; k++) {
    sum += power;
    sum_rate += power_rate;
    power_rate = power_rate * r + power;
    power *= r;
  }
  rates[0] = power;
  rates[1] = amplitude * power_rate - x_k * (sum + (1.0 + r) * sum_rate);
  rates[2] = -(1.0 + r) * sum;
  return amplitude * power + x_k * rates[2];
}

double fw_decay_extreme(const fw_decay *decay, int side, int i) {
  double rates[3];
  return decay->offset + (i % 2 ? -side : side) * swing(decay->amplitude, decay->ratio, decay->x_k, i, rates);
}

enum { AMPLITUDE, RATIO, FRICTION, OFFSET };

static fw_status decay_residual(void *user, fw_context *ctx, const double *p, double *r) {
  const fw_decay_data *d = user;
  double rates[3], offset = isnan(d->offset) ? p[OFFSET] : d->offset;
  (void)ctx;
  for (int i = 0; i < d->count; i++)
    r[i] = (offset + side_of(d, i) * swing(p[AMPLITUDE], p[RATIO], p[FRICTION], i, rates) - d->x[i]) / d->deviation[i];
  return FW_OK;
}

static fw_status decay_jacobian(void *user, fw_context *ctx, const double *p, double *j, bool *known) {
  const fw_decay_data *d = user;
  int n = isnan(d->offset) ? 4 : 3;
  double rates[3];
  (void)ctx, (void)known;
  for (int i = 0; i < d->count; i++) {
    swing(p[AMPLITUDE], p[RATIO], p[FRICTION], i, rates);
    for (int k = 0; k < 3; k++) j[i * n + k] = side_of(d, i) * rates[k] / d->deviation[i];
    if (n == 4) j[i * n + OFFSET] = 1.0 / d->deviation[i];
  }
  return FW_OK;
}

/* Starts from the regression. The extremes' deviations are scaled up where they do not explain what is left. */
static fw_status fit_decay(fw_context *ctx, const fw_decay_data *d, const fw_decay *start, fw_decay *e) {
  int n = isnan(d->offset) ? 4 : 3;
  double size = 0.5 * fabs(d->x[0] - d->x[1]), base = isnan(d->offset) ? start->offset : d->offset;
  *e = nothing(d->offset);
  if (!start->found || d->count < n) return FW_OK;
  const fw_fit_parameter list[4] = {{"amplitude", "m", fabs(d->x[0] - base), 0.2 * size, 5.0 * size, false},
                                    {"ratio", "", start->ratio, 0.02, 1.5, false},
                                    {"x_k", "m", start->x_k, -0.5 * size, size, false},
                                    {"offset", "m", base, base - size, base + size, false}};
  fw_fit_problem problem = {.parameters = n,
                            .residuals = d->count,
                            .list = list,
                            .user = (void *)d,
                            .residual = decay_residual,
                            .jacobian = decay_jacobian};
  fw_fit_options options = {.search = FW_FIT_LEVENBERG_MARQUARDT, .starts = 1};
  fw_fit fit;
  FW_TRY(fw_fit_run(ctx, &problem, &options, &fit));
  int freedom = d->count - n;
  e->chi2 = freedom > 0 ? fit.squares / freedom : fw_unknown();
  double more = freedom > 0 ? sqrt(fmax(e->chi2, 1.0)) : 1.0;
  e->amplitude = fit.p[AMPLITUDE];
  e->ratio = fit.p[RATIO];
  e->x_k = fit.p[FRICTION];
  e->ratio_deviation = more * fit.deviation[RATIO];
  e->x_k_deviation = more * fit.deviation[FRICTION];
  if (n == 4) e->offset = fit.p[OFFSET];
  if (n == 4) e->offset_deviation = more * fit.deviation[OFFSET];
  fw_fit_clear(&fit);
  complete(e);
  return FW_OK;
}

/* ---- all of them ------------------------------------------------------------------------- */

fw_status fw_decay_estimate(fw_context *ctx, const fw_decay_data *data, int half_cycles,
                            fw_decay estimates[FW_DECAY_COUNT]) {
  fw_decay *regression = &estimates[FW_DECAY_REGRESSION];
  FW_TRY(fw_decay_regression(ctx, data, regression));
  double offset = isnan(data->offset) ? regression->offset : data->offset;
  int most = data->count - 2, n = half_cycles > 0 && half_cycles < most ? half_cycles : most;
  estimates[FW_DECAY_PAIR] = from_sums(data, offset, 1);
  estimates[FW_DECAY_HALF_CYCLES] = from_sums(data, offset, n);
  estimates[FW_DECAY_DIFFERENCES] = from_differences(data, n < most ? n : most - 1);
  estimates[FW_DECAY_MEAN] = from_mean(data, offset);
  return fit_decay(ctx, data, regression, &estimates[FW_DECAY_LEAST_SQUARES]);
}

fw_decay_estimator fw_decay_choose(const fw_decay estimates[FW_DECAY_COUNT]) {
  const double scatters = 4.0; /* squares per degree of freedom */
  const fw_decay *fit = &estimates[FW_DECAY_LEAST_SQUARES];
  return fit->found && !(fit->chi2 > scatters) ? FW_DECAY_LEAST_SQUARES : FW_DECAY_REGRESSION;
}
