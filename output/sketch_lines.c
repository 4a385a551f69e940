/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/sketch_parts.h"

#include <math.h>
#include <stdlib.h>

fw_status fw_strokes_add(fw_context *ctx, fw_strokes *s, double x, double y) {
  FW_TRY(fw_grow(ctx, s->count, &s->room_x, sizeof *s->x, &s->x));
  FW_TRY(fw_grow(ctx, s->count, &s->room_y, sizeof *s->y, &s->y));
  s->x[s->count] = x;
  s->y[s->count++] = y;
  return FW_OK;
}

fw_status fw_strokes_lift(fw_context *ctx, fw_strokes *s) { return fw_strokes_add(ctx, s, NAN, NAN); }

void fw_strokes_clear(fw_strokes *s) {
  free(s->x);
  free(s->y);
  *s = (fw_strokes){0};
}

fw_status fw_strokes_line(fw_context *ctx, fw_strokes *s, const double (*points)[2], int count) {
  for (int i = 0; i < count; i++) FW_TRY(fw_strokes_add(ctx, s, points[i][0], points[i][1]));
  return fw_strokes_lift(ctx, s);
}

fw_status fw_strokes_circle(fw_context *ctx, fw_strokes *s, const double centre[2], double radius) {
  enum { PIECES = 72 };
  for (int i = 0; i <= PIECES; i++) {
    double angle = 2 * M_PI * i / PIECES;
    FW_TRY(fw_strokes_add(ctx, s, centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)));
  }
  return fw_strokes_lift(ctx, s);
}

fw_status fw_strokes_arrow(fw_context *ctx, fw_strokes *s, const double from[2], const double along[2]) {
  const double head = 0.28, wide = 0.12;
  const double tip[2] = {from[0] + along[0], from[1] + along[1]};
  const double back[2] = {tip[0] - head * along[0], tip[1] - head * along[1]};
  const double points[][2] = {{from[0], from[1]},
                              {tip[0], tip[1]},
                              {back[0] - wide * along[1], back[1] + wide * along[0]},
                              {tip[0], tip[1]},
                              {back[0] + wide * along[1], back[1] - wide * along[0]}};
  return fw_strokes_line(ctx, s, points, sizeof points / sizeof *points);
}

/* ---- symbols of supports ----------------------------------------------------------------- */

fw_status fw_strokes_clamp(fw_context *ctx, fw_strokes *s, const double at[2], double size) {
  double h = 0.5 * size;
  const double points[][2] = {{at[0] - h, at[1] - h}, {at[0] + h, at[1] - h}, {at[0] + h, at[1] + h},
                              {at[0] - h, at[1] + h}, {at[0] - h, at[1] - h}, {at[0] + h, at[1] + h},
                              {at[0] + h, at[1] - h}, {at[0] - h, at[1] + h}};
  return fw_strokes_line(ctx, s, points, sizeof points / sizeof *points);
}

/* A place `back` before `at` against `from` and `aside` to its left. */
static void corner(const double at[2], const double from[2], double back, double aside, double place[2]) {
  place[0] = at[0] - back * from[0] - aside * from[1];
  place[1] = at[1] - back * from[1] + aside * from[0];
}

static fw_status ground_line(fw_context *ctx, fw_strokes *s, const double at[2], const double from[2], double back,
                             double half) {
  double ends[2][2];
  corner(at, from, back, half, ends[0]);
  corner(at, from, back, -half, ends[1]);
  return fw_strokes_line(ctx, s, (const double(*)[2])ends, 2);
}

fw_status fw_strokes_bearing(fw_context *ctx, fw_strokes *s, const double at[2], const double from[2], double size) {
  double points[4][2];
  corner(at, from, 0.0, 0.0, points[0]);
  corner(at, from, size, 0.5 * size, points[1]);
  corner(at, from, size, -0.5 * size, points[2]);
  corner(at, from, 0.0, 0.0, points[3]);
  FW_TRY(fw_strokes_line(ctx, s, (const double(*)[2])points, 4));
  return ground_line(ctx, s, at, from, 1.25 * size, 0.8 * size);
}

fw_status fw_strokes_spring(fw_context *ctx, fw_strokes *s, const double at[2], const double from[2], double size) {
  enum { TURNS = 8 };
  double points[TURNS + 2][2];
  corner(at, from, 0.0, 0.0, points[0]);
  for (int i = 0; i < TURNS; i++)
    corner(at, from, size * (0.3 + 1.4 * (i + 0.5) / TURNS), (i % 2 ? -0.3 : 0.3) * size, points[1 + i]);
  corner(at, from, 2.0 * size, 0.0, points[TURNS + 1]);
  FW_TRY(fw_strokes_line(ctx, s, (const double(*)[2])points, TURNS + 2));
  return ground_line(ctx, s, at, from, 2.0 * size, 0.6 * size);
}

fw_status fw_strokes_turn(fw_context *ctx, fw_strokes *s, const double at[2], double size) {
  enum { PIECES = 24 };
  double x = 0.0, y = 0.0;
  for (int i = 0; i <= PIECES; i++) {
    double angle = 1.5 * M_PI * i / PIECES;
    x = at[0] + size * cos(angle);
    y = at[1] + size * sin(angle);
    FW_TRY(fw_strokes_add(ctx, s, x, y));
  }
  FW_TRY(fw_strokes_lift(ctx, s));
  const double head[][2] = {{x - 0.3 * size, y + 0.25 * size}, {x, y}, {x - 0.3 * size, y - 0.25 * size}};
  return fw_strokes_line(ctx, s, head, 3);
}

/* ---- clipping ---------------------------------------------------------------------------- */

bool fw_clip(double a[2], double b[2], const double low[2], const double high[2]) {
  double first = 0.0, last = 1.0, from[2] = {a[0], a[1]}, way[2] = {b[0] - a[0], b[1] - a[1]};
  for (int d = 0; d < 2; d++) {
    if (way[d] == 0.0 && (from[d] < low[d] || from[d] > high[d])) return false;
    if (way[d] == 0.0) continue;
    double enter = (low[d] - from[d]) / way[d], leave = (high[d] - from[d]) / way[d];
    first = fmax(first, fmin(enter, leave));
    last = fmin(last, fmax(enter, leave));
  }
  if (first > last) return false;
  for (int d = 0; d < 2; d++) {
    a[d] = from[d] + first * way[d];
    b[d] = from[d] + last * way[d];
  }
  return true;
}
