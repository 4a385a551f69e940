/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tubes with `modes` are reduced once the model is complete: the freedoms of nodes that something stands on, and of those
 * that are held in part, stay; the others become a few modes of each piece between (solver/assembly/craig_bampton.h). The
 * tube's elements are replaced by its reduced matrices (elements/superelement.h) and kept for pictures, loads and sensors
 * within it by what they are to these. */
#include <stdlib.h>
#include <string.h>

#include "core/field.h"
#include "elements/superelement.h"
#include "input/builder.h"
#include "solver/assembly/craig_bampton.h"

enum { GROUP = FW_SUPERELEMENT_GROUP };

typedef struct reduction {
  fw_builder *builder;
  fw_model *model;
  int body, modes;
  char *part; /* of each freedom */
  fw_craig_bampton made;
  int *number;      /* of each freedom afterwards, or -1 - its row of made.T */
  int *coordinates; /* numbers of the reduced ones */
  double *dense;    /* a vector of all freedoms before */
} reduction;

static bool is_of(const reduction *r, const fw_block *block) { return block->body == r->body && block->ops->space; }

/* ---- what stays ------------------------------------------------------------------------------ */

static void stay(const reduction *r, int dof) {
  if (dof >= 0 && r->part[dof]) r->part[dof] = FW_CRAIG_BAMPTON_STAYS;
}

static void stay_with_others(const reduction *r) {
  const fw_model *model = r->model;
  const fw_body *body = &model->bodies[r->body];
  for (int n = 0; n < model->node_count; n++)
    for (int k = 0; k < FW_SPACE_DOFS && (n < body->first_node || n >= body->first_node + body->node_count); k++)
      stay(r, model->nodes[n].dof[k]);
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    for (int k = 0; k < block->count * fw_element_dofs(block->ops) && !is_of(r, block); k++) stay(r, block->dofs[k]);
  }
  for (int t = 0; t < model->tie_count; t++)
    for (int k = 0; k < model->ties[t].form.count; k++) stay(r, model->ties[t].form.dof[k]);
  for (int i = 0; i < model->initial_count; i++) stay(r, model->initials[i].dof);
}

/* A node stays as a whole: slip across a plane is seen at its other freedoms, and pictures show it. */
static void stay_whole(const reduction *r) {
  const fw_body *body = &r->model->bodies[r->body];
  for (int n = body->first_node; n < body->first_node + body->node_count; n++) {
    const int *dof = r->model->nodes[n].dof;
    bool any = false;
    for (int k = 0; k < FW_SPACE_DOFS; k++)
      any = any || (dof[k] >= 0 ? r->part[dof[k]] == FW_CRAIG_BAMPTON_STAYS : dof[k] == FW_DOF_FIXED);
    for (int k = 0; k < FW_SPACE_DOFS && any; k++) stay(r, dof[k]);
  }
}

static fw_status choose_parts(reduction *r) {
  FW_TRY(fw_alloc(r->builder->ctx, (size_t)r->model->dof_count, sizeof *r->part, &r->part));
  for (int b = 0; b < r->model->block_count; b++) {
    const fw_block *block = &r->model->blocks[b];
    for (int k = 0; k < block->count * fw_element_dofs(block->ops) && is_of(r, block); k++)
      if (block->dofs[k] >= 0) r->part[block->dofs[k]] = FW_CRAIG_BAMPTON_GOES;
  }
  stay_with_others(r);
  stay_whole(r);
  return FW_OK;
}

/* ---- the reduced matrices ---------------------------------------------------------------------- */

/* The mass that a translation moves, at the freedoms as they are now. */
static fw_status keep_translation(reduction *r, const fw_system *system, int axis) {
  fw_system_translation(system, axis, r->dense);
  for (int i = 0; i < r->model->dof_count; i++)
    if (r->dense[i] != 0.0) FW_TRY(fw_functional_add(r->builder->ctx, &r->model->reduced_mass[axis], i, r->dense[i]));
  return FW_OK;
}

/* The tube alone: its blocks in a model that has nothing else; blocks are lent. */
static fw_status reduce_alone(reduction *r) {
  fw_context *ctx = r->builder->ctx;
  fw_model alone = *r->model;
  fw_system *system = NULL;
  fw_status status = FW_OK;
  const fw_craig_bampton_basis basis = {.modes = r->modes};
  alone.joint_count = alone.tie_count = alone.constraint_count = alone.pair_count = alone.modal_damping_count = 0;
  alone.block_count = 0;
  alone.blocks = NULL;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)r->model->block_count, sizeof *alone.blocks, &alone.blocks));
  for (int b = 0; b < r->model->block_count; b++)
    if (is_of(r, &r->model->blocks[b])) alone.blocks[alone.block_count++] = r->model->blocks[b];
  FW_TRY_DONE(fw_system_create(ctx, &alone, &system));
  FW_TRY_DONE(fw_craig_bampton_make(ctx, system, r->part, &basis, &r->made));
  for (int k = 0; k < 3; k++) FW_TRY_DONE(keep_translation(r, system, k));
