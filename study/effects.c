/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/effects.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "core/unknown.h"
#include "study/local.h"

static double result_of(const fw_samples *samples, long i, int column) {
  return samples->results[i * samples->columns + column];
}

/* ---- distribution of a result ------------------------------------------------------------ */

fw_status fw_spread_of(fw_context *ctx, const fw_samples *samples, int column, fw_spread *spread) {
  double *sorted;
  const double no = fw_unknown();
  *spread = (fw_spread){0, no, no, no, no, no, no, no};
  FW_TRY(fw_alloc(ctx, (size_t)samples->count, sizeof *sorted, &sorted));
  size_t n = 0;
  for (long i = 0; i < samples->count; i++)
    if (isfinite(result_of(samples, i, column))) sorted[n++] = result_of(samples, i, column);
  if (n > 0) {
    gsl_sort(sorted, 1, n);
    *spread = (fw_spread){.count = (long)n,
                          .mean = gsl_stats_mean(sorted, 1, n),
                          .deviation = n > 1 ? gsl_stats_sd(sorted, 1, n) : 0.0,
                          .min = sorted[0],
                          .p05 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.05),
                          .median = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.5),
                          .p95 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.95),
                          .max = sorted[n - 1]};
  }
  free(sorted);
  return FW_OK;
}

/* ---- effects every sampling gives -------------------------------------------------------- */

/* Mean result over the samples in the lowest and in the highest fifth of a parameter. */
static void find_ends(const fw_study *study, const fw_samples *samples, int column, int k, fw_effect *effect) {
  double sum[2] = {0};
  long n[2] = {0};
  for (long i = 0; i < samples->count; i++) {
    double u = study->u[i * study->factor_count + k], y = result_of(samples, i, column);
    if (!isfinite(y) || (u > 0.2 && u < 0.8)) continue;
    sum[u >= 0.8] += y;
    n[u >= 0.8]++;
  }
  effect->low = n[0] ? sum[0] / (double)n[0] : fw_unknown();
  effect->high = n[1] ? sum[1] / (double)n[1] : fw_unknown();
}

static void correlate(const fw_study *study, const fw_samples *samples, int column, int k, double *room,
                      fw_effect *effect) {
  size_t n = 0, most = (size_t)samples->count;
  double *x = room, *y = room + most, *work = room + 2 * most;
  for (long i = 0; i < samples->count; i++) {
    if (!isfinite(result_of(samples, i, column))) continue;
    x[n] = study->u[i * study->factor_count + k];
    y[n++] = result_of(samples, i, column);
  }
  effect->correlation = n > 2 ? gsl_stats_spearman(x, 1, y, 1, n, work) : fw_unknown();
  if (n > 2 && !isfinite(effect->correlation)) effect->correlation = 0.0; /* a result that does not vary */
}

/* ---- one at a time ----------------------------------------------------------------------- */

/* Samples 1 + k steps ... belong to parameter k; sample 0 is the deck itself. */
static void find_swing(const fw_samples *samples, int column, int k, int steps, fw_effect *effect) {
  double least = result_of(samples, 0, column), most = least;
  long first = 1 + (long)k * steps;
  for (long i = first; i < first + steps; i++) {
    least = fmin(least, result_of(samples, i, column));
    most = fmax(most, result_of(samples, i, column));
  }
  effect->low = result_of(samples, first, column);
  effect->high = result_of(samples, first + steps - 1, column);
  effect->measure = most - least;
}

/* ---- local ------------------------------------------------------------------------------- */

/* Sample 0 is the deck itself and may know the derivative; else two samples a step apart tell, from `first` on. */
static void find_local(const fw_study *study, const fw_samples *samples, int column, int k, long *first,
                       fw_effect *effect) {
  int d = study->factor_count;
  if (study->local->known[k]) {
    effect->derivative = result_of(samples, 0, study->derivatives + column * d + k);
  } else {
    double dy = result_of(samples, *first + 1, column) - result_of(samples, *first, column);
    effect->derivative = dy / (study->values[(*first + 1) * d + k] - study->values[*first * d + k]);
    *first += 2;
  }
  const fw_distribution *range = &study->factors[k].distribution;
  double centre = result_of(samples, 0, column), at = study->values[k];
  effect->low = centre + effect->derivative * (fw_distribution_value(range, 0) - at);
  effect->high = centre + effect->derivative * (fw_distribution_value(range, 1) - at);
  effect->measure = fabs(effect->high - effect->low);
}

