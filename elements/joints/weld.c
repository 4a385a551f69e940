/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two points stay together and turn together. */
#include "elements/joints/equations.h"
#include "elements/joints/symbols.h"

static void constraint(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                       const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  (void)joint, (void)t, (void)phi_t;
  fw_joint_pin(a, b, lambda, phi, G, H);
  fw_joint_align(a, b, &phi[2], fw_joint_row(G, 2));
}

static fw_status draw(const fw_joint *joint, const fw_joint_pen *pen) {
  static const double x[2] = {1, 0};
  (void)joint;
  return fw_symbol_box(pen, x, pen->size, pen->size);
}

extern const fw_joint_ops fw_joint_weld, fw_joint_revolute;
const fw_joint_ops fw_joint_weld = {
    .entry =
        {
            .name = "weld",
            .summary = "two points stay together and turn together",
            .equation = "p_a - p_b = 0, rz_a - rz_b = 0",
            .source = "",
        },
    .equations = 3,
    .constraint = constraint,
    .without_turning = &fw_joint_revolute,
    .draw = draw,
};
