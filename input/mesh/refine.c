/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splitting quadrilaterals and adding middles (edit.h). */
#include <math.h>
#include <stdlib.h>

#include "input/mesh/edit.h"

/* ---- quadrilaterals to triangles --------------------------------------------------------- */

/* Corners of the two triangles, and for each edge of the quadrilateral its triangle and edge there,
 * for the diagonals 0-2 and 1-3. */
static const int cut_corners[2][2][3] = {{{0, 1, 2}, {0, 2, 3}}, {{0, 1, 3}, {1, 2, 3}}};
static const int cut_edges[2][4][2] = {{{0, 0}, {0, 1}, {1, 1}, {1, 2}}, {{0, 0}, {1, 0}, {1, 1}, {0, 2}}};

static int shorter_diagonal(const fw_mesh *mesh, const fw_mesh_element *quad) {
  const double *p[4];
  for (int a = 0; a < 4; a++) p[a] = mesh->x[quad->nodes[a]];
  const double first = hypot(p[2][0] - p[0][0], p[2][1] - p[0][1]),
               second = hypot(p[3][0] - p[1][0], p[3][1] - p[1][1]);
  return second < first * (1 - 1e-9); /* equal up to rounding: always 0-2 */
}

/* first[e]: number of the first element that e becomes; diagonal[e]: -1 if it stays. */
static fw_status split_set(fw_context *ctx, fw_mesh_set *set, const int *first, const int *diagonal) {
  const int count = set->count;
  for (int i = 0; i < count; i++) {
    if (set->kind == FW_SET_ELEMENTS) {
      const int old = set->items[i];
      set->items[i] = first[old];
      if (diagonal[old] >= 0) FW_TRY(fw_mesh_set_add(ctx, set, first[old] + 1, 0));
    } else if (set->kind == FW_SET_EDGES) {
      int *item = set->items + 2 * (size_t)i;
      const int old = item[0], *to = diagonal[old] >= 0 ? cut_edges[diagonal[old]][item[1]] : NULL;
      item[0] = first[old] + (to != NULL ? to[0] : 0);
      if (to != NULL) item[1] = to[1];
    }
  }
  if (set->kind != FW_SET_NODES) fw_mesh_set_tidy(set);
  return FW_OK;
}

fw_status fw_mesh_split(fw_context *ctx, fw_mesh *mesh) {
  fw_status status;
  const int count = mesh->element_count;
  int *first = NULL, *diagonal = NULL, total = 0;
  fw_mesh_element *elements = NULL;
  for (int e = 0; e < count; e++)
    if (mesh->elements[e].shape == FW_SHAPE_QUAD8)
      return fw_fail(ctx, FW_ERR_ARGUMENT, "element %d is a quad8: split before adding middles",
                     mesh->elements[e].label);
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *first, &first));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *diagonal, &diagonal));
  FW_TRY_DONE(fw_alloc(ctx, 2 * (size_t)count, sizeof *elements, &elements));
  for (int e = 0; e < count; e++) {
    const fw_mesh_element *old = mesh->elements + e;
    first[e] = total;
    diagonal[e] = old->shape == FW_SHAPE_QUAD4 ? shorter_diagonal(mesh, old) : -1;
    if (diagonal[e] < 0) {
      elements[total++] = *old;
      continue;
    }
    for (int k = 0; k < 2; k++) {
      elements[total] = (fw_mesh_element){.shape = FW_SHAPE_TRI3, .label = old->label};
      for (int a = 0; a < 3; a++) elements[total].nodes[a] = old->nodes[cut_corners[diagonal[e]][k][a]];
      total++;
    }
  }
  for (int s = 0; s < mesh->set_count; s++) FW_TRY_DONE(split_set(ctx, mesh->sets + s, first, diagonal));
  free(mesh->elements);
  mesh->elements = elements;
  mesh->element_count = total;
  mesh->element_room = 2 * count;
  elements = NULL;
