/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accelerations that fit a state, what sticks kept stuck and what is closed closed: M a = f - C v - f_int + contact,
 * closed contact kept, joints kept at speed (phi'' = 0). */
#ifndef FW_TIME_INITIAL_H
#define FW_TIME_INITIAL_H

#include "solver/assembly/system.h"

/* Sets state->a, and N, T of rigidly held contact directions, for the force f [system->size] acting now. Where contact
 * does not hold what has no mass, the state keeps its accelerations (FW_OK all the same). */
fw_status fw_initial_acceleration(fw_context *ctx, fw_system *system, const double *f, fw_state *state);

#endif
