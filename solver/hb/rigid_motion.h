/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes that are no vibration. */
#ifndef FW_HB_RIGID_MOTION_H
#define FW_HB_RIGID_MOTION_H

#include "solver/hb/vibration.h"

/* Both fail with FW_ERR_ANALYSIS and name the body and direction that move farthest. */

/* If mode number `mode` with the contact stuck, of circular frequency omega, is a motion that nothing resists, or one
 * away from an unstable state. */
fw_status fw_rigid_motion_refuse(fw_context *ctx, const fw_vibration *vibration, int mode, double omega);

/* For a model that harmonic balance could not reduce about a state, with the message it left: takes its place if such a
 * motion is the reason; FW_ERR_SINGULAR if not. */
fw_status fw_rigid_motion_explain(fw_context *ctx, const fw_model *model, const fw_state *state);

#endif
