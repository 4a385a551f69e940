/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <friction> of joints: each becomes a contact pair ID-friction that never opens. */
#include <stdio.h>
#include <string.h>

#include "contact/joint_slip.h"
#include "elements/joint.h"
#include "input/builder.h"

static fw_status lever(fw_builder *builder, const fw_item *item, const fw_joint *joint, double *radius) {
  const fw_args *args = &item->args;
  bool given = fw_args_given(args, "radius");
  if (!joint->ops->relative)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, args->place, "a %s joint leaves nothing to rub",
                      joint->ops->entry.name);
  if (joint->ops->turns && !given)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, args->place,
                      "attribute 'radius': missing; the joint turns, friction acts at a radius");
  if (!joint->ops->turns && given)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "radius"),
                      "attribute 'radius': a %s joint slides", joint->ops->entry.name);
  if (given) *radius = fw_args_number(args, "radius");
  return FW_OK;
}

static fw_status add_friction(fw_builder *builder, const fw_item *item, const fw_joint *joint) {
  fw_model *model = builder->model;
  double radius = 1.0;
  char id[256];
  fw_pair *pair;
  FW_TRY(lever(builder, item, joint, &radius));
  snprintf(id, sizeof id, "%s-friction", joint->id);
  if (fw_model_pair(model, id) >= 0)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place, "there is a pair '%s' already", id);
  FW_TRY(fw_joint_slip_create(builder->ctx, id, joint, fw_args_number(&item->args, "normal-force"), radius, &pair));
  model->pairs[model->pair_count++] = pair;
  return fw_builder_friction(builder, item, fw_args_number(&item->args, "u-crit"), &pair->friction);
}

fw_status fw_build_joint_friction(fw_builder *builder) {
  const fw_item *joints = fw_item_child(builder->root, "joints");
  fw_status worst = FW_OK;
  for (int i = 0; joints && i < joints->child_count; i++) {
    const fw_item *friction = fw_item_child(&joints->children[i], "friction");
    fw_status status = friction ? add_friction(builder, friction, &builder->model->joints[i]) : FW_OK;
    worst = fw_worse(worst, status);
  }
  return worst;
}
