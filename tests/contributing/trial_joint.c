/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elements/joints/trial_joint.c: two points move alike in x. */
#include "elements/joints/equations.h"

static void constraint(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                       const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  static const double x[2] = {1.0, 0.0};
  (void)joint, (void)t, (void)phi_t;
  fw_joint_meet(a, b, x, lambda ? lambda[0] : 0, phi, G, H);
  *phi -= a->p0[0] - b->p0[0];
}

static const fw_param params[] = {{0}};

extern const fw_joint_ops fw_joint_trial_joint;
const fw_joint_ops fw_joint_trial_joint = {
    .entry = {"trial-joint", "a joint on trial", "x_a - x_b = 0", "", params},
    .equations = 1,
    .constraint = constraint,
};
