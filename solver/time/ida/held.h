/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Directions of hard contact that do not move: gaps of closed points and the slip of those that stick. */
#ifndef FW_TIME_IDA_HELD_H
#define FW_TIME_IDA_HELD_H

#include "solver/time/ida/mobility.h"

/* Takes from the state's velocities what moves held directions, by impulses that may pull; what that takes of the
 * kinetic energy is added to *lost. */
fw_status fw_held_stop(fw_context *ctx, const fw_dae *dae, const fw_mobility *mobility, fw_state *state, double *lost);

/* Finds dae->shared and dae->jam of the present modes: points at their limit of friction that what is held does not let
 * slip are jammed. */
fw_status fw_held_find_shared(fw_context *ctx, fw_dae *dae, const fw_mobility *mobility);
void fw_shared_clear(fw_shared *shared);

/* Where directions are shared, their equations h = 0 leave Z^T h = 0 undetermined by accelerations; in its place
 * stands that of all forces the smallest is wanted, Z^T f = 0: h - Z Z^T h + scale Z Z^T f. In the Jacobian Z^T h'
 * vanishes by itself. */
void fw_shared_residual(const fw_dae *dae, const double *y, double *F);
void fw_shared_jacobian(fw_dae *dae);

/* What the unknown `at` of a jammed point would be if it shared alike: jammed it stays while that is beyond its limit.
 */
double fw_jam_shared_force(const fw_dae *dae, int64_t at, const double *y);

/* True if the pattern has no room for the shared directions' forces in each other's equations. */
bool fw_shared_needs_pattern(const fw_dae *dae);

#endif
