/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements that lie upon each other. */
#ifndef FW_INPUT_MESH_OVERLAP_H
#define FW_INPUT_MESH_OVERLAP_H

#include "core/context.h"
#include "input/mesh/mesh.h"

/* Whether the centre of an element is inside another one, and where. Sound meshes have none; of meshes that cover each
 * other the finer one has. */
fw_status fw_mesh_overlap(fw_context *ctx, const fw_mesh *mesh, bool *overlaps, double at[2]);

#endif
