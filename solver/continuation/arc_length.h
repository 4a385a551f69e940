/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Following a curve of solutions from one value of lambda to another, through folds and corners. Where the
 * curve is flat, points lie on a regular grid of lambda; where it bends, points follow in arc length. */
#ifndef FW_CONTINUATION_ARC_LENGTH_H
#define FW_CONTINUATION_ARC_LENGTH_H

#include "solver/continuation/corrector.h"

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

#endif
