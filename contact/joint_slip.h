/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction in a joint as a contact pair of one point that never opens: the slip is the joint's free coordinate times
 * the radius at which friction acts (1 where it slides), the normal force is given. */
#ifndef FW_CONTACT_JOINT_SLIP_H
#define FW_CONTACT_JOINT_SLIP_H

#include "contact/pair.h"

/* A pair with room for one friction law, which the caller fills in; `joint` is lent and has a free coordinate. */
fw_status fw_joint_slip_create(fw_context *ctx, const char *id, const fw_joint *joint, double N, double radius,
                               fw_pair **pair);

/* What fw_pair_kinematics says of such a pair. */
fw_status fw_joint_slip(const fw_model *model, const fw_pair *pair, const double *q_from, const double *q,
                        fw_kinematic *out);

#endif
