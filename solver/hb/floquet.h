/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stability of a periodic motion: the multipliers by which small disturbances grow in a period, the eigenvalues of the
 * monodromy matrix. Disturbances of the coordinates, of the lowest held modes and of the friction states are carried
 * once round, sample by sample, by Newmark's rule (average acceleration) with the derivatives of the same steps of the
 * laws that the motion was found with. Rigid stick and hard contact that opens and closes have jumps
 * (monodromy_jumps.c). */
#ifndef FW_HB_FLOQUET_H
#define FW_HB_FLOQUET_H

#include "solver/hb/balance.h"

/* |multiplier| above 1 + this counts as growth: a contact that never slips has multipliers 1. */
#define FW_STABILITY_MARGIN 1e-3

typedef struct fw_floquet {
  double complex *multipliers; /* largest first */
  int count;
  int growing;      /* how many grow */
  double frequency; /* Hz: at which the disturbance that grows most moves, accelerations over velocities */
  double along;     /* of a mode: multiplier of a disturbance along its family, not among the others; else NaN */
  const char *why;  /* NULL, or why nothing could be said (static text); count is then 0 */
} fw_floquet;

/* balance: evaluated at y. A positive status never comes back; `why` tells of what is not covered: hysteretic damping,
 * rigid stick with a static limit above the sliding force, more than a thousand states. Clear is safe on a zeroed
 * struct. */
fw_status fw_floquet_find(fw_context *ctx, fw_balance *balance, const double *y, fw_floquet *stability);

/* The same of a nonlinear mode, balance->epmc_damping its own. along: change of y (omega the last) along the mode.
 * Multipliers are those of disturbances that leave the mode (free_motion.h): with the opposite damping held, one along
 * it grows by exp(-2 pi dzeta/d ln a) where damping is small. */
fw_status fw_floquet_of_mode(fw_context *ctx, fw_balance *balance, const double *y, const double *along,
                             fw_floquet *stability);
void fw_floquet_clear(fw_floquet *stability);

#endif
