/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Damping from a free decay: its extremes, and what they tell. */
#ifndef FW_IDENTIFY_FREE_DECAY_H
#define FW_IDENTIFY_FREE_DECAY_H

#include "core/context.h"
#include "identify/signals.h"

/* ---- extremes -------------------------------------------------------------------------------------------- */

/* Extremes of a noisy, sampled, decaying signal by local fits.
 *
 * Between two extremes an oscillator with viscous and Coulomb damping moves about a centre c that friction shifts:
 * x(t) = c + (X - c) g(t - t0), g(s) = exp(-beta w s)(cos w s + beta sin w s), for times before and after the extreme X
 * at t0 alike, with a centre of its own on either side. Near each extreme X, both centres and t0 are fitted by least
 * squares: exact for that oscillator, and many samples take part in each extreme. */

typedef struct fw_turn {
  double t, x;      /* s, m */
  double deviation; /* of x, from the noise of the samples */
} fw_turn;

typedef struct fw_turns {
  fw_turn *list; /* alternating */
  int count;
  int side;     /* of the first: 1 a peak, -1 a valley */
  double omega; /* of the damped oscillation (rad/s), from the times between extremes */
  double noise; /* standard deviation of the samples about the local fits */
} fw_turns;

/* What the local fits take as known: damping and frequency (0 where nothing is known yet), and which part of a half
 * swing is fitted on each side. */
typedef struct fw_turns_options {
  double beta, omega, window;
} fw_turns_options;

/* Ends where swings drown in noise or lose their rhythm. FW_ERR_ANALYSIS if there are fewer than three extremes. */
fw_status fw_turns_find(fw_context *ctx, const fw_signal *signal, const fw_turns_options *options, fw_turns *turns);
void fw_turns_clear(fw_turns *turns);

/* ---- decay ----------------------------------------------------------------------------------------------- */

/* Viscous and Coulomb damping from the extremes of a free decay (Feeny and Liang's decrement). Successive extremes of
 * an oscillator with both, seen with an offset d, obey
 *
 *   X_(i+1) - d = -r (X_i - d) + s_i (1 + r) x_k,   r = exp(-beta pi), beta = zeta/sqrt(1 - zeta^2), x_k = f_k/k,
 *
 * s_i = 1 at a peak, -1 at a valley. */

typedef struct fw_decay {
  double ratio; /* r */
  double beta, zeta;
  double x_k, offset;
  double ratio_deviation, zeta_deviation, x_k_deviation, offset_deviation; /* NaN: not known */
  double amplitude; /* of extreme 0 about the offset, fitted (least-squares only) */
  double chi2;      /* squares left per degree of freedom, in deviations of the extremes (least-squares only) */
  bool found;       /* there is such an estimate */
} fw_decay;

/* Extremes to estimate from. All lent. */
typedef struct fw_decay_data {
  const double *x;         /* [count] */
  const double *deviation; /* [count] */
  int count;
  int side;      /* of extreme 0: 1 a peak, -1 a valley */
  double offset; /* NaN: not known */
} fw_decay_data;

/* X(name in enum, name in decks, meaning) */
#define FW_DECAY_ESTIMATORS(X)                                                                                      \
  X(PAIR, "pair", "the first three extremes, by sums of neighbours")                                                \
  X(HALF_CYCLES, "half-cycles", "first and last sum of neighbours")                                                 \
  X(DIFFERENCES, "differences", "first and last difference of every other extreme, which no offset reaches")        \
  X(MEAN, "mean", "mean of what all neighbours give, as published")                                                 \
  X(REGRESSION, "regression", "straight line through all pairs of neighbours: best where friction itself scatters") \
  X(LEAST_SQUARES, "least-squares", "the decay through all extremes: best where the measurement scatters")
#define FW_DECAY_ENUM(name, text, meaning) FW_DECAY_##name,
typedef enum fw_decay_estimator { FW_DECAY_ESTIMATORS(FW_DECAY_ENUM) FW_DECAY_COUNT } fw_decay_estimator;
#undef FW_DECAY_ENUM
const char *fw_decay_name(fw_decay_estimator estimator);

/* All of them; half_cycles: how far first and last lie apart at most (0: as far as there are extremes). Estimates by
 * sums use the data's offset, or that of the regression. What too few extremes or noise do not give is not `found`. */
fw_status fw_decay_estimate(fw_context *ctx, const fw_decay_data *data, int half_cycles,
                            fw_decay estimates[FW_DECAY_COUNT]);

/* Least-squares, or the regression where the extremes scatter more than their deviations explain: then it is friction
 * itself that scatters from swing to swing. */
fw_decay_estimator fw_decay_choose(const fw_decay estimates[FW_DECAY_COUNT]);

/* Only the regression, without allocation of anything that lasts: for parts of a decay. */
fw_status fw_decay_regression(fw_context *ctx, const fw_decay_data *data, fw_decay *estimate);

/* Extreme i of the decay, counted from extreme 0 with the estimate's amplitude. */
double fw_decay_extreme(const fw_decay *decay, int side, int i);

/* ---- free decay ------------------------------------------------------------------------------------------ */

/* From a signal to the damping of the decay it shows: extremes and estimates, which need each other. */

typedef struct fw_free_decay_options {
  double window;   /* part of a half swing fitted beside each extreme */
  double offset;   /* NaN: not known */
  int half_cycles; /* of the estimators that take first and last; 0: all */
  int estimator;   /* -1: the one that fits the scatter */
} fw_free_decay_options;

/* Arrays are owned. */
typedef struct fw_free_decay {
  fw_turns turns;
  double *x, *deviation; /* of the extremes */
  double offset;         /* as wished */
  fw_decay estimates[FW_DECAY_COUNT];
  fw_decay_estimator chosen;
} fw_free_decay;

fw_status fw_free_decay_find(fw_context *ctx, const fw_signal *signal, const fw_free_decay_options *options,
                             fw_free_decay *decay);
void fw_free_decay_clear(fw_free_decay *decay);

/* The extremes from `first` on, as estimators take them. */
fw_decay_data fw_free_decay_part(const fw_free_decay *decay, int first, int count);

#endif