done:
  fw_system_destroy(&system);
  free(alone.blocks);
  return status;
}

/* ---- the model with them ------------------------------------------------------------------------ */

static fw_status renumber(reduction *r) {
  fw_context *ctx = r->builder->ctx;
  int size = fw_craig_bampton_size(&r->made), next = 0, row = 0;
  FW_TRY(fw_alloc(ctx, (size_t)r->model->dof_count, sizeof *r->number, &r->number));
  FW_TRY(fw_alloc(ctx, (size_t)size, sizeof *r->coordinates, &r->coordinates));
  for (int i = 0; i < r->model->dof_count; i++)
    r->number[i] = r->part[i] == FW_CRAIG_BAMPTON_GOES ? -1 - row++ : next++;
  for (int j = 0; j < size; j++)
    r->coordinates[j] = j < r->made.boundary ? r->number[r->made.stays[j]] : next + j - r->made.boundary;
  return FW_OK;
}

/* Terms at freedoms that are gone spread over the coordinates. */
static fw_status renumber_functional(const reduction *r, fw_functional *form) {
  fw_functional after = {0};
  fw_status status = FW_OK;
  size_t size = (size_t)fw_craig_bampton_size(&r->made);
  for (int k = 0; k < form->count && status == FW_OK; k++) {
    int to = r->number[form->dof[k]];
    if (to >= 0) status = fw_functional_add(r->builder->ctx, &after, to, form->weight[k]);
    const double *row = to >= 0 ? NULL : r->made.T + (size_t)(-1 - to) * size;
    for (size_t j = 0; row && j < size && status == FW_OK; j++)
      if (row[j] != 0.0)
        status = fw_functional_add(r->builder->ctx, &after, r->coordinates[j], form->weight[k] * row[j]);
  }
  fw_functional_clear(form);
  *form = after;
  return status;
}

static fw_status renumber_functionals(const reduction *r) {
  fw_model *model = r->model;
  for (int i = 0; i < model->load_count; i++) {
    fw_field *field = model->loads[i].field;
    FW_TRY(renumber_functional(r, &model->loads[i].shape));
    for (int s = 0; field && s < field->signals; s++) FW_TRY(renumber_functional(r, &field->shapes[s]));
  }
  for (int i = 0; i < model->sensor_count; i++) FW_TRY(renumber_functional(r, &model->sensors[i].shape));
  for (int i = 0; i < model->tie_count; i++) FW_TRY(renumber_functional(r, &model->ties[i].form));
  for (int k = 0; k < 3; k++) FW_TRY(renumber_functional(r, &model->reduced_mass[k]));
  for (int b = 0; b < model->reduced_body_count; b++)
    for (int i = 0; i < model->reduced_bodies[b].form_count; i++)
      FW_TRY(renumber_functional(r, &model->reduced_bodies[b].forms[i]));
  return FW_OK;
}

static void renumber_dof(const reduction *r, int *dof) {
  if (*dof >= 0) *dof = r->number[*dof] >= 0 ? r->number[*dof] : FW_DOF_NONE;
}

/* The tube's elements go to where pictures find them. */
static void move_blocks(const reduction *r, fw_reduced_body *body) {
  fw_model *model = r->model;
  int kept = 0;
  for (int b = 0; b < model->block_count; b++)
    if (is_of(r, &model->blocks[b]))
      body->blocks[body->block_count++] = model->blocks[b];
    else
      model->blocks[kept++] = model->blocks[b];
  model->block_count = kept;
}

/* Their freedoms become numbers of forms, which renumber_functionals() makes forms of those that remain. */
static fw_status number_forms(const reduction *r, int *form_of, fw_reduced_body *body) {
  for (int b = 0; b < body->block_count; b++) {
    const fw_block *block = &body->blocks[b];
    for (int k = 0; k < block->count * fw_element_dofs(block->ops); k++) {
      int dof = block->dofs[k];
      if (dof < 0) continue;
      if (form_of[dof] == 0) {
        FW_TRY(fw_functional_add(r->builder->ctx, &body->forms[body->form_count], dof, 1.0));
        form_of[dof] = ++body->form_count;
      }
      block->dofs[k] = form_of[dof] - 1;
    }
  }
  return FW_OK;
}

static fw_status set_elements_aside(const reduction *r) {
  fw_context *ctx = r->builder->ctx;
  fw_model *model = r->model;
  int *form_of = NULL;
  fw_status status = FW_OK;
  FW_TRY(fw_grow(ctx, model->reduced_body_count, &model->reduced_body_room, sizeof *model->reduced_bodies,
                 &model->reduced_bodies));
  fw_reduced_body *body = &model->reduced_bodies[model->reduced_body_count++];
  *body = (fw_reduced_body){0};
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->block_count, sizeof *body->blocks, &body->blocks));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->dof_count, sizeof *body->forms, &body->forms));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->dof_count, sizeof *form_of, &form_of));
  move_blocks(r, body);
  FW_TRY_DONE(number_forms(r, form_of, body));
