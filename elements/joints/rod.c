/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two points keep their distance, as with a massless rod between pins, or it follows a function of time: a cylinder. */
#include <math.h>

#include "elements/joints/equations.h"
#include "elements/joints/symbols.h"

static const fw_param params[] = {
    {"extension", FW_PARAM_FORMULA, "m", "", 0, 0, "t", "added to the distance at the time t (s)"},
    {0},
};

/* l = |p_a - p_b|; n . d with n fixed where both turn little. */
static void constraint(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                       const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  bool large = a->large_rotation || b->large_rotation;
  const double d0[2] = {a->p0[0] - b->p0[0], a->p0[1] - b->p0[1]};
  const double d[2] = {large ? a->p[0] - b->p[0] : d0[0], large ? a->p[1] - b->p[1] : d0[1]};
  double l0 = hypot(d0[0], d0[1]), l = hypot(d[0], d[1]), row[FW_JOINT_DOFS];
  const double n[2] = {d[0] / l, d[1] / l}, across[2] = {-n[1], n[0]};
  fw_joint_meet(a, b, n, lambda ? lambda[0] : 0, phi, G, H);
  *phi -= l0;
  *phi -= fw_joint_motion(joint, t, phi_t);
  if (phi_t) *phi_t = -*phi_t;
  if (!H || !lambda || !large) return;
  double none; /* n turns by across . d(p_a - p_b)/l */
  fw_joint_meet(a, b, across, 0, &none, row, NULL);
  for (int k = 0; k < FW_JOINT_DOFS * FW_JOINT_DOFS; k++)
    H[k] += lambda[0] / l * row[k / FW_JOINT_DOFS] * row[k % FW_JOINT_DOFS];
}

static fw_status draw(const fw_joint *joint, const fw_joint_pen *pen) {
  (void)joint;
  return pen->between(pen->user);
}

extern const fw_joint_ops fw_joint_rod;
const fw_joint_ops fw_joint_rod = {
    .entry = {.name = "rod",
              .summary = "two points keep their distance, or it follows an expression of time",
              .equation = "|p_a - p_b| = l_0 + extension(t)",
              .source = "",
              .params = params},
    .equations = 1,
    .apart = true,
    .constraint = constraint,
    .acceleration = fw_joint_motion_acceleration,
    .draw = draw,
};
