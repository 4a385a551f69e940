/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stability of the motions of harmonic balance (solver/stability has the theory). */
#ifndef FW_HB_ORBIT_STABILITY_H
#define FW_HB_ORBIT_STABILITY_H

#include "solver/hb/response.h"
#include "solver/stability/floquet.h"

/* balance: evaluated at y. The coordinates and the lowest held modes are disturbed, as many as the samples follow.
 * along: NULL, or of a nonlinear mode, balance->epmc_damping its own, the change of y (omega the last) along it.
 * stability->why tells of what is not covered: hysteretic damping, and what floquet.h names. */
fw_status fw_balance_stability(fw_context *ctx, const fw_balance *balance, const double *y, const double *along,
                               fw_floquet *stability);

/* Stability against modes far beyond the harmonics: friction that follows the normal force can make a mode ring that no
 * harmonic of the motion reaches. The orbit is left as it is; contact is followed over so many samples that modes up to
 * FW_FAR_MODES times its frequency are. */
enum { FW_FAR_MODES = 128 };
fw_status fw_far_modes(fw_context *ctx, const fw_vibration *vibration, const fw_response *response,
                       const fw_orbit *orbit, fw_floquet *stability);

#endif
