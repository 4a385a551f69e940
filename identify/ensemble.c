/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ensemble.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"

static const double STRETCH = 2.0; /* a */

/* ---- walking ------------------------------------------------------------------------------ */

typedef struct walk {
  fw_context *ctx;
  const fw_ensemble_options *options;
  gsl_rng *random;
  double *x, *density, *more;      /* of all walkers */
  double *y, *proposed, *proposal; /* of half of them: points, densities, extras */
  double *z;                       /* [walkers / 2] */
  long moves, accepted;
} walk;

static fw_status walk_open(fw_context *ctx, const fw_ensemble_options *options, walk *w) {
  size_t walkers = (size_t)options->walkers, d = (size_t)options->dimensions, e = (size_t)options->extras;
  *w = (walk){.ctx = ctx, .options = options};
  FW_TRY(fw_alloc(ctx, walkers * d, sizeof(double), &w->x));
  FW_TRY(fw_alloc(ctx, walkers, sizeof(double), &w->density));
  FW_TRY(fw_alloc(ctx, walkers * e + 1, sizeof(double), &w->more));
  FW_TRY(fw_alloc(ctx, walkers * d, sizeof(double), &w->y));
  FW_TRY(fw_alloc(ctx, walkers, sizeof(double), &w->proposed));
  FW_TRY(fw_alloc(ctx, walkers * e + 1, sizeof(double), &w->proposal));
  FW_TRY(fw_alloc(ctx, walkers, sizeof(double), &w->z));
  w->random = gsl_rng_alloc(gsl_rng_mt19937);
  if (!w->random) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  gsl_rng_set(w->random, options->seed);
  memcpy(w->x, options->starts, walkers * d * sizeof(double));
  return options->evaluate(options->user, ctx, options->walkers, w->x, w->density, w->more);
}

static void walk_close(walk *w) {
  free(w->x);
  free(w->density);
  free(w->more);
  free(w->y);
  free(w->proposed);
  free(w->proposal);
  free(w->z);
  if (w->random) gsl_rng_free(w->random);
}

/* z from 1/sqrt(z) on [1/a, a]: the square of what is evenly spread. */
static double draw_stretch(walk *w) {
  double root = 1 / sqrt(STRETCH) + gsl_rng_uniform(w->random) * (sqrt(STRETCH) - 1 / sqrt(STRETCH));
  return root * root;
}

static void propose(walk *w, int half) {
  int d = w->options->dimensions, n = w->options->walkers / 2;
  for (int i = 0; i < n; i++) {
    int partner = (int)gsl_rng_uniform_int(w->random, (unsigned long)n);
    const double *x = w->x + (ptrdiff_t)(half * n + i) * d, *other = w->x + (ptrdiff_t)((1 - half) * n + partner) * d;
    w->z[i] = draw_stretch(w);
    for (int k = 0; k < d; k++) w->y[i * d + k] = other[k] + w->z[i] * (x[k] - other[k]);
  }
}

static void decide(walk *w, int half) {
  int d = w->options->dimensions, e = w->options->extras, n = w->options->walkers / 2;
  for (int i = 0; i < n; i++) {
    int k = half * n + i;
    double chance = (d - 1) * log(w->z[i]) + w->proposed[i] - w->density[k];
    double drawn = log(gsl_rng_uniform_pos(w->random)); /* drawn in any case: the sequence is one */
    w->moves++;
    if (!(w->proposed[i] > -INFINITY) || !(drawn < chance)) continue;
    w->accepted++;
    w->density[k] = w->proposed[i];
    memcpy(w->x + (ptrdiff_t)k * d, w->y + (ptrdiff_t)i * d, (size_t)d * sizeof(double));
    memcpy(w->more + (ptrdiff_t)k * e, w->proposal + (ptrdiff_t)i * e, (size_t)e * sizeof(double));
  }
}

static fw_status step(walk *w) {
  const fw_ensemble_options *options = w->options;
  for (int half = 0; half < 2; half++) {
    FW_TRY(fw_interrupted(w->ctx));
    propose(w, half);
    FW_TRY(options->evaluate(options->user, w->ctx, options->walkers / 2, w->y, w->proposed, w->proposal));
    decide(w, half);
  }
  return FW_OK;
}

static void keep(const walk *w, fw_ensemble *out, int row) {
  size_t walkers = (size_t)out->walkers, d = walkers * (size_t)out->dimensions, e = walkers * (size_t)out->extras;
  memcpy(out->points + (size_t)row * d, w->x, d * sizeof(double));
  memcpy(out->density + (size_t)row * walkers, w->density, walkers * sizeof(double));
  memcpy(out->more + (size_t)row * e, w->more, e * sizeof(double));
}

static fw_status ensemble_open(fw_context *ctx, const fw_ensemble_options *options, fw_ensemble *out) {
  size_t rows = (size_t)options->steps * (size_t)options->walkers;
  *out = (fw_ensemble){.dimensions = options->dimensions,
                       .walkers = options->walkers,
                       .extras = options->extras,
                       .steps = options->steps};
  FW_TRY(fw_alloc(ctx, rows * (size_t)options->dimensions, sizeof(double), &out->points));
  FW_TRY(fw_alloc(ctx, rows, sizeof(double), &out->density));
  return fw_alloc(ctx, rows * (size_t)options->extras + 1, sizeof(double), &out->more);
}

