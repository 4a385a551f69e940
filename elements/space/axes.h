/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements in space between three sets of axes: their own, the deck's, and those of their nodes' freedoms. A vector of
 * an element has six entries a node, x, y, rz, z, rx, ry; node i turns by the axes (three rows, orthonormal) at
 * axes + stride * i: components along the axes = axes * components along the deck's. */
#ifndef FW_ELEMENTS_SPACE_AXES_H
#define FW_ELEMENTS_SPACE_AXES_H

#include "elements/element.h"

enum { FW_SPACE_MOST = 2 * FW_SPACE_DOFS, FW_SPACE_SIZE = FW_SPACE_MOST * FW_SPACE_MOST };

typedef struct fw_space_axes {
  int nodes;
  const double *axes;
  int stride;
} fw_space_axes;

/* The axes of the nodes of an element, from its places. */
static inline fw_space_axes fw_space_node_axes(int nodes, const double *X) {
  return (fw_space_axes){nodes, X + 3, FW_SPACE_PLACES};
}

/* Deck to axes and back, in place; a matrix of deck axes to the axes. */
void fw_space_turn(const fw_space_axes *to, double *vector);
void fw_space_turn_back(const fw_space_axes *from, double *vector);
void fw_space_turn_matrix(const fw_space_axes *to, double *matrix);
void fw_space_turn_matrix_back(const fw_space_axes *from, double *matrix);

#endif
