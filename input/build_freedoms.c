/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Freedoms: <merge>, numbers node by node, the blocks' lists. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/builder.h"

/* Freedoms that move as one form a set; parent[] leads to the one that stands for it. A freedom is
 * node * FW_NODE_DOFS + direction. */
static int find_root(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void unite(const fw_model *model, int *parent, int a, int b) {
  int ra = find_root(parent, a), rb = find_root(parent, b);
  if (ra == rb) return;
  /* One that is held holds the others. */
  bool held = model->nodes[rb / FW_NODE_DOFS].dof[rb % FW_NODE_DOFS] == FW_DOF_FIXED;
  bool later = ra > rb && model->nodes[ra / FW_NODE_DOFS].dof[ra % FW_NODE_DOFS] != FW_DOF_FIXED;
  if (held || later)
    parent[ra] = rb;
  else
    parent[rb] = ra;
}

static fw_status check_together(fw_builder *builder, const fw_item *item, const fw_point *a, const fw_point *b) {
  fw_place place = fw_builder_place(&item->args, "points");
  if (a->arm[0] != 0.0 || a->arm[1] != 0.0 || b->arm[0] != 0.0 || b->arm[1] != 0.0)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, place, "attribute 'points': a point with an offset cannot be merged");
  double size = fmax(1e-3, fmax(hypot(a->place[0], a->place[1]), hypot(b->place[0], b->place[1])));
  double apart = hypot(a->place[0] - b->place[0], a->place[1] - b->place[1]);
  if (apart <= 1e-8 * size) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, place, "attribute 'points': '%s' and '%s' are %g m apart", a->name,
                    b->name, apart);
}

static fw_status merge(fw_builder *builder, const fw_item *item, int *parent) {
  const fw_model *model = builder->model;
  bool rigid = strcmp(fw_args_text(&item->args, "rotation"), "shared") == 0;
  const fw_point *first = NULL;
  for (const char *at = fw_args_text(&item->args, "points"); *at;) {
    at += strspn(at, ", \t\r\n");
    size_t length = strcspn(at, ", \t\r\n");
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    at += length;
    const fw_point *point = length ? fw_builder_point(builder, name) : NULL;
    if (!point) continue;
    if (!first) {
      first = point;
      continue;
    }
    FW_TRY(check_together(builder, item, first, point));
    int a = first->node * FW_NODE_DOFS, b = point->node * FW_NODE_DOFS;
    unite(model, parent, a + FW_X, b + FW_X);
    unite(model, parent, a + FW_Y, b + FW_Y);
    bool both =
        model->nodes[first->node].dof[FW_RZ] != FW_DOF_NONE && model->nodes[point->node].dof[FW_RZ] != FW_DOF_NONE;
    if (rigid && both) unite(model, parent, a + FW_RZ, b + FW_RZ);
  }
  return FW_OK;
}

/* A carried node turns with its body; where that does not turn it moves with it too. */
static void merge_carried(const fw_builder *builder, int *parent) {
  const fw_model *model = builder->model;
  for (int i = 0; i < builder->point_count; i++) {
    const fw_point *point = &builder->points[i];
    if (point->carried < 0) continue;
    int host = point->node * FW_NODE_DOFS, own = point->carried * FW_NODE_DOFS;
    bool turns = model->nodes[point->node].dof[FW_RZ] != FW_DOF_NONE;
    for (int k = turns ? FW_RZ : FW_X; k <= (turns ? FW_RZ : FW_Y); k++) unite(model, parent, host + k, own + k);
  }
}

static fw_status merge_all(fw_builder *builder, int *parent) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  fw_status worst = FW_OK;
  for (int i = 0; i < bodies->child_count; i++) {
    if (strcmp(bodies->children[i].name, "merge") != 0) continue;
    fw_status status = merge(builder, &bodies->children[i], parent);
    if (status != FW_OK) worst = status;
  }
  return worst;
}

/* Numbers the free ones in the order of their nodes, which keeps a beam's band narrow. */
static void number(fw_model *model, int *parent) {
  int total = model->node_count * FW_NODE_DOFS;
  for (int i = 0; i < total; i++) {
    int *dof = &model->nodes[i / FW_NODE_DOFS].dof[i % FW_NODE_DOFS];
    if (find_root(parent, i) == i && *dof >= 0) *dof = model->dof_count++;
  }
  for (int i = 0; i < total; i++) {
    int *dof = &model->nodes[i / FW_NODE_DOFS].dof[i % FW_NODE_DOFS], root = find_root(parent, i);
    if (root != i && *dof != FW_DOF_NONE) *dof = model->nodes[root / FW_NODE_DOFS].dof[root % FW_NODE_DOFS];
  }
}

static void fill_blocks(fw_model *model) {
  for (int b = 0; b < model->block_count; b++) {
    fw_block *block = &model->blocks[b];
    int per_node = block->ops->rotations ? 3 : 2, nodes = block->count * block->ops->nodes;
    for (int k = 0; k < nodes; k++)
      memcpy(block->dofs + k * per_node, model->nodes[block->nodes[k]].dof, (size_t)per_node * sizeof *block->dofs);
  }
}

fw_status fw_build_freedoms(fw_builder *builder) {
  fw_model *model = builder->model;
  int *parent, total = model->node_count * FW_NODE_DOFS;
  FW_TRY(fw_alloc(builder->ctx, (size_t)total, sizeof *parent, &parent));
  for (int i = 0; i < total; i++) parent[i] = i;
  fw_status status = merge_all(builder, parent);
  merge_carried(builder, parent);
  number(model, parent);
  fill_blocks(model);
  free(parent);
  return status;
}
