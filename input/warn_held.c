/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What acts on, or is read of, nothing that moves: supports hold it, or it cancels itself. */
#include <string.h>

#include "elements/bushing.h"
#include "elements/element.h"
#include "input/warn_parts.h"

/* ---- loads and sensors -------------------------------------------------------------------- */

/* A load of zero is one that a parameter switches off. */
static bool is_off(const fw_args *args) {
  for (int i = 0; args->params[i].name; i++)
    if (args->params[i].kind == FW_PARAM_NUMBER && args->values[i].count && args->values[i].numbers[0] != 0.0)
      return false;
  return true;
}

static fw_status look_at_loads(fw_context *ctx, const fw_built *built, fw_warnings *warnings) {
  const fw_model *model = built->model;
  const fw_item *loads = fw_item_child(&built->root, "loads");
  for (int i = 0; i < model->load_count; i++) {
    const fw_load *load = &model->loads[i];
    const fw_args *args = &loads->children[i].args;
    if (load->field || fw_functional_acts(&load->shape) || is_off(args)) continue;
    FW_TRY(fw_warnings_add(ctx, warnings, FW_WARN_HELD, args->place,
                           "the load '%s' changes nothing: supports hold what it acts on, or it cancels itself",
                           load->id));
  }
  return FW_OK;
}

static fw_status look_at_sensors(fw_context *ctx, const fw_built *built, fw_warnings *warnings) {
  const fw_model *model = built->model;
  const fw_item *sensors = fw_item_child(&built->root, "sensors");
  for (int i = 0; i < model->sensor_count; i++)
    if (!fw_functional_acts(&model->sensors[i].shape))
      FW_TRY(fw_warnings_add(ctx, warnings, FW_WARN_HELD, sensors->children[i].args.place,
                             "the sensor '%s' is always 0: supports hold what it reads", model->sensors[i].id));
  return FW_OK;
}

/* ---- springs, dampers, masses ------------------------------------------------------------- */

/* True if the force on a free freedom changes when the free ones move by `by`, or while they do. */
static bool feels(const fw_block *block, const int *dofs, const double *X, double by) {
  const fw_element_ops *ops = block->ops;
  double q[FW_ELEMENT_DOFS] = {0}, v[FW_ELEMENT_DOFS] = {0}, rest[FW_ELEMENT_DOFS] = {0}, f[FW_ELEMENT_DOFS] = {0};
  int n = fw_element_dofs(ops);
  for (int i = 0; i < n; i++)
    if (dofs[i] >= 0) q[i] = v[i] = by * (1.0 + i * i); /* none of its ends moves as another */
  if (ops->force(&block->props, X, (const double[FW_ELEMENT_DOFS]){0}, NULL, rest, NULL, NULL) != FW_OK) return true;
  if (ops->force(&block->props, X, q, v, f, NULL, NULL) != FW_OK) return true;
  for (int i = 0; i < n; i++)
    if (dofs[i] >= 0 && (f[i] != 0.0 || rest[i] != 0.0)) return true;
  return false;
}

static bool has_inertia(const fw_block *block, const int *dofs, const double *X) {
  double M[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
  int n = fw_element_dofs(block->ops);
  fw_element_mass_matrix(block->ops, &block->props, X, M);
  for (int i = 0; i < n; i++)
    if (dofs[i] >= 0 && M[i * n + i] != 0.0) return true;
  return false;
}

/* Both ways: a spring with clearance may act in one of them only. */
static bool acts(const fw_block *block, const int *dofs, const double *X) {
  return has_inertia(block, dofs, X) || feels(block, dofs, X, 1.0) || feels(block, dofs, X, -1.0);
}

/* A damper of 0 does nothing anywhere: a parameter switches it off. */
static bool is_held(const fw_model *model, const fw_block *block) {
  static const int all_free[FW_ELEMENT_DOFS];
  double X[FW_ELEMENT_PLACES];
  fw_element_places(model, block, 0, X);
  return !acts(block, block->dofs, X) && acts(block, all_free, X);
}

/* A support that is elastic in directions that another one holds fixed. */
static fw_status look_at_support(fw_context *ctx, const fw_block *block, fw_warnings *warnings) {
  const double *k = block->props.constants + FW_BUSHING_K, *of_space = block->props.constants + FW_BUSHING_SPACE_K;
  for (int i = 0; i < fw_element_node_dofs(block->ops); i++)
    if ((i < FW_NODE_DOFS ? k[i] : of_space[i - FW_NODE_DOFS]) != 0.0 && block->dofs[i] == FW_DOF_FIXED)
      FW_TRY(fw_warnings_add(ctx, warnings, FW_WARN_HELD, block->place,
                             "the support's stiffness in %s changes nothing: another support fixes it",
                             fw_dof_names[i]));
  return FW_OK;
}

/* Elements that are given by matrices, or have more than two ends, are not looked into. */
static fw_status look_at_elements(fw_context *ctx, const fw_built *built, fw_warnings *warnings) {
  const fw_model *model = built->model;
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    if (block->ops->shape != FW_SHAPE_POINT || block->ops->nodes > 2 || !block->place.file) continue;
    if (strcmp(block->ops->entry.name, "elastic-support") == 0)
      FW_TRY(look_at_support(ctx, block, warnings));
    else if (is_held(model, block))
      FW_TRY(fw_warnings_add(ctx, warnings, FW_WARN_HELD, block->place,
                             "the %s '%s' changes nothing: supports hold what it acts on", block->ops->entry.name,
                             model->bodies[block->body].id));
  }
  return FW_OK;
}

fw_status fw_warn_of_held(fw_context *ctx, const fw_built *built, fw_warnings *warnings) {
  FW_TRY(look_at_loads(ctx, built, warnings));
  FW_TRY(look_at_sensors(ctx, built, warnings));
  return look_at_elements(ctx, built, warnings);
}
