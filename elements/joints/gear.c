/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two wheels in mesh. With psi the angle through which the line of centres, d = p_b - p_a, has turned, teeth pass the
 * pitch point at one speed if z_a (rz_a - psi) + z_b (rz_b - psi) = 0; divided by z_a + z_b and times the distance of
 * centres this is the way the pitch circles have slid over each other. As psi is that of the line itself, the carrier
 * may turn (planets) and needs no part in the equation. psi is known up to whole turns: the one that closes the joint
 * best is taken, which is right as long as a step slides by less than half a turn of the line. */
#include <math.h>

#include "elements/joints/equations.h"
#include "elements/joints/symbols.h"

enum { TEETH_A, TEETH_B };

static const fw_param params[] = {
    {"teeth-a", FW_PARAM_NUMBER, "", NULL, 0, 0, NULL, "teeth (or radius) of the first wheel; negative: inside a ring"},
    {"teeth-b", FW_PARAM_NUMBER, "", NULL, 0, 0, NULL, "teeth (or radius) of the second; negative: inside a ring"},
    {0},
};

static const char *check(const double *c) {
  if (c[TEETH_A] == 0 || c[TEETH_B] == 0) return "a wheel needs teeth";
  if (c[TEETH_A] + c[TEETH_B] == 0) return "a wheel does not run in a ring of its own size";
  return NULL;
}

/* Gradient of psi with respect to d, and its second derivative (symmetric, without trace): xx = -yy, xy. */
typedef struct turning {
  double psi, by[2], xx, xy;
} turning;

/* Between small rotations to first order about d0. */
static turning turn(const double d0[2], const double d[2], bool large) {
  const double *at = large ? d : d0;
  double l2 = at[0] * at[0] + at[1] * at[1];
  turning out = {.by = {-at[1] / l2, at[0] / l2}};
  if (large) {
    out.psi = atan2(d0[0] * d[1] - d0[1] * d[0], d0[0] * d[0] + d0[1] * d[1]);
    out.xx = 2 * d[0] * d[1] / (l2 * l2);
    out.xy = (d[1] * d[1] - d[0] * d[0]) / (l2 * l2);
  } else {
    out.psi = out.by[0] * (d[0] - d0[0]) + out.by[1] * (d[1] - d0[1]);
  }
  return out;
}

static void constraint(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double t,
                       const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  (void)t, (void)phi_t;
  const double d0[2] = {b->p0[0] - a->p0[0], b->p0[1] - a->p0[1]}, d[2] = {b->p[0] - a->p[0], b->p[1] - a->p[1]};
  /* d d / d q: one column a freedom */
  const double by[FW_JOINT_DOFS][2] = {{-1, 0}, {0, -1}, {-a->p_rz[0], -a->p_rz[1]},
                                       {1, 0},  {0, 1},  {b->p_rz[0], b->p_rz[1]}};
  bool large = a->large_rotation || b->large_rotation;
  turning line = turn(d0, d, large);
  double l0 = hypot(d0[0], d0[1]), sum = joint->constants[TEETH_A] + joint->constants[TEETH_B];
  double wa = joint->constants[TEETH_A] / sum, wb = joint->constants[TEETH_B] / sum;
  double slid = wa * a->rz + wb * b->rz - line.psi;
  *phi = l0 * (large ? remainder(slid, 2 * M_PI) : slid);
  for (int k = 0; G && k < FW_JOINT_DOFS; k++) {
    double own = k == FW_RZ ? wa : k == FW_JOINT_DOFS - 1 ? wb : 0;
    G[k] = l0 * (own - line.by[0] * by[k][0] - line.by[1] * by[k][1]);
  }
  if (!H || !lambda) return;
  for (int i = 0; i < FW_JOINT_DOFS; i++)
    for (int j = 0; j < FW_JOINT_DOFS; j++)
      H[FW_JOINT_DOFS * i + j] -= lambda[0] * l0 *
                                  (line.xx * (by[i][0] * by[j][0] - by[i][1] * by[j][1]) +
                                   line.xy * (by[i][0] * by[j][1] + by[i][1] * by[j][0]));
  const int ra = FW_RZ, rb = FW_JOINT_DOFS - 1;
  H[FW_JOINT_DOFS * ra + ra] += lambda[0] * l0 * (line.by[0] * a->p_rz_rz[0] + line.by[1] * a->p_rz_rz[1]);
  H[FW_JOINT_DOFS * rb + rb] -= lambda[0] * l0 * (line.by[0] * b->p_rz_rz[0] + line.by[1] * b->p_rz_rz[1]);
}

/* The pitch circles. */
static fw_status draw(const fw_joint *joint, const fw_joint_pen *pen) {
  const double *z = joint->constants;
  FW_TRY(fw_symbol_circle(pen, false, fabs(pen->apart * z[0] / (z[0] + z[1]))));
  return fw_symbol_circle(pen, true, fabs(pen->apart * z[1] / (z[0] + z[1])));
}

extern const fw_joint_ops fw_joint_gear;
const fw_joint_ops fw_joint_gear = {
    .entry = {.name = "gear",
              .summary = "two wheels in mesh, about centres that other joints hold",
              .equation = "z_a (rz_a - psi) + z_b (rz_b - psi) = 0, psi the angle the line of centres has turned;\n"
                          "the multiplier is the force between the teeth",
              .source = "",
              .params = params},
    .equations = 1,
    .apart = true,
    .check = check,
    .constraint = constraint,
    .draw = draw,
};
