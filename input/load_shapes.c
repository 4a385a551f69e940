/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/load_shapes.h"

void fw_shape_scatter(const fw_block *block, int element, const double *w, double *dense) {
  int n = fw_element_dofs(block->ops);
  for (int i = 0; i < n; i++) {
    int dof = block->dofs[element * n + i];
    if (dof >= 0) dense[dof] += w[i];
  }
}

double fw_shape_length(const fw_model *model, const fw_block *block, int e) {
  const int *nodes = block->nodes + (ptrdiff_t)2 * e;
  double chord = fw_node_distance(model, &model->nodes[nodes[0]], &model->nodes[nodes[1]]);
  return block->props.arc > 0 ? block->props.arc * chord : chord;
}

fw_status fw_shape_compress(fw_builder *builder, const double *dense, fw_functional *shape) {
  int count = builder->model->dof_count, used = 0;
  for (int i = 0; i < count; i++) used += dense[i] != 0.0;
  FW_TRY(fw_alloc(builder->ctx, (size_t)used, sizeof *shape->dof, &shape->dof));
  FW_TRY(fw_alloc(builder->ctx, (size_t)used, sizeof *shape->weight, &shape->weight));
  shape->room = used;
  for (int i = 0; i < count; i++)
    if (dense[i] != 0.0) {
      shape->dof[shape->count] = i;
      shape->weight[shape->count++] = dense[i];
    }
  return FW_OK;
}
