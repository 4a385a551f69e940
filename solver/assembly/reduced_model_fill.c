/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model that time integration sees: nodes, blocks, loads, sensors and ties in the numbers of the reduced freedoms; the
 * reduced matrices as elements of two nodes each (elements/superelement.h). */
#include <stdlib.h>
#include <string.h>

#include "core/field.h"
#include "elements/superelement.h"
#include "solver/assembly/reduced_model_parts.h"

enum { GROUP = FW_SUPERELEMENT_GROUP };

/* ---- forms --------------------------------------------------------------------------------------- */

/* A term at a freedom that is gone spreads over the coordinates. */
static void spread(const fw_reduced_model *r, int dof, double weight, double *dense) {
  const int size = fw_craig_bampton_size(&r->made), to = r->number[dof];
  if (to >= 0) {
    dense[to] += weight;
    return;
  }
  const double *row = r->made.T + (size_t)(-1 - to) * (size_t)size;
  for (int j = 0; j < size; j++) dense[r->coordinates[j]] += weight * row[j];
}

/* dense: [dof_count of the reduced model], zero afterwards. */
static fw_status gather(fw_context *ctx, const fw_reduced_model *r, double *dense, fw_functional *form) {
  fw_status status = FW_OK;
  for (int i = 0; i < r->model.dof_count; i++) {
    if (dense[i] != 0.0 && status == FW_OK) status = fw_functional_add(ctx, form, i, dense[i]);
    dense[i] = 0.0;
  }
  return status;
}

static fw_status renumber_form(fw_context *ctx, const fw_reduced_model *r, const fw_functional *form, double *dense,
                               fw_functional *after) {
  for (int k = 0; k < form->count; k++) spread(r, form->dof[k], form->weight[k], dense);
  return gather(ctx, r, dense, after);
}

static fw_status renumber_field(fw_context *ctx, const fw_reduced_model *r, double *dense, fw_field **field) {
  const fw_field *from = *field;
  fw_field *to;
  *field = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *to, &to));
  *field = to;
  *to = *from; /* its numbers are lent */
  to->shapes = NULL;
  FW_TRY(fw_alloc(ctx, (size_t)from->signals, sizeof *to->shapes, &to->shapes));
  for (int s = 0; s < from->signals; s++) FW_TRY(renumber_form(ctx, r, &from->shapes[s], dense, &to->shapes[s]));
  return FW_OK;
}

static fw_status fill_loads(fw_context *ctx, fw_reduced_model *r, double *dense) {
  const fw_model *whole = r->whole;
  FW_TRY(fw_alloc(ctx, (size_t)whole->load_count + 1, sizeof *r->model.loads, &r->model.loads));
  for (int i = 0; i < whole->load_count; i++) {
    fw_load *load = &r->model.loads[i];
    *load = whole->loads[i];
    load->shape = (fw_functional){0};
    load->field = NULL;
  }
  for (int i = 0; i < whole->load_count; i++) {
    FW_TRY(renumber_form(ctx, r, &whole->loads[i].shape, dense, &r->model.loads[i].shape));
    r->model.loads[i].field = whole->loads[i].field;
    if (r->model.loads[i].field) FW_TRY(renumber_field(ctx, r, dense, &r->model.loads[i].field));
  }
  return FW_OK;
}

static fw_status fill_sensors(fw_context *ctx, fw_reduced_model *r, double *dense) {
  const fw_model *whole = r->whole;
  FW_TRY(fw_alloc(ctx, (size_t)whole->sensor_count + 1, sizeof *r->model.sensors, &r->model.sensors));
  for (int i = 0; i < whole->sensor_count; i++) {
    r->model.sensors[i] = whole->sensors[i];
    r->model.sensors[i].shape = (fw_functional){0};
  }
  for (int i = 0; i < whole->sensor_count; i++)
    FW_TRY(renumber_form(ctx, r, &whole->sensors[i].shape, dense, &r->model.sensors[i].shape));
  return FW_OK;
}