/* ---- Morris ------------------------------------------------------------------------------ */

/* Which parameter two neighbours of a trajectory differ in. */
static int moved(const fw_study *study, long i) {
  int d = study->factor_count;
  for (int k = 0; k < d; k++)
    if (study->u[(i + 1) * d + k] != study->u[i * d + k]) return k;
  return 0;
}

static void find_morris(const fw_study *study, const fw_samples *samples, int column, fw_effect *effects) {
  int d = study->factor_count;
  for (int k = 0; k < d; k++) {
    double sum = 0, magnitude = 0, squares = 0;
    long n = 0;
    for (long t = 0; t + d < samples->count; t += d + 1)
      for (long i = t; i < t + d; i++) {
        if (moved(study, i) != k) continue;
        double effect = (result_of(samples, i + 1, column) - result_of(samples, i, column)) /
                        (study->u[(i + 1) * d + k] - study->u[i * d + k]);
        if (!isfinite(effect)) continue;
        sum += effect;
        magnitude += fabs(effect);
        squares += effect * effect;
        n++;
      }
    if (n < 2) continue;
    effects[k].mu = sum / (double)n;
    effects[k].mu_star = effects[k].measure = magnitude / (double)n;
    effects[k].sigma = sqrt(fmax(0.0, (squares - sum * sum / (double)n) / (double)(n - 1)));
  }
}

/* ---- all of it --------------------------------------------------------------------------- */

static fw_status effects_on(fw_context *ctx, const fw_study *study, const fw_samples *samples, int column,
                            fw_effect *effects) {
  double *room;
  FW_TRY(fw_alloc(ctx, 4 * (size_t)samples->count, sizeof *room, &room));
  const double no = fw_unknown();
  fw_effect_kind kind = study->sampling->effects;
  long first = 1;
  for (int k = 0; k < study->factor_count; k++) {
    fw_effect *effect = &effects[k];
    *effect = (fw_effect){no, no, no, no, no, no, no, no, no, no, no, no, no, no};
    find_ends(study, samples, column, k, effect);
    if (kind == FW_EFFECT_SWING)
      find_swing(samples, column, k, fw_args_integer(study->sampling_args, "steps"), effect);
    else if (kind == FW_EFFECT_LOCAL)
      find_local(study, samples, column, k, &first, effect);
    else
      correlate(study, samples, column, k, room, effect);
    if (kind == FW_EFFECT_RANK) effect->measure = fabs(effect->correlation);
  }
  free(room);
  if (kind == FW_EFFECT_MORRIS) find_morris(study, samples, column, effects);
  return kind == FW_EFFECT_SOBOL ? fw_effects_sobol(ctx, study, samples, column, effects) : FW_OK;
}

static void rank(const fw_study *study, const fw_effect *effects, int *order) {
  for (int k = 0; k < study->factor_count; k++) {
    int at = k;
    double measure = isfinite(effects[k].measure) ? effects[k].measure : -INFINITY;
    for (; at > 0 && !(effects[order[at - 1]].measure >= measure); at--) order[at] = order[at - 1];
    order[at] = k;
  }
}

fw_status fw_effects_of(fw_context *ctx, const fw_study *study, const fw_samples *samples, fw_effects *all) {
  size_t n = (size_t)study->factor_count, count = n * (size_t)study->figure_count;
  *all = (fw_effects){0};
  FW_TRY(fw_alloc(ctx, count, sizeof *all->effects, &all->effects));
  FW_TRY(fw_alloc(ctx, count, sizeof *all->order, &all->order));
  for (int i = 0; i < study->figure_count; i++) {
    size_t first = n * (size_t)i;
    FW_TRY(effects_on(ctx, study, samples, i, all->effects + first));
    rank(study, all->effects + first, all->order + first);
  }
  return FW_OK;
}

void fw_effects_clear(fw_effects *all) {
  free(all->effects);
  free(all->order);
  *all = (fw_effects){0};
}
