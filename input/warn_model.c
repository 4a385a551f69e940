/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "elements/element.h"
#include "input/warn_parts.h"

/* ---- triangles ---------------------------------------------------------------------------- */

/* The <plane> of a body, NULL if it is something else. Not all that stands among the bodies has an id (<merge>). */
static const fw_item *plane_item(const fw_built *built, const char *id) {
  const fw_item *bodies = fw_item_child(&built->root, "bodies");
  for (int i = 0; bodies && i < bodies->child_count; i++) {
    const fw_item *item = &bodies->children[i];
    if (strcmp(item->name, "plane") == 0 && strcmp(fw_args_text(&item->args, "id"), id) == 0) return item;
  }
  return NULL;
}

static int count_elements(const fw_model *model, int body, bool triangles) {
  int count = 0;
  for (int b = 0; b < model->block_count; b++)
    if (model->blocks[b].body == body && (!triangles || model->blocks[b].ops->shape == FW_SHAPE_TRI3))
      count += model->blocks[b].count;
  return count;
}

fw_status fw_warn_of_triangles(fw_context *ctx, const fw_built *built, fw_warnings *warnings) {
  const fw_model *model = built->model;
  for (int i = 0; i < model->body_count; i++) {
    const fw_item *item = plane_item(built, model->bodies[i].id);
    if (!item || !item->entry) continue;
    int triangles = count_elements(model, i, true);
    if (!triangles || strcmp(item->entry->name, "tri3") == 0) continue;
    FW_TRY(fw_warnings_add(ctx, warnings, FW_WARN_TRIANGLES, item->args.place,
                           "%d of %d elements are triangles, for which tri3 stands in for '%s': it is too stiff in "
                           "bending; tri6 is not",
                           triangles, count_elements(model, i, false), item->entry->name));
  }
  return FW_OK;
}

/* ---- damping ------------------------------------------------------------------------------ */

/* True if the force of a spring, damper or mass changes with velocity. */
static bool resists_motion(const fw_model *model, const fw_block *block, int element) {
  const fw_element_ops *ops = block->ops;
  double X[FW_ELEMENT_PLACES], q[FW_ELEMENT_DOFS] = {0}, v[FW_ELEMENT_DOFS];
  double at_rest[FW_ELEMENT_DOFS] = {0}, moving[FW_ELEMENT_DOFS] = {0};
  fw_element_places(model, block, element, X);
  for (int i = 0; i < FW_ELEMENT_DOFS; i++) v[i] = 1.0 + i * i; /* none of its ends moves as another */
  if (ops->force(&block->props, X, q, NULL, at_rest, NULL, NULL) != FW_OK) return true;
  if (ops->force(&block->props, X, q, v, moving, NULL, NULL) != FW_OK) return true;
  for (int i = 0; i < FW_ELEMENT_DOFS; i++)
    if (at_rest[i] != moving[i]) return true;
  return false;
}

static bool is_block_damped(const fw_model *model, const fw_block *block) {
  const fw_properties *props = &block->props;
  if (props->rayleigh_alpha != 0.0 || props->rayleigh_beta != 0.0 || props->loss_factor != 0.0) return true;
  if (block->ops->shape != FW_SHAPE_POINT) return false;
  if (block->ops->nodes > 2) return true; /* given by matrices: not looked into */
  for (int e = 0; e < block->count; e++)
    if (resists_motion(model, block, e)) return true;
  return false;
}

static bool is_damped(const fw_model *model) {
  if (model->pair_count > 0 || model->modal_damping_count > 0) return true;
  for (int b = 0; b < model->block_count; b++)
    if (is_block_damped(model, &model->blocks[b])) return true;
  return false;
}

fw_status fw_warn_of_undamped(fw_context *ctx, const fw_built *built, fw_warnings *warnings) {
  bool damped = is_damped(built->model);
  for (int i = 0; !damped && built->analyses && i < built->analyses->child_count; i++) {
    const fw_item *item = &built->analyses->children[i];
    if (strcmp(item->name, "frf") != 0 && strcmp(item->name, "resonance") != 0) continue;
    FW_TRY(fw_warnings_add(ctx, warnings, FW_WARN_UNDAMPED, item->args.place,
                           "nothing damps the model: at a resonance its amplitude has no bound, and the largest one "
                           "shown is that of the grid"));
  }
  return FW_OK;
}
