/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1500 }; /* more are not drawn one by one */

int fw_outline_corners(const fw_grid *grid, int64_t cell) {
  int type = grid->types[cell];
  if (type == FW_CELL_TRI6) return 3;
  return type == FW_CELL_QUAD8 ? 4 : (int)(grid->starts[cell + 1] - grid->starts[cell]);
}

fw_status fw_outline_planes(fw_context *ctx, const fw_grid *grid, bool **plane) {
  int bodies = 0;
  bool *has_axis = NULL;
  *plane = NULL;
  for (int64_t c = 0; c < grid->cells; c++) bodies = (int)fmax(bodies, grid->body[c] + 1);
  FW_TRY(fw_alloc(ctx, (size_t)grid->cells, sizeof **plane, plane));
  fw_status status = fw_alloc(ctx, (size_t)bodies, sizeof *has_axis, &has_axis);
  if (status != FW_OK) {
    free(*plane);
    *plane = NULL;
    return status;
  }
  for (int64_t c = 0; c < grid->cells; c++)
    if (grid->types[c] == FW_CELL_LINE && grid->body[c] >= 0) has_axis[(int)grid->body[c]] = true;
  for (int64_t c = 0; c < grid->cells; c++)
    (*plane)[c] = grid->types[c] != FW_CELL_VERTEX && grid->types[c] != FW_CELL_LINE && grid->body[c] >= 0 &&
                  !has_axis[(int)grid->body[c]];
  free(has_axis);
  return FW_OK;
}

void fw_outline_clear(fw_outline *outline) {
  free(outline->points);
  *outline = (fw_outline){0};
}

static void add(fw_outline *o, int64_t point) { o->points[o->count++] = point; }

/* ---- edges of bodies ----------------------------------------------------------------------- */

/* An edge from a to b, the body on its left. */
typedef struct edge {
  int64_t a, b;
} edge;

static int compare_edges(const void *left, const void *right) {
  const edge *p = left, *q = right;
  int64_t p1 = p->a < p->b ? p->a : p->b, p2 = p->a < p->b ? p->b : p->a;
  int64_t q1 = q->a < q->b ? q->a : q->b, q2 = q->a < q->b ? q->b : q->a;
  return p1 != q1 ? (p1 > q1) - (p1 < q1) : (p2 > q2) - (p2 < q2);
}

/* Keeps the edges that only one cell has. */
static size_t keep_single(edge *edges, size_t count) {
  size_t kept = 0;
  qsort(edges, count, sizeof *edges, compare_edges);
  for (size_t i = 0; i < count;) {
    size_t end = i + 1;
    while (end < count && compare_edges(&edges[i], &edges[end]) == 0) end++;
    if (end == i + 1) edges[kept++] = edges[i];
    i = end;
  }
  return kept;
}

/* Walks along the edges; a second edge from one point is drawn by itself. next: [points]. */
static void add_chains(fw_outline *o, const edge *edges, size_t count, int64_t *next, int64_t points) {
  for (int64_t p = 0; p < points; p++) next[p] = -1;
  for (size_t i = 0; i < count; i++) {
    if (next[edges[i].a] < 0) {
      next[edges[i].a] = edges[i].b;
      continue;
    }
    add(o, edges[i].a), add(o, edges[i].b), add(o, -1);
  }
  for (int64_t p = 0; p < points; p++) {
    if (next[p] < 0) continue;
    add(o, p);
    for (int64_t at = p, then; (then = next[at]) >= 0; at = then) {
      next[at] = -1;
      add(o, then);
    }
    add(o, -1);
  }
}

static fw_status add_boundary(fw_context *ctx, const fw_grid *grid, const bool *plane, fw_outline *o) {
  edge *edges = NULL;
  int64_t *next = NULL;
  size_t count = 0;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)grid->links, sizeof *edges, &edges));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)grid->points, sizeof *next, &next));
  for (int64_t c = 0; c < grid->cells; c++) {
    int corners = plane[c] ? fw_outline_corners(grid, c) : 0;
    const int64_t *link = grid->link + grid->starts[c];
    for (int i = 0; i < corners; i++) edges[count++] = (edge){link[i], link[(i + 1) % corners]};
  }
  add_chains(o, edges, keep_single(edges, count), next, grid->points);
done:
  free(edges);
  free(next);
  return status;
}

/* ---- all ----------------------------------------------------------------------------------- */

static void add_cell(fw_outline *o, const fw_grid *grid, int64_t c) {
  int corners = fw_outline_corners(grid, c);
  const int64_t *link = grid->link + grid->starts[c];
  for (int i = 0; i < corners; i++) add(o, link[i]);
  if (corners > 2) add(o, link[0]);
  add(o, -1);
}

fw_status fw_outline_create(fw_context *ctx, const fw_grid *grid, fw_outline *o) {
  bool *plane = NULL;
  int64_t planes = 0;
  fw_status status = FW_OK;
  *o = (fw_outline){0};
  FW_TRY_DONE(fw_outline_planes(ctx, grid, &plane));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)(3 * grid->links + 2 * grid->cells) + 1, sizeof *o->points, &o->points));
  for (int64_t c = 0; c < grid->cells; c++) planes += plane[c];
  for (int64_t c = 0; c < grid->cells; c++)
    if (grid->types[c] == FW_CELL_LINE || (plane[c] && planes <= MOST_CELLS)) add_cell(o, grid, c);
  if (planes > MOST_CELLS) FW_TRY_DONE(add_boundary(ctx, grid, plane, o));
done:
  free(plane);
  if (status != FW_OK) fw_outline_clear(o);
  return status;
}
