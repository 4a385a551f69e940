/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stability of a periodic motion, and where it changes along a curve of them. */
#ifndef FW_STABILITY_FLOQUET_H
#define FW_STABILITY_FLOQUET_H

#include "core/record.h"
#include "solver/stability/periodic_motion.h"

/* last: it defines I */
#include <complex.h>

/* ---- floquet --------------------------------------------------------------------------------------------- */

/* Stability of a periodic motion: the Floquet multipliers, by which small disturbances grow in a period, are the eigenvalues
 * of the monodromy matrix. Disturbances of the coordinates and of the friction states are carried once round, sample by
 * sample, by Newmark's rule (average acceleration) with the derivatives of the laws' own steps. Rigid stick and hard
 * contact that opens and closes have jumps (monodromy_jumps.c). */

/* |multiplier| above 1 + this counts as growth: a contact that never slips has multipliers 1. */
#define FW_STABILITY_MARGIN 1e-3

typedef struct fw_floquet {
  double complex *multipliers; /* largest first */
  int count;
  int growing;      /* how many grow */
  double frequency; /* Hz: at which the disturbance that grows most moves, accelerations over velocities */
  double along;     /* of a mode: multiplier of a disturbance along its family, not among the others; else NaN */
  const char *why;  /* NULL, or why nothing could be said (static text); count is then 0 */
  int contact;      /* at which of the motion's contacts; -1: at none in particular */
} fw_floquet;

/* A positive status never comes back; `why` tells of what is not covered: rigid stick with a static limit above the
 * sliding force, what is held but is no coordinate, more than a thousand states. Multipliers of a free motion (with a
 * `family`) are those of disturbances that leave it (free_motion.c): with the opposite damping held, one along it grows
 * by exp(-2 pi dzeta/d ln a) where damping is small. Clear is safe on a zeroed struct. */
fw_status fw_floquet_find(fw_context *ctx, const fw_periodic_motion *motion, fw_floquet *stability);
void fw_floquet_clear(fw_floquet *stability);

/* ---- bifurcations ---------------------------------------------------------------------------------------- */

/* Where the stability of the motions along a curve changes, in the summary. */

/* What is said of one motion. */
typedef struct fw_judged {
  double frequency, amplitude, level;
  double complex multiplier; /* the largest; NaN: not known */
  int growing;               /* how many disturbances grow */
} fw_judged;

/* Why the stability of some motion along a curve is not known. */
typedef struct fw_unjudged {
  const char *why; /* static text; NULL: all are known */
  int contact;     /* at which contact point of the model; -1: at none in particular */
} fw_unjudged;

/* The motions along the curve, in its order. */
typedef struct fw_judged_curve {
  int count;
  fw_judged (*at)(const void *user, int i);
  const void *user;
} fw_judged_curve;

/* PREFIXunstable_points and PREFIXbifurcations[k].{kind, frequency, amplitude, level}, half way between two motions of
 * which one is stable: `fold` (a real multiplier above 1), `period-doubling` (below -1), `torus` (a pair).
 * unjudged: why some could not be judged; "": all are. */
fw_status fw_bifurcations_record(fw_record *to, fw_judged_curve curve, const char *unjudged, const char *prefix);

#endif
