/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One component of the motion of a point relative to another (or the ground) is a given function of time. */
#include <math.h>

#include "elements/joints/equations.h"
#include "elements/joints/symbols.h"

enum { DIRECTION, DISPLACEMENT, VELOCITY, AMPLITUDE, FREQUENCY, PHASE };

static const fw_param params[] = {
    {"direction", FW_PARAM_CHOICE, "", NULL, 0, 0, "x|y|rz", "component of the motion"},
    {"displacement", FW_PARAM_NUMBER, "m or rad", "0", 0, 0, NULL, "constant part"},
    {"velocity", FW_PARAM_NUMBER, "m/s or rad/s", "0", 0, 0, NULL, "part that grows with time"},
    {"amplitude", FW_PARAM_NUMBER, "m or rad", "0", 0, 0, NULL, "of the harmonic part"},
    {"frequency", FW_PARAM_NUMBER, "Hz", "0", 0, 1e12, NULL, "of the harmonic part"},
    {"phase", FW_PARAM_NUMBER, "rad", "0", 0, 0, NULL, "of the harmonic part"},
    {"motion", FW_PARAM_FORMULA, "m or rad", "", 0, 0, "t", "further part, at the time t (s)"},
    {0},
};

static double motion(const fw_joint *joint, double t, double *rate) {
  const double *c = joint->constants;
  double omega = 2 * M_PI * c[FREQUENCY], angle = omega * t + c[PHASE], further = fw_joint_motion(joint, t, rate);
  if (rate) *rate += c[VELOCITY] - c[AMPLITUDE] * omega * sin(angle);
  return further + c[DISPLACEMENT] + c[VELOCITY] * t + c[AMPLITUDE] * cos(angle);
}

static void constraint(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                       const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  int direction = (int)joint->constants[DIRECTION];
  double value = motion(joint, t, phi_t);
  if (direction == FW_RZ) {
    fw_joint_align(a, b, phi, G);
  } else {
    const double n[2] = {direction == FW_X, direction == FW_Y};
    fw_joint_meet(a, b, n, lambda ? lambda[0] : 0, phi, G, H);
    *phi -= a->p0[direction] - b->p0[direction];
  }
  *phi -= value;
  if (phi_t) *phi_t = -*phi_t;
}

static double acceleration(const fw_joint *joint, double t) {
  const double *c = joint->constants;
  double omega = 2 * M_PI * c[FREQUENCY];
  return c[AMPLITUDE] * omega * omega * cos(omega * t + c[PHASE]) + fw_joint_motion_acceleration(joint, t);
}

static fw_status draw(const fw_joint *joint, const fw_joint_pen *pen) {
  (void)joint;
  return fw_symbol_cross(pen);
}

extern const fw_joint_ops fw_joint_prescribed;
const fw_joint_ops fw_joint_prescribed = {
    .entry = {.name = "prescribed",
              .summary = "one component of a point's motion is given",
              .equation = "u_a - u_b = displacement + velocity t + amplitude cos(2 pi frequency t + phase)\n"
                          "            + motion(t)",
              .source = "",
              .params = params},
    .equations = 1,
    .constraint = constraint,
    .acceleration = acceleration,
    .draw = draw,
};
