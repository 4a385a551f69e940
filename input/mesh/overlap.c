/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/mesh/overlap.h"

#include <math.h>
#include <stdlib.h>

enum { CORNERS = 4 };

typedef struct centre {
  double x, y;
  int element;
} centre;

static int corners_of(const fw_mesh *mesh, int element, double X[2 * FW_ELEMENT_NODES]) {
  fw_shape shape = mesh->elements[element].shape;
  fw_mesh_places(mesh, element, X);
  return shape == FW_SHAPE_TRI3 || shape == FW_SHAPE_TRI6 ? CORNERS - 1 : CORNERS;
}

static int by_x(const void *a, const void *b) {
  const centre *p = a, *q = b;
  return p->x < q->x ? -1 : p->x > q->x ? 1 : p->element - q->element;
}

/* Whether a place is well inside a convex element: by more than a thousandth of its size, which rounding never is. */
static bool is_inside(const double *X, int corners, const centre *c) {
  for (int i = 0; i < corners; i++) {
    const double *p = X + 2 * (ptrdiff_t)i, *q = X + 2 * (ptrdiff_t)((i + 1) % corners);
    double along[2] = {q[0] - p[0], q[1] - p[1]}, length2 = along[0] * along[0] + along[1] * along[1];
    if (along[0] * (c->y - p[1]) - along[1] * (c->x - p[0]) <= 1e-3 * length2) return false;
  }
  return true;
}

/* First centre not left of x. */
static int first_from(const centre *centres, int count, double x) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (centres[middle].x < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* An element whose centre is in element e, or -1. */
static int covered_by(const fw_mesh *mesh, const centre *centres, int e, double at[2]) {
  double X[2 * FW_ELEMENT_NODES], least = INFINITY, most = -INFINITY;
  int corners = corners_of(mesh, e, X);
  for (int i = 0; i < corners; i++) {
    least = fmin(least, X[2 * i]);
    most = fmax(most, X[2 * i]);
  }
  for (int k = first_from(centres, mesh->element_count, least); k < mesh->element_count && centres[k].x <= most; k++) {
    if (centres[k].element == e || !is_inside(X, corners, &centres[k])) continue;
    at[0] = centres[k].x;
    at[1] = centres[k].y;
    return centres[k].element;
  }
  return -1;
}

fw_status fw_mesh_overlap(fw_context *ctx, const fw_mesh *mesh, bool *overlaps, double at[2]) {
  centre *centres = NULL;
  *overlaps = false;
  FW_TRY(fw_alloc(ctx, (size_t)mesh->element_count, sizeof *centres, &centres));
  for (int e = 0; e < mesh->element_count; e++) {
    double X[2 * FW_ELEMENT_NODES];
    int corners = corners_of(mesh, e, X);
    centres[e].element = e;
    for (int i = 0; i < corners; i++) {
      centres[e].x += X[2 * i] / corners;
      centres[e].y += X[2 * i + 1] / corners;
    }
  }
  qsort(centres, (size_t)mesh->element_count, sizeof *centres, by_x);
  for (int e = 0; e < mesh->element_count && !*overlaps; e++) *overlaps = covered_by(mesh, centres, e, at) >= 0;
  free(centres);
  return FW_OK;
}
