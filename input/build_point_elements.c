/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Masses, springs, dampers: elements whose nodes are points of bodies or stand on the ground. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input/builder.h"

/* The node of a point, or the one that is carried there. */
static fw_status node_of(fw_builder *builder, const fw_item *item, const char *attribute, int *node) {
  const fw_point *point = fw_builder_point(builder, fw_args_text(&item->args, attribute));
  if (!point) /* its body could not be built: that has been reported */
    return FW_ERR_DECK;
  *node = point->carried >= 0 ? point->carried : point->node;
  return FW_OK;
}

/* A node that is held, at `ground` or where the first end is. */
static fw_status ground_node(fw_builder *builder, const fw_item *item, int first, bool rotations, int *node) {
  double place[2] = {builder->model->nodes[first].x[0], builder->model->nodes[first].x[1]};
  if (fw_args_given(&item->args, "ground")) {
    FW_TRY(fw_builder_expect(builder, &item->args, "ground", 2));
    memcpy(place, fw_args_value(&item->args, "ground")->numbers, sizeof place);
  }
  FW_TRY(fw_builder_add_node(builder, place, rotations, node));
  fw_node *held = &builder->model->nodes[*node];
  for (int k = 0; k < FW_NODE_DOFS; k++)
    if (held->dof[k] != FW_DOF_NONE) held->dof[k] = FW_DOF_FIXED;
  return FW_OK;
}

static fw_status find_nodes(fw_builder *builder, const fw_item *item, const fw_element_ops *ops, int nodes[2]) {
  FW_TRY(node_of(builder, item, "at", &nodes[0]));
  if (ops->nodes == 2 && fw_args_given(&item->args, "to")) return node_of(builder, item, "to", &nodes[1]);
  if (ops->nodes == 2) return ground_node(builder, item, nodes[0], ops->rotations, &nodes[1]);
  if (fw_args_given(&item->args, "to"))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "to"),
                      "attribute 'to': a %s has one point only", item->name);
  return FW_OK;
}

/* True if the element has inertia, stiffness or damping, or exerts a moment, at the rotation of its node k. */
static bool acts_on_rotation(const fw_block *block, const double *X, int k) {
  enum { MOST = 2 * FW_NODE_DOFS };
  static const double rest[MOST] = {0.0};
  int n = fw_element_dofs(block->ops), at = k * FW_NODE_DOFS + FW_RZ;
  double f[MOST] = {0.0}, K[MOST * MOST] = {0.0}, C[MOST * MOST] = {0.0}, M[MOST * MOST] = {0.0};
  if (!block->ops->rotations) return false;
  block->ops->force(&block->props, X, rest, rest, f, K, C);
  if (block->ops->mass) block->ops->mass(&block->props, X, M);
  double sum = fabs(f[at]);
  for (int j = 0; j < n; j++) sum += fabs(K[at * n + j]) + fabs(C[at * n + j]) + fabs(M[at * n + j]);
  return sum > 0.0;
}

static fw_status check_rotations(fw_builder *builder, const fw_item *item, const fw_block *block, const double *X) {
  static const char *const ends[] = {"at", "to"};
  for (int k = 0; k < block->ops->nodes; k++) {
    if (!fw_args_given(&item->args, ends[k]) || !acts_on_rotation(block, X, k)) continue;
    const fw_point *point = fw_builder_point(builder, fw_args_text(&item->args, ends[k]));
    FW_TRY(fw_builder_needs_rotation(builder, point, &item->args, ends[k]));
  }
  return FW_OK;
}

static fw_status add_element(fw_builder *builder, const fw_item *item) {
  const fw_element_ops *ops = (const fw_element_ops *)(const void *)item->entry;
  int body, nodes[2] = {0, 0};
  FW_TRY(fw_builder_add_body(builder, fw_args_text(&item->args, "id"), item->entry->name, &body));
  FW_TRY(find_nodes(builder, item, ops, nodes));
  builder->model->bodies[body].node_count = builder->model->node_count - builder->model->bodies[body].first_node;
  fw_block *block;
  FW_TRY(fw_builder_add_block(builder, ops, body, 1, &block));
  memcpy(block->nodes, nodes, (size_t)ops->nodes * sizeof *nodes);
  double *constants = NULL;
  FW_TRY(fw_builder_constants(builder, &item->entry_args, ops->pack, &constants, &block->props.constant_count));
  block->props.constants = constants;
  double X[4] = {0};
  for (int k = 0; k < ops->nodes; k++) memcpy(X + 2 * k, builder->model->nodes[nodes[k]].x, 2 * sizeof *X);
  const char *wrong = ops->check ? ops->check(&block->props, X) : NULL;
  if (wrong) return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place, "%s", wrong);
  return check_rotations(builder, item, block, X);
}

bool fw_builder_is_point_element(const fw_item *item) {
  return item->entry && strcmp(item->name, item->entry->name) == 0 &&
         ((const fw_element_ops *)(const void *)item->entry)->shape == FW_SHAPE_POINT;
}

fw_status fw_build_point_elements(fw_builder *builder) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  fw_status worst = FW_OK;
  for (int i = 0; i < bodies->child_count; i++) {
    if (!fw_builder_is_point_element(&bodies->children[i])) continue;
    fw_status status = add_element(builder, &bodies->children[i]);
    if (status != FW_OK) worst = status;
  }
  return worst;
}
