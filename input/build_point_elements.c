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
static fw_status ground_node(fw_builder *builder, const fw_item *item, int first, const fw_element_ops *ops,
                             int *node) {
  double place[3];
  fw_node_place(builder->model, &builder->model->nodes[first], place);
  if (!ops->space) memcpy(place, builder->model->nodes[first].x, 2 * sizeof *place); /* a ring's: in its plane */
  if (fw_args_given(&item->args, "ground")) {
    FW_TRY(fw_builder_expect(builder, &item->args, "ground", ops->space ? 3 : 2));
    memcpy(place, fw_args_value(&item->args, "ground")->numbers, (ops->space ? 3 : 2) * sizeof *place);
  }
  if (ops->space)
    FW_TRY(fw_builder_add_space_node(builder, place, node));
  else
    FW_TRY(fw_builder_add_node(builder, place, ops->rotations, node));
  fw_node *held = &builder->model->nodes[*node];
  for (int k = 0; k < fw_node_dofs(held); k++)
    if (held->dof[k] != FW_DOF_NONE) held->dof[k] = FW_DOF_FIXED;
  return FW_OK;
}

static fw_status find_nodes(fw_builder *builder, const fw_item *item, const fw_element_ops *ops, int nodes[2]) {
  const fw_args *args = &item->args;
  const char *second = fw_args_given(args, "to") ? "to" : fw_args_given(args, "ground") ? "ground" : NULL;
  FW_TRY(node_of(builder, item, "at", &nodes[0]));
  if (ops->nodes == 1 && second)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, second),
                      "attribute '%s': a %s has one point only", second, item->name);
  if (ops->nodes == 1) return FW_OK;
  if (!fw_args_given(args, "to")) return ground_node(builder, item, nodes[0], ops, &nodes[1]);
  FW_TRY(fw_builder_one_end(builder, args, "to"));
  FW_TRY(node_of(builder, item, "to", &nodes[1]));
  if (nodes[0] == nodes[1])
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "to"),
                      "attribute 'to': both ends of the %s are one point", item->name);
  return FW_OK;
}

/* True if the element has inertia, stiffness or damping, or exerts a moment, at the rotation of its node k. */
static bool acts_on_rotation(const fw_block *block, const double *X, int k) {
  enum { MOST = 2 * FW_SPACE_DOFS };
  static const double rest[MOST] = {0.0};
  int n = fw_element_dofs(block->ops), at = k * fw_element_node_dofs(block->ops) + FW_RZ;
  double f[MOST] = {0.0}, K[MOST * MOST] = {0.0}, C[MOST * MOST] = {0.0}, M[MOST * MOST] = {0.0};
  if (!block->ops->rotations) return false;
  block->ops->force(&block->props, X, rest, rest, f, K, C);
  fw_element_mass_matrix(block->ops, &block->props, X, M);
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

/* Numbers of a bushing that count in space only. */
static fw_status refuse_space(fw_builder *builder, const fw_item *item) {
  static const char *const space[] = {"kz", "krx", "kry", "cz", "crx", "cry"};
  const fw_args *args = &item->entry_args;
  for (int i = 0; args->values && args->params[i].name; i++)
    for (size_t k = 0; k < sizeof space / sizeof *space; k++)
      if (strcmp(args->params[i].name, space[k]) == 0 && args->values[i].given)
        return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, space[k]),
                          "attribute '%s': for tubes; this lies in the plane", space[k]);
  return FW_OK;
}

/* The element itself, or its twin in space where it stands on tubes. */
static fw_status choose_ops(fw_builder *builder, const fw_item *item, const fw_element_ops **ops) {
  const fw_point *at = fw_builder_point(builder, fw_args_text(&item->args, "at"));
  const char *other = fw_args_given(&item->args, "to") ? fw_args_text(&item->args, "to") : NULL;
  const fw_point *to = other ? fw_builder_point(builder, other) : NULL;
  *ops = (const fw_element_ops *)(const void *)item->entry;
  if (!at || (other && !to)) return FW_ERR_DECK; /* its body could not be built: that has been reported */
  if (to && to->space != at->space)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "to"),
                      "attribute 'to': '%s' and '%s' are not both of tubes: a support plane's 'ring' lies in the plane",
                      at->name, to->name);
  if (at->space && !(*ops)->in_space)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "at"),
                      "attribute 'at': a %s acts in the plane: put it at the 'ring' of a support plane", item->name);
  if (!at->space) return refuse_space(builder, item);
  *ops = (*ops)->in_space;
  return FW_OK;
}

/* The first of its own numbers that may be left out where all of them are: then it does nothing. NULL: it says what. */
static const char *left_out(const fw_args *args) {
  const char *first = NULL;
  for (int i = 0; args->params[i].name; i++) {
    const fw_param *param = &args->params[i];
    bool number = param->kind == FW_PARAM_NUMBER || param->kind == FW_PARAM_NUMBERS;
    if (!number || strcmp(param->name, "direction") == 0) continue;
    if (args->values[i].given) return NULL;
    if (!first) first = param->name;
  }
  return first;
}

static fw_status add_element(fw_builder *builder, const fw_item *item) {
  const fw_element_ops *ops;
  int body, nodes[2] = {0, 0};
  FW_TRY(fw_builder_add_body(builder, fw_args_text(&item->args, "id"), item->entry->name, &body));
  FW_TRY(choose_ops(builder, item, &ops));
  FW_TRY(find_nodes(builder, item, ops, nodes));
  builder->model->bodies[body].node_count = builder->model->node_count - builder->model->bodies[body].first_node;
  const char *missing = left_out(&item->entry_args);
  if (missing)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place, "does nothing: it has no %s nor anything else",
                      missing);
  fw_block *block;
  FW_TRY(fw_builder_add_block(builder, ops, body, 1, &block));
  block->place = item->args.place;
  memcpy(block->nodes, nodes, (size_t)ops->nodes * sizeof *nodes);
  double *constants = NULL;
  FW_TRY(fw_builder_constants(builder, &item->entry_args, ops->pack, &constants, &block->props.constant_count));
  block->props.constants = constants;
  double X[FW_ELEMENT_PLACES];
  fw_element_places(builder->model, block, 0, X);
  const char *wrong = fw_element_flaw(ops, &block->props, X);
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
    worst = fw_worse(worst, status);
  }
  return worst;
}