done:
  free(form_of);
  return status;
}

static void renumber_rest(const reduction *r) {
  fw_model *model = r->model;
  for (int n = 0; n < model->node_count; n++)
    for (int k = 0; k < FW_SPACE_DOFS; k++) renumber_dof(r, &model->nodes[n].dof[k]);
  for (int b = 0; b < model->block_count; b++)
    for (int k = 0; k < model->blocks[b].count * fw_element_dofs(model->blocks[b].ops); k++)
      renumber_dof(r, &model->blocks[b].dofs[k]);
  for (int i = 0; i < model->initial_count; i++) renumber_dof(r, &model->initials[i].dof);
  model->dof_count += r->made.modes - r->made.interior;
}

static fw_status add_pair(const reduction *r, int first, const int ends[2], double loss, const double *numbers) {
  fw_builder *builder = r->builder;
  fw_block *block;
  double *constants;
  FW_TRY(fw_builder_add_block(builder, &fw_element_pair, r->body, 1, &block));
  FW_TRY(fw_alloc(builder->ctx, FW_PAIR_CONSTANTS, sizeof *constants, &constants));
  memcpy(constants, numbers, FW_PAIR_CONSTANTS * sizeof *constants);
  block->props.constants = constants;
  block->props.constant_count = FW_PAIR_CONSTANTS;
  block->props.loss_factor = loss;
  block->props.reduced = true;
  for (int e = 0; e < 2; e++) {
    block->nodes[e] = first + ends[e];
    memcpy(block->dofs + (ptrdiff_t)GROUP * e, builder->model->nodes[first + ends[e]].dof, GROUP * sizeof *block->dofs);
  }
  return FW_OK;
}

/* Nodes that stand nowhere for the coordinates, three to each. */
static fw_status add_nodes(const reduction *r, int nodes, int *first) {
  const fw_model *model = r->model;
  double place[2];
  memcpy(place, model->nodes[model->bodies[r->body].first_node].x, sizeof place);
  *first = model->node_count;
  for (int n = 0; n < nodes; n++) {
    int node;
    FW_TRY(fw_builder_add_node(r->builder, place, true, &node));
    for (int k = 0; k < GROUP; k++) {
      int j = GROUP * n + k;
      model->nodes[node].dof[k] = j < fw_craig_bampton_size(&r->made) ? r->coordinates[j] : FW_DOF_NONE;
    }
  }
  return FW_OK;
}

static fw_status add_reduced(const reduction *r, double loss) {
  const int size = fw_craig_bampton_size(&r->made);
  double constants[FW_PAIR_CONSTANTS];
  int first;
  FW_TRY(add_nodes(r, fw_superelement_nodes(size), &first));
  for (int pair = 0; pair < fw_superelement_pairs(size); pair++) {
    int ends[2];
    bool any = fw_superelement_pair(size, r->made.K, r->made.M, r->made.C, pair, ends, constants);
    if (any) FW_TRY(add_pair(r, first, ends, loss, constants));
  }
  return FW_OK;
}

static double loss_factor(const reduction *r) {
  for (int b = 0; b < r->model->block_count; b++)
    if (is_of(r, &r->model->blocks[b])) return r->model->blocks[b].props.loss_factor;
  return 0.0;
}

static fw_status reduce(reduction *r) {
  double loss = loss_factor(r);
  FW_TRY(fw_alloc(r->builder->ctx, (size_t)r->model->dof_count, sizeof *r->dense, &r->dense));
  FW_TRY(choose_parts(r));
  FW_TRY(reduce_alone(r));
  FW_TRY(renumber(r));
  FW_TRY(set_elements_aside(r));
  FW_TRY(renumber_functionals(r));
  renumber_rest(r);
  return add_reduced(r, loss);
}

fw_status fw_reduce_tubes(fw_builder *builder) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  for (int i = 0; i < bodies->child_count && !builder->incomplete; i++) {
    const fw_item *item = &bodies->children[i];
    if (strcmp(item->name, "tube") != 0 || fw_args_integer(&item->args, "modes") == 0) continue;
    reduction r = {.builder = builder, .model = builder->model, .modes = fw_args_integer(&item->args, "modes")};
    r.body = fw_builder_body(builder, fw_args_text(&item->args, "id"));
    fw_status status = reduce(&r);
    free(r.part);
    free(r.number);
    free(r.coordinates);
    free(r.dense);
    fw_craig_bampton_clear(&r.made);
    if (status == FW_ERR_SINGULAR)
      return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "modes"),
                        "attribute 'modes': nothing stands on the tube or holds it: it cannot be reduced");
    FW_TRY(status);
  }
  return FW_OK;
}
