/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "contact/detect/surface.h"

void fw_anchor_move(const fw_model *model, const fw_anchor *anchor, const double *q, fw_anchor_motion *motion) {
  memset(motion, 0, sizeof *motion);
  for (int d = 0; d < FW_NODE_DOFS; d++) motion->dof[d] = FW_DOF_NONE;
  const double a = anchor->vector[0], b = anchor->vector[1];
  if (anchor->node < 0) {
    motion->place[0] = a;
    motion->place[1] = b;
    return;
  }
  const fw_node *node = &model->nodes[anchor->node];
  const double rz = fw_node_value(node, FW_RZ, q);
  const double c = anchor->large_rotation ? cos(rz) : 1.0, s = anchor->large_rotation ? sin(rz) : rz;
  const double turned[2] = {c * a - s * b, s * a + c * b};
  for (int k = 0; k < 2; k++) {
    const double base = anchor->direction ? 0.0 : node->x[k] + fw_node_value(node, k, q);
    motion->place[k] = base + turned[k];
    if (anchor->direction) continue;
    motion->dof[k] = node->dof[k];
    motion->first[k][k] = 1.0;
  }
  motion->dof[FW_RZ] = node->dof[FW_RZ];
  motion->first[FW_RZ][0] = anchor->large_rotation ? -turned[1] : -b;
  motion->first[FW_RZ][1] = anchor->large_rotation ? turned[0] : a;
  for (int k = 0; k < 2; k++) motion->second[k] = anchor->large_rotation ? -turned[k] : 0.0;
  motion->rotation = rz;
}

void fw_anchor_place(const fw_model *model, const fw_anchor *anchor, const double *q, double place[2]) {
  const double a = anchor->vector[0], b = anchor->vector[1];
  place[0] = a;
  place[1] = b;
  if (anchor->node < 0) return;
  const fw_node *node = &model->nodes[anchor->node];
  if (a != 0.0 || b != 0.0) {
    const double rz = fw_node_value(node, FW_RZ, q);
    const double c = anchor->large_rotation ? cos(rz) : 1.0, s = anchor->large_rotation ? sin(rz) : rz;
    place[0] = c * a - s * b;
    place[1] = s * a + c * b;
  }
  for (int k = 0; k < 2 && !anchor->direction; k++) place[k] += node->x[k] + fw_node_value(node, k, q);
}