done:
  free(first);
  free(diagonal);
  free(elements);
  return status;
}

/* ---- middles ----------------------------------------------------------------------------- */

static int compare_curves(const void *a, const void *b) {
  const fw_mesh_curve *x = a, *y = b;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

static void sort_curves(fw_mesh *mesh) {
  for (int i = 0; i < mesh->curve_count; i++) {
    fw_mesh_curve *curve = mesh->curves + i;
    if (curve->a > curve->b) *curve = (fw_mesh_curve){curve->b, curve->a, {curve->middle[0], curve->middle[1]}};
  }
  if (mesh->curve_count > 1) qsort(mesh->curves, (size_t)mesh->curve_count, sizeof *mesh->curves, compare_curves);
}

static fw_status add_middle(fw_context *ctx, fw_mesh *mesh, const fw_mesh_edge *edge, int *index) {
  const double *a = mesh->x[edge->lo], *b = mesh->x[edge->hi];
  double place[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
  const fw_mesh_curve wanted = {.a = edge->lo, .b = edge->hi}, *curve = NULL;
  if (mesh->curve_count > 0)
    curve = bsearch(&wanted, mesh->curves, (size_t)mesh->curve_count, sizeof wanted, compare_curves);
  if (curve != NULL) place[0] = curve->middle[0], place[1] = curve->middle[1];
  return fw_mesh_add_node(ctx, mesh, place[0], place[1], index);
}

/* middles[i]: the middle of edge i of the list. */
static fw_status extend_node_set(fw_context *ctx, const fw_mesh *mesh, fw_mesh_set *set, const fw_mesh_edge *edges,
                                 const int *middles, int count) {
  bool *inside;
  fw_status status = FW_OK;
  FW_TRY(fw_alloc(ctx, (size_t)mesh->node_count, sizeof *inside, &inside));
  for (int i = 0; i < set->count; i++) inside[set->items[i]] = true;
  for (int i = 0; i < count && status == FW_OK; i++)
    if (inside[edges[i].lo] && inside[edges[i].hi]) status = fw_mesh_set_add(ctx, set, middles[i], 0);
  fw_mesh_set_tidy(set);
  free(inside);
  return status;
}

fw_status fw_mesh_elevate(fw_context *ctx, fw_mesh *mesh) {
  fw_status status;
  fw_mesh_edge *edges = NULL;
  int count = 0, *middles = NULL;
  for (int e = 0; e < mesh->element_count; e++)
    if (fw_shape_nodes(mesh->elements[e].shape) != fw_shape_corners(mesh->elements[e].shape))
      return fw_fail(ctx, FW_ERR_ARGUMENT, "element %d has middles already", mesh->elements[e].label);
  sort_curves(mesh);
  FW_TRY_DONE(fw_mesh_edges(ctx, mesh, &edges, &count));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *middles, &middles));
  for (int i = 0; i < count; i++) {
    const bool same = i > 0 && edges[i].lo == edges[i - 1].lo && edges[i].hi == edges[i - 1].hi;
    if (same)
      middles[i] = middles[i - 1];
    else
      FW_TRY_DONE(add_middle(ctx, mesh, edges + i, middles + i));
  }
  for (int s = 0; s < mesh->set_count; s++)
    if (mesh->sets[s].kind == FW_SET_NODES)
      FW_TRY_DONE(extend_node_set(ctx, mesh, mesh->sets + s, edges, middles, count));
  for (int i = 0; i < count; i++) {
    fw_mesh_element *element = mesh->elements + edges[i].element;
    element->nodes[fw_shape_corners(element->shape) + edges[i].edge] = middles[i];
  }
  for (int e = 0; e < mesh->element_count; e++)
    mesh->elements[e].shape = mesh->elements[e].shape == FW_SHAPE_TRI3 ? FW_SHAPE_TRI6 : FW_SHAPE_QUAD8;
  mesh->curve_count = 0;
done:
  free(edges);
  free(middles);
  return status;
}
