/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pin: two points stay together, the bodies turn freely. */
#include "elements/joints/equations.h"

static void constraint(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                       const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  (void)joint, (void)t, (void)phi_t;
  fw_joint_pin(a, b, lambda, phi, G, H);
}

static void relative(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double *value, double *G,
                     double *H) {
  (void)joint, (void)H;
  fw_joint_align(a, b, value, G);
}

extern const fw_joint_ops fw_joint_revolute;
const fw_joint_ops fw_joint_revolute = {
    .together = true,
    .entry =
        {
            .name = "revolute",
            .summary = "two points stay together, free to turn",
            .equation = "p_a - p_b = 0",
            .source = "",
        },
    .equations = 2,
    .constraint = constraint,
    .relative = relative,
    .turns = true,
};
