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
 * T = stick(N) z/u_crit until |T| exceeds the static limit and slip(v); then z is cut back to where T = slip(v), a drop
 * where this is less. What slides sticks again as soon as the spring holds no more than slip(v). Clipped: slip(v) is
 * the limit of what sticks too, |z| <= u_crit slip(v)/stick. Elastic motion, however fast, is no slip. */
enum { FW_STICK_STATES = 2 };
void fw_stick_step(const fw_friction *law, const fw_step_in *in, const double *z_old, fw_step_out *out);

/* True if the force falls where stick ends, at some speed. */
bool fw_stick_drops(const fw_friction *law);

/* The same, but what sticks holds on beyond its static limit until z[1] says that it slips (fw_friction_wait). */
void fw_stick_wait(const fw_friction *law, const fw_step_in *in, const double *z_old, fw_step_out *out);

/* For sums over samples: what has to be added to T at the beginning and at the end of a step in which stick breaks
 * away, so that both are means over half a step before and behind them. The moment of the drop, found between them,
 * thus enters the sum, and has its derivatives: with respect to the step's inputs and z_old[0]. False: none breaks
 * away. */
typedef struct fw_stick_mean {
  double sign;             /* direction of the slip */
  double peak;             /* |T| before the drop */
  double at_start, at_end; /* one of them is 0 */
  double x[FW_STEP_INPUTS], z;
} fw_stick_mean;
bool fw_stick_breaks(const fw_friction *law, const fw_step_in *in, const double *z_old, const double *z_new,
                     fw_stick_mean *mean);

/* The same for derivatives alone: adds those of every law that breaks away in the step to out->T_x and out->T_z. */
void fw_friction_add_breaks(const fw_friction *friction, const fw_step_in *in, const double *z_old, fw_step_out *out);

/* Laws in parallel, each on its part of the states, by fw_friction_step or fw_friction_wait. */
typedef void (*fw_step_face)(const fw_friction *law, const fw_step_in *in, const double *z_old, fw_step_out *out);
void fw_parallel_step(const fw_friction *joined, fw_step_face face, const fw_step_in *in, const double *z_old,
                      fw_step_out *out);
void fw_parallel_rate(const fw_friction *joined, const fw_rate_in *in, const double *z, fw_rate_out *out);

#endif
