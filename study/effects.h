/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What finished samples tell: how each result is distributed and how each parameter moves it. */
#ifndef FW_STUDY_EFFECTS_H
#define FW_STUDY_EFFECTS_H

#include "study/sample.h"

/* Distribution of one result over the samples that have it. NaN with none. */
typedef struct fw_spread {
  long count;
  double mean, deviation, min, p05, median, p95, max;
} fw_spread;

/* What one parameter does to one result; members a sampling does not give are NaN. */
typedef struct fw_effect {
  double measure;                      /* what the ranking goes by: swing, |rank correlation|, mu*, total index,
                                        * or the change over the range that the derivative promises */
  double low, high;                    /* mean result where the parameter is lowest and highest */
  double derivative;                   /* of the result at the deck's values, the parameter in its own unit */
  double correlation;                  /* Spearman's */
  double mu, mu_star, sigma;           /* Morris: in units of the result over the parameter's whole range */
  double first, first_low, first_high; /* Sobol, with the 95 % confidence interval by bootstrap */
  double total, total_low, total_high;
} fw_effect;

/* Spread of column c. */
fw_status fw_spread_of(fw_context *ctx, const fw_samples *samples, int column, fw_spread *spread);

/* Effects of all parameters on all figures, and the parameters from the strongest to the weakest, unknown ones last:
 * those on figure i begin at [i factor_count]. To be cleared, also after a failure. */
typedef struct fw_effects {
  fw_effect *effects;
  int *order;
} fw_effects;

fw_status fw_effects_of(fw_context *ctx, const fw_study *study, const fw_samples *samples, fw_effects *all);
void fw_effects_clear(fw_effects *all);

/* The Sobol part, by itself. */
fw_status fw_effects_sobol(fw_context *ctx, const fw_study *study, const fw_samples *samples, int column,
                           fw_effect *effects);

#endif
