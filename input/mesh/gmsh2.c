/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gmsh 2.2. The count of a section is text in binary files too. */
#include "input/mesh/gmsh.h"

/* The count, and the end of its line where bytes follow. */
static fw_status read_count(fw_gmsh *g, int *count) {
  const bool binary = g->scan->binary;
  const char *rest;
  size_t length;
  g->scan->binary = false;
  const fw_status status = fw_scan_size(g->scan, count);
  if (status == FW_OK && binary) (void)fw_scan_line(g->scan, &rest, &length);
  g->scan->binary = binary;
  return status;
}

fw_status fw_gmsh2_nodes(fw_gmsh *g) {
  int count;
  FW_TRY(read_count(g, &count));
  for (int i = 0; i < count; i++) {
    int label;
    double x[3];
    FW_TRY(fw_scan_int(g->scan, &label));
    for (int k = 0; k < 3; k++) FW_TRY(fw_scan_double(g->scan, x + k));
    FW_TRY(fw_gmsh_node(g, label, x));
  }
  return FW_OK;
}

/* Tags (the first is the physical group, 0: none) and nodes of one element. */
static fw_status read_element(fw_gmsh *g, int type, int label, int tags) {
  static const int dimensions[] = {[1] = 1, [2] = 2, [3] = 2, [8] = 1, [9] = 2, [15] = 0, [16] = 2};
  int nodes, physical = 0, tag, entity = -1, list[FW_ELEMENT_NODES];
  FW_TRY(fw_gmsh_type_nodes(g, type, &nodes));
  for (int k = 0; k < tags; k++) {
    if (k == 0)
      FW_TRY(fw_gmsh_group(g, &physical));
    else
      FW_TRY(fw_scan_int(g->scan, &tag));
  }
  for (int k = 0; k < nodes; k++) FW_TRY(fw_scan_int(g->scan, list + k));
  if (physical != 0) {
    FW_TRY(fw_gmsh_entity_open(g, dimensions[type], physical, &entity));
    if (g->entities[entity].count == 0) FW_TRY(fw_gmsh_entity_add(g, entity, physical));
  }
  return fw_gmsh_element(g, type, label, entity, list);
}

/* Binary: blocks of elements of one type with a header (type, how many, tags). */
static fw_status binary_elements(fw_gmsh *g, int count) {
  for (int seen = 0; seen < count;) {
    int type, many, tags, label;
    FW_TRY(fw_scan_int(g->scan, &type));
    FW_TRY(fw_scan_int(g->scan, &many));
    FW_TRY(fw_scan_int(g->scan, &tags));
    if (many < 1 || many > count - seen) return fw_scan_fail(g->scan, "a block of %d elements", many);
    if (tags < 0) return fw_scan_fail(g->scan, "%d tags", tags);
    for (int i = 0; i < many; i++, seen++) {
      FW_TRY(fw_scan_int(g->scan, &label));
      FW_TRY(read_element(g, type, label, tags));
    }
  }
  return FW_OK;
}

fw_status fw_gmsh2_elements(fw_gmsh *g) {
  int count;
  FW_TRY(read_count(g, &count));
  if (g->scan->binary) return binary_elements(g, count);
  for (int i = 0; i < count; i++) {
    int label, type, tags;
    FW_TRY(fw_scan_int(g->scan, &label));
    FW_TRY(fw_scan_int(g->scan, &type));
    FW_TRY(fw_scan_int(g->scan, &tags));
    if (tags < 0) return fw_scan_fail(g->scan, "%d tags", tags);
    FW_TRY(read_element(g, type, label, tags));
  }
  return FW_OK;
}
