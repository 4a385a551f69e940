/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes at points with an offset. A spring, mass or damper needs a node where it acts; a load or sensor at a point of a
 * body that turns far needs one because its arm turns. */
#include <string.h>

#include "input/builder.h"

static fw_point *find(fw_builder *builder, const fw_args *args, const char *attribute) {
  const char *name = fw_args_text(args, attribute);
  const fw_point *point = name ? fw_builder_point(builder, name) : NULL;
  return point ? &builder->points[point - builder->points] : NULL;
}

static fw_status carry(fw_builder *builder, const fw_args *args, const char *attribute, bool only_if_it_turns) {
  fw_point *point = find(builder, args, attribute);
  if (!point || point->carried >= 0 || point->node < 0) return FW_OK;
  if (point->arm[0] == 0.0 && point->arm[1] == 0.0) return FW_OK;
  if (only_if_it_turns && !point->large_rotation) return FW_OK;
  bool turns = builder->model->nodes[point->node].dof[FW_RZ] != FW_DOF_NONE;
  return fw_builder_add_node(builder, point->place, turns, &point->carried);
}

fw_status fw_build_carried(fw_builder *builder) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies"), *loads = fw_item_child(builder->root, "loads"),
                *sensors = fw_item_child(builder->root, "sensors");
  for (int i = 0; i < bodies->child_count; i++) {
    const fw_item *item = &bodies->children[i];
    if (!fw_builder_is_point_element(item)) continue;
    FW_TRY(carry(builder, &item->args, "at", false));
    FW_TRY(carry(builder, &item->args, "to", false));
  }
  for (int i = 0; loads && i < loads->child_count; i++) {
    if (!loads->children[i].entry) continue; /* spread over a tube */
    FW_TRY(carry(builder, &loads->children[i].args, "at", true));
    FW_TRY(carry(builder, &loads->children[i].args, "against", true));
  }
  for (int i = 0; sensors && i < sensors->child_count; i++) {
    FW_TRY(carry(builder, &sensors->children[i].args, "at", true));
    FW_TRY(carry(builder, &sensors->children[i].args, "relative-to", true));
  }
  return FW_OK;
}
