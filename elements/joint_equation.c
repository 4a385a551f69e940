/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joints as parts of a model: from the model's freedoms to a joint's six and its equations. */
#include <math.h>
#include <string.h>

#include "elements/joint.h"

void fw_joint_dofs(const fw_model *model, const fw_joint *joint, int dof[FW_JOINT_DOFS]) {
  const int nodes[2] = {joint->a.node, joint->b.node};
  for (int k = 0; k < FW_JOINT_DOFS; k++) {
    int node = nodes[k / FW_NODE_DOFS];
    dof[k] = node >= 0 ? model->nodes[node].dof[k % FW_NODE_DOFS] : FW_DOF_FIXED;
  }
}

void fw_joint_gather(const int dof[FW_JOINT_DOFS], const double *vector, double out[FW_JOINT_DOFS]) {
  for (int k = 0; k < FW_JOINT_DOFS; k++) out[k] = vector && dof[k] >= 0 ? vector[dof[k]] : 0.0;
}

/* Reference place of an attachment's node; the ground's is the origin. */
static const double *place_of(const fw_model *model, const fw_attachment *at) {
  static const double origin[2] = {0.0, 0.0};
  return at->node >= 0 ? model->nodes[at->node].x : origin;
}

static fw_joint_point point_of(const fw_attachment *at, const double X[2], const double q[FW_NODE_DOFS]) {
  bool large = at->large_rotation;
  double c = large ? cos(q[2]) : 1, s = large ? sin(q[2]) : 0;
  double x = c * at->arm[0] - s * at->arm[1], y = s * at->arm[0] + c * at->arm[1];
  double turned[2] = {large ? 0 : -q[2] * y, large ? 0 : q[2] * x};
  return (fw_joint_point){
      .p0 = {X[0] + at->arm[0], X[1] + at->arm[1]},
      .p = {X[0] + q[0] + x + turned[0], X[1] + q[1] + y + turned[1]},
      .p_rz = {-y, x},
      .p_rz_rz = {large ? -x : 0, large ? -y : 0},
      .rz = q[2],
      .large_rotation = large,
  };
}

void fw_joint_ends(const fw_joint *joint, const double Xa[2], const double Xb[2], const double q[FW_JOINT_DOFS],
                   fw_joint_point ends[2]) {
  ends[0] = point_of(&joint->a, Xa, q);
  ends[1] = point_of(&joint->b, Xb, q + FW_NODE_DOFS);
}

static void clear(int equations, double *phi_t, double *G, double *H) {
  if (phi_t) memset(phi_t, 0, (size_t)equations * sizeof *phi_t);
  if (G) memset(G, 0, (size_t)equations * FW_JOINT_DOFS * sizeof *G);
  if (H) memset(H, 0, FW_JOINT_DOFS * FW_JOINT_DOFS * sizeof *H);
}

void fw_joint_constrain(const fw_joint *joint, const fw_joint_point ends[2], double t, const double *lambda,
                        double *phi, double *phi_t, double *G, double *H) {
  clear(joint->ops->equations, phi_t, G, H);
  joint->ops->constraint(joint, &ends[0], &ends[1], t, lambda, phi, phi_t, G, H);
}

void fw_joint_free_coordinate(const fw_joint *joint, const fw_joint_point ends[2], double *value, double *G,
                              double *H) {
  clear(1, NULL, G, H);
  joint->ops->relative(joint, &ends[0], &ends[1], value, G, H);
}

static void ends_of(const fw_model *model, const fw_joint *joint, const double q[FW_JOINT_DOFS],
                    fw_joint_point ends[2]) {
  fw_joint_ends(joint, place_of(model, &joint->a), place_of(model, &joint->b), q, ends);
}

void fw_joint_evaluate(const fw_model *model, const fw_joint *joint, const double q[FW_JOINT_DOFS], double t,
                       const double *lambda, double *phi, double *phi_t, double *G, double *H) {
  double pace = 1.0 + model->hurry;
  fw_joint_point ends[2];
  ends_of(model, joint, q, ends);
  fw_joint_constrain(joint, ends, pace * t, lambda, phi, phi_t, G, H);
  for (int i = 0; phi_t && i < joint->ops->equations; i++) phi_t[i] *= pace;
}

double fw_joint_acceleration(const fw_model *model, const fw_joint *joint, double t) {
  double pace = 1.0 + model->hurry;
  return joint->ops->acceleration ? pace * pace * joint->ops->acceleration(joint, pace * t) : 0.0;
}

void fw_joint_relative(const fw_model *model, const fw_joint *joint, const double q[FW_JOINT_DOFS], double *value,
                       double *G, double *H) {
  fw_joint_point ends[2];
  ends_of(model, joint, q, ends);
  fw_joint_free_coordinate(joint, ends, value, G, H);
}

void fw_joint_equation_find(const fw_model *model, const fw_joint *joint, int equation, const double *q,
                            const double *v, double t, fw_joint_equation *out) {
  double unit[FW_JOINT_EQUATIONS] = {0}, phi[FW_JOINT_EQUATIONS], phi_t[FW_JOINT_EQUATIONS];
  double G[FW_JOINT_EQUATIONS * FW_JOINT_DOFS];
  unit[equation] = 1.0;
  fw_joint_dofs(model, joint, out->dof);
  fw_joint_gather(out->dof, q, out->q);
  fw_joint_gather(out->dof, v, out->v);
  fw_joint_evaluate(model, joint, out->q, t, unit, phi, phi_t, G, out->H);
  memcpy(out->G, G + (ptrdiff_t)equation * FW_JOINT_DOFS, sizeof out->G);
  out->phi = phi[equation];
  out->rate = out->phi_t = phi_t[equation];
  out->bend = out->phi_tt = fw_joint_acceleration(model, joint, t);
  for (int i = 0; i < FW_JOINT_DOFS; i++) {
    out->rate += out->G[i] * out->v[i];
    for (int j = 0; j < FW_JOINT_DOFS; j++) out->bend += out->v[i] * out->H[i * FW_JOINT_DOFS + j] * out->v[j];
  }
}

/* ---- motions of their own ------------------------------------------------------------------ */

/* At times that no period divides. */
static bool moves_with_time(const fw_model *model, const fw_joint *joint) {
  static const double times[] = {0.0, 0.123456789, 0.739085133}, rest[FW_JOINT_DOFS] = {0.0};
  double phi[FW_JOINT_EQUATIONS], rates[FW_JOINT_EQUATIONS] = {0.0};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    fw_joint_evaluate(model, joint, rest, times[i], NULL, phi, rates, NULL, NULL);
    for (int k = 0; k < joint->ops->equations; k++)
      if (rates[k] != 0.0) return true;
  }
  return false;
}

fw_status fw_joints_check_still(fw_context *ctx, const fw_model *model, const char *method) {
  for (int j = 0; j < model->joint_count; j++)
    if (moves_with_time(model, &model->joints[j]))
      return fw_fail_at(ctx, FW_ERR_DECK, model->joints[j].place,
                        "joint \"%s\" moves with time by itself, which %s does not follow: drive it by a "
                        "harmonic load, or use method=\"time\" or a transient",
                        model->joints[j].id, method);
  return FW_OK;
}
