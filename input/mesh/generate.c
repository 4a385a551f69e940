/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/mesh/generate.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_DIVISIONS = 20000, MOST_ELEMENTS = 20000000 };

/* Where each side begins and ends. */
static const int side_corners[4][2] = {{0, 1}, {1, 2}, {3, 2}, {0, 3}};

/* Geometric series: the parameter t in 0..1 of station i of n. With the ratio
 * r = grading^(1/(n-1)) of neighbours, t = (r^i - 1)/(r^n - 1). */
static double station(double grading, int n, int i) {
  if (n < 2 || grading == 0 || fabs(grading - 1) < 1e-12) return (double)i / n;
  const double log_r = log(grading) / (n - 1);
  return expm1(i * log_r) / expm1(n * log_r);
}

/* Place on a side at parameter t. */
static void side_place(const fw_mesh_block *block, int side, double t, double place[2]) {
  const double *a = block->corner[side_corners[side][0]], *b = block->corner[side_corners[side][1]];
  const fw_mesh_side *s = block->side + side;
  if (!s->arc || t == 0 || t == 1) { /* the ends exactly */
    for (int i = 0; i < 2; i++) place[i] = t == 1 ? b[i] : a[i] + t * (b[i] - a[i]);
    return;
  }
  const double from[2] = {a[0] - s->centre[0], a[1] - s->centre[1]}, to[2] = {b[0] - s->centre[0], b[1] - s->centre[1]};
  const double turn = t * atan2(from[0] * to[1] - from[1] * to[0], from[0] * to[0] + from[1] * to[1]);
  place[0] = s->centre[0] + cos(turn) * from[0] - sin(turn) * from[1];
  place[1] = s->centre[1] + sin(turn) * from[0] + cos(turn) * from[1];
}

static fw_status check_block(fw_context *ctx, const fw_mesh_block *block) {
  for (int k = 0; k < 2; k++)
    if (block->divisions[k] < 1 || block->divisions[k] > MOST_DIVISIONS)
      return fw_fail(ctx, FW_ERR_ARGUMENT, "%d divisions of a block: 1 to %d are allowed", block->divisions[k],
                     MOST_DIVISIONS);
  if ((double)block->divisions[0] * block->divisions[1] > MOST_ELEMENTS)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "%d x %d elements in a block: at most %d are allowed", block->divisions[0],
                   block->divisions[1], MOST_ELEMENTS);
  for (int k = 0; k < 4; k++) {
    const fw_mesh_side *side = block->side + k;
    const double *a = block->corner[side_corners[k][0]], *b = block->corner[side_corners[k][1]];
    const double ra = hypot(a[0] - side->centre[0], a[1] - side->centre[1]);
    const double rb = hypot(b[0] - side->centre[0], b[1] - side->centre[1]);
    if (!(isfinite(a[0]) && isfinite(a[1]))) return fw_fail(ctx, FW_ERR_ARGUMENT, "a corner of a block is not finite");
    if (!(side->grading >= 0 && side->grading <= 1e6) || (side->grading > 0 && side->grading < 1e-6))
      return fw_fail(ctx, FW_ERR_ARGUMENT, "grading %g of a side: 1e-6 to 1e6 is allowed", side->grading);
    if (side->arc && !(ra > 0 && fabs(ra - rb) <= 1e-9 * ra))
      return fw_fail(ctx, FW_ERR_ARGUMENT, "the ends of an arc are %.9g and %.9g from its centre", ra, rb);
  }
  return FW_OK;
}

/* Coons' surface through the four sides at station (i, j). Each side is cut by its own grading; the blending parameters
 * are those of the sides, interpolated. */
