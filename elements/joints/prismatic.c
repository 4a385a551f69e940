/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first body slides along an axis of the second and turns with it. */
#include "elements/joints/equations.h"
#include "elements/joints/symbols.h"

static const fw_param params[] = {FW_JOINT_AXIS_PARAM, {0}};

static void constraint(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                       const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  (void)t, (void)phi_t;
  double n[2];
  fw_joint_axis_normal(joint->constants, n);
  fw_joint_slide(a, b, n, lambda ? lambda[0] : 0, &phi[0], fw_joint_row(G, 0), H);
  fw_joint_align(a, b, &phi[1], fw_joint_row(G, 1));
}

static fw_status draw(const fw_joint *joint, const fw_joint_pen *pen) {
  double axis[2];
  FW_TRY(fw_symbol_axis(joint, pen, axis));
  return fw_symbol_box(pen, axis, 2 * pen->size, pen->size);
}

extern const fw_joint_ops fw_joint_prismatic, fw_joint_pin_in_slot;
const fw_joint_ops fw_joint_prismatic = {
    .entry = {.name = "prismatic",
              .summary = "the first body slides along an axis fixed to the second, without turning against it",
              .equation = "n . (p_a - p_b) = const, rz_a - rz_b = 0, n normal to the axis",
              .source = "",
              .params = params},
    .equations = 2,
    .pack = fw_joint_axis_pack,
    .check = fw_joint_axis_check,
    .constraint = constraint,
    .relative = fw_joint_travel,
    .without_turning = &fw_joint_pin_in_slot,
    .draw = draw,
};
