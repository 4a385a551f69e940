/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extremes of a noisy, sampled, decaying signal by local fits.
 *
 * Between two extremes an oscillator with viscous and Coulomb damping moves about a centre c that friction shifts:
 * x(t) = c + (X - c) g(t - t0), g(s) = exp(-beta w s)(cos w s + beta sin w s), for times before and after the extreme X
 * at t0 alike, with a centre of its own on either side. Near each extreme X, both centres and t0 are fitted by least
 * squares: exact for that oscillator, and many samples take part in each extreme. */
#ifndef FW_IDENTIFY_EXTREMES_H
#define FW_IDENTIFY_EXTREMES_H

#include "identify/signals.h"

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
typedef struct fw_turns_wish {
  double beta, omega, window;
} fw_turns_wish;

/* Ends where swings drown in noise or lose their rhythm. FW_ERR_ANALYSIS if there are fewer than three extremes. */
fw_status fw_turns_find(fw_context *ctx, const fw_signal *signal, const fw_turns_wish *wish, fw_turns *turns);
void fw_turns_clear(fw_turns *turns);

#endif