static void block_place(const fw_mesh_block *block, int i, int j, double place[2]) {
  const int ni = block->divisions[0], nj = block->divisions[1];
  const double bottom = station(block->side[FW_SIDE_BOTTOM].grading, ni, i);
  const double top = station(block->side[FW_SIDE_TOP].grading, ni, i);
  const double left = station(block->side[FW_SIDE_LEFT].grading, nj, j);
  const double right = station(block->side[FW_SIDE_RIGHT].grading, nj, j);
  const double v0 = 0.5 * (left + right), u = bottom + v0 * (top - bottom), v = left + u * (right - left);
  double b[2], t[2], l[2], r[2];
  side_place(block, FW_SIDE_BOTTOM, bottom, b);
  side_place(block, FW_SIDE_TOP, top, t);
  side_place(block, FW_SIDE_LEFT, left, l);
  side_place(block, FW_SIDE_RIGHT, right, r);
  for (int k = 0; k < 2; k++) {
    const double corners = (1 - v) * ((1 - u) * block->corner[0][k] + u * block->corner[1][k]) +
                           v * ((1 - u) * block->corner[3][k] + u * block->corner[2][k]);
    place[k] = (1 - v) * b[k] + v * t[k] + (1 - u) * l[k] + u * r[k] - corners;
  }
}

/* Twice the signed area of the quadrilateral of the corners. */
static double orientation(const fw_mesh_block *block) {
  const double(*c)[2] = block->corner;
  return (c[2][0] - c[0][0]) * (c[3][1] - c[1][1]) - (c[2][1] - c[0][1]) * (c[3][0] - c[1][0]);
}

/* What lies on a side: the middles of its edges if it is an arc (half-way in angle), its edge set. A
 * block given clockwise has its elements' corners listed in the order 0 3 2 1. */
static fw_status add_side_edge(fw_context *ctx, fw_mesh *mesh, const fw_mesh_block *block, int first, int side, int k) {
  const fw_mesh_side *s = block->side + side;
  const int ni = block->divisions[0], nj = block->divisions[1];
  const int i = side == FW_SIDE_RIGHT ? ni - 1 : side == FW_SIDE_LEFT ? 0 : k;
  const int j = side == FW_SIDE_TOP ? nj - 1 : side == FW_SIDE_BOTTOM ? 0 : k;
  const int element = first + j * ni + i, edge = orientation(block) > 0 ? side : 3 - side;
  if (s->arc) {
    const int n = side % 2 == 0 ? ni : nj, *nodes = mesh->elements[element].nodes;
    int ends[3];
    double middle[2];
    side_place(block, side, 0.5 * (station(s->grading, n, k) + station(s->grading, n, k + 1)), middle);
    fw_shape_edge(FW_SHAPE_QUAD4, edge, ends);
    FW_TRY(fw_mesh_add_curve(ctx, mesh, nodes[ends[0]], nodes[ends[1]], middle));
  }
  if (s->set == NULL) return FW_OK;
  fw_mesh_set *set;
  FW_TRY(fw_mesh_set_open(ctx, mesh, s->set, FW_SET_EDGES, &set));
  return fw_mesh_set_add(ctx, set, element, edge);
}

static fw_status add_elements(fw_context *ctx, fw_mesh *mesh, const fw_mesh_block *block, int first_node) {
  const int ni = block->divisions[0], nj = block->divisions[1];
  const bool turned = orientation(block) < 0;
  fw_mesh_set *set = NULL;
  if (block->element != NULL) FW_TRY(fw_mesh_set_open(ctx, mesh, block->element, FW_SET_ELEMENTS, &set));
  for (int j = 0; j < nj; j++)
    for (int i = 0; i < ni; i++) {
      const int a = first_node + j * (ni + 1) + i, b = a + 1, c = b + ni + 1, d = c - 1;
      const int nodes[4] = {a, turned ? d : b, c, turned ? b : d};
      int index;
      FW_TRY(fw_mesh_add_element(ctx, mesh, FW_SHAPE_QUAD4, nodes, &index));
      if (set != NULL) FW_TRY(fw_mesh_set_add(ctx, set, index, 0));
    }
  return FW_OK;
}

fw_status fw_mesh_add_block(fw_context *ctx, fw_mesh *mesh, const fw_mesh_block *block) {
  FW_TRY(check_block(ctx, block));
  const int ni = block->divisions[0], nj = block->divisions[1];
  const int first_node = mesh->node_count, first = mesh->element_count;
  for (int j = 0; j <= nj; j++)
    for (int i = 0; i <= ni; i++) {
      double place[2];
      block_place(block, i, j, place);
      FW_TRY(fw_mesh_add_node(ctx, mesh, place[0], place[1], NULL));
    }
  FW_TRY(add_elements(ctx, mesh, block, first_node));
  for (int side = 0; side < 4; side++)
    for (int k = 0; k < block->divisions[side % 2]; k++) FW_TRY(add_side_edge(ctx, mesh, block, first, side, k));
  return FW_OK;
}

