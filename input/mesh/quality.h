/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How good the elements of a mesh are, and the refusal of those that are none. */
#ifndef FW_INPUT_MESH_QUALITY_H
#define FW_INPUT_MESH_QUALITY_H

#include "core/context.h"
#include "input/mesh/mesh.h"

/* Of one element, from its corners. */
fw_quality fw_mesh_element_quality(const fw_mesh *mesh, int element);

/* The worst of each measure over the mesh, and the labels of the elements that have it. */
typedef struct fw_mesh_quality {
  fw_quality worst;
  int jacobian_label, aspect_label, angle_min_label, angle_max_label;
} fw_mesh_quality;

void fw_mesh_quality_of(const fw_mesh *mesh, fw_mesh_quality *quality);

/* FW_ERR_ARGUMENT if an element is inverted, folded or degenerate: the message gives the numbers (the
 * first ten) and why. Also for a mesh without elements or an element that names a node twice. */
fw_status fw_mesh_check(fw_context *ctx, const fw_mesh *mesh);

/* Elements that lie upon each other. */

/* Whether the centre of an element is inside another one, and where. Sound meshes have none; of meshes that cover each
 * other the finer one has. */
fw_status fw_mesh_overlap(fw_context *ctx, const fw_mesh *mesh, bool *overlaps, double at[2]);

#endif