static fw_status fill_ties(fw_context *ctx, fw_reduced_model *r, double *dense) {
  const fw_model *whole = r->whole;
  FW_TRY(fw_alloc(ctx, (size_t)whole->tie_count + 1, sizeof *r->model.ties, &r->model.ties));
  for (int i = 0; i < whole->tie_count; i++) r->model.ties[i].first = whole->ties[i].first;
  for (int i = 0; i < whole->tie_count; i++)
    FW_TRY(renumber_form(ctx, r, &whole->ties[i].form, dense, &r->model.ties[i].form));
  return FW_OK;
}

/* The mass that a translation moves, of what is reduced now and of what was so before. */
static fw_status fill_translations(fw_context *ctx, fw_reduced_model *r, double *dense) {
  for (int axis = 0; axis < 3; axis++) {
    fw_system_translation(r->linear, axis, r->moved);
    for (int i = 0; i < r->whole->dof_count; i++)
      if (r->moved[i] != 0.0) spread(r, i, r->moved[i], dense);
    FW_TRY(gather(ctx, r, dense, &r->model.reduced_mass[axis]));
  }
  return FW_OK;
}

/* ---- nodes and elements -------------------------------------------------------------------------- */

static void renumber_dof(const fw_reduced_model *r, int *dof) {
  if (*dof >= 0) *dof = r->number[*dof] >= 0 ? r->number[*dof] : FW_DOF_NONE;
}

/* Behind those of the whole model, nodes that stand nowhere, three coordinates to each. */
static fw_status fill_nodes(fw_context *ctx, fw_reduced_model *r) {
  const fw_model *whole = r->whole;
  const int size = fw_craig_bampton_size(&r->made), extra = fw_superelement_nodes(size);
  r->model.node_count = whole->node_count + extra;
  FW_TRY(fw_alloc(ctx, (size_t)r->model.node_count, sizeof *r->model.nodes, &r->model.nodes));
  memcpy(r->model.nodes, whole->nodes, (size_t)whole->node_count * sizeof *whole->nodes);
  for (int n = 0; n < whole->node_count; n++)
    for (int k = 0; k < FW_SPACE_DOFS; k++) renumber_dof(r, &r->model.nodes[n].dof[k]);
  for (int n = 0; n < extra; n++) {
    fw_node *node = &r->model.nodes[whole->node_count + n];
    *node = (fw_node){.x = {whole->nodes[0].x[0], whole->nodes[0].x[1]}};
    for (int k = 0; k < FW_SPACE_DOFS; k++) node->dof[k] = FW_DOF_NONE;
    for (int k = 0; k < GROUP && GROUP * n + k < size; k++) node->dof[k] = r->coordinates[GROUP * n + k];
  }
  return FW_OK;
}

/* A block that stays what it is. */
static fw_status keep_block(fw_context *ctx, fw_reduced_model *r, const fw_block *from) {
  fw_block *block = &r->model.blocks[r->model.block_count++];
  const size_t count = (size_t)from->count * (size_t)fw_element_dofs(from->ops);
  *block = *from;
  block->dofs = NULL;
  r->kept_blocks = r->model.block_count;
  FW_TRY(fw_alloc(ctx, count, sizeof *block->dofs, &block->dofs));
  for (size_t k = 0; k < count; k++) {
    block->dofs[k] = from->dofs[k];
    renumber_dof(r, &block->dofs[k]);
  }
  return FW_OK;
}

static fw_status add_pair(fw_context *ctx, fw_reduced_model *r, const int ends[2], const double *numbers) {
  fw_block *block = &r->model.blocks[r->model.block_count++];
  double *constants;
  *block = (fw_block){.ops = &fw_element_pair, .props = {.reduced = true}, .count = 1};
  FW_TRY(fw_alloc(ctx, FW_PAIR_CONSTANTS, sizeof *constants, &constants));
  memcpy(constants, numbers, FW_PAIR_CONSTANTS * sizeof *constants);
  block->props.constants = constants;
  block->props.constant_count = FW_PAIR_CONSTANTS;
  FW_TRY(fw_alloc(ctx, 2, sizeof *block->nodes, &block->nodes));
  FW_TRY(fw_alloc(ctx, FW_PAIR_DOFS, sizeof *block->dofs, &block->dofs));
  for (int e = 0; e < 2; e++) {
    block->nodes[e] = r->whole->node_count + ends[e];
    memcpy(block->dofs + (ptrdiff_t)GROUP * e, r->model.nodes[block->nodes[e]].dof, GROUP * sizeof *block->dofs);
  }
  return FW_OK;
}