fw_status fw_mesh_add_rectangle(fw_context *ctx, fw_mesh *mesh, const double low[2], const double high[2],
                                const int divisions[2], const double grading[2]) {
  if (!(high[0] > low[0] && high[1] > low[1]))
    return fw_fail(ctx, FW_ERR_ARGUMENT, "a rectangle from (%g, %g) to (%g, %g) has no area", low[0], low[1], high[0],
                   high[1]);
  const fw_mesh_block block = {.corner = {{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}},
                               .side = {{.grading = grading[0], .set = "bottom"},
                                        {.grading = grading[1], .set = "right"},
                                        {.grading = grading[0], .set = "top"},
                                        {.grading = grading[1], .set = "left"}},
                               .divisions = {divisions[0], divisions[1]}};
  return fw_mesh_add_block(ctx, mesh, &block);
}

/* A place in the quarter: along the radius to the graded point, and along the other. */
static void quarter_place(const fw_mesh_quarter *q, double along, double across, double place[2]) {
  const double c = cos(q->angle), s = sin(q->angle), side = q->clockwise ? -1 : 1;
  place[0] = q->centre[0] + q->radius * (c * along - side * s * across);
  place[1] = q->centre[1] + q->radius * (s * along + side * c * across);
}

/* C centre, A half-way to the graded point P, B half-way to the far end R, M the middle of the arc, D
 * the inner corner of the core:
 *
 *   P---___          blocks  core    C A D B
 *   |      M                 point   A P M D   graded to P both ways
 *   A----D   \               far     B D M R
 *   |    |    |
 *   C----B----R
 */
fw_status fw_mesh_add_quarter_disc(fw_context *ctx, fw_mesh *mesh, const fw_mesh_quarter *q) {
  if (!(q->radius > 0)) return fw_fail(ctx, FW_ERR_ARGUMENT, "radius %g of a disc", q->radius);
  if (!(q->grading >= 1 && q->grading <= 1e6))
    return fw_fail(ctx, FW_ERR_ARGUMENT, "grading %g of a disc: 1 to 1e6 is allowed", q->grading);
  const double half = 0.5, inner = 0.45, r = sqrt(0.5), grade = q->grading, back = 1 / q->grading;
  double C[2], A[2], B[2], D[2], P[2], R[2], M[2];
  quarter_place(q, 0, 0, C), quarter_place(q, half, 0, A), quarter_place(q, 0, half, B);
  quarter_place(q, inner, inner, D), quarter_place(q, 1, 0, P), quarter_place(q, 0, 1, R), quarter_place(q, r, r, M);
  const fw_mesh_side arc = {.arc = true, .centre = {q->centre[0], q->centre[1]}, .set = q->arc};
  fw_mesh_side near = arc, outward = {.grading = back}, inward = {.grading = grade};
  near.grading = grade;
  const int n = q->divisions[0], m = q->divisions[1];
#define AT(p) \
  { p[0], p[1] }
  /* Along A-D and P-M the elements grow away from P, along A-P and D-M towards the core; the flat side
   * C-B-R is cut evenly, so that other bodies can be fitted to it. */
  const fw_mesh_block core = {.corner = {AT(C), AT(B), AT(D), AT(A)},
                              .side = {{0}, {0}, inward, {0}},
                              .divisions = {n, n},
                              .element = q->element};
  const fw_mesh_block point = {.corner = {AT(A), AT(D), AT(M), AT(P)},
                               .side = {inward, outward, near, outward},
                               .divisions = {n, m},
                               .element = q->element};
  const fw_mesh_block far = {.corner = {AT(B), AT(R), AT(M), AT(D)},
                             .side = {{0}, arc, outward, {0}},
                             .divisions = {m, n},
                             .element = q->element};
#undef AT
  fw_mesh_block blocks[3] = {core, point, far};
  blocks[0].side[FW_SIDE_BOTTOM].set = q->flat;
  blocks[2].side[FW_SIDE_BOTTOM].set = q->flat;
  for (int k = 0; k < 3; k++) FW_TRY(fw_mesh_add_block(ctx, mesh, blocks + k));
  return FW_OK;
}
