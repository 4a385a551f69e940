/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/builder.h"

#include <libxml/hash.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding ----------------------------------------------------------------------------- */

const fw_point *fw_builder_point(const fw_builder *builder, const char *name) {
  const void *found = xmlHashLookup(builder->point_table, BAD_CAST name);
  return found ? &builder->points[(intptr_t)found - 1] : NULL;
}

int fw_builder_body(const fw_builder *builder, const char *id) {
  for (int i = 0; i < builder->model->body_count; i++)
    if (strcmp(builder->model->bodies[i].id, id) == 0) return i;
  return -1;
}

/* Notes the points an attribute list refers to. */
static void note_points(fw_builder *builder, const fw_args *args) {
  for (int i = 0; args->values && args->params[i].name; i++) {
    const fw_param *param = &args->params[i];
    bool refers = param->kind == FW_PARAM_REF || param->kind == FW_PARAM_REFS;
    if (!refers || !args->values[i].text || fw_choice_index(param->choices, "point") < 0) continue;
    for (const char *at = args->values[i].text; *at;) {
      size_t span = strcspn(at, ", \t\r\n");
      xmlChar *name = xmlStrndup(BAD_CAST at, (int)span);
      if (name) xmlHashUpdateEntry(builder->node_table, name, builder, NULL);
      xmlFree(name);
      at += span + strspn(at + span, ", \t\r\n");
    }
  }
}

static void note_item(fw_builder *builder, const fw_item *item) {
  note_points(builder, &item->args);
  note_points(builder, &item->entry_args);
  for (int i = 0; i < item->child_count; i++) note_item(builder, &item->children[i]);
}

fw_status fw_builder_open(fw_builder *builder) {
  builder->point_table = xmlHashCreate(64);
  builder->node_table = xmlHashCreate(64);
  if (!builder->point_table || !builder->node_table) return fw_fail(builder->ctx, FW_ERR_MEMORY, "out of memory");
  for (int i = 0; i < builder->root->child_count; i++) {
    const fw_item *section = &builder->root->children[i];
    bool interpolates = strcmp(section->name, "loads") == 0 || strcmp(section->name, "sensors") == 0;
    if (!interpolates) note_item(builder, section);
  }
  return fw_context_create(&builder->aside);
}

void fw_builder_close(fw_builder *builder) {
  xmlHashFree(builder->point_table, NULL);
  xmlHashFree(builder->node_table, NULL);
  fw_context_destroy(&builder->aside);
}

bool fw_builder_needs_node(const fw_builder *builder, const char *name) {
  return xmlHashLookup(builder->node_table, BAD_CAST name) != NULL;
}

const fw_item *fw_builder_find(const fw_builder *builder, const char *section, const char *id) {
  const fw_item *list = fw_item_child(builder->root, section);
  for (int i = 0; list && i < list->child_count; i++)
    if (strcmp(fw_args_text(&list->children[i].args, "id"), id) == 0) return &list->children[i];
  return NULL;
}

void fw_builder_material(const fw_builder *builder, const fw_args *args, fw_properties *props) {
  const fw_item *material = fw_builder_find(builder, "materials", fw_args_text(args, "material"));
  props->E = fw_args_number(&material->args, "E");
  props->nu = fw_args_number(&material->args, "nu");
  props->rho = fw_args_number(&material->args, "rho");
}

/* ---- appending --------------------------------------------------------------------------- */

fw_status fw_builder_add_node(fw_builder *builder, const double x[2], bool rotation, int *index) {
  fw_model *model = builder->model;
  FW_TRY(fw_grow(builder->ctx, model->node_count, &builder->node_room, sizeof *model->nodes, &model->nodes));
  *index = model->node_count++;
  model->nodes[*index] =
      (fw_node){.x = {x[0], x[1]}, .dof = {0, 0, rotation ? 0 : FW_DOF_NONE, FW_DOF_NONE, FW_DOF_NONE, FW_DOF_NONE}};
  return FW_OK;
}

fw_status fw_builder_add_space_node(fw_builder *builder, const double x[3], int *index) {
  FW_TRY(fw_builder_add_node(builder, x, true, index));
  fw_node *node = &builder->model->nodes[*index];
  node->space = true;
  node->z = x[2];
  for (int k = 0; k < FW_SPACE_DOFS; k++) node->dof[k] = 0;
  return FW_OK;
}

