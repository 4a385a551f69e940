/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contact in sketches: targets with their solid side hatched and their normals, followers, gaps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/detect/segment.h"
#include "core/reading.h"
#include "output/sketch_parts.h"

/* The plane a pair lies in, and the part of it that is drawn. */
typedef struct plane {
  const fw_node *node; /* whose plane it is; NULL: that of the paper */
  double low[2], high[2];
  double size;  /* of symbols */
  double apart; /* normals stand this far from each other */
} plane;

static void to_paper(const fw_sketch *sketch, const plane *p, const double x[2], double at[2]) {
  double place[3] = {x[0], x[1], 0.0};
  if (p->node) fw_node_place_in_space(sketch->model, p->node, x, place);
  fw_sketch_view(place, at);
}

/* ---- targets ----------------------------------------------------------------------------- */

/* How far along a target its last hatch and its last normal are. */
typedef struct trail {
  double hatched, pointed;
  bool any;
} trail;

static fw_status draw_stroke(fw_sketch *sketch, const plane *p, fw_sketch_part part, const double a[2],
                             const double b[2]) {
  double ends[2][2];
  to_paper(sketch, p, a, ends[0]);
  to_paper(sketch, p, b, ends[1]);
  return fw_strokes_line(sketch->ctx, &sketch->parts[part], (const double(*)[2])ends, 2);
}

static fw_status draw_normal(fw_sketch *sketch, const plane *p, const double at[2], const double n[2]) {
  double length = 2.5 * p->size, tip[2] = {at[0] + length * n[0], at[1] + length * n[1]}, from[2], to[2];
  to_paper(sketch, p, at, from);
  to_paper(sketch, p, tip, to);
  const double along[2] = {to[0] - from[0], to[1] - from[1]};
  return fw_strokes_arrow(sketch->ctx, &sketch->parts[FW_SKETCH_NORMALS], from, along);
}

/* A straight piece, its solid on the right. */
static fw_status draw_piece(fw_sketch *sketch, const plane *p, const double a[2], const double b[2], trail *t) {
  double length = hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 0.0)) return FW_OK;
  const double along[2] = {(b[0] - a[0]) / length, (b[1] - a[1]) / length}, n[2] = {-along[1], along[0]};
  FW_TRY(draw_stroke(sketch, p, FW_SKETCH_TARGETS, a, b));
  for (; t->hatched <= length; t->hatched += p->size) {
    const double at[2] = {a[0] + t->hatched * along[0], a[1] + t->hatched * along[1]};
    const double end[2] = {at[0] - 0.7 * p->size * (n[0] + along[0]), at[1] - 0.7 * p->size * (n[1] + along[1])};
    FW_TRY(draw_stroke(sketch, p, FW_SKETCH_TARGETS, at, end));
  }
  for (; t->pointed <= length; t->pointed += p->apart, t->any = true) {
    const double at[2] = {a[0] + t->pointed * along[0], a[1] + t->pointed * along[1]};
    FW_TRY(draw_normal(sketch, p, at, n));
  }
  t->hatched -= length;
  t->pointed -= length;
  return FW_OK;
}

static void surface_place(const fw_curve *curve, double xi, double at[2], double n[2]) {
  fw_curve_point point;
  fw_curve_eval(curve, xi, &point);
  for (int d = 0; d < 2; d++) {
    at[d] = point.s[0][d] + curve->segment->offset * point.n[d];
    n[d] = point.n[d];
  }
}

