/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two versions of Gmsh's format share. */
#ifndef FW_INPUT_MESH_GMSH_H
#define FW_INPUT_MESH_GMSH_H

#include "input/mesh/import.h"

/* A geometric entity (4.1) or a physical group (2.2) and the physical groups it belongs to. */
typedef struct fw_gmsh_entity {
  int dimension, tag;
  int count, room, *physical;
} fw_gmsh_entity;

/* A physical group that has a name. */
typedef struct fw_gmsh_name {
  int dimension, tag;
  char *name;
} fw_gmsh_name;

/* A line or point element: its end nodes (labels), to be found as an edge or a node. */
typedef struct fw_gmsh_trace {
  int dimension, nodes[2], entity, label;
} fw_gmsh_trace;

typedef struct fw_gmsh {
  fw_scan *scan;
  fw_mesh *mesh;
  bool flat_known;
  double plane; /* z of the mesh */
  fw_gmsh_entity *entities;
  int entity_count, entity_room;
  fw_gmsh_name *names;
  int name_count, name_room;
  fw_gmsh_trace *traces;
  int trace_count, trace_room;
  int *element_entity; /* per plane element, -1: none */
  int element_entity_room;
} fw_gmsh;

/* Sections of format 4.1 and of 2.2, from behind "$Name" to before "$EndName". */
fw_status fw_gmsh4_entities(fw_gmsh *g);
fw_status fw_gmsh4_nodes(fw_gmsh *g);
fw_status fw_gmsh4_elements(fw_gmsh *g);
fw_status fw_gmsh2_nodes(fw_gmsh *g);
fw_status fw_gmsh2_elements(fw_gmsh *g);

/* Index of an entity, added if it is new. */
fw_status fw_gmsh_entity_open(fw_gmsh *g, int dimension, int tag, int *index);
fw_status fw_gmsh_entity_add(fw_gmsh *g, int entity, int physical);
/* The next number as a physical group; negative: oriented backwards. */
fw_status fw_gmsh_group(fw_gmsh *g, int *physical);
fw_status fw_gmsh_node(fw_gmsh *g, int label, const double x[3]);
/* Number of nodes of a Gmsh element type; refuses those we have no use for. */
fw_status fw_gmsh_type_nodes(fw_gmsh *g, int type, int *count);
fw_status fw_gmsh_element(fw_gmsh *g, int type, int label, int entity, const int *nodes);

#endif