fw_status fw_builder_add_body(fw_builder *builder, const char *id, const char *kind, int *index) {
  fw_model *model = builder->model;
  FW_TRY(fw_grow(builder->ctx, model->body_count, &builder->body_room, sizeof *model->bodies, &model->bodies));
  char *copy;
  FW_TRY(fw_copy_text(builder->ctx, id, &copy));
  *index = model->body_count++;
  model->bodies[*index] = (fw_body){.id = copy, .kind = kind, .first_node = model->node_count};
  return FW_OK;
}

fw_status fw_builder_add_block(fw_builder *builder, const fw_element_ops *ops, int body, int count, fw_block **block) {
  fw_model *model = builder->model;
  FW_TRY(fw_grow(builder->ctx, model->block_count, &builder->block_room, sizeof *model->blocks, &model->blocks));
  fw_block *added = &model->blocks[model->block_count];
  *added = (fw_block){.ops = ops, .body = body, .count = count};
  FW_TRY(fw_alloc(builder->ctx, (size_t)count * (size_t)ops->nodes, sizeof *added->nodes, &added->nodes));
  model->block_count++;
  FW_TRY(fw_alloc(builder->ctx, (size_t)count * (size_t)fw_element_dofs(ops), sizeof *added->dofs, &added->dofs));
  *block = added;
  return FW_OK;
}

fw_status fw_builder_add_point(fw_builder *builder, const fw_point *point) {
  FW_TRY(fw_grow(builder->ctx, builder->point_count, &builder->point_room, sizeof *builder->points, &builder->points));
  char *copy;
  FW_TRY(fw_copy_text(builder->ctx, point->name, &copy));
  builder->points[builder->point_count] = *point;
  builder->points[builder->point_count].carried = -1;
  builder->points[builder->point_count++].name = copy;
  int added = xmlHashAddEntry(builder->point_table, BAD_CAST copy, (void *)(intptr_t)builder->point_count);
  return added == 0 ? FW_OK : fw_fail(builder->ctx, FW_ERR_MEMORY, "out of memory");
}

/* ---- attributes -------------------------------------------------------------------------- */

fw_place fw_builder_place(const fw_args *args, const char *name) {
  fw_place place = args->place;
  const fw_value *value = fw_args_value(args, name);
  if (value->given) place.line = value->line;
  return place;
}

fw_status fw_builder_expect(fw_builder *builder, const fw_args *args, const char *name, int count) {
  const fw_value *value = fw_args_value(args, name);
  if (value->count == count) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, name),
                    "attribute '%s': %d numbers are needed, separated by commas, not %d", name, count, value->count);
}

fw_status fw_builder_one_end(fw_builder *builder, const fw_args *args, const char *point) {
  if (!fw_args_given(args, "ground")) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "ground"),
                    "attribute 'ground': '%s' says where the other end is", point);
}

fw_status fw_builder_retell(fw_builder *builder, fw_status status, const fw_args *args, const char *attribute) {
  if (status == FW_OK) return FW_OK;
  fw_place place = attribute ? fw_builder_place(args, attribute) : args->place;
  if (status == FW_ERR_ARGUMENT) status = FW_ERR_DECK;
  fw_fail_at(builder->ctx, status, place, "%s%s%s%s", attribute ? "attribute '" : "", attribute ? attribute : "",
             attribute ? "': " : "", fw_context_message(builder->aside));
  fw_context_clear(builder->aside);
  return status;
}

static fw_status single_numbers(fw_builder *builder, const fw_args *args, double **constants, int *count) {
  *count = fw_param_count(args->params);
  FW_TRY(fw_alloc(builder->ctx, (size_t)*count, sizeof **constants, constants));
  for (int i = 0; i < *count; i++) (*constants)[i] = args->values[i].count ? args->values[i].numbers[0] : 0.0;
  return FW_OK;
}

fw_status fw_builder_constants(fw_builder *builder, const fw_args *args, fw_pack pack, double **constants, int *count) {
  if (!pack) return single_numbers(builder, args, constants, count);
  int params = fw_param_count(args->params);
  fw_given *given;
  FW_TRY(fw_alloc(builder->ctx, (size_t)params, sizeof *given, &given));
  for (int i = 0; i < params; i++)
    given[i] = (fw_given){.count = args->values[i].count, .values = args->values[i].numbers};
  *count = pack(given, NULL);
  fw_status status = fw_alloc(builder->ctx, (size_t)*count, sizeof **constants, constants);
  if (status == FW_OK) pack(given, *constants);
  free(given);
  return status;
}

