/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elements/joints/trial_joint.c: two points move alike in x. */
#include "elements/joints/equations.h"

static void constraint(const fw_joint *joint, const double Xa[2], const double Xb[2], const double qa[3],
                       const double qb[3], double t, const double *lambda, double *phi, double *phi_t, double *G,
                       double *H) {
  static const double x[2] = {1.0, 0.0};
  (void)t;
  fw_joint_point a = fw_joint_point_make(&joint->a, Xa, qa), b = fw_joint_point_make(&joint->b, Xb, qb);
  fw_joint_clear(1, phi_t, G, H);
  fw_joint_meet(&a, &b, x, lambda ? lambda[0] : 0, phi, G, H);
  *phi -= a.p0[0] - b.p0[0];
}

static const fw_param params[] = {{0}};

extern const fw_joint_ops fw_joint_trial_joint;
const fw_joint_ops fw_joint_trial_joint = {
    .entry = {"trial-joint", "a joint on trial", "x_a - x_b = 0", "", params},
    .equations = 1,
    .constraint = constraint,
};
