/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Meshes from files: Gmsh .msh 2.2 and 4.1, text or binary (physical groups become sets: surfaces
 * element sets, curves edge sets, points node sets, named as in Gmsh or by their number); nodes, elements
 * and sets of an Abaqus .inp (CPS and CPE types; *SURFACE with faces S1..S4 become edge sets); cells of a VTK .vtu
 * (whole numbers on its cells and points become sets). Clockwise elements are turned, nodes without element dropped, z
 * must be constant. A wrong file gives FW_ERR_DECK and a message with file and line; inverted or degenerate elements
 * are refused by their numbers. */
#ifndef FW_INPUT_MESH_IMPORT_H
#define FW_INPUT_MESH_IMPORT_H

#include "input/mesh/mesh.h"
#include "input/mesh/scan.h"

/* By content: which of the formats it is. */
fw_status fw_mesh_read(fw_context *ctx, const char *path, fw_mesh **mesh);

/* The same from memory: `size` bytes followed by a 0; `name` for messages. */
fw_status fw_mesh_parse(fw_context *ctx, const char *name, const char *data, size_t size, fw_mesh **mesh);

/* One format each, into an empty mesh. */
fw_status fw_gmsh_parse(fw_scan *scan, fw_mesh *mesh);
fw_status fw_abaqus_parse(fw_scan *scan, fw_mesh *mesh);
fw_status fw_vtu_parse(fw_scan *scan, fw_mesh *mesh);

/* Replaces the labels an importer put into mesh->elements[].nodes by node numbers. */
fw_status fw_import_resolve(fw_scan *scan, fw_mesh *mesh);

/* Refuses nodes that leave the plane z = constant: first z in *plane once `any`. */
fw_status fw_import_flat(const fw_scan *scan, double z, int label, bool *any, double *plane);

#endif