static fw_status draw_target(fw_sketch *sketch, const plane *p, const fw_surface *surface) {
  enum { CURVED = 16, ROUND = 72 };
  trail t = {.pointed = 0.5 * p->apart};
  double middle[2] = {0}, n[2] = {0}, first[2], last[2];
  for (int s = 0; s < surface->segment_count; s++) {
    fw_curve curve;
    fw_curve_at(sketch->model, surface, s, NULL, &curve);
    int pieces = curve.segment->kind == FW_SEGMENT_LINE ? 1 : curve.segment->kind == FW_SEGMENT_ARC ? ROUND : CURVED;
    surface_place(&curve, -1.0, first, n);
    for (int i = 1; i <= pieces; i++) {
      surface_place(&curve, -1.0 + 2.0 * i / pieces, last, n);
      double a[2] = {first[0], first[1]}, b[2] = {last[0], last[1]};
      memcpy(first, last, sizeof first);
      if (!fw_clip(a, b, p->low, p->high)) continue;
      FW_TRY(draw_piece(sketch, p, a, b, &t));
      for (int d = 0; d < 2; d++) middle[d] = 0.5 * (a[d] + b[d]);
      if (!t.any) surface_place(&curve, -1.0 + (2.0 * i - 1.0) / pieces, a, n);
    }
  }
  bool seen = t.hatched > 0.0 || t.any;
  return t.any || !seen ? FW_OK : draw_normal(sketch, p, middle, n); /* a short one has one normal */
}

/* ---- followers --------------------------------------------------------------------------- */

static fw_status draw_rim(fw_sketch *sketch, const plane *p, const double centre[2], double radius) {
  enum { PIECES = 48 };
  double before[2], now[2] = {0};
  for (int i = 0; i <= PIECES; i++) {
    double angle = 2 * M_PI * i / PIECES;
    before[0] = now[0], before[1] = now[1];
    now[0] = centre[0] + radius * cos(angle);
    now[1] = centre[1] + radius * sin(angle);
    if (i > 0) FW_TRY(draw_stroke(sketch, p, FW_SKETCH_CONTACTS, before, now));
  }
  return FW_OK;
}

static bool gap_of(const fw_model *model, const fw_pair *pair, int follower, fw_kinematic *k) {
  return fw_pair_kinematics(model, pair, follower, NULL, NULL, NULL, k) == FW_OK && isfinite(k->gap);
}

static fw_status draw_follower(fw_sketch *sketch, const plane *p, const fw_pair *pair, int i) {
  const fw_follower *follower = &pair->followers[i];
  double at[2];
  fw_kinematic k;
  fw_attachment_place(sketch->model, &follower->at, NULL, at);
  FW_TRY(draw_rim(sketch, p, at, fmax(follower->radius, 0.25 * p->size)));
  if (!gap_of(sketch->model, pair, i, &k)) return FW_OK;
  double touching[2] = {k.place[0] + k.gap * k.normal[0], k.place[1] + k.gap * k.normal[1]}, foot[2];
  memcpy(foot, k.place, sizeof foot);
  return fw_clip(touching, foot, p->low, p->high) ? draw_stroke(sketch, p, FW_SKETCH_GAPS, touching, foot) : FW_OK;
}

/* "gap 200 µm", "gap 1 mm to 3 mm", "touches", "reaches 3 µm into it". */
static void tell_gaps(double least, double most, double small, char text[FW_SKETCH_TEXT]) {
  double worst = least < -small ? least : most;
  fw_reading reading = fw_reading_of("m", fabs(worst)), first = fw_reading_of("m", fabs(least));
  const char *unit = reading.unit;
  double number = fabs(worst) * reading.factor;
  if (fabs(worst) <= small)
    snprintf(text, FW_SKETCH_TEXT, "touches");
  else if (worst < 0.0)
    snprintf(text, FW_SKETCH_TEXT, "reaches %.3g %.9s into it", number, unit);
  else if (least <= small)
    snprintf(text, FW_SKETCH_TEXT, "touches, gap up to %.3g %.9s", number, unit);
  else if (most - least <= 1e-3 * most)
    snprintf(text, FW_SKETCH_TEXT, "gap %.3g %.9s", number, unit);
  else
    snprintf(text, FW_SKETCH_TEXT, "gap %.3g %.9s to %.3g %.9s", least * first.factor, first.unit, number, unit);
}

static double extent(const double low[2], const double high[2]) { return hypot(high[0] - low[0], high[1] - low[1]); }

static void followers_box(const fw_model *model, const fw_pair *pair, double low[2], double high[2]) {
  for (int d = 0; d < 2; d++) low[d] = INFINITY, high[d] = -INFINITY;
  for (int i = 0; i < pair->count; i++) {
    double at[2], radius = pair->followers[i].radius;
    fw_attachment_place(model, &pair->followers[i].at, NULL, at);
    for (int d = 0; d < 2; d++) low[d] = fmin(low[d], at[d] - radius), high[d] = fmax(high[d], at[d] + radius);
  }
}

