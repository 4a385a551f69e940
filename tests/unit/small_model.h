/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small models made by hand, for tests below the deck reader. */
#ifndef FW_TESTS_SMALL_MODEL_H
#define FW_TESTS_SMALL_MODEL_H

#include <string.h>

#include "core/state.h"
#include "elements/element.h"

enum { SMALL_NODES = 16 };

/* A one-element model: node i of the element at places[i], all freedoms free. */
typedef struct small_model {
  fw_node nodes[SMALL_NODES];
  int element_nodes[SMALL_NODES], element_dofs[FW_ELEMENT_DOFS];
  fw_body body;
  fw_block block;
  fw_model model;
} small_model;

static inline void small_model_make(small_model *m, const char *element, const double (*places)[2]) {
  memset(m, 0, sizeof *m);
  const fw_element_ops *ops = (const fw_element_ops *)fw_table_find(&fw_elements, element);
  int per_node = ops->rotations ? 3 : 2, dof = 0;
  for (int n = 0; n < ops->nodes; n++) {
    memcpy(m->nodes[n].x, places[n], sizeof m->nodes[n].x);
    m->nodes[n].dof[FW_RZ] = FW_DOF_NONE;
    m->element_nodes[n] = n;
    for (int d = 0; d < per_node; d++) {
      m->element_dofs[dof] = dof;
      m->nodes[n].dof[d] = dof++;
    }
  }
  static char title[] = "small", id[] = "body";
  m->body.id = id;
  m->body.kind = "test";
  m->body.node_count = ops->nodes;
  m->block.ops = ops;
  m->block.count = 1;
  m->block.nodes = m->element_nodes;
  m->block.dofs = m->element_dofs;
  m->model.title = title;
  m->model.nodes = m->nodes;
  m->model.node_count = ops->nodes;
  m->model.dof_count = dof;
  m->model.bodies = &m->body;
  m->model.blocks = &m->block;
  m->model.body_count = m->model.block_count = 1;
}

#endif
