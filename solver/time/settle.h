/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equilibrium as the end of a motion downhill, for structures in which Newton's method has no direction: pendulums,
 * bodies without supports, contact in which its steps go round in circles. */
#ifndef FW_TIME_SETTLE_H
#define FW_TIME_SETTLE_H

#include "solver/time/step.h"

/* Follows M dq/ds = f - f_int(q) + contact forces, joints closed, by implicit steps
 *     c M (q - q_old) + f_int(q) - f = W_n N - W_t T
 * whose c falls as they succeed, until c M (q - q_old) is nothing beside the forces: with vanishing c a step is one of
 * Newton's. The potential energy falls along the way, so that it ends in a stable equilibrium unless it begins in an
 * unstable one. What moves freely without load stays where it is. The state enters as job->old and leaves committed;
 * FW_RECOVER_DIVERGED: the way does not end. */
fw_status fw_settle(fw_context *ctx, fw_system *system, fw_stepper *stepper, const fw_step_job *job, fw_state *state);

#endif
