/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/mesh/edit.h"

#include <math.h>
#include <stdlib.h>

#include "input/mesh/twins.h"

/* Renumbers the nodes by map (-1: dropped) and moves what is kept; map[i] <= i. */
static void renumber(fw_mesh *mesh, const int *map) {
  int kept = 0;
  for (int i = 0; i < mesh->node_count; i++)
    if (map[i] == kept) {
      mesh->x[kept][0] = mesh->x[i][0];
      mesh->x[kept][1] = mesh->x[i][1];
      mesh->labels[kept++] = mesh->labels[i];
    }
  mesh->node_count = kept;
  for (int e = 0; e < mesh->element_count; e++)
    for (int a = 0; a < fw_shape_nodes(mesh->elements[e].shape); a++)
      mesh->elements[e].nodes[a] = map[mesh->elements[e].nodes[a]];
  for (int s = 0; s < mesh->set_count; s++) {
    fw_mesh_set *set = mesh->sets + s;
    if (set->kind != FW_SET_NODES) continue;
    int count = 0;
    for (int i = 0; i < set->count; i++)
      if (map[set->items[i]] >= 0) set->items[count++] = map[set->items[i]];
    set->count = count;
    fw_mesh_set_tidy(set);
  }
  int curves = 0;
  for (int i = 0; i < mesh->curve_count; i++) {
    fw_mesh_curve curve = mesh->curves[i];
    curve.a = map[curve.a], curve.b = map[curve.b];
    if (curve.a >= 0 && curve.b >= 0) mesh->curves[curves++] = curve;
  }
  mesh->curve_count = curves;
}

void fw_mesh_scale(fw_mesh *mesh, double factor) {
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < mesh->node_count; i++) mesh->x[i][k] *= factor;
    for (int i = 0; i < mesh->curve_count; i++) mesh->curves[i].middle[k] *= factor;
  }
}

fw_status fw_mesh_merge(fw_context *ctx, fw_mesh *mesh, double tolerance) {
  fw_status status;
  int *map = NULL, kept = 0;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)mesh->node_count, sizeof *map, &map));
  FW_TRY_DONE(fw_find_twins(ctx, (const double(*)[2])mesh->x, mesh->node_count, tolerance, map));
  for (int i = 0; i < mesh->node_count; i++) /* the first twin comes before, so its new number is known */
    map[i] = map[i] == i ? kept++ : map[map[i]];
  renumber(mesh, map);
done:
  free(map);
  return status;
}

fw_status fw_mesh_compact(fw_context *ctx, fw_mesh *mesh) {
  int *map, kept = 0;
  FW_TRY(fw_alloc(ctx, (size_t)mesh->node_count, sizeof *map, &map));
  for (int e = 0; e < mesh->element_count; e++)
    for (int a = 0; a < fw_shape_nodes(mesh->elements[e].shape); a++) map[mesh->elements[e].nodes[a]] = 1;
  for (int i = 0; i < mesh->node_count; i++) map[i] = map[i] ? kept++ : -1;
  renumber(mesh, map);
  free(map);
  return FW_OK;
}

static double signed_area(const fw_mesh *mesh, const fw_mesh_element *element) {
  const int corners = fw_shape_corners(element->shape);
  double sum = 0;
  for (int a = 0; a < corners; a++) {
    const double *p = mesh->x[element->nodes[a]], *q = mesh->x[element->nodes[(a + 1) % corners]];
    sum += p[0] * q[1] - q[0] * p[1];
  }
  return 0.5 * sum;
}

static void swap(int *a, int *b) {
  const int keep = *a;
  *a = *b;
  *b = keep;
}

void fw_mesh_orient(fw_mesh *mesh) {
  for (int s = 0; s < mesh->set_count; s++) { /* edge k of the turned element was n - 1 - k */
    fw_mesh_set *set = mesh->sets + s;
    for (int i = 0; set->kind == FW_SET_EDGES && i < set->count; i++) {
      const fw_mesh_element *element = mesh->elements + set->items[2 * i];
      if (signed_area(mesh, element) < 0)
        set->items[2 * i + 1] = fw_shape_corners(element->shape) - 1 - set->items[2 * i + 1];
    }
  }
  for (int e = 0; e < mesh->element_count; e++) {
    fw_mesh_element *element = mesh->elements + e;
    const int corners = fw_shape_corners(element->shape);
    if (signed_area(mesh, element) >= 0) continue;
    int *middle = element->nodes + corners; /* corners 0 n-1 .. 1, middles n-1 .. 0 */
    for (int a = 1, b = corners - 1; a < b; a++, b--) swap(element->nodes + a, element->nodes + b);
    if (fw_shape_nodes(element->shape) > corners)
      for (int a = 0, b = corners - 1; a < b; a++, b--) swap(middle + a, middle + b);
  }
}

/* ---- edges ------------------------------------------------------------------------------- */

static int compare_edges(const void *a, const void *b) {
  const fw_mesh_edge *x = a, *y = b;
  if (x->lo != y->lo) return x->lo < y->lo ? -1 : 1;
  if (x->hi != y->hi) return x->hi < y->hi ? -1 : 1;
  return (x->element > y->element) - (x->element < y->element);
}

fw_status fw_mesh_edges(fw_context *ctx, const fw_mesh *mesh, fw_mesh_edge **edges, int *count) {
  *count = 0;
  FW_TRY(fw_alloc(ctx, 4 * (size_t)mesh->element_count, sizeof **edges, edges));
  for (int e = 0; e < mesh->element_count; e++) {
    const fw_mesh_element *element = mesh->elements + e;
    for (int k = 0; k < fw_shape_corners(element->shape); k++) {
      int ends[3];
      fw_shape_edge(element->shape, k, ends);
      const int a = element->nodes[ends[0]], b = element->nodes[ends[1]];
      (*edges)[(*count)++] = (fw_mesh_edge){a < b ? a : b, a < b ? b : a, e, k};
    }
  }
  qsort(*edges, (size_t)*count, sizeof **edges, compare_edges);
  return FW_OK;
}

const fw_mesh_edge *fw_mesh_edge_find(const fw_mesh_edge *edges, int count, int a, int b) {
  const fw_mesh_edge wanted = {a < b ? a : b, a < b ? b : a, -1, 0};
  int low = 0, high = count; /* first edge not before `wanted` */
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (compare_edges(edges + middle, &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && edges[low].lo == wanted.lo && edges[low].hi == wanted.hi ? edges + low : NULL;
}

/* Edges between the same two corners stand side by side. */
static bool is_shared(const fw_mesh_edge *first, const fw_mesh_edge *end) {
  return first && first + 1 < end && first[1].lo == first->lo && first[1].hi == first->hi;
}

fw_status fw_mesh_keep_outline(fw_context *ctx, const fw_mesh *mesh, fw_mesh_set *set) {
  fw_mesh_edge *edges;
  int count, kept = 0;
  FW_TRY(fw_mesh_edges(ctx, mesh, &edges, &count));
  for (int i = 0; i < set->count; i++) {
    const int e = set->items[2 * i], k = set->items[2 * i + 1];
    const fw_mesh_element *element = mesh->elements + e;
    int ends[3];
    fw_shape_edge(element->shape, k, ends);
    const fw_mesh_edge *first = fw_mesh_edge_find(edges, count, element->nodes[ends[0]], element->nodes[ends[1]]);
    if (is_shared(first, edges + count)) continue;
    set->items[2 * kept] = e;
    set->items[2 * kept++ + 1] = k;
  }
  set->count = kept;
  free(edges);
  return FW_OK;
}
