/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/joints/equations.h"

#include <math.h>
#include <string.h>

#include "core/formula.h"

static double dot(const double a[2], const double b[2]) { return a[0] * b[0] + a[1] * b[1]; }

enum { XA, YA, RA, XB, YB, RB };

static void add_pair(double *H, int i, int j, double value) {
  H[FW_JOINT_DOFS * i + j] += value;
  H[FW_JOINT_DOFS * j + i] += value;
}

void fw_joint_meet(const fw_joint_point *a, const fw_joint_point *b, const double n[2], double lambda, double *phi,
                   double *G, double *H) {
  *phi = n[0] * (a->p[0] - b->p[0]) + n[1] * (a->p[1] - b->p[1]);
  if (G) {
    const double row[FW_JOINT_DOFS] = {n[0], n[1], dot(n, a->p_rz), -n[0], -n[1], -dot(n, b->p_rz)};
    memcpy(G, row, sizeof row);
  }
  if (H) {
    H[FW_JOINT_DOFS * RA + RA] += lambda * dot(n, a->p_rz_rz);
    H[FW_JOINT_DOFS * RB + RB] -= lambda * dot(n, b->p_rz_rz);
  }
}

void fw_joint_slide(const fw_joint_point *a, const fw_joint_point *b, const double n[2], double lambda, double *phi,
                    double *G, double *H) {
  bool large = b->large_rotation;
  double c = large ? cos(b->rz) : 1, s = large ? sin(b->rz) : 0;
  /* The normal as it stands, m, and its derivative with respect to rz_b, t. */
  const double m[2] = {c * n[0] - s * n[1], s * n[0] + c * n[1]}, t[2] = {-m[1], m[0]};
  const double d0[2] = {a->p0[0] - b->p0[0], a->p0[1] - b->p0[1]};
  const double d[2] = {large ? a->p[0] - b->p[0] : d0[0], large ? a->p[1] - b->p[1] : d0[1]};
  fw_joint_meet(a, b, m, lambda, phi, G, H);
  *phi -= dot(n, d0);
  if (!large) *phi += b->rz * dot(t, d0); /* first order in q */
  if (G) G[RB] += dot(t, d);
  if (!H || !large) return;
  /* Derivatives of t . d; that of t is -m. */
  add_pair(H, XA, RB, lambda * t[0]);
  add_pair(H, YA, RB, lambda * t[1]);
  add_pair(H, RA, RB, lambda * dot(t, a->p_rz));
  add_pair(H, XB, RB, -lambda * t[0]);
  add_pair(H, YB, RB, -lambda * t[1]);
  H[FW_JOINT_DOFS * RB + RB] -= lambda * (2 * dot(t, b->p_rz) + dot(m, d));
}

void fw_joint_pin(const fw_joint_point *a, const fw_joint_point *b, const double *lambda, double *phi, double *G,
                  double *H) {
  static const double axes[2][2] = {{1, 0}, {0, 1}};
  for (int k = 0; k < 2; k++) fw_joint_meet(a, b, axes[k], lambda ? lambda[k] : 0, &phi[k], fw_joint_row(G, k), H);
}

void fw_joint_align(const fw_joint_point *a, const fw_joint_point *b, double *phi, double *G) {
  *phi = a->rz - b->rz;
  if (!G) return;
  memset(G, 0, FW_JOINT_DOFS * sizeof *G);
  G[RA] = 1;
  G[RB] = -1;
}

int fw_joint_axis_pack(const fw_given *given, double *c) {
  if (c) {
    c[FW_JOINT_AXIS_COUNT] = given[0].count;
    c[FW_JOINT_AXIS_X] = given[0].count > 0 ? given[0].values[0] : 0;
    c[FW_JOINT_AXIS_Y] = given[0].count > 1 ? given[0].values[1] : 0;
  }
  return FW_JOINT_AXIS_CONSTANTS;
}

const char *fw_joint_axis_check(const double *c) {
  if (c[FW_JOINT_AXIS_COUNT] != 2) return "the axis needs two numbers, x and y";
  if (c[FW_JOINT_AXIS_X] == 0 && c[FW_JOINT_AXIS_Y] == 0) return "the axis is zero";
  return NULL;
}

void fw_joint_axis_normal(const double *c, double n[2]) {
  double length = hypot(c[FW_JOINT_AXIS_X], c[FW_JOINT_AXIS_Y]);
  n[0] = -c[FW_JOINT_AXIS_Y] / length;
  n[1] = c[FW_JOINT_AXIS_X] / length;
}

double fw_joint_motion(const fw_joint *joint, double t, double *rate) {
  if (rate) *rate = 0;
  if (!joint->motion) return 0;
  if (rate) fw_formula_rates(joint->motion, t, rate, NULL);
  return joint->motion->value(joint->motion, &t, NULL);
}

double fw_joint_motion_acceleration(const fw_joint *joint, double t) {
  double second = 0;
  if (joint->motion) fw_formula_rates(joint->motion, t, NULL, &second);
  return -second;
}

void fw_joint_travel(const fw_joint *joint, const fw_joint_point *a, const fw_joint_point *b, double *value, double *G,
                     double *H) {
  double n[2];
  fw_joint_axis_normal(joint->constants, n);
  fw_joint_slide(a, b, (const double[2]){n[1], -n[0]}, 1.0, value, G, H);
}
