/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/joint_slip.h"

#include <math.h>
#include <string.h>

#include "elements/joint.h"

/* ---- a normal force that is given -------------------------------------------------------- */

static void given_force(const double *c, double gap, double rate, fw_normal_out *out) {
  (void)gap, (void)rate;
  *out = (fw_normal_out){.N = c[0], .elastic = c[0]};
}

static const fw_normal_ops normal_given = {
    .entry = {.name = "given", .summary = "a constant force", .equation = "N = given", .source = ""},
    .force = given_force,
};

fw_status fw_joint_slip_create(fw_context *ctx, const char *id, const fw_joint *joint, double N, double radius,
                               fw_pair **pair) {
  FW_TRY(fw_pair_create(ctx, id, NULL, 1, pair));
  (*pair)->joint = joint;
  (*pair)->radius = radius;
  (*pair)->followers[0] = (fw_follower){.at = joint->a};
  (*pair)->place = joint->place;
  (*pair)->normal.ops = &normal_given;
  fw_status status = fw_alloc(ctx, 1, sizeof(double), &(*pair)->normal.constants);
  if (status == FW_OK) {
    (*pair)->normal.constants[0] = N;
    (*pair)->normal.constant_count = 1;
  } else {
    fw_pair_destroy(pair);
  }
  return status;
}

/* ---- kinematics -------------------------------------------------------------------------- */

/* The free coordinate at q; G and H are filled where not NULL. */
static double coordinate(const fw_model *model, const fw_joint *joint, const int *dof, const double *q, double *G,
                         double *H) {
  double value, qj[FW_JOINT_DOFS];
  fw_joint_gather(dof, q, qj);
  fw_joint_relative(model, joint, qj, &value, G, H);
  return value;
}

fw_status fw_joint_slip(const fw_model *model, const fw_pair *pair, const double *q_from, const double *q,
                        fw_kinematic *out) {
  const fw_joint *joint = pair->joint;
  int dof[FW_JOINT_DOFS], slot[FW_JOINT_DOFS];
  double G[FW_JOINT_DOFS], H[FW_JOINT_DOFS * FW_JOINT_DOFS];
  fw_joint_dofs(model, joint, dof);
  double now = coordinate(model, joint, dof, q, G, H);
  out->gap = 0.0;
  out->slip = pair->radius * (now - coordinate(model, joint, dof, q_from, NULL, NULL));
  out->count = 0;
  for (int k = 0; k < FW_JOINT_DOFS; k++) {
    slot[k] = fw_kinematic_slot(out, dof[k]);
    if (slot[k] >= 0) out->slip_q[slot[k]] += pair->radius * G[k];
  }
  out->curved = false;
  for (int k = 0; k < FW_JOINT_DOFS * FW_JOINT_DOFS; k++) out->curved = out->curved || H[k] != 0.0;
  int n = out->count;
  memset(out->gap_qq, 0, (size_t)(n * n) * sizeof(double));
  memset(out->slip_qq, 0, (size_t)(n * n) * sizeof(double));
  for (int k = 0; k < FW_JOINT_DOFS * FW_JOINT_DOFS; k++) {
    int i = slot[k / FW_JOINT_DOFS], j = slot[k % FW_JOINT_DOFS];
    if (i >= 0 && j >= 0) out->slip_qq[i * n + j] += pair->radius * H[k];
  }
  out->segment = 0;
  out->xi = 0.0;
  fw_attachment_place(model, &joint->a, q, out->place);
  out->normal[0] = out->normal[1] = 0.0;
  return isfinite(out->slip) ? FW_OK : FW_RECOVER_NAN;
}
