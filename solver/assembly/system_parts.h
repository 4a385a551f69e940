/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the assembled system and its elements. */
#ifndef FW_ASSEMBLY_SYSTEM_PARTS_H
#define FW_ASSEMBLY_SYSTEM_PARTS_H

#include "elements/element.h"

/* Places of the nodes of element e. */
static inline void fw_element_places(const fw_model *model, const fw_block *block, int e, double *X) {
  int nodes = block->ops->nodes;
  for (int i = 0; i < nodes; i++) {
    const fw_node *node = &model->nodes[block->nodes[e * nodes + i]];
    X[2 * i] = node->x[0];
    X[2 * i + 1] = node->x[1];
  }
}

/* Values of its freedoms; held ones are 0. */
static inline void fw_element_gather(const int *dofs, int n, const double *q, double *qe) {
  for (int i = 0; i < n; i++) qe[i] = dofs[i] >= 0 ? q[dofs[i]] : 0.0;
}

/* Adds factor times its matrix to the values of a sparse one, at fw_system.scatter. */
static inline void fw_element_scatter(const int32_t *where, int n, const double *Ke, double factor, double *x) {
  for (int k = 0; k < n * n; k++)
    if (where[k] >= 0) x[where[k]] += factor * Ke[k];
}

#endif
