/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small changes of a motion through what happens at one moment: each function follows dae->variation through what its
 * namesake did to the state. */
#ifndef FW_TIME_IDA_VARY_H
#define FW_TIME_IDA_VARY_H

#include "solver/time/ida/mobility.h"
#include "solver/time/local_contact.h"

/* An impact of the points `who`, of which some rebound; `problem` solved. */
fw_status fw_vary_impact(fw_context *ctx, const fw_dae *dae, const fw_mobility *mobility, const int *who,
                         const bool *impacting, fw_local_problem *problem);

/* Accelerations and forces that fit; `problem` of the points `who` solved. */
fw_status fw_vary_settling(fw_context *ctx, const fw_dae *dae, const fw_mobility *mobility, const int *who,
                           const fw_state *state, fw_local_problem *problem);

/* Velocities along the held directions, numbered as in the mobility, that are taken away: D their mobility. */
fw_status fw_vary_stop(fw_context *ctx, const fw_dae *dae, const fw_mobility *mobility, const int *held, int count);

/* A point that is fresh from now on. */
void fw_vary_reset(const fw_dae *dae, const fw_dae_point *point);

#endif
