/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Freedoms: merged, numbered node by node, in the blocks' lists. */
#include <stdlib.h>
#include <string.h>

#include "input/builder.h"

/* Numbers the free ones in the order of their nodes, which keeps a beam's band narrow. */
static void number(fw_model *model, int *parent) {
  int total = model->node_count * FW_SPACE_DOFS;
  for (int i = 0; i < total; i++) {
    int *dof = &model->nodes[i / FW_SPACE_DOFS].dof[i % FW_SPACE_DOFS];
    if (fw_root(parent, i) == i && *dof >= 0) *dof = model->dof_count++;
  }
  for (int i = 0; i < total; i++) {
    int *dof = &model->nodes[i / FW_SPACE_DOFS].dof[i % FW_SPACE_DOFS], root = fw_root(parent, i);
    if (root != i && *dof != FW_DOF_NONE) *dof = model->nodes[root / FW_SPACE_DOFS].dof[root % FW_SPACE_DOFS];
  }
}

static void fill_blocks(fw_model *model) {
  for (int b = 0; b < model->block_count; b++) {
    fw_block *block = &model->blocks[b];
    int per_node = fw_element_node_dofs(block->ops), nodes = block->count * block->ops->nodes;
    for (int k = 0; k < nodes; k++)
      memcpy(block->dofs + k * per_node, model->nodes[block->nodes[k]].dof, (size_t)per_node * sizeof *block->dofs);
  }
}

fw_status fw_build_freedoms(fw_builder *builder) {
  fw_model *model = builder->model;
  int *parent, total = model->node_count * FW_SPACE_DOFS;
  FW_TRY(fw_alloc(builder->ctx, (size_t)total, sizeof *parent, &parent));
  for (int i = 0; i < total; i++) parent[i] = i;
  fw_status status = fw_merge_freedoms(builder, parent);
  number(model, parent);
  fill_blocks(model);
  free(parent);
  return status;
}