fw_status fw_ensemble_run(fw_context *ctx, const fw_ensemble_options *options, fw_ensemble *out) {
  walk w = {0};
  fw_status status = FW_OK;
  FW_TRY_DONE(ensemble_open(ctx, options, out));
  FW_TRY_DONE(walk_open(ctx, options, &w));
  for (int i = -options->skip; i < options->steps; i++) {
    if (i == 0) w.moves = w.accepted = 0;
    FW_TRY_DONE(step(&w));
    if (i >= 0) keep(&w, out, i);
    if (options->progress)
      fw_progress(ctx, options->progress, (double)(i + options->skip + 1) / (options->skip + options->steps));
  }
  out->accepted = w.moves ? (double)w.accepted / (double)w.moves : 0.0;
done:
  walk_close(&w);
  if (status != FW_OK) fw_ensemble_clear(out);
  return status;
}

void fw_ensemble_clear(fw_ensemble *ensemble) {
  free(ensemble->points);
  free(ensemble->density);
  free(ensemble->more);
  *ensemble = (fw_ensemble){0};
}

/* ---- what was found ----------------------------------------------------------------------- */

/* The way of walker k in one dimension: value at step i is at[i * stride]. */
static const double *way(const fw_ensemble *a, int dimension, int k) {
  return a->points + (ptrdiff_t)k * a->dimensions + dimension;
}

/* Autocovariance at a lag, over all walkers, about the common mean. */
static double covariance(const fw_ensemble *a, int dimension, double mean, int lag) {
  ptrdiff_t stride = (ptrdiff_t)a->walkers * a->dimensions;
  double sum = 0;
  for (int k = 0; k < a->walkers; k++) {
    const double *x = way(a, dimension, k);
    for (int i = 0; i + lag < a->steps; i++) sum += (x[i * stride] - mean) * (x[(i + lag) * stride] - mean);
  }
  return sum / a->walkers / (a->steps - lag);
}

/* 1 + 2 sum of rho(lag), up to the first lag that is five times as much. */
static double correlation_time(const fw_ensemble *a, int dimension, double mean) {
  double least = covariance(a, dimension, mean, 0), time = 1;
  if (!(least > 0)) return a->steps;
  for (int lag = 1; lag < a->steps && lag < 5 * time; lag++) time += 2 * covariance(a, dimension, mean, lag) / least;
  return fmax(time, 1);
}

/* sqrt of the variance of all over that within halves of walkers. */
static double split_of(const fw_ensemble *a, int dimension) {
  int half = a->steps / 2, chains = 2 * a->walkers;
  size_t stride = (size_t)a->walkers * (size_t)a->dimensions, n = (size_t)half;
  double within = 0, between = 0, mean = 0;
  if (half < 2) return fw_unknown();
  for (int pass = 0; pass < 2; pass++) /* first the mean of the halves' means, then their spread */
    for (int c = 0; c < chains; c++) {
      const double *x = way(a, dimension, c / 2) + (size_t)(c % 2) * n * stride;
      double own = gsl_stats_mean(x, stride, n);
      if (pass == 0) mean += own / chains;
      if (pass == 1) between += (own - mean) * (own - mean) / (chains - 1);
      if (pass == 1) within += gsl_stats_variance_m(x, stride, n, own) / chains;
    }
  return within > 0 ? sqrt((half - 1.0) / half + between / within) : fw_unknown();
}

fw_status fw_ensemble_look(fw_context *ctx, const fw_ensemble *a, int dimension, fw_ensemble_figures *figures) {
  size_t rows = (size_t)a->steps * (size_t)a->walkers;
  double *sorted;
  FW_TRY(fw_alloc(ctx, rows, sizeof *sorted, &sorted));
  for (size_t i = 0; i < rows; i++) sorted[i] = a->points[i * (size_t)a->dimensions + (size_t)dimension];
  gsl_sort(sorted, 1, rows);
  *figures = (fw_ensemble_figures){.mean = gsl_stats_mean(sorted, 1, rows),
                                   .deviation = gsl_stats_sd(sorted, 1, rows),
                                   .low = gsl_stats_quantile_from_sorted_data(sorted, 1, rows, 0.025),
                                   .median = gsl_stats_quantile_from_sorted_data(sorted, 1, rows, 0.5),
                                   .high = gsl_stats_quantile_from_sorted_data(sorted, 1, rows, 0.975)};
  figures->time = correlation_time(a, dimension, figures->mean);
  figures->effective = (double)rows / figures->time;
  figures->split = split_of(a, dimension);
  free(sorted);
  return FW_OK;
}

fw_status fw_ensemble_percentiles(fw_context *ctx, const fw_ensemble *a, int extra, const double *parts, int count,
                                  double *values) {
  size_t rows = (size_t)a->steps * (size_t)a->walkers, found = 0;
  double *sorted;
  FW_TRY(fw_alloc(ctx, rows, sizeof *sorted, &sorted));
  for (size_t i = 0; i < rows; i++) {
    double value = a->more[i * (size_t)a->extras + (size_t)extra];
    if (isfinite(value)) sorted[found++] = value;
  }
  gsl_sort(sorted, 1, found);
  for (int i = 0; i < count; i++)
    values[i] = found ? gsl_stats_quantile_from_sorted_data(sorted, 1, found, parts[i]) : fw_unknown();
  free(sorted);
  return FW_OK;
}