/* ---- points ------------------------------------------------------------------------------ */

fw_attachment fw_builder_attach(const fw_point *point, const double offset[2]) {
  return (fw_attachment){point->node, {point->arm[0] + offset[0], point->arm[1] + offset[1]}, point->large_rotation};
}

/* Weights of x, y, rz of the axis at an interpolated point on the element's freedoms. */
static fw_status reach_element(fw_builder *builder, const fw_point *point, int direction, double factor,
                               fw_functional *functional) {
  const fw_model *model = builder->model;
  const fw_block *block = &model->blocks[point->block];
  const fw_element_ops *ops = block->ops;
  int n = fw_element_dofs(ops);
  double X[FW_ELEMENT_PLACES], weights[FW_NODE_DOFS * FW_ELEMENT_DOFS] = {0}; /* or six rows of twelve */
  fw_element_places(model, block, point->element, X);
  ops->interpolate(&block->props, X, point->xi, weights);
  double lever = direction == FW_X ? -point->arm[1] : direction == FW_Y ? point->arm[0] : 0.0;
  for (int i = 0; i < n; i++) {
    double weight = weights[direction * n + i] + (ops->rotations ? lever * weights[FW_RZ * n + i] : 0.0);
    FW_TRY(fw_functional_add(builder->ctx, functional, block->dofs[point->element * n + i], factor * weight));
  }
  return FW_OK;
}

/* Along an axis of the deck: the sum over the axes of the node's freedoms. */
static fw_status reach_space(fw_builder *builder, const fw_node *node, int direction, double factor,
                             fw_functional *functional) {
  const int *dofs = fw_dof_turns(direction) ? fw_dof_turnings : fw_dof_moves;
  double axes[3][3];
  int axis = 0;
  while (dofs[axis] != direction) axis++;
  fw_node_axes(builder->model, node, axes);
  for (int k = 0; k < 3; k++)
    FW_TRY(fw_functional_add(builder->ctx, functional, node->dof[dofs[k]], factor * axes[k][axis]));
  return FW_OK;
}

fw_status fw_builder_reach(fw_builder *builder, const fw_point *point, int direction, double factor,
                           fw_functional *functional) {
  if (point->carried >= 0)
    return fw_functional_add(builder->ctx, functional, builder->model->nodes[point->carried].dof[direction], factor);
  if (point->node < 0) return reach_element(builder, point, direction, factor, functional);
  const fw_node *node = &builder->model->nodes[point->node];
  if (node->space) return reach_space(builder, node, direction, factor, functional);
  double lever = direction == FW_X ? -point->arm[1] : direction == FW_Y ? point->arm[0] : 0.0;
  FW_TRY(fw_functional_add(builder->ctx, functional, node->dof[direction], factor));
  return fw_functional_add(builder->ctx, functional, node->dof[FW_RZ], factor * lever);
}

static bool turns(const fw_builder *builder, const fw_point *point) {
  const fw_model *model = builder->model;
  if (point->node < 0) return model->blocks[point->block].ops->rotations;
  return model->nodes[point->node].dof[FW_RZ] != FW_DOF_NONE;
}

fw_status fw_builder_needs_rotation(fw_builder *builder, const fw_point *point, const fw_args *args,
                                    const char *attribute) {
  if (turns(builder, point)) return FW_OK;
  bool plane = strcmp(builder->model->bodies[point->body].kind, "plane") == 0;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, attribute ? fw_builder_place(args, attribute) : args->place,
                    "%s%s%sthe point '%s' has no rotation: %s", attribute ? "attribute '" : "",
                    attribute ? attribute : "", attribute ? "': " : "", point->name,
                    plane ? "a plane body takes moments by a pair of forces or a <coupling>" : "its body only slides");
}

fw_status fw_builder_needs_space(fw_builder *builder, const fw_point *point, int direction, const fw_args *args,
                                 const char *attribute) {
  if (direction < FW_NODE_DOFS || point->space) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, attribute),
                    "attribute '%s': the point '%s' lies in the plane: it has x, y and rz only", attribute,
                    point->name);
}
