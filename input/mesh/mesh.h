/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mesh of plane elements: places, connectivity, named sets. Generators (generate.h), importers
 * (import.h) and changes (edit.h) all work on this. */
#ifndef FW_INPUT_MESH_MESH_H
#define FW_INPUT_MESH_MESH_H

#include "elements/shape.h"

typedef struct fw_mesh_element {
  fw_shape shape; /* tri3, tri6, quad4 or quad8 */
  int nodes[FW_ELEMENT_NODES];
  int label; /* its number in the file it came from, or counted from 1: for messages */
} fw_mesh_element;

typedef enum fw_set_kind { FW_SET_NODES, FW_SET_ELEMENTS, FW_SET_EDGES } fw_set_kind;

/* A named set. items: node or element numbers (from 0), or pairs (element, edge) for edges; each once. */
typedef struct fw_mesh_set {
  char *name;
  fw_set_kind kind;
  int count, room;
  int *items;
} fw_mesh_set;

/* An element edge that is not straight: where its middle belongs when middles are added. */
typedef struct fw_mesh_curve {
  int a, b;
  double middle[2];
} fw_mesh_curve;

typedef struct fw_mesh {
  int node_count, node_room;
  double (*x)[2];
  int *labels; /* numbers in the file, or counted from 1 */
  int element_count, element_room;
  fw_mesh_element *elements;
  int set_count, set_room;
  fw_mesh_set *sets;
  int curve_count, curve_room;
  fw_mesh_curve *curves;
} fw_mesh;

fw_status fw_mesh_create(fw_context *ctx, fw_mesh **mesh);
void fw_mesh_destroy(fw_mesh **mesh);

/* Append. The index (may be NULL) is that of the new item. */
fw_status fw_mesh_add_node(fw_context *ctx, fw_mesh *mesh, double x, double y, int *index);
fw_status fw_mesh_add_element(fw_context *ctx, fw_mesh *mesh, fw_shape shape, const int *nodes, int *index);
fw_status fw_mesh_add_curve(fw_context *ctx, fw_mesh *mesh, int a, int b, const double middle[2]);

/* The set of that name and kind, created empty if there is none; NULL from find. One name may stand for
 * one set of each kind. */
fw_status fw_mesh_set_open(fw_context *ctx, fw_mesh *mesh, const char *name, fw_set_kind kind, fw_mesh_set **set);
const fw_mesh_set *fw_mesh_set_find(const fw_mesh *mesh, const char *name, fw_set_kind kind);
/* Appends an item; `edge` counts only in edge sets. */
fw_status fw_mesh_set_add(fw_context *ctx, fw_mesh_set *set, int item, int edge);
/* Sorts the items and drops the repeated ones. */
void fw_mesh_set_tidy(fw_mesh_set *set);

/* The nodes that belong to a name: of its node set, edge set or element set, in that order. *nodes is
 * sorted and to be freed by the caller. FW_ERR_ARGUMENT, naming the nearest, if there is none. */
fw_status fw_mesh_nodes(fw_context *ctx, const fw_mesh *mesh, const char *name, int **nodes, int *count);

/* Places of an element's nodes, x0 y0 x1 y1 ... */
void fw_mesh_places(const fw_mesh *mesh, int element, double *X);

#endif
