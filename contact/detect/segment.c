/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/segment.h"

#include <math.h>
#include <string.h>

/* Lengths here are neither huge nor tiny: no need for the care hypot takes. */
static double length(double x, double y) { return sqrt(x * x + y * y); }

static int point_count(fw_segment_kind kind) {
  static const int points[] = {[FW_SEGMENT_LINE] = 2,
                               [FW_SEGMENT_QUADRATIC] = 3,
                               [FW_SEGMENT_HERMITE] = 4,
                               [FW_SEGMENT_SMOOTH] = 4,
                               [FW_SEGMENT_ARC] = 1};
  return points[kind];
}

int fw_segment_end(const fw_segment *segment, int end) {
  switch (segment->kind) {
    case FW_SEGMENT_HERMITE:
      return segment->anchor[2 * end];
    case FW_SEGMENT_ARC:
      return segment->anchor[1 + end];
    default:
      return segment->anchor[end];
  }
}

void fw_curve_at(const fw_model *model, const fw_surface *surface, int segment, const double *q, fw_curve *curve) {
  curve->segment = &surface->segments[segment];
  curve->points = point_count(curve->segment->kind);
  for (int j = 0; j < curve->points; j++)
    fw_anchor_place(model, &surface->anchors[curve->segment->anchor[j]], q, curve->point[j]);
  const int node = surface->anchors[curve->segment->anchor[0]].node;
  curve->rotation = node < 0 ? 0.0 : fw_node_value(&model->nodes[node], FW_RZ, q);
}

/* The cubics with unit value (0, 2) or unit derivative (1, 3) at one end. */
static void hermite_shape(double x, double shape[4][FW_SEGMENT_POINTS]) {
  for (int e = 0; e < 2; e++) { /* mirror: y = -x at the far end */
    const double y = e ? -x : x, m = e ? -1.0 : 1.0;
    shape[0][2 * e] = 0.25 * (2.0 - 3.0 * y + y * y * y);
    shape[1][2 * e] = m * 0.75 * (y * y - 1.0);
    shape[2][2 * e] = 1.5 * y;
    shape[3][2 * e] = m * 1.5;
    shape[0][2 * e + 1] = m * 0.25 * (1.0 - y - y * y + y * y * y);
    shape[1][2 * e + 1] = 0.25 * (-1.0 - 2.0 * y + 3.0 * y * y);
    shape[2][2 * e + 1] = m * 0.25 * (-2.0 + 6.0 * y);
    shape[3][2 * e + 1] = 1.5;
  }
}

static void smooth_shape(const fw_segment *segment, double x, double shape[4][FW_SEGMENT_POINTS]) {
  double cubic[4][FW_SEGMENT_POINTS];
  hermite_shape(x, cubic);
  for (int d = 0; d < 4; d++)
    for (int j = 0; j < FW_SEGMENT_POINTS; j++)
      shape[d][j] = cubic[d][1] * segment->tangent[0][j] + cubic[d][3] * segment->tangent[1][j] +
                    (j == 0 ? cubic[d][0] : 0.0) + (j == 1 ? cubic[d][2] : 0.0);
}

/* Weights inside the segment, -1 <= xi <= 1; `shape` comes as zeros. */
static void shape_inside(const fw_segment *segment, double x, double shape[4][FW_SEGMENT_POINTS]) {
  switch (segment->kind) {
    case FW_SEGMENT_LINE:
      shape[0][0] = 0.5 * (1.0 - x), shape[0][1] = 0.5 * (1.0 + x);
      shape[1][0] = -0.5, shape[1][1] = 0.5;
      break;
    case FW_SEGMENT_QUADRATIC:
      shape[0][0] = 0.5 * x * (x - 1.0), shape[0][1] = 0.5 * x * (x + 1.0), shape[0][2] = 1.0 - x * x;
      shape[1][0] = x - 0.5, shape[1][1] = x + 0.5, shape[1][2] = -2.0 * x;
      shape[2][0] = 1.0, shape[2][1] = 1.0, shape[2][2] = -2.0;
      break;
    case FW_SEGMENT_HERMITE:
      hermite_shape(x, shape);
      break;
    case FW_SEGMENT_SMOOTH:
      smooth_shape(segment, x, shape);
      break;
    case FW_SEGMENT_ARC:
      break;
  }
}

static void shape_at(const fw_curve *curve, double xi, double shape[4][FW_SEGMENT_POINTS]) {
  memset(shape, 0, 4 * sizeof *shape);
  const double inside = fmin(fmax(xi, -1.0), 1.0), past = xi - inside;
  shape_inside(curve->segment, inside, shape);
  if (past == 0.0) return;
  for (int j = 0; j < curve->points; j++) {
    shape[0][j] += past * shape[1][j];
    shape[2][j] = shape[3][j] = 0.0;
  }
}

/* Arcs run clockwise when touched from outside (n outward), anticlockwise from inside. */
static void arc_derivatives(const fw_curve *curve, double xi, double s[4][2]) {
  const fw_segment *arc = curve->segment;
  const double rate = -arc->sense * arc->half, angle = arc->middle + curve->rotation + rate * xi;
  double e[2] = {arc->radius * cos(angle), arc->radius * sin(angle)};
  for (int k = 0; k < 2; k++) s[0][k] = curve->point[0][k] + e[k];
  for (int d = 1; d < 4; d++) {
    const double turned[2] = {-rate * e[1], rate * e[0]};
    for (int k = 0; k < 2; k++) s[d][k] = e[k] = turned[k];
  }
}

