/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves of solutions followed by arc length, and across places where they end. */
#ifndef FW_CONTINUATION_ARC_LENGTH_H
#define FW_CONTINUATION_ARC_LENGTH_H

#include "solver/continuation/corrector.h"

/* ---- arc length ------------------------------------------------------------------------------------------ */

/* Following a curve of solutions from one value of lambda to another, through folds and corners. Where the
 * curve is flat, points lie on a regular grid of lambda; where it bends, points follow in arc length. */

typedef struct fw_arc_length {
  double from, to; /* range of lambda; the sweep ends when `to` is reached */
  double step;     /* grid of lambda, > 0 */
  double tolerance;
  int most; /* points at most */
  void *user;
  /* Told of every point; may change curve->scale. A status other than FW_OK ends the sweep. */
  fw_status (*accept)(void *user, fw_continuation *curve, const double *y, const double *tangent);
  /* results */
  int points, rejected, iterations;
  bool returned;  /* the curve turned back and left the range where it began */
  double reached; /* lambda of the last point */
  bool jump;      /* lost where the equations are not continuous */
} fw_arc_length;

/* y: near the first point, at whose lambda (`from`, or between it and `to`) the sweep begins; overwritten.
 * FW_RECOVER_DIVERGED if the curve was lost (sweep->reached says where) or `most` points did not suffice. */
fw_status fw_arc_length_run(fw_context *ctx, fw_continuation *curve, fw_arc_length *sweep, double *y);

/* ---- curve break ----------------------------------------------------------------------------------------- */

/* Beyond a place where a curve of solutions ends. Friction that drops when slip begins, or that forgets its deflection
 * when it ends, makes the equations jump there; further on there are solutions again, with a larger response mostly. */

/* y: the last point before the gap, overwritten with a solution at a lambda nearer to `to`: on the grid of `step` at
 * first, then in longer steps. FW_RECOVER_DIVERGED: none was found. */
fw_status fw_curve_break_cross(fw_context *ctx, fw_continuation *curve, double to, double step, double tolerance,
                               double *y);

/* ---- curve loop ------------------------------------------------------------------------------------------ */

/* Out of a loop. A curve that rises with lambda may turn off into a loop or a tongue: a nonlinear mode at an internal
 * resonance, where a higher mode answers one of its harmonics, does so until nothing of the first harmonic is left
 * (Kerschen et al., Nonlinear normal modes, Part I, 2009, 3.4). The line through points before the turn leads across. */

enum { FW_TRAIL = 4 };

typedef struct fw_trail {
  int m;          /* unknowns and lambda */
  double *points; /* the last FW_TRAIL before lambda turned back, newest first, m entries each */
  int count;
  double top; /* largest lambda so far */
} fw_trail;

/* n: unknowns without lambda. Clear is safe on a zeroed struct. */
fw_status fw_trail_init(fw_context *ctx, int n, fw_trail *trail);
void fw_trail_clear(fw_trail *trail);

/* Told of every point of the curve; step: the grid of lambda. */
void fw_trail_mark(fw_trail *trail, double step, const double *y);

/* y: a solution at a lambda between the trail's top and `to`, near the line that its points make.
 * FW_RECOVER_DIVERGED: none was found. */
fw_status fw_trail_leave(fw_context *ctx, const fw_trail *trail, fw_continuation *curve, double to, double step,
                         double tolerance, double *y);

#endif
