/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <supports> and <damping>. */
#include <stdlib.h>
#include <string.h>

#include "elements/bushing.h"
#include "input/builder.h"

/* A support with stiffness is an element of the table: its constants are kx, ky, krz, their damping, kz, krx, kry and
 * theirs. */
static fw_status add_elastic(fw_builder *builder, const fw_item *item, const fw_point *point,
                             const double k[FW_SPACE_DOFS]) {
  const fw_element_ops *ops = (const fw_element_ops *)(const void *)fw_table_find(&fw_elements, "elastic-support");
  if (point->space) ops = ops->in_space;
  fw_block *block;
  FW_TRY(fw_builder_add_block(builder, ops, point->body, 1, &block));
  block->place = item->args.place;
  block->nodes[0] = point->node;
  double *constants;
  FW_TRY(fw_alloc(builder->ctx, FW_BUSHING_CONSTANTS, sizeof *constants, &constants));
  memcpy(constants + FW_BUSHING_K, k, FW_NODE_DOFS * sizeof *constants);
  memcpy(constants + FW_BUSHING_SPACE_K, k + FW_NODE_DOFS, FW_NODE_DOFS * sizeof *constants);
  block->props.constants = constants;
  block->props.constant_count = FW_BUSHING_CONSTANTS;
  return FW_OK;
}

/* What a support does in each direction. */
typedef struct hold {
  bool fixed[FW_SPACE_DOFS];
  double stiffness[FW_SPACE_DOFS];
  bool elastic;
} hold;

static fw_status read_hold(fw_builder *builder, const fw_item *item, hold *self) {
  bool holds = false;
  *self = (hold){0};
  for (int k = 0; k < FW_SPACE_DOFS; k++) {
    const fw_value *value = fw_args_value(&item->args, fw_dof_names[k]);
    self->fixed[k] = value->text && strcmp(value->text, "fixed") == 0;
    if (value->count) self->stiffness[k] = value->numbers[0];
    if (self->stiffness[k] > 0.0) self->elastic = true;
    if (self->fixed[k] || value->count) holds = true;
  }
  return holds ? FW_OK
               : fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place,
                            "holds nothing: give x, y or rz (on tubes z, rx, ry as well)");
}

/* Of a tube's node whose freedoms lie along a support plane one fixed axis of the deck is no freedom: it takes all
 * three or none. */
static fw_status check_axes(fw_builder *builder, const fw_item *item, const hold *self, const fw_node *node) {
  const int *kinds[] = {fw_dof_moves, fw_dof_turnings};
  for (int i = 0; i < 2 && node->space && node->triad; i++) {
    int fixed = self->fixed[kinds[i][0]] + self->fixed[kinds[i][1]] + self->fixed[kinds[i][2]];
    if (fixed % 3)
      return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place,
                        "a support plane stands there: fix all three of %s, or hold the plane's 'ring'",
                        i ? "rx, ry, rz" : "x, y, z");
  }
  return FW_OK;
}

static fw_status check_space(fw_builder *builder, const fw_item *item, const hold *self, const fw_node *node) {
  for (int k = FW_NODE_DOFS; k < FW_SPACE_DOFS && !node->space; k++)
    if (self->fixed[k] || self->stiffness[k] > 0.0)
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, fw_dof_names[k]),
                        "attribute '%s': what it holds lies in the plane: it has x, y and rz only", fw_dof_names[k]);
  return check_axes(builder, item, self, node);
}

static fw_status hold_node(fw_builder *builder, const fw_item *item, const hold *self, int index) {
  fw_node *node = &builder->model->nodes[index];
  bool turned = self->fixed[FW_RZ] || self->stiffness[FW_RZ] > 0.0;
  if (turned && node->dof[FW_RZ] == FW_DOF_NONE)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "rz"),
                      "attribute 'rz': what it holds has no rotation");
  FW_TRY(check_space(builder, item, self, node));
  for (int k = 0; k < FW_SPACE_DOFS; k++)
    if (self->fixed[k]) node->dof[k] = FW_DOF_FIXED;
  return FW_OK;
}

static fw_status support_set(fw_builder *builder, const fw_item *item, const hold *self) {
  int *nodes, count;
  FW_TRY(fw_builder_set_nodes(builder, &item->args, "at", &nodes, &count));
  fw_status status = FW_OK;
  if (self->elastic)
    status = fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "at"),
                        "attribute 'at': a stiffness holds a point, not a set");
  for (int i = 0; i < count && status == FW_OK; i++) status = hold_node(builder, item, self, nodes[i]);
  free(nodes);
  return status;
}

static fw_status add_support(fw_builder *builder, const fw_item *item) {
  hold self;
  FW_TRY(read_hold(builder, item, &self));
  const fw_point *point = fw_builder_point(builder, fw_args_text(&item->args, "at"));
  if (!point) return support_set(builder, item, &self);
  if (point->arm[0] != 0.0 || point->arm[1] != 0.0)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "at"),
                      "attribute 'at': the point '%s' has an offset; a support needs one on the body", point->name);
  FW_TRY(hold_node(builder, item, &self, point->node));
  return self.elastic ? add_elastic(builder, item, point, self.stiffness) : FW_OK;
}

fw_status fw_build_supports(fw_builder *builder) {
  const fw_item *supports = fw_item_child(builder->root, "supports");
  fw_status worst = FW_OK;
  for (int i = 0; supports && i < supports->child_count; i++) {
    fw_status status = add_support(builder, &supports->children[i]);
    worst = fw_worse(worst, status);
  }
  return worst;
}

/* ---- damping ----------------------------------------------------------------------------- */

static void damp(const fw_item *item, fw_properties *props) {
  if (strcmp(item->name, "rayleigh") == 0) {
    props->rayleigh_alpha += fw_args_number(&item->args, "alpha");
    props->rayleigh_beta += fw_args_number(&item->args, "beta");
  } else {
    props->loss_factor += fw_args_number(&item->args, "loss-factor");
  }
}

/* The last ratio given goes on up to the last mode that is damped. */
static fw_status damp_modes(fw_builder *builder, const fw_item *item) {
  fw_model *model = builder->model;
  const fw_value *ratios = fw_args_value(&item->args, "ratios");
  int modes = fw_args_given(&item->args, "modes") ? fw_args_integer(&item->args, "modes") : ratios->count;
  if (modes < ratios->count)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "modes"),
                      "attribute 'modes': %d ratios are given for %d modes", ratios->count, modes);
  FW_TRY(fw_alloc(builder->ctx, (size_t)modes, sizeof *model->modal_damping, &model->modal_damping));
  model->modal_damping_count = modes;
  for (int m = 0; m < modes; m++) model->modal_damping[m] = ratios->numbers[m < ratios->count ? m : ratios->count - 1];
  return FW_OK;
}

fw_status fw_build_damping(fw_builder *builder) {
  const fw_item *damping = fw_item_child(builder->root, "damping");
  for (int i = 0; damping && i < damping->child_count; i++) {
    const fw_item *item = &damping->children[i];
    if (strcmp(item->name, "modal") == 0) {
      FW_TRY(damp_modes(builder, item));
      continue;
    }
    const char *id = fw_args_text(&item->args, "body");
    int body = id ? fw_builder_body(builder, id) : -1;
    for (int b = 0; b < builder->model->block_count; b++)
      if (!id || builder->model->blocks[b].body == body) damp(item, &builder->model->blocks[b].props);
  }
  return FW_OK;
}
