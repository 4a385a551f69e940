/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bringing a state to rest under the loads that act on it. */
#ifndef FW_TIME_REST_H
#define FW_TIME_REST_H

#include "solver/assembly/system.h"

/* The loads of state->load_factors, constant ones, act from now on. Where the state is in balance with them already, as
 * a pendulum that hangs straight down, joints and rigid contact get the forces that takes; else the structure moves to
 * where it is, in one step. FW_ERR_ANALYSIS with a message if that is not found. */
fw_status fw_rest_reach(fw_context *ctx, fw_system *system, fw_state *state);

#endif
