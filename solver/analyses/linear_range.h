/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a motion is one that linear or von Kármán kinematics describe; of rigid bodies: whether they turn so little that
 * their arms may be linear in the angle, as with rotation="small" and, whatever the body, in harmonic balance. */
#ifndef FW_ANALYSES_LINEAR_RANGE_H
#define FW_ANALYSES_LINEAR_RANGE_H

#include "solver/analysis.h"
#include "solver/hb/response.h"

/* The furthest that an element or body of such kinematics has turned or stretched so far. */
typedef struct fw_linear_range {
  double turn; /* of the body, or of the line between two nodes over its length, rad; over what its kinematics allow: */
  double part;
  double place[2];
} fw_linear_range;

/* Takes a configuration into account. */
void fw_linear_range_look(fw_linear_range *range, const fw_model *model, const double *q);

/* Takes the motion of a curve that moves furthest into account, phase by phase. Orbits without harmonics are left out.
 */
fw_status fw_linear_range_look_at_curve(fw_linear_range *range, const fw_job *job, const fw_vibration *vibration,
                                        fw_response_options options, const fw_orbit *orbits, int count);

/* Warns if it was beyond. */
fw_status fw_linear_range_judge(const fw_linear_range *range, const fw_job *job);

#endif
