/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pinion, the first body, rolls on a rack of the second. */
#include <math.h>

#include "elements/joints/equations.h"
#include "elements/joints/symbols.h"

enum { RADIUS = FW_JOINT_AXIS_CONSTANTS };

static const fw_param params[] = {
    FW_JOINT_AXIS_PARAM,
    {"radius", FW_PARAM_NUMBER, "m", NULL, 0, 0, NULL,
     "pitch radius; positive: the pinion is to the left of the axis and turns clockwise as it advances; negative: to "
     "the right"},
    {0},
};

static int pack(const fw_given *given, double *c) {
  int count = fw_joint_axis_pack(given, c);
  if (c) c[count] = given[1].count ? given[1].values[0] : 0;
  return count + 1;
}

static const char *check(const double *c) {
  const char *wrong = fw_joint_axis_check(c);
  return wrong ? wrong : c[RADIUS] == 0 ? "the radius is zero" : NULL;
}

static void constraint(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                       const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  (void)t, (void)phi_t;
  double n[2], radius = joint->constants[RADIUS], turned, by[FW_JOINT_DOFS];
  fw_joint_axis_normal(joint->constants, n);
  fw_joint_slide(a, b, (const double[2]){n[1], -n[0]}, lambda ? lambda[0] : 0, phi, G, H);
  fw_joint_align(a, b, &turned, by);
  *phi += radius * turned;
  for (int k = 0; G && k < FW_JOINT_DOFS; k++) G[k] += radius * by[k];
}

/* The pitch circle of the pinion, and the rack. */
static fw_status draw(const fw_joint *joint, const fw_joint_pen *pen) {
  double axis[2];
  FW_TRY(fw_symbol_axis(joint, pen, axis));
  return fw_symbol_circle(pen, false, fabs(joint->constants[FW_JOINT_AXIS_CONSTANTS]));
}

extern const fw_joint_ops fw_joint_rack;
const fw_joint_ops fw_joint_rack = {
    .entry = {.name = "rack",
              .summary = "the first body, a pinion, rolls along an axis fixed to the second; another joint guides it",
              .equation = "way of p_a - p_b along the axis + radius (rz_a - rz_b) = 0",
              .source = "",
              .params = params},
    .equations = 1,
    .pack = pack,
    .check = check,
    .constraint = constraint,
    .draw = draw,
};
