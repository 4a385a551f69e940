/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of variance from blocks of samples A_i, B_i, AB_1i ... AB_di (samplings/sobol_indices.c):
 *   S_k  = mean(f_B (f_ABk - f_A)) / V        (Saltelli et al. 2010; f less its mean, which lowers the error)
 *   ST_k = mean((f_A - f_ABk)^2) / (2 V)      (Jansen 1999)
 * and their spread when whole blocks are drawn again at random (bootstrap). */
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "study/effects.h"

typedef struct blocks {
  int d;
  long count;
  const double **rows; /* [count], each d + 2 results, stride apart */
  int stride;
} blocks;

static double at(const blocks *b, long row, int j) { return b->rows[row][(long)j * b->stride]; }

/* Indices over the rows picked: first[d], total[d]. */
static void estimate(const blocks *b, const long *pick, double *first, double *total) {
  double mean = 0, variance = 0, n = (double)b->count;
  for (long i = 0; i < b->count; i++) mean += (at(b, pick[i], 0) + at(b, pick[i], 1)) / (2 * n);
  for (int k = 0; k < b->d; k++) first[k] = total[k] = 0;
  for (long i = 0; i < b->count; i++) {
    double fa = at(b, pick[i], 0) - mean, fb = at(b, pick[i], 1) - mean;
    variance += (fa * fa + fb * fb) / (2 * n);
    for (int k = 0; k < b->d; k++) {
      double fab = at(b, pick[i], 2 + k) - mean;
      first[k] += fb * (fab - fa) / n;
      total[k] += (fa - fab) * (fa - fab) / (2 * n);
    }
  }
  for (int k = 0; k < b->d; k++) {
    first[k] = variance > 0 ? first[k] / variance : 0;
    total[k] = variance > 0 ? total[k] / variance : 0;
  }
}

/* Blocks all of whose samples have the result. */
static void find_blocks(const fw_samples *samples, int column, blocks *b) {
  long rows = samples->count / (b->d + 2);
  for (long i = 0; i < rows; i++) {
    bool whole = true;
    const double *row = samples->results + i * (b->d + 2) * samples->columns + column;
    for (int j = 0; j < b->d + 2; j++) whole = whole && isfinite(row[(long)j * samples->columns]);
    if (whole) b->rows[b->count++] = row;
  }
}

static void interval(double *values, int count, double *low, double *high) {
  gsl_sort(values, 1, (size_t)count);
  *low = gsl_stats_quantile_from_sorted_data(values, 1, (size_t)count, 0.025);
  *high = gsl_stats_quantile_from_sorted_data(values, 1, (size_t)count, 0.975);
}

/* trials[2 d * resamplings]: first and total indices of each parameter, trial by trial. */
static void resample(const blocks *b, int resamplings, unsigned long seed, long *pick, double *trials, gsl_rng *random,
                     fw_effect *effects) {
  double first[FW_SOBOL_DIMENSIONS], total[FW_SOBOL_DIMENSIONS];
  gsl_rng_set(random, seed);
  for (int r = 0; r < resamplings; r++) {
    for (long i = 0; i < b->count; i++) pick[i] = (long)gsl_rng_uniform_int(random, (unsigned long)b->count);
    estimate(b, pick, first, total);
    for (int k = 0; k < b->d; k++) {
      trials[(2 * k) * resamplings + r] = first[k];
      trials[(2 * k + 1) * resamplings + r] = total[k];
    }
  }
  for (int k = 0; k < b->d; k++) {
    interval(trials + (2 * k) * resamplings, resamplings, &effects[k].first_low, &effects[k].first_high);
    interval(trials + (2 * k + 1) * resamplings, resamplings, &effects[k].total_low, &effects[k].total_high);
  }
}

fw_status fw_effects_sobol(fw_context *ctx, const fw_study *study, const fw_samples *samples, int column,
                           fw_effect *effects) {
  int resamplings = fw_args_integer(study->sampling_args, "bootstrap");
  blocks b = {.d = study->factor_count, .stride = samples->columns};
  size_t rows = (size_t)(samples->count / (b.d + 2));
  double first[FW_SOBOL_DIMENSIONS], total[FW_SOBOL_DIMENSIONS], *trials = NULL;
  long *pick = NULL;
  gsl_rng *random = NULL;
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, rows, sizeof *b.rows, &b.rows));
  FW_TRY_DONE(fw_alloc(ctx, rows, sizeof *pick, &pick));
  FW_TRY_DONE(fw_alloc(ctx, 2 * (size_t)b.d * (size_t)resamplings, sizeof *trials, &trials));
  random = gsl_rng_alloc(gsl_rng_mt19937);
  if (!random) {
    status = fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
    goto done;
  }
  find_blocks(samples, column, &b);
  if (b.count < 2) goto done;
  for (long i = 0; i < b.count; i++) pick[i] = i;
  estimate(&b, pick, first, total);
  for (int k = 0; k < b.d; k++) {
    effects[k].first = first[k];
    effects[k].total = effects[k].measure = total[k];
  }
  resample(&b, resamplings, study->seed, pick, trials, random, effects);
done:
  if (random) gsl_rng_free(random);
  free(b.rows);
  free(pick);
  free(trials);
  return status;
}