void fw_sketch_gaps(const fw_model *model, const fw_pair *pair, char told[FW_SKETCH_TEXT]) {
  double least = INFINITY, most = -INFINITY, low[2], high[2];
  char gaps[FW_SKETCH_TEXT];
  fw_kinematic k;
  followers_box(model, pair, low, high);
  for (int i = 0; i < pair->count; i++)
    if (gap_of(model, pair, i, &k)) least = fmin(least, k.gap), most = fmax(most, k.gap);
  snprintf(told, FW_SKETCH_TEXT, "%.40s", pair->id);
  if (least > most) return;
  tell_gaps(least, most, 1e-12 + 1e-9 * fmax(extent(low, high), most), gaps);
  snprintf(told, FW_SKETCH_TEXT, "%.30s: %.60s", pair->id, gaps);
}

/* ---- pairs ------------------------------------------------------------------------------- */

/* What is around the followers: as much as they are large, their gaps, or an edge; around a mere point some symbols. */
static plane plane_around(const fw_sketch *sketch, const fw_pair *pair) {
  const fw_model *model = sketch->model;
  plane p = {0};
  fw_kinematic k;
  double room = pair->edge;
  followers_box(model, pair, p.low, p.high);
  room = fmax(room, 0.5 * extent(p.low, p.high));
  for (int i = 0; i < pair->count; i++)
    if (gap_of(model, pair, i, &k)) room = fmax(room, 1.5 * fabs(k.gap));
  if (!(room > 0.0)) room = 3.0 * sketch->size;
  for (int d = 0; d < 2; d++) p.low[d] -= room, p.high[d] += room;
  p.size = 0.03 * extent(p.low, p.high);
  p.apart = 0.3 * extent(p.low, p.high);
  return p;
}

static plane plane_of(const fw_sketch *sketch, const fw_pair *pair) {
  int node = pair->followers[0].at.node;
  const fw_node *carrier = node >= 0 ? &sketch->model->nodes[node] : NULL;
  if (carrier && carrier->triad && !carrier->space) {
    plane p = plane_around(sketch, pair);
    p.node = carrier;
    return p;
  }
  double room = 0.1 * extent(sketch->low, sketch->high);
  return (plane){.low = {sketch->low[0] - room, sketch->low[1] - room},
                 .high = {sketch->high[0] + room, sketch->high[1] + room},
                 .size = sketch->size,
                 .apart = 2.0 * room};
}

/* Whether a pair before it has the same target in the same plane. */
static bool is_drawn(const fw_model *model, int pair) {
  for (int p = 0; p < pair; p++)
    if (model->pairs[p]->target == model->pairs[pair]->target) return true;
  return false;
}

fw_status fw_sketch_contacts(fw_sketch *sketch) {
  const fw_model *model = sketch->model;
  char told[FW_SKETCH_TEXT];
  for (int i = 0; i < model->pair_count; i++) {
    const fw_pair *pair = model->pairs[i];
    if (!pair->target || pair->count == 0) continue;
    plane p = plane_of(sketch, pair);
    if (!is_drawn(model, i)) FW_TRY(draw_target(sketch, &p, pair->target));
    for (int f = 0; f < pair->count; f++) FW_TRY(draw_follower(sketch, &p, pair, f));
    double at[2], place[2];
    fw_attachment_place(model, &pair->followers[0].at, NULL, place);
    to_paper(sketch, &p, place, at);
    fw_sketch_gaps(model, pair, told);
    fw_sketch_note(sketch, at, told);
  }
  return FW_OK;
}

fw_status fw_sketch_closer(fw_sketch *sketch, const fw_pair *pair) {
  plane p = plane_around(sketch, pair);
  FW_TRY(draw_target(sketch, &p, pair->target));
  for (int f = 0; f < pair->count; f++) FW_TRY(draw_follower(sketch, &p, pair, f));
  return FW_OK;
}
