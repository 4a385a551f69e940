/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading meshes from files. */
#ifndef FW_INPUT_MESH_IMPORT_H
#define FW_INPUT_MESH_IMPORT_H

#include <stddef.h>

#include "core/context.h"
#include "input/mesh/mesh.h"

/* ---- scan ------------------------------------------------------------------------------------------------ */

/* Reading a mesh file: text and binary numbers with bounds, errors with file and line. */

/* A file in memory. Numbers are read as text, or as bytes while `binary`. */
typedef struct fw_scan {
  fw_context *ctx;
  const char *file; /* name for messages, lent */
  const char *data; /* `size` bytes and a terminating 0 */
  size_t size, at;
  int line;          /* of what was read last */
  int ends;          /* line ends passed so far */
  bool binary, swap; /* bytes in the other order */
} fw_scan;

/* Records "file:line: message" (or the byte where binary) and returns FW_ERR_DECK. */
fw_status fw_scan_fail(const fw_scan *scan, const char *format, ...) FW_PRINTF(2, 3);

/* The next line without its end; false at the end of the file. */
bool fw_scan_line(fw_scan *scan, const char **text, size_t *length);

/* One number: binary, 4-byte integer, 8-byte unsigned or double. Numbers must be finite, counts and
 * labels fit an int. */
fw_status fw_scan_int(fw_scan *scan, int *value);
fw_status fw_scan_size(fw_scan *scan, int *value);
fw_status fw_scan_double(fw_scan *scan, double *value);

/* Goes behind the next occurrence of `text`; fails if there is none. */
fw_status fw_scan_past(fw_scan *scan, const char *text);

/* Reads a whole file; *data has a terminating 0 and is to be freed by the caller. */
fw_status fw_scan_load(fw_context *ctx, const char *path, char **data, size_t *size);

/* ---- import ---------------------------------------------------------------------------------------------- */

/* Meshes from files: Gmsh .msh 2.2 and 4.1, text or binary (physical groups become sets: surfaces
 * element sets, curves edge sets, points node sets, named as in Gmsh or by their number); nodes, elements
 * and sets of an Abaqus .inp (CPS and CPE types; *SURFACE with faces S1..S4 become edge sets); cells of a VTK .vtu
 * (whole numbers on its cells and points become sets). Clockwise elements are turned, nodes without element dropped, z
 * must be constant. A wrong file gives FW_ERR_DECK and a message with file and line; inverted or degenerate elements
 * are refused by their numbers. */

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
