/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of elements, from elements.def. */
#include <stddef.h>
#include <string.h>

#include "elements/element.h"

#define FW_ELEMENT(name) extern const fw_element_ops fw_element_##name;
#include "elements/elements.def"
#undef FW_ELEMENT

#define FW_ELEMENT(name) &fw_element_##name.entry,
static const fw_entry *const entries[] = {
#include "elements/elements.def"
    NULL};
#undef FW_ELEMENT

bool fw_model_has_film(const fw_model *model) {
  for (int b = 0; b < model->block_count; b++)
    if (model->blocks[b].ops->damping) return true;
  return false;
}

static void space_places(const fw_model *model, const fw_node *node, double *X) {
  double axes[3][3];
  fw_node_place(model, node, X);
  fw_node_axes(model, node, axes);
  memcpy(X + 3, axes, sizeof axes);
}

void fw_element_places(const fw_model *model, const fw_block *block, int e, double X[FW_ELEMENT_PLACES]) {
  const int nodes = block->ops->nodes, *node = block->nodes + (ptrdiff_t)e * nodes;
  if (block->ops->space)
    for (int i = 0; i < nodes; i++) space_places(model, &model->nodes[node[i]], X + (ptrdiff_t)FW_SPACE_PLACES * i);
  else
    for (int i = 0; i < nodes; i++)
      for (int k = 0; k < 2; k++) X[2 * i + k] = model->nodes[node[i]].x[k];
}

void fw_element_translation(const fw_element_ops *ops, const double *X, int axis, double q[FW_ELEMENT_DOFS]) {
  int each = fw_element_node_dofs(ops);
  memset(q, 0, FW_ELEMENT_DOFS * sizeof *q);
  for (int i = 0; i < ops->nodes; i++) {
    const double *axes = X + (ptrdiff_t)FW_SPACE_PLACES * i + 3;
    if (!ops->space && axis < 2) q[each * i + axis] = 1.0;
    for (int k = 0; ops->space && k < 3; k++) q[each * i + fw_dof_moves[k]] = axes[3 * k + axis];
  }
}

const fw_table fw_elements = {"elements", "finite elements: beams, plane and point elements", entries};
