/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <rigid>: one node at the centre of mass with an element of the table for its inertia. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/builder.h"

static fw_status add_inertia(fw_builder *builder, const fw_item *item, int body, int node) {
  const fw_element_ops *ops = (const fw_element_ops *)(const void *)fw_table_find(&fw_elements, "mass");
  fw_block *block;
  double *constants;
  FW_TRY(fw_builder_add_block(builder, ops, body, 1, &block));
  block->nodes[0] = node;
  FW_TRY(fw_alloc(builder->ctx, 2, sizeof *constants, &constants));
  constants[0] = fw_args_number(&item->args, "m");
  constants[1] = fw_args_number(&item->args, "J");
  block->props.constants = constants;
  block->props.constant_count = 2;
  return FW_OK;
}

static fw_status add_point(fw_builder *builder, const char *body_id, const char *id, fw_point point,
                           const double offset[2]) {
  char name[256];
  snprintf(name, sizeof name, "%s.%s", body_id, id);
  point.name = name;
  for (int k = 0; k < 2; k++) {
    point.arm[k] = offset[k];
    point.place[k] += offset[k];
  }
  return fw_builder_add_point(builder, &point);
}

static fw_status add_points(fw_builder *builder, const fw_item *item, int body, int node) {
  static const double centre[2] = {0.0, 0.0};
  const char *id = fw_args_text(&item->args, "id");
  const double *place = fw_args_value(&item->args, "at")->numbers;
  fw_point point = {.body = body,
                    .node = node,
                    .place = {place[0], place[1]},
                    .large_rotation = builder->model->bodies[body].large_rotation};
  FW_TRY(add_point(builder, id, "centre", point, centre));
  for (int i = 0; i < item->child_count; i++) {
    const fw_args *args = &item->children[i].args;
    FW_TRY(fw_builder_expect(builder, args, "offset", 2));
    FW_TRY(add_point(builder, id, fw_args_text(args, "id"), point, fw_args_value(args, "offset")->numbers));
  }
  return FW_OK;
}

static fw_status add_rigid(fw_builder *builder, const fw_item *item) {
  const fw_args *args = &item->args;
  const char *rotation = fw_args_text(args, "rotation");
  bool turns = strcmp(rotation, "none") != 0;
  FW_TRY(fw_builder_expect(builder, args, "at", 2));
  if (turns && !(fw_args_number(args, "J") > 0.0))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "J"),
                      "attribute 'J': a body that turns needs a moment of inertia (or rotation=\"none\")");
  int body, node;
  FW_TRY(fw_builder_add_body(builder, fw_args_text(args, "id"), "rigid", &body));
  FW_TRY(fw_builder_add_node(builder, fw_args_value(args, "at")->numbers, turns, &node));
  builder->model->bodies[body].node_count = 1;
  builder->model->bodies[body].large_rotation = strcmp(rotation, "large") == 0;
  FW_TRY(add_inertia(builder, item, body, node));
  return add_points(builder, item, body, node);
}

fw_status fw_build_rigids(fw_builder *builder) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  fw_status worst = FW_OK;
  for (int i = 0; i < bodies->child_count; i++) {
    if (strcmp(bodies->children[i].name, "rigid") != 0) continue;
    fw_status status = add_rigid(builder, &bodies->children[i]);
    worst = fw_worse(worst, status);
  }
  return worst;
}
