/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/mesh/quality.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "elements/plane/plane.h"

static const double degree = M_PI / 180;

fw_quality fw_mesh_element_quality(const fw_mesh *mesh, int element) {
  double X[2 * FW_ELEMENT_NODES], longest = 0, shortest = INFINITY;
  const int corners = fw_shape_corners(mesh->elements[element].shape);
  const double ideal = corners == 3 ? sin(60 * degree) : 1;
  fw_quality q = {.jacobian = INFINITY, .angle_min = INFINITY, .angle_max = -INFINITY};
  fw_mesh_places(mesh, element, X);
  for (int a = 0; a < corners; a++) {
    const double *p = X + 2 * a, *next = X + 2 * ((a + 1) % corners), *last = X + 2 * ((a + corners - 1) % corners);
    const double u[2] = {next[0] - p[0], next[1] - p[1]}, v[2] = {last[0] - p[0], last[1] - p[1]};
    const double lu = hypot(u[0], u[1]), lv = hypot(v[0], v[1]), cross = u[0] * v[1] - u[1] * v[0];
    double angle = atan2(cross, u[0] * v[0] + u[1] * v[1]) / degree;
    if (angle < 0) angle += 360;
    q.jacobian = fmin(q.jacobian, lu * lv > 0 ? fmin(1, cross / (lu * lv * ideal)) : 0);
    q.angle_min = fmin(q.angle_min, angle);
    q.angle_max = fmax(q.angle_max, angle);
    longest = fmax(longest, lu);
    shortest = fmin(shortest, lu);
  }
  q.aspect = shortest > 0 ? longest / shortest : INFINITY;
  return q;
}

void fw_mesh_quality_of(const fw_mesh *mesh, fw_mesh_quality *quality) {
  *quality = (fw_mesh_quality){.worst = {INFINITY, 0, INFINITY, -INFINITY}};
  fw_quality *worst = &quality->worst;
  for (int e = 0; e < mesh->element_count; e++) {
    const fw_quality q = fw_mesh_element_quality(mesh, e);
    const int label = mesh->elements[e].label;
    if (q.jacobian < worst->jacobian) worst->jacobian = q.jacobian, quality->jacobian_label = label;
    if (q.aspect > worst->aspect) worst->aspect = q.aspect, quality->aspect_label = label;
    if (q.angle_min < worst->angle_min) worst->angle_min = q.angle_min, quality->angle_min_label = label;
    if (q.angle_max > worst->angle_max) worst->angle_max = q.angle_max, quality->angle_max_label = label;
  }
}

static const char *wrong_with(const fw_mesh *mesh, int element) {
  const fw_mesh_element *e = mesh->elements + element;
  const int n = fw_shape_nodes(e->shape);
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++)
      if (e->nodes[a] == e->nodes[b]) return "a node is named twice";
  double X[2 * FW_ELEMENT_NODES];
  fw_mesh_places(mesh, element, X);
  return fw_plane_check_shape(e->shape, X);
}

fw_status fw_mesh_check(fw_context *ctx, const fw_mesh *mesh) {
  enum { LISTED = 10 };
  char list[LISTED * 12 + 1] = "";
  int wrong = 0, used = 0;
  const char *why = NULL;
  if (mesh->element_count == 0) return fw_fail(ctx, FW_ERR_ARGUMENT, "the mesh has no plane elements");
  for (int e = 0; e < mesh->element_count; e++) {
    const char *reason = wrong_with(mesh, e);
    if (reason == NULL) continue;
    if (wrong == 0) why = reason;
    if (wrong++ < LISTED)
      used += snprintf(list + used, sizeof list - (size_t)used, "%s%d", used > 0 ? " " : "", mesh->elements[e].label);
  }
  if (wrong == 0) return FW_OK;
  return fw_fail(ctx, FW_ERR_ARGUMENT, "%d of %d elements cannot be used: %s%s (the first: %s)", wrong,
                 mesh->element_count, list, wrong > LISTED ? " ..." : "", why);
}

/* ---- elements that lie upon each other --------------------------------------------------- */

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