static fw_status add_pairs(fw_context *ctx, fw_reduced_model *r) {
  const int size = fw_craig_bampton_size(&r->made);
  double constants[FW_PAIR_CONSTANTS];
  for (int pair = 0; pair < fw_superelement_pairs(size); pair++) {
    int ends[2];
    bool any = fw_superelement_pair(size, r->made.K, r->made.M, r->made.C, pair, ends, constants);
    if (any) FW_TRY(add_pair(ctx, r, ends, constants));
  }
  return FW_OK;
}

static fw_status fill_blocks(fw_context *ctx, fw_reduced_model *r) {
  const fw_model *whole = r->whole;
  size_t room = (size_t)whole->block_count + (size_t)fw_superelement_pairs(fw_craig_bampton_size(&r->made));
  FW_TRY(fw_alloc(ctx, room, sizeof *r->model.blocks, &r->model.blocks));
  for (int b = 0; b < whole->block_count; b++)
    if (!fw_reduced_model_takes(whole, &whole->blocks[b])) FW_TRY(keep_block(ctx, r, &whole->blocks[b]));
  return add_pairs(ctx, r);
}

fw_status fw_reduced_model_fill(fw_context *ctx, fw_reduced_model *r) {
  double *dense = NULL;
  fw_status status = FW_OK;
  fw_model *model = &r->model;
  *model = *r->whole;
  model->dof_count = r->kept + r->made.modes;
  model->nodes = NULL;
  model->blocks = NULL;
  model->loads = NULL;
  model->sensors = NULL;
  model->ties = NULL;
  model->block_count = model->initial_count = 0;
  for (int axis = 0; axis < 3; axis++) model->reduced_mass[axis] = (fw_functional){0};
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->dof_count + 1, sizeof *dense, &dense));
  FW_TRY_DONE(fill_nodes(ctx, r));
  FW_TRY_DONE(fill_blocks(ctx, r));
  FW_TRY_DONE(fill_loads(ctx, r, dense));
  FW_TRY_DONE(fill_sensors(ctx, r, dense));
  FW_TRY_DONE(fill_ties(ctx, r, dense));
  FW_TRY_DONE(fill_translations(ctx, r, dense));
done:
  free(dense);
  return status;
}

/* ---- the end ------------------------------------------------------------------------------------- */

static void clear_blocks(fw_reduced_model *r) {
  for (int b = 0; r->model.blocks && b < r->model.block_count; b++) {
    const fw_block *block = &r->model.blocks[b];
    free(block->dofs);
    if (b < r->kept_blocks) continue;
    free(block->nodes);
    free((void *)block->props.constants);
  }
  free(r->model.blocks);
}

static void clear_field(fw_field *field) {
  if (!field) return;
  for (int s = 0; field->shapes && s < field->signals; s++) fw_functional_clear(&field->shapes[s]);
  free(field->shapes);
  free(field);
}

static void clear_forms(fw_model *model) {
  for (int i = 0; model->loads && i < model->load_count; i++) {
    fw_functional_clear(&model->loads[i].shape);
    clear_field(model->loads[i].field);
  }
  for (int i = 0; model->sensors && i < model->sensor_count; i++) fw_functional_clear(&model->sensors[i].shape);
  for (int i = 0; model->ties && i < model->tie_count; i++) fw_functional_clear(&model->ties[i].form);
  for (int axis = 0; axis < 3; axis++) fw_functional_clear(&model->reduced_mass[axis]);
  free(model->loads);
  free(model->sensors);
  free(model->ties);
}

void fw_reduced_model_destroy(fw_reduced_model **reduced) {
  if (!reduced || !*reduced) return;
  fw_reduced_model *r = *reduced;
  clear_blocks(r);
  clear_forms(&r->model);
  free(r->model.nodes);
  fw_craig_bampton_clear(&r->made);
  fw_system_destroy(&r->linear);
  free(r->alone.blocks);
  free(r->part);
  free(r->number);
  free(r->coordinates);
  free(r->moved);
  free(r->pushed);
  free(r);
  *reduced = NULL;
}
