/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/posterior.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "core/unknown.h"

/* Room for what is evaluated. */
typedef struct batch {
  const fw_posterior_options *options;
  double *points; /* [walkers * parameters] those within the bounds, as parameters */
  double *p, *r;
} batch;

static bool is_inside(const fw_posterior_options *options, const double *point) {
  for (int k = 0; k < options->problem->parameters; k++) {
    double p = fw_fit_from_coordinate(&options->problem->list[k], point[k]);
    if (!(p >= options->problem->list[k].low && p <= options->problem->list[k].high)) return false;
  }
  return true;
}

/* Says which points are evaluated next: those within the bounds, outside there is no density. */
static fw_status prepare(const batch *b, fw_context *ctx, int count, const double *points) {
  const fw_fit_problem *problem = b->options->problem;
  int d = problem->parameters, inside = 0;
  if (!problem->prepare) return FW_OK;
  for (int i = 0; i < count; i++) {
    if (!is_inside(b->options, points + (ptrdiff_t)i * d)) continue;
    for (int k = 0; k < d; k++)
      b->points[inside * d + k] = fw_fit_from_coordinate(&problem->list[k], points[i * d + k]);
    inside++;
  }
  return inside > 0 ? problem->prepare(problem->user, ctx, inside, b->points) : FW_OK;
}

/* Logarithm of the density, and the extras, at one point. */
static fw_status evaluate_one(const batch *b, fw_context *ctx, const double *point, double *density, double *extras) {
  const fw_posterior_options *options = b->options;
  const fw_fit_problem *problem = options->problem;
  *density = -INFINITY;
  for (int i = 0; i < options->extras; i++) extras[i] = fw_unknown();
  if (!is_inside(options, point)) return FW_OK;
  for (int k = 0; k < problem->parameters; k++) b->p[k] = fw_fit_from_coordinate(&problem->list[k], point[k]);
  fw_status status = problem->residual(problem->user, ctx, b->p, b->r);
  if (status < 0 && status != FW_ERR_ANALYSIS && status != FW_ERR_SINGULAR) return status;
  double squares = 0;
  for (int i = 0; status == FW_OK && i < problem->residuals; i++) squares += b->r[i] * b->r[i];
  if (status != FW_OK) return FW_OK;
  if (isfinite(squares)) *density = -0.5 * squares;
  if (options->extra) options->extra(problem->user, extras);
  return FW_OK;
}

static fw_status evaluate(void *user, fw_context *ctx, int count, const double *points, double *density,
                          double *extras) {
  const batch *b = user;
  FW_TRY(prepare(b, ctx, count, points));
  for (int i = 0; i < count; i++) {
    const double *point = points + (ptrdiff_t)i * b->options->problem->parameters;
    FW_TRY(evaluate_one(b, ctx, point, density + i, extras + (ptrdiff_t)i * b->options->extras));
  }
  return FW_OK;
}

/* Around what was fitted, by its deviations or a tenth of the range, within the bounds. */
static void choose_starts(const fw_posterior_options *options, gsl_rng *random, double *starts) {
  int d = options->problem->parameters;
  for (int i = 0; i < options->walkers * d; i++) {
    const fw_fit_parameter *x = &options->problem->list[i % d];
    double p = options->fit->p[i % d], middle = fw_fit_coordinate(x, p), deviation = options->fit->deviation[i % d];
    double low = fw_fit_coordinate(x, x->low), high = fw_fit_coordinate(x, x->high);
    double spread = fmin(x->logarithmic ? deviation / p : deviation, 0.1 * (high - low));
    spread = fmax(spread, 1e-6 * (high - low)); /* no walker on another */
    do starts[i] = middle + spread * gsl_ran_gaussian(random, 1.0);
    while (starts[i] < low || starts[i] > high);
  }
}

static void to_parameters(const fw_fit_problem *problem, fw_ensemble *ensemble) {
  size_t d = (size_t)ensemble->dimensions, rows = (size_t)ensemble->steps * (size_t)ensemble->walkers;
  for (size_t i = 0; i < rows * d; i++)
    ensemble->points[i] = fw_fit_from_coordinate(&problem->list[i % d], ensemble->points[i]);
}

fw_status fw_posterior_run(fw_context *ctx, const fw_posterior_options *options, fw_ensemble *out) {
  const fw_fit_problem *problem = options->problem;
  batch b = {.options = options};
  double *starts = NULL;
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  fw_status status = random ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  *out = (fw_ensemble){0};
  FW_TRY_DONE(status);
  FW_TRY_DONE(fw_alloc(ctx, (size_t)(options->walkers * problem->parameters), sizeof *starts, &starts));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)(options->walkers * problem->parameters), sizeof *b.points, &b.points));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)problem->parameters, sizeof *b.p, &b.p));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)problem->residuals, sizeof *b.r, &b.r));
  gsl_rng_set(random, options->seed + 1);
  choose_starts(options, random, starts);
  fw_ensemble_options walk = {.dimensions = problem->parameters,
                              .walkers = options->walkers,
                              .extras = options->extras,
                              .skip = options->skip,
                              .steps = options->steps,
                              .seed = options->seed,
                              .starts = starts,
                              .user = &b,
                              .evaluate = evaluate,
                              .progress = options->progress};
  FW_TRY_DONE(fw_ensemble_run(ctx, &walk, out));
  to_parameters(problem, out);
done:
  if (random) gsl_rng_free(random);
  free(starts);
  free(b.points);
  free(b.p);
  free(b.r);
  return status;
}
