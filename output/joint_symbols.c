/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joints drawn as one draws them by hand: a circle for a pin, a box on its axis for a slide, pitch circles of wheels.
 */
#include "output/joint_symbols.h"

#include <math.h>
#include <string.h>

#include "elements/joints/equations.h"

enum { CORNERS = 24 };

/* A figure about a point that goes with an attachment and turns with `node` (negative: it does not turn). */
typedef struct fw_pen {
  fw_context *ctx;
  const fw_state *state;
  fw_symbol_point point;
  fw_grid *grid;
  int number;
  double size;
} fw_pen;

static double turn_of(const fw_pen *pen, int node, bool now) {
  return node >= 0 && now ? fw_node_value(&pen->state->model->nodes[node], FW_RZ, pen->state->q) : 0.0;
}

/* A polyline of figures' places [2 count], closed or open. */
static fw_status draw(const fw_pen *pen, const fw_attachment *at, int turns_with, const double *figure, int count,
                      bool closed) {
  double places[2][2]; /* of the attachment: reference, now */
  int64_t first = 0, ends[2] = {0, 0};
  fw_attachment_place(pen->state->model, at, NULL, places[0]);
  fw_attachment_place(pen->state->model, at, pen->state->q, places[1]);
  for (int i = 0; i < count; i++) {
    double corner[2][2];
    for (int k = 0; k < 2; k++) {
      double angle = turn_of(pen, turns_with, k == 1), c = cos(angle), s = sin(angle);
      const double *f = figure + 2 * (ptrdiff_t)i;
      corner[k][0] = places[k][0] + c * f[0] - s * f[1];
      corner[k][1] = places[k][1] + s * f[0] + c * f[1];
    }
    ends[0] = ends[1];
    FW_TRY(pen->point(pen->ctx, pen->state, pen->grid, pen->number, corner[0], corner[1], &ends[1]));
    if (i == 0) first = ends[1];
    if (i > 0) FW_TRY(fw_grid_cell(pen->ctx, pen->grid, FW_CELL_LINE, ends, 2, pen->number));
  }
  ends[0] = first;
  return closed ? fw_grid_cell(pen->ctx, pen->grid, FW_CELL_LINE, ends, 2, pen->number) : FW_OK;
}

static fw_status circle(const fw_pen *pen, const fw_attachment *at, double radius) {
  double figure[2 * CORNERS];
  for (int i = 0; i < CORNERS; i++) {
    figure[2 * i] = radius * cos(2 * M_PI * i / CORNERS);
    figure[2 * i + 1] = radius * sin(2 * M_PI * i / CORNERS);
  }
  return draw(pen, at, at->node, figure, CORNERS, true);
}

/* A box of half sides a along the axis (x, y) and b across it. */
static fw_status box(const fw_pen *pen, const fw_attachment *at, const double axis[2], double a, double b) {
  static const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  double figure[8];
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++) {
      double across = k ? axis[0] : -axis[1];
      figure[2 * i + k] = signs[i][0] * a * axis[k] + signs[i][1] * b * across;
    }
  return draw(pen, at, at->node, figure, 4, true);
}

/* The axis of a sliding joint through its point on the second body. */
static fw_status axis_line(const fw_pen *pen, const fw_joint *joint, double axis[2]) {
  double n[2];
  fw_joint_axis_normal(joint->constants, n);
  axis[0] = n[1];
  axis[1] = -n[0];
  double reach = 4 * pen->size;
  const double figure[4] = {-reach * axis[0], -reach * axis[1], reach * axis[0], reach * axis[1]};
  return draw(pen, &joint->b, joint->b.node, figure, 2, false);
}

/* From the first point to the second. */
static fw_status line(const fw_pen *pen, const fw_joint *joint) {
  const fw_attachment *at[2] = {&joint->a, &joint->b};
  int64_t ends[2];
  for (int k = 0; k < 2; k++) {
    double reference[2], now[2];
    fw_attachment_place(pen->state->model, at[k], NULL, reference);
    fw_attachment_place(pen->state->model, at[k], pen->state->q, now);
    FW_TRY(pen->point(pen->ctx, pen->state, pen->grid, pen->number, reference, now, &ends[k]));
  }
  return fw_grid_cell(pen->ctx, pen->grid, FW_CELL_LINE, ends, 2, pen->number);
}

static fw_status pitch_circles(const fw_pen *pen, const fw_joint *joint) {
  double a[2], b[2], teeth = joint->constants[0] + joint->constants[1];
  fw_attachment_place(pen->state->model, &joint->a, NULL, a);
  fw_attachment_place(pen->state->model, &joint->b, NULL, b);
  double apart = hypot(b[0] - a[0], b[1] - a[1]);
  FW_TRY(circle(pen, &joint->a, fabs(apart * joint->constants[0] / teeth)));
  return circle(pen, &joint->b, fabs(apart * joint->constants[1] / teeth));
}

static fw_status cross(const fw_pen *pen, const fw_attachment *at) {
  double h = pen->size;
  FW_TRY(draw(pen, at, -1, (const double[4]){-h, -h, h, h}, 2, false));
  return draw(pen, at, -1, (const double[4]){-h, h, h, -h}, 2, false);
}

fw_status fw_joint_symbol(fw_context *ctx, const fw_state *state, int number, double size, fw_symbol_point point,
                          fw_grid *grid) {
  const fw_joint *joint = &state->model->joints[number];
  const char *name = joint->ops->entry.name;
  fw_pen pen = {.ctx = ctx, .state = state, .point = point, .grid = grid, .number = number, .size = size};
  static const double x[2] = {1, 0};
  double axis[2];
  if (strcmp(name, "revolute") == 0) return circle(&pen, &joint->a, size);
  if (strcmp(name, "weld") == 0) return box(&pen, &joint->a, x, size, size);
  if (strcmp(name, "rod") == 0) return line(&pen, joint);
  if (strcmp(name, "gear") == 0) return pitch_circles(&pen, joint);
  if (strcmp(name, "prescribed") == 0) return cross(&pen, &joint->a);
  FW_TRY(axis_line(&pen, joint, axis));
  if (strcmp(name, "prismatic") == 0) return box(&pen, &joint->a, axis, 2 * size, size);
  if (strcmp(name, "rack") == 0) return circle(&pen, &joint->a, fabs(joint->constants[FW_JOINT_AXIS_CONSTANTS]));
  return circle(&pen, &joint->a, size); /* a pin in a slot */
}
