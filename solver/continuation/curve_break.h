/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beyond a place where a curve of solutions ends. Friction that drops when slip begins, or that forgets its deflection
 * when it ends, makes the equations jump there; further on there are solutions again, with a larger response mostly. */
#ifndef FW_CONTINUATION_CURVE_BREAK_H
#define FW_CONTINUATION_CURVE_BREAK_H

#include "solver/continuation/corrector.h"

/* y: the last point before the gap, overwritten with a solution at a lambda nearer to `to`: on the grid of `step` at
 * first, then in longer steps. FW_RECOVER_DIVERGED: none was found. */
fw_status fw_curve_break_cross(fw_context *ctx, fw_continuation *curve, double to, double step, double tolerance,
                               double *y);

#endif
