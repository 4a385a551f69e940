/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <sensors>: what is read at points. */
#include <string.h>

#include "input/builder.h"

static fw_status add_sensor(fw_builder *builder, const fw_item *item, fw_sensor *sensor) {
  const fw_args *args = &item->args;
  sensor->quantity = (fw_quantity)fw_args_integer(args, "quantity");
  FW_TRY(fw_copy_text(builder->ctx, fw_args_text(args, "id"), &sensor->id));
  int direction = fw_args_integer(args, "direction");
  sensor->turns = fw_dof_turns(direction);
  const fw_point *point = fw_builder_point(builder, fw_args_text(args, "at"));
  if (!point) return FW_ERR_DECK; /* its body could not be built: that has been reported */
  FW_TRY(fw_builder_needs_space(builder, point, direction, args, "direction"));
  if (sensor->turns) FW_TRY(fw_builder_needs_rotation(builder, point, args, "direction"));
  FW_TRY(fw_builder_reach(builder, point, direction, 1.0, &sensor->shape));
  if (!fw_args_given(args, "relative-to")) return FW_OK;
  const fw_point *other = fw_builder_point(builder, fw_args_text(args, "relative-to"));
  if (!other) return FW_ERR_DECK;
  FW_TRY(fw_builder_needs_space(builder, other, direction, args, "relative-to"));
  if (sensor->turns) FW_TRY(fw_builder_needs_rotation(builder, other, args, "relative-to"));
  return fw_builder_reach(builder, other, direction, -1.0, &sensor->shape);
}

fw_status fw_build_sensors(fw_builder *builder) {
  const fw_item *sensors = fw_item_child(builder->root, "sensors");
  fw_model *model = builder->model;
  if (!sensors) return FW_OK;
  FW_TRY(fw_alloc(builder->ctx, (size_t)sensors->child_count, sizeof *model->sensors, &model->sensors));
  fw_status worst = FW_OK;
  for (int i = 0; i < sensors->child_count; i++) {
    fw_status status = add_sensor(builder, &sensors->children[i], &model->sensors[model->sensor_count++]);
    worst = fw_worse(worst, status);
  }
  return worst;
}
