/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The linear mode about the start state with all contact stuck: friction with the stiffness of a fresh contact (rigid
 * stick: held), hard contact closed, compliant normal contact with its stiffness there; no damping. */
#ifndef FW_HB_STUCK_MODE_H
#define FW_HB_STUCK_MODE_H

#include "solver/hb/vibration.h"

/* Mode number `mode` (1: the lowest): circular frequency, its coordinates and its rest (NULL: not wanted), of any size.
 * FW_ERR_ANALYSIS with a message if there is none. */
fw_status fw_stuck_mode(fw_context *ctx, const fw_vibration *vibration, int mode, double *omega, double *shape,
                        double *rest);

/* The same of a structure that is not symmetric, with all its damping: lambda = growth + i omega, numbered by its size,
 * those without oscillation left out; the coordinates' complex shape. The rest is cut off (fw_reduced_truncate): good
 * enough to begin from. */
fw_status fw_stuck_flutter(fw_context *ctx, const fw_vibration *vibration, int mode, double complex *lambda,
                           double complex *shape);

/* The contact of both: its stiffness added (coordinates squared), and what hard contact and rigid stick hold, which are
 * coordinates (coordinates.h). */
void fw_stuck_contact(const fw_vibration *vibration, double *stiffness, bool *held);

#endif
