/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/posterior.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "core/unknown.h"
#include "study/runner.h"

/* Residuals at some points, shared among processes. */
typedef struct batch {
  const fw_posterior_options *options;
  const double *points;
  double *density, *extras, *p, *r;
  int count, next;
} batch;

/* A walker's coordinate: the parameter, or its logarithm. */
static double to_coordinate(const fw_fit_parameter *x, double p) { return x->logarithmic ? log(p) : p; }
static double to_parameter(const fw_fit_parameter *x, double c) { return x->logarithmic ? exp(c) : c; }

static bool is_inside(const fw_posterior_options *options, const double *point) {
  for (int k = 0; k < options->problem->parameters; k++) {
    double p = to_parameter(&options->problem->list[k], point[k]);
    if (!(p >= options->problem->list[k].low && p <= options->problem->list[k].high)) return false;
  }
  return true;
}

/* The next point within the bounds; those outside have no density. */
static long next_point(void *user) {
  batch *b = user;
  int d = b->options->problem->parameters;
  while (b->next < b->count && !is_inside(b->options, b->points + (ptrdiff_t)b->next * d)) b->next++;
  return b->next < b->count ? b->next++ : FW_NONE_LEFT;
}

/* results: logarithm of the density, extras. */
static fw_status compute_point(void *user, fw_context *ctx, long index, double *results, char said[FW_REASON]) {
  batch *b = user;
  (void)said;
  const fw_fit_problem *problem = b->options->problem;
  for (int k = 0; k < problem->parameters; k++)
    b->p[k] = to_parameter(&problem->list[k], b->points[index * problem->parameters + k]);
  fw_status status = problem->residual(problem->user, ctx, b->p, b->r);
  if (status == FW_ERR_INTERRUPTED || status == FW_ERR_MEMORY) return status;
  double squares = 0;
  for (int i = 0; status == FW_OK && i < problem->residuals; i++) squares += b->r[i] * b->r[i];
  results[0] = status == FW_OK && isfinite(squares) ? -0.5 * squares : -INFINITY;
  for (int i = 0; i < b->options->extras; i++) results[1 + i] = fw_unknown();
  if (status == FW_OK && b->options->extra) b->options->extra(problem->user, results + 1);
  return FW_OK;
}

static fw_status take_point(void *user, const fw_sample *sample) {
  batch *b = user;
  if (sample->state != FW_SAMPLE_DONE) return FW_OK; /* no density */
  b->density[sample->index] = sample->results[0];
  for (int i = 0; i < b->options->extras; i++)
    b->extras[sample->index * b->options->extras + i] = sample->results[1 + i];
  return FW_OK;
}

static fw_status evaluate(void *user, fw_context *ctx, int count, const double *points, double *density,
                          double *extras) {
  batch *b = user;
  b->points = points;
  b->density = density;
  b->extras = extras;
  b->count = count;
  b->next = 0;
  for (int i = 0; i < count; i++) density[i] = -INFINITY;
  fw_runner runner = {.workers = b->options->workers < count ? b->options->workers : count,
                      .columns = 1 + b->options->extras,
                      .user = b,
                      .next = next_point,
                      .compute = compute_point,
                      .take = take_point};
  return fw_runner_run(ctx, &runner);
}

/* Around what was fitted, by its deviations or a tenth of the range, within the bounds. */
static void choose_starts(const fw_posterior_options *options, gsl_rng *random, double *starts) {
  int d = options->problem->parameters;
  for (int i = 0; i < options->walkers * d; i++) {
    const fw_fit_parameter *x = &options->problem->list[i % d];
    double p = options->fit->p[i % d], middle = to_coordinate(x, p), deviation = options->fit->deviation[i % d];
    double low = to_coordinate(x, x->low), high = to_coordinate(x, x->high);
    double spread = fmin(x->logarithmic ? deviation / p : deviation, 0.1 * (high - low));
    spread = fmax(spread, 1e-6 * (high - low)); /* no walker on another */
    do starts[i] = middle + spread * gsl_ran_gaussian(random, 1.0);
    while (starts[i] < low || starts[i] > high);
  }
}

static void to_parameters(const fw_fit_problem *problem, fw_ensemble *ensemble) {
  size_t d = (size_t)ensemble->dimensions, rows = (size_t)ensemble->steps * (size_t)ensemble->walkers;
  for (size_t i = 0; i < rows * d; i++) ensemble->points[i] = to_parameter(&problem->list[i % d], ensemble->points[i]);
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
  free(b.p);
  free(b.r);
  return status;
}