void fw_curve_eval(const fw_curve *curve, double xi, fw_curve_point *out) {
  shape_at(curve, xi, out->shape);
  memset(out->s, 0, sizeof out->s);
  if (curve->segment->kind == FW_SEGMENT_ARC)
    arc_derivatives(curve, xi, out->s);
  else
    for (int d = 0; d < 4; d++)
      for (int j = 0; j < curve->points; j++)
        for (int k = 0; k < 2; k++) out->s[d][k] += out->shape[d][j] * curve->point[j][k];
  out->J = length(out->s[1][0], out->s[1][1]);
  for (int k = 0; k < 2; k++) out->t[k] = out->J > 0.0 ? out->s[1][k] / out->J : 0.0;
  out->n[0] = -out->t[1];
  out->n[1] = out->t[0];
  out->tau = out->t[0] * out->s[2][0] + out->t[1] * out->s[2][1];
  out->k = out->n[0] * out->s[2][0] + out->n[1] * out->s[2][1];
  out->jerk = out->n[0] * out->s[3][0] + out->n[1] * out->s[3][1];
}

static double distance_at(const fw_curve *curve, double xi, const double c[2]) {
  fw_curve_point at;
  fw_curve_eval(curve, xi, &at);
  return length(c[0] - at.s[0][0], c[1] - at.s[0][1]);
}

/* Radially; at an end of the arc where that misses it. */
static double nearest_on_arc(const fw_curve *curve, const double c[2], double *xi) {
  const fw_segment *arc = curve->segment;
  const double e[2] = {c[0] - curve->point[0][0], c[1] - curve->point[0][1]}, angle = atan2(e[1], e[0]);
  const double at = -arc->sense * remainder(angle - arc->middle - curve->rotation, 2.0 * M_PI) / arc->half;
  *xi = fmin(fmax(at, -1.0), 1.0);
  return fabs(at) < 1.0 ? fabs(length(e[0], e[1]) - arc->radius) : distance_at(curve, *xi, c);
}

double fw_curve_nearest(const fw_curve *curve, const double c[2], double *xi) {
  if (curve->segment->kind == FW_SEGMENT_ARC) return nearest_on_arc(curve, c, xi);
  /* Start at the foot on the chord, which is the answer on a line. */
  const bool beam = curve->segment->kind == FW_SEGMENT_HERMITE;
  const double *a = curve->point[0], *b = curve->point[beam ? 2 : 1];
  const double chord[2] = {b[0] - a[0], b[1] - a[1]}, out[2] = {c[0] - a[0], c[1] - a[1]};
  const double square = chord[0] * chord[0] + chord[1] * chord[1];
  const double part = square > 0.0 ? fmin(fmax((out[0] * chord[0] + out[1] * chord[1]) / square, 0.0), 1.0) : 0.5;
  double x = 2.0 * part - 1.0;
  if (curve->segment->kind == FW_SEGMENT_LINE) {
    *xi = x;
    return length(out[0] - part * chord[0], out[1] - part * chord[1]);
  }
  /* Newton on (c - s).s' = 0. */
  enum { MOST = 30 };
  for (int i = 0; i < MOST; i++) {
    fw_curve_point at;
    fw_curve_eval(curve, x, &at);
    const double d[2] = {c[0] - at.s[0][0], c[1] - at.s[0][1]};
    const double slope = d[0] * at.s[1][0] + d[1] * at.s[1][1];
    const double bend = at.J * at.J - (d[0] * at.s[2][0] + d[1] * at.s[2][1]);
    const double next = fmin(fmax(x + slope / fmax(bend, 0.1 * at.J * at.J), -1.0), 1.0);
    const double change = fabs(next - x);
    x = next;
    if (change < 1e-15) break;
  }
  *xi = x;
  return distance_at(curve, x, c);
}

double fw_curve_beyond(const fw_curve *curve, int end, const double c[2]) {
  const double xi = end ? 1.0 : -1.0;
  fw_curve_point at;
  fw_curve_eval(curve, xi, &at);
  return xi + ((c[0] - at.s[0][0]) * at.t[0] + (c[1] - at.s[0][1]) * at.t[1]) / at.J;
}

/* The surface is s + b n with n' = -(k/J) t, so it passes at J - b k/J. */
void fw_curve_speed(const fw_curve *curve, double xi, double *speed, double *speed_xi) {
  fw_curve_point at;
  fw_curve_eval(curve, xi, &at);
  const double b = curve->segment->offset, turn = at.k / at.J;
  *speed = at.J - b * turn;
  *speed_xi = at.tau - b * (at.jerk - 2.0 * at.tau * turn) / at.J;
}

static double gauss_length(const fw_curve *curve, double from, double to) {
  static const double place[] = {0.0, 0.5384693101056831, 0.9061798459386640};
  static const double weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0.0;
  for (int i = -2; i <= 2; i++) {
    double speed, next;
    fw_curve_speed(curve, middle + half * (i < 0 ? -place[-i] : place[i]), &speed, &next);
    sum += weight[i < 0 ? -i : i] * speed;
  }
  return half * sum;
}

/* Length of the straight continuation up to xi (0 inside). */
static double length_beyond(const fw_curve *curve, double xi) {
  const double inside = fmin(fmax(xi, -1.0), 1.0);
  if (xi == inside) return 0.0;
  double speed, next;
  fw_curve_speed(curve, xi, &speed, &next);
  return (xi - inside) * speed;
}

double fw_curve_length(const fw_curve *curve, double from, double to) {
  if (curve->segment->kind == FW_SEGMENT_ARC) return curve->segment->radius * curve->segment->half * (to - from);
  const double a = fmin(fmax(from, -1.0), 1.0), b = fmin(fmax(to, -1.0), 1.0);
  return gauss_length(curve, a, b) + length_beyond(curve, to) - length_beyond(curve, from);
}
