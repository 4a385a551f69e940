/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stability of an orbit against modes far beyond its harmonics: friction that follows the normal force can make a mode
 * ring that no harmonic of the motion reaches. The orbit is left as it is; contact is followed over so many samples
 * that modes up to FW_FAR_MODES times its frequency are. */
#ifndef FW_HB_REDUCTION_FAR_MODES_H
#define FW_HB_REDUCTION_FAR_MODES_H

#include "solver/hb/floquet.h"
#include "solver/hb/response.h"

enum { FW_FAR_MODES = 128 };

fw_status fw_far_modes(fw_context *ctx, const fw_vibration *vibration, const fw_response *response,
                       const fw_orbit *orbit, fw_floquet *stability);

#endif
