/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lies in the plane and what is in space do not mix unless something says how: joints and contact act at the rings
 * of support planes, not at points of tubes, and bodies of the plane have no place beside tubes. */
#include <stdio.h>
#include <string.h>

#include "input/builder.h"

static bool is_planar_body(const char *name) {
  static const char *const planar[] = {"beam", "plane", "rigid", "superelement"};
  for (size_t i = 0; i < sizeof planar / sizeof *planar; i++)
    if (strcmp(name, planar[i]) == 0) return true;
  return false;
}

static fw_status check_bodies(fw_builder *builder, const fw_item *bodies) {
  fw_status worst = FW_OK;
  if (!fw_item_child(bodies, "tube")) return FW_OK;
  for (int i = 0; i < bodies->child_count; i++)
    if (is_planar_body(bodies->children[i].name))
      worst = fw_fail_at(builder->ctx, FW_ERR_DECK, bodies->children[i].args.place,
                         "lies in the plane, and the deck has tubes in space: nothing says how they meet");
  return worst;
}

static fw_status check_args(fw_builder *builder, const fw_args *args) {
  for (int i = 0; args->values && args->params[i].name; i++) {
    const fw_param *param = &args->params[i];
    if (param->kind != FW_PARAM_REF || !args->values[i].text || fw_choice_index(param->choices, "point") < 0) continue;
    const fw_point *point = fw_builder_point(builder, args->values[i].text);
    if (point && point->space)
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, param->name),
                        "attribute '%s': '%s' is a point of a tube: this acts in a plane, at the 'ring' of a "
                        "<support-plane>",
                        param->name, point->name);
  }
  return FW_OK;
}

static fw_status check_item(fw_builder *builder, const fw_item *item) {
  fw_status worst = check_args(builder, &item->args);
  if (check_args(builder, &item->entry_args) != FW_OK) worst = FW_ERR_DECK;
  for (int i = 0; i < item->child_count; i++)
    if (check_item(builder, &item->children[i]) != FW_OK) worst = FW_ERR_DECK;
  return worst;
}

/* Sections whose elements know the plane only, and the ties among the bodies. */
fw_status fw_check_space(fw_builder *builder) {
  static const char *const sections[] = {"joints", "contact"};
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  fw_status worst = check_bodies(builder, bodies);
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    const fw_item *section = fw_item_child(builder->root, sections[i]);
    if (section && check_item(builder, section) != FW_OK) worst = FW_ERR_DECK;
  }
  for (int i = 0; i < bodies->child_count; i++) {
    const char *name = bodies->children[i].name;
    bool tie = strcmp(name, "tie") == 0 || strcmp(name, "coupling") == 0;
    if (tie && check_item(builder, &bodies->children[i]) != FW_OK) worst = FW_ERR_DECK;
  }
  return worst;
}
