/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies joined by linear constraints, to be added once the freedoms are numbered. Rotations of what is joined
 * must stay small. */
#ifndef FW_ELEMENTS_TIE_H
#define FW_ELEMENTS_TIE_H

#include "core/model.h"

/* An edge by its model nodes: two ends and the middle (-1: none). */
typedef struct fw_tie_edge {
  int nodes[3];
} fw_tie_edge;

/* Edges that lie on each other but do not match (mortar): for each node i of the following side and both
 * directions, integral of N_i (u_following - u_leading) = 0. A constant stress passes undisturbed. The finer side
 * should follow. Freedoms that a support holds on the following side get no equation. FW_ERR_ARGUMENT, naming the
 * place, if a node of the following side faces nothing within a tenth of its edge's length. */
fw_status fw_tie_edges(fw_context *ctx, fw_model *model, const fw_tie_edge *following, int following_count,
                       const fw_tie_edge *leading, int leading_count);

/* A node with rotation (of a beam or rigid body) on a face given by its edges.
 * Rigid: every node of the face moves with it, u = u_0 + rz x arm: the face keeps its shape.
 * Transition: it follows the face in the mean, integral of (u - u_0 - rz x arm) and of its moment about the node are 0:
 * the face may warp and contract, as at the end of a beam in bending. */
fw_status fw_tie_rigid(fw_context *ctx, fw_model *model, int node, const fw_tie_edge *face, int count);
fw_status fw_tie_transition(fw_context *ctx, fw_model *model, int node, const fw_tie_edge *face, int count);

#endif
