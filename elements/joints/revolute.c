/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pin: two points stay together, the bodies turn freely. */
#include "elements/joints/equations.h"

static void constraint(const fw_joint *joint, const double Xa[2], const double Xb[2], const double qa[3],
                       const double qb[3], double t, const double *lambda, double *phi, double *phi_t, double *G,
                       double *H) {
  (void)t;
  fw_joint_point a = fw_joint_point_make(&joint->a, Xa, qa), b = fw_joint_point_make(&joint->b, Xb, qb);
  fw_joint_clear(2, phi_t, G, H);
  fw_joint_pin(&a, &b, lambda, phi, G, H);
}

static void relative(const fw_joint *joint, const double Xa[2], const double Xb[2], const double qa[3],
                     const double qb[3], double *value, double *G, double *H) {
  fw_joint_point a = fw_joint_point_make(&joint->a, Xa, qa), b = fw_joint_point_make(&joint->b, Xb, qb);
  fw_joint_clear(1, NULL, G, H);
  fw_joint_align(&a, &b, value, G);
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
