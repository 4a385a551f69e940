/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/joint.h"

void fw_joint_reaction(const fw_model *model, const fw_joint *joint, const double *q, const double *lambda, double t,
                       double reaction[3]) {
  int dof[FW_JOINT_DOFS];
  double qj[FW_JOINT_DOFS], phi[FW_JOINT_EQUATIONS], G[FW_JOINT_EQUATIONS * FW_JOINT_DOFS], place[2];
  const fw_node *a = &model->nodes[joint->a.node];
  fw_joint_dofs(model, joint, dof);
  fw_joint_gather(dof, q, qj);
  fw_joint_evaluate(model, joint, qj, t, lambda + joint->first, phi, NULL, G, NULL);
  for (int k = 0; k < 3; k++) {
    reaction[k] = 0.0;
    for (int e = 0; e < joint->ops->equations; e++) reaction[k] -= G[e * FW_JOINT_DOFS + k] * lambda[joint->first + e];
  }
  /* from the node to the joint's point */
  fw_attachment_place(model, &joint->a, q, place);
  double x = place[0] - a->x[0] - qj[FW_X], y = place[1] - a->x[1] - qj[FW_Y];
  reaction[FW_RZ] -= x * reaction[FW_Y] - y * reaction[FW_X];
}
