/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes to a mesh. Sets and curves follow every change. */
#ifndef FW_INPUT_MESH_EDIT_H
#define FW_INPUT_MESH_EDIT_H

#include "input/mesh/mesh.h"

/* Joins nodes closer than `tolerance` (0: 1e-9 of the mesh's extent); the first of them stays. */
fw_status fw_mesh_merge(fw_context *ctx, fw_mesh *mesh, double tolerance);

/* Leaves of a set of edges those that belong to one element only: the outline. */
fw_status fw_mesh_keep_outline(fw_context *ctx, const fw_mesh *mesh, fw_mesh_set *set);

/* Drops the nodes that no element uses. */
fw_status fw_mesh_compact(fw_context *ctx, fw_mesh *mesh);

/* Multiplies all coordinates. */
void fw_mesh_scale(fw_mesh *mesh, double factor);

/* Turns clockwise elements round. */
void fw_mesh_orient(fw_mesh *mesh);

/* Cuts every quad4 into two tri3 along its shorter diagonal. Refuses quad8: split first, elevate then. */
fw_status fw_mesh_split(fw_context *ctx, fw_mesh *mesh);

/* Adds the middles: quad4 -> quad8, tri3 -> tri6. A middle lies half-way, or on its curve; it joins the
 * node sets both its ends are in. Refuses a mesh that has middles already. */
fw_status fw_mesh_elevate(fw_context *ctx, fw_mesh *mesh);

/* All element edges, those between the same two corners side by side (lo < hi). To be freed by the caller. */
typedef struct fw_mesh_edge {
  int lo, hi, element, edge;
} fw_mesh_edge;
fw_status fw_mesh_edges(fw_context *ctx, const fw_mesh *mesh, fw_mesh_edge **edges, int *count);
/* First of the edges between two corners, or NULL. */
const fw_mesh_edge *fw_mesh_edge_find(const fw_mesh_edge *edges, int count, int a, int b);

#endif
