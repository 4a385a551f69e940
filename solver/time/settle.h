/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to a state at rest, and the accelerations that fit a state. */
#ifndef FW_TIME_SETTLE_H
#define FW_TIME_SETTLE_H

#include "solver/assembly/system.h"
#include "solver/time/step.h"

/* ---- initial --------------------------------------------------------------------------------------------- */

/* Accelerations that fit a state, what sticks kept stuck and what is closed closed: M a = f - C v - f_int + contact,
 * closed contact kept, joints kept at speed (phi'' = 0). */

/* Sets state->a, and N, T of rigidly held contact directions, for the force f [system->size] acting now. Where contact
 * does not hold what has no mass, the state keeps its accelerations (FW_OK all the same). */
fw_status fw_initial_acceleration(fw_context *ctx, fw_system *system, const double *f, fw_state *state);

/* ---- rest ------------------------------------------------------------------------------------------------ */

/* Bringing a state to rest under the loads that act on it. */

/* The loads of state->load_factors, constant ones, act from now on. Where the state is in balance with them already, as
 * a pendulum that hangs straight down, joints and rigid contact get the forces that takes; else the structure moves to
 * where it is, in one step. FW_ERR_ANALYSIS with a message if that is not found. */
fw_status fw_rest_reach(fw_context *ctx, fw_system *system, fw_state *state);

/* ---- slide ------------------------------------------------------------------------------------------------ */

/* Bringing a state to steady sliding: all stands still but what prescribed motions move, at their velocities, and along
 * closed contact that moves friction is that of steady sliding. */

/* The loads of state->load_factors act. What is closed at the beginning is what may slide; what pulls opens.
 * FW_ERR_ANALYSIS with a message if nothing slides or there is no such state. */
fw_status fw_slide_reach(fw_context *ctx, fw_system *system, fw_state *state);

/* ---- settle ---------------------------------------------------------------------------------------------- */

/* Equilibrium as the end of a motion downhill, for structures in which Newton's method has no direction: pendulums,
 * bodies without supports, contact in which its steps go round in circles. */

/* Follows M dq/ds = f - f_int(q) + contact forces, joints closed, by implicit steps
 *     c M (q - q_old) + f_int(q) - f = W_n N - W_t T
 * whose c falls as they succeed, until c M (q - q_old) is nothing beside the forces: with vanishing c a step is one of
 * Newton's. The potential energy falls along the way, so that it ends in a stable equilibrium unless it begins in an
 * unstable one. What moves freely without load stays where it is. The state enters as job->old and leaves committed;
 * FW_RECOVER_DIVERGED: the way does not end. drift (may be NULL): where contact is and that is as something goes away under
 * a force that does not change, what does; else dof is -1. */
fw_status fw_settle(fw_context *ctx, fw_system *system, fw_stepper *stepper, const fw_step_job *job, fw_state *state,
                    fw_unheld *drift);

#endif
