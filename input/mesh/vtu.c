/* SPDX-License-Identifier: GPL-3.0-or-later */
/* VTK .vtu: triangles and quadrilaterals; lines and vertices among the cells belong to sets only. A .vtu has no names
 * for parts but numbers on cells and points: each array of whole numbers gives the sets ARRAY-NUMBER. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/mesh/edit.h"
#include "input/mesh/import.h"
#include "input/mesh/vtu.h"

/* Numbers of VTK's cell types. */
enum { VERTEX = 1, LINE = 3, TRIANGLE = 5, PIXEL = 8, QUAD = 9, EDGE3 = 21, TRIANGLE6 = 22, QUAD8 = 23 };

enum { MOST_SETS = 1000 }; /* of one array: more numbers are a quantity, not parts */

static const struct {
  int type, nodes;
  fw_shape shape;
} known[] = {{TRIANGLE, 3, FW_SHAPE_TRI3},
             {TRIANGLE6, 6, FW_SHAPE_TRI6},
             {QUAD, 4, FW_SHAPE_QUAD4},
             {PIXEL, 4, FW_SHAPE_QUAD4},
             {QUAD8, 8, FW_SHAPE_QUAD8}};

/* ---- cells ------------------------------------------------------------------------------- */

static bool is_trace(int type) { return type == VERTEX || type == LINE || type == EDGE3; }

static fw_status add_cell(const fw_scan *scan, fw_mesh *mesh, const fw_vtu *vtu, int c, int *index) {
  const int count = vtu->starts[c + 1] - vtu->starts[c];
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (known[k].type != vtu->types[c] || known[k].nodes != count) continue;
    int nodes[FW_ELEMENT_NODES] = {0};
    memcpy(nodes, vtu->link + vtu->starts[c], (size_t)count * sizeof *nodes);
    if (known[k].type == PIXEL) { /* numbered row by row */
      nodes[2] = vtu->link[vtu->starts[c] + 3];
      nodes[3] = vtu->link[vtu->starts[c] + 2];
    }
    FW_TRY(fw_mesh_add_element(scan->ctx, mesh, known[k].shape, nodes, index));
    mesh->elements[*index].label = c + 1;
    return FW_OK;
  }
  return fw_fail(
      scan->ctx, FW_ERR_DECK,
      "%s: cell %d of type %d with %d points: only vertices, lines, triangles of 3 or 6 and quadrilaterals of "
      "4 or 8 points are known",
      scan->file, c + 1, vtu->types[c], count);
}

/* element[c]: which one cell c became, or -1. */
static fw_status add_cells(const fw_scan *scan, fw_mesh *mesh, const fw_vtu *vtu, int *element) {
  double plane = 0.0;
  bool any = false;
  for (int i = 0; i < vtu->points; i++) {
    const double *x = vtu->x[i];
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
      return fw_fail(scan->ctx, FW_ERR_DECK, "%s: point %d is not finite", scan->file, i + 1);
    FW_TRY(fw_import_flat(scan, x[2], i + 1, &any, &plane));
    FW_TRY(fw_mesh_add_node(scan->ctx, mesh, x[0], x[1], NULL));
  }
  for (int c = 0; c < vtu->cells; c++) {
    element[c] = -1;
    if (!is_trace(vtu->types[c])) FW_TRY(add_cell(scan, mesh, vtu, c, &element[c]));
  }
  fw_mesh_orient(mesh);
  return FW_OK;
}

/* ---- sets -------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* True if the array names parts: whole numbers, not too many different ones. */
static fw_status names_parts(fw_context *ctx, const double *values, int count, bool *parts) {
  double *sorted;
  int different = 0;
  *parts = false;
  for (int i = 0; i < count; i++)
    if (!(fabs(values[i]) < 1e9) || values[i] != floor(values[i])) return FW_OK;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *sorted, &sorted));
  memcpy(sorted, values, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, compare_numbers);
  for (int i = 0; i < count; i++) different += i == 0 || sorted[i] != sorted[i - 1];
  free(sorted);
  *parts = different <= MOST_SETS;
  return FW_OK;
}

/* Puts an item into the set ARRAY-NUMBER; what a deck's names do not have becomes '-'. */
static fw_status add_item(fw_context *ctx, fw_mesh *mesh, const fw_vtu_array *array, int at, fw_set_kind kind, int item,
                          int edge) {
  char name[128];
  fw_mesh_set *set;
  snprintf(name, sizeof name, "%.100s-%d", array->name, (int)array->values[at]);
  for (char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') *c = '-';
  FW_TRY(fw_mesh_set_open(ctx, mesh, name, kind, &set));
  return fw_mesh_set_add(ctx, set, item, edge);
}

typedef struct edges {
  fw_mesh_edge *list;
  int count;
} edges;

/* A line on the edge of an element is that edge; other lines, and vertices, are their points. */
static fw_status add_trace(fw_context *ctx, fw_mesh *mesh, const fw_vtu *vtu, const fw_vtu_array *array, int c,
                           const edges *all) {
  const int *ends = vtu->link + vtu->starts[c], count = vtu->starts[c + 1] - vtu->starts[c];
  const fw_mesh_edge *edge = count >= 2 ? fw_mesh_edge_find(all->list, all->count, ends[0], ends[1]) : NULL;
  if (edge) return add_item(ctx, mesh, array, c, FW_SET_EDGES, edge->element, edge->edge);
  for (int k = 0; k < count; k++) FW_TRY(add_item(ctx, mesh, array, c, FW_SET_NODES, ends[k], 0));
  return FW_OK;
}

static fw_status add_sets(fw_context *ctx, fw_mesh *mesh, const fw_vtu *vtu, const int *element) {
  fw_status status = FW_OK;
  edges all = {0};
  bool parts;
  FW_TRY_DONE(fw_mesh_edges(ctx, mesh, &all.list, &all.count));
  for (int k = 0; k < vtu->of_cells.count; k++) {
    const fw_vtu_array *array = &vtu->of_cells.list[k];
    FW_TRY_DONE(names_parts(ctx, array->values, vtu->cells, &parts));
    for (int c = 0; parts && c < vtu->cells; c++)
      FW_TRY_DONE(element[c] >= 0 ? add_item(ctx, mesh, array, c, FW_SET_ELEMENTS, element[c], 0)
                                  : add_trace(ctx, mesh, vtu, array, c, &all));
  }
  for (int k = 0; k < vtu->of_points.count; k++) {
    const fw_vtu_array *array = &vtu->of_points.list[k];
    FW_TRY_DONE(names_parts(ctx, array->values, vtu->points, &parts));
    for (int i = 0; parts && i < vtu->points; i++) FW_TRY_DONE(add_item(ctx, mesh, array, i, FW_SET_NODES, i, 0));
  }
  for (int s = 0; s < mesh->set_count; s++) fw_mesh_set_tidy(mesh->sets + s);
done:
  free(all.list);
  return status;
}

fw_status fw_vtu_parse(fw_scan *scan, fw_mesh *mesh) {
  fw_status status;
  fw_vtu vtu;
  int *element = NULL;
  FW_TRY_DONE(fw_vtu_read(scan->ctx, scan->file, scan->data, scan->size, &vtu));
  FW_TRY_DONE(fw_alloc(scan->ctx, (size_t)vtu.cells, sizeof *element, &element));
  FW_TRY_DONE(add_cells(scan, mesh, &vtu, element));
  status = add_sets(scan->ctx, mesh, &vtu, element);
done:
  free(element);
  fw_vtu_clear(&vtu);
  return status;
}
