/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gmsh 4.1: text and binary hold the same numbers in the same order. */
#include "input/mesh/gmsh.h"

/* tag, place or bounding box, physical tags, and (but for points) the tags of the boundary. */
static fw_status read_entity(fw_gmsh *g, int dimension) {
  int tag, count, entity, item;
  double unused;
  FW_TRY(fw_scan_int(g->scan, &tag));
  for (int i = 0; i < (dimension == 0 ? 3 : 6); i++) FW_TRY(fw_scan_double(g->scan, &unused));
  FW_TRY(fw_scan_size(g->scan, &count));
  FW_TRY(fw_gmsh_entity_open(g, dimension, tag, &entity));
  for (int i = 0; i < count; i++) {
    FW_TRY(fw_gmsh_group(g, &item));
    FW_TRY(fw_gmsh_entity_add(g, entity, item));
  }
  if (dimension == 0) return FW_OK;
  FW_TRY(fw_scan_size(g->scan, &count));
  for (int i = 0; i < count; i++) FW_TRY(fw_scan_int(g->scan, &item));
  return FW_OK;
}

fw_status fw_gmsh4_entities(fw_gmsh *g) {
  int counts[4];
  for (int d = 0; d < 4; d++) FW_TRY(fw_scan_size(g->scan, counts + d));
  for (int d = 0; d < 4; d++)
    for (int i = 0; i < counts[d]; i++) FW_TRY(read_entity(g, d));
  return FW_OK;
}

fw_status fw_gmsh4_nodes(fw_gmsh *g) {
  int blocks, total, low, high;
  FW_TRY(fw_scan_size(g->scan, &blocks));
  FW_TRY(fw_scan_size(g->scan, &total));
  FW_TRY(fw_scan_size(g->scan, &low));
  FW_TRY(fw_scan_size(g->scan, &high));
  for (int b = 0; b < blocks; b++) {
    int dimension, tag, parametric, count, label;
    FW_TRY(fw_scan_int(g->scan, &dimension));
    FW_TRY(fw_scan_int(g->scan, &tag));
    FW_TRY(fw_scan_int(g->scan, &parametric));
    FW_TRY(fw_scan_size(g->scan, &count));
    if (dimension < 0 || dimension > 3) return fw_scan_fail(g->scan, "nodes of an entity of dimension %d", dimension);
    const int first = g->mesh->node_count;
    for (int i = 0; i < count; i++) { /* all labels, then all places */
      FW_TRY(fw_scan_size(g->scan, &label));
      FW_TRY(fw_mesh_add_node(g->scan->ctx, g->mesh, 0, 0, NULL));
      g->mesh->labels[first + i] = label;
    }
    for (int i = 0; i < count; i++) {
      double x[3], unused;
      for (int k = 0; k < 3; k++) FW_TRY(fw_scan_double(g->scan, x + k));
      for (int k = 0; parametric && k < dimension; k++) FW_TRY(fw_scan_double(g->scan, &unused));
      FW_TRY(fw_import_flat(g->scan, x[2], g->mesh->labels[first + i], &g->flat_known, &g->plane));
      g->mesh->x[first + i][0] = x[0];
      g->mesh->x[first + i][1] = x[1];
    }
  }
  if (g->mesh->node_count != total)
    return fw_scan_fail(g->scan, "%d nodes where %d were announced", g->mesh->node_count, total);
  return FW_OK;
}

fw_status fw_gmsh4_elements(fw_gmsh *g) {
  int blocks, total, low, high, seen = 0;
  FW_TRY(fw_scan_size(g->scan, &blocks));
  FW_TRY(fw_scan_size(g->scan, &total));
  FW_TRY(fw_scan_size(g->scan, &low));
  FW_TRY(fw_scan_size(g->scan, &high));
  for (int b = 0; b < blocks; b++) {
    int dimension, tag, type, count, entity, nodes;
    FW_TRY(fw_scan_int(g->scan, &dimension));
    FW_TRY(fw_scan_int(g->scan, &tag));
    FW_TRY(fw_scan_int(g->scan, &type));
    FW_TRY(fw_scan_size(g->scan, &count));
    FW_TRY(fw_gmsh_entity_open(g, dimension, tag, &entity));
    FW_TRY(fw_gmsh_type_nodes(g, type, &nodes));
    for (int i = 0; i < count; i++, seen++) {
      int label, list[FW_ELEMENT_NODES];
      FW_TRY(fw_scan_size(g->scan, &label));
      for (int k = 0; k < nodes; k++) FW_TRY(fw_scan_size(g->scan, list + k));
      FW_TRY(fw_gmsh_element(g, type, label, entity, list));
    }
  }
  if (seen != total) return fw_scan_fail(g->scan, "%d elements where %d were announced", seen, total);
  return FW_OK;
}
