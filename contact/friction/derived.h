/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step faces derived from the other faces of a law. */
#ifndef FW_CONTACT_DERIVED_H
#define FW_CONTACT_DERIVED_H

#include "contact/friction/friction.h"

/* States a law may have if its step face is derived from its rate face. */
enum { FW_RATE_STATES = 16 };

/* Speed at which a quasi-static slip is thought to happen by a law that only has a rate face (m/s). */
#define FW_CREEP_SPEED 1e-9

/* L-stable singly diagonally implicit step of second order (gamma = 1 - 1/sqrt 2). The velocity of the first
 * stage is chosen so that the slip over the step is du exactly; the second stage is the end of the step. */
void fw_rate_step(const fw_friction_ops *ops, const double *c, int states, const fw_step_in *in, const double *z_old,
                  fw_step_out *out);

/* Elastic stick of a limit face. States: the elastic slip z and the direction of slip (0: stuck).
 * T = stick(N) z/u_crit until |T| exceeds the limit, slip(v) plus, as long as it has not slipped, what the static
 * limit is above slip(0); then z is cut back to where T = slip(v). Elastic motion, however fast, is no slip. */
enum { FW_STICK_STATES = 2 };
void fw_stick_step(const fw_friction_ops *ops, const double *c, double u_crit, const fw_step_in *in,
                   const double *z_old, fw_step_out *out);

/* Laws in parallel, each on its part of the states. */
void fw_parallel_step(const fw_friction *joined, const fw_step_in *in, const double *z_old, fw_step_out *out);

#endif
