/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accelerations that fit a state: M a = f - C v - f_int + contact, closed contact kept, joints kept at speed
 * (phi'' = 0). */
#ifndef FW_SOLVER_INITIAL_H
#define FW_SOLVER_INITIAL_H

#include "solver/system.h"

/* Sets state->a, and N, T of rigidly held contact directions, for the force f [system->size] acting now; without_hard:
 * as if hard contact were not there. A massless freedom keeps its acceleration (FW_OK all the same). */
fw_status fw_initial_acceleration(fw_context *ctx, fw_system *system, const double *f, bool without_hard,
                                  fw_state *state);

#endif
