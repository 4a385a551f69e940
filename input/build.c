/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order in which a model is built, and its end. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "contact/detect/surface.h"
#include "contact/pair.h"
#include "core/field.h"
#include "input/builder.h"
#include "input/mesh/mesh.h"

/* Errors of one stage do not keep the next from reporting its own, unless it needs what is missing; without
 * memory there is no next. */
static fw_status build_all(fw_builder *builder) {
  fw_status (*const stages[])(fw_builder *) = {
      fw_build_beams,         fw_build_tubes,   fw_build_support_planes, fw_build_planes,         fw_build_rigids,
      fw_build_superelements, fw_check_space,   fw_build_carried,        fw_build_point_elements, fw_build_films,
      fw_build_damping,       fw_build_flows,   fw_build_supports,       fw_build_freedoms,       fw_build_joints,
      fw_build_ties,          fw_build_contact, fw_build_loads,          fw_build_sensors,        fw_build_initial,
      fw_check_damping,       fw_check_analyses};
  fw_status worst = FW_OK;
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    fw_status status = stages[i](builder);
    if (status == FW_OK) continue;
    if (status == FW_ERR_MEMORY) return status;
    worst = status;
    builder->incomplete = true;
  }
  return worst;
}

static fw_status set_title(fw_builder *builder) {
  const fw_item *title = fw_item_child(builder->root, "title");
  return fw_copy_text(builder->ctx, title && title->text ? title->text : "", &builder->model->title);
}

fw_status fw_build_model(fw_context *ctx, const fw_item *root, bool whole, fw_model **model) {
  fw_builder builder = {.ctx = ctx, .root = root};
  FW_TRY(fw_alloc(ctx, 1, sizeof **model, model));
  builder.model = *model;
  fw_status status = fw_builder_open(&builder);
  if (status == FW_OK) status = set_title(&builder);
  if (status == FW_OK) status = build_all(&builder);
  if (status == FW_OK && builder.model->dof_count == 0)
    status = fw_fail_at(ctx, FW_ERR_DECK, root->args.place, "nothing in this deck can move");
  if (status == FW_OK) status = fw_check_joints(&builder);
  if (status == FW_OK) status = fw_check_held(&builder);
  if (status == FW_OK && !whole) status = fw_reduce_tubes(&builder);
  for (int i = 0; i < builder.point_count; i++) free(builder.points[i].name);
  free(builder.points);
  for (int i = 0; i < builder.mesh_count; i++) {
    fw_mesh_destroy(&builder.meshes[i].mesh);
    free(builder.meshes[i].block);
    free(builder.meshes[i].index);
  }
  free(builder.meshes);
  fw_builder_close(&builder);
  if (status != FW_OK) fw_model_destroy(model);
  return status;
}

static void destroy_blocks(fw_block *blocks, int count) {
  for (int i = 0; i < count; i++) {
    free(blocks[i].nodes);
    free(blocks[i].dofs);
    free((void *)(uintptr_t)blocks[i].props.constants);
  }
  free(blocks);
}

static void destroy_reduced(fw_reduced_body *body) {
  destroy_blocks(body->blocks, body->block_count);
  for (int i = 0; i < body->form_count; i++) fw_functional_clear(&body->forms[i]);
  free(body->forms);
}

static void destroy_parts(fw_model *model) {
  for (int i = 0; i < model->body_count; i++) free(model->bodies[i].id);
  destroy_blocks(model->blocks, model->block_count);
  for (int i = 0; i < model->reduced_body_count; i++) destroy_reduced(&model->reduced_bodies[i]);
  free(model->reduced_bodies);
  for (int i = 0; i < model->ring_count; i++) free(model->rings[i].support);
  for (int i = 0; i < model->joint_count; i++) {
    free(model->joints[i].id);
    free(model->joints[i].constants);
  }
  for (int i = 0; i < model->tie_count; i++) fw_functional_clear(&model->ties[i].form);
  free(model->initials);
  for (int i = 0; i < model->load_count; i++) {
    free(model->loads[i].id);
    free(model->loads[i].constants);
    fw_functional_clear(&model->loads[i].shape);
    fw_field_destroy(&model->loads[i].field);
  }
  for (int i = 0; i < model->sensor_count; i++) {
    free(model->sensors[i].id);
    fw_functional_clear(&model->sensors[i].shape);
  }
  for (int k = 0; k < 3; k++) fw_functional_clear(&model->reduced_mass[k]);
  free(model->flows);
  for (int i = 0; i < model->pair_count; i++) fw_pair_destroy(&model->pairs[i]);
  for (int i = 0; i < model->surface_count; i++) fw_surface_destroy(&model->surfaces[i]);
}

void fw_model_destroy(fw_model **model) {
  if (!model || !*model) return;
  fw_model *self = *model;
  destroy_parts(self);
  free(self->title);
  free(self->nodes);
  free(self->triads);
  free(self->rings);
  free(self->bodies);
  free(self->joints);
  free(self->ties);
  free(self->loads);
  free(self->sensors);
  free(self->pairs);
  free(self->surfaces);
  free(self->z_start);
  free(self->modal_damping);
  free(self);
  *model = NULL;
}
