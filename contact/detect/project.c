/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/project.h"

#include <math.h>

#include "contact/detect/search.h"

static void finish_foot(const fw_foot *foot_in, const double base[2], double offset, fw_foot *foot) {
  *foot = *foot_in;
  foot->t[0] = foot->n[1];
  foot->t[1] = -foot->n[0];
  for (int k = 0; k < 2; k++) foot->place[k] = base[k] + offset * foot->n[k];
}

static void foot_on_curve(const fw_curve *curve, int segment, double xi, const double c[2], fw_foot *foot) {
  fw_curve_point at;
  fw_curve_eval(curve, xi, &at);
  fw_foot f = {.kind = FW_FOOT_CURVE, .segment = segment, .xi = xi, .vertex = -1, .n = {at.n[0], at.n[1]}};
  f.distance = (c[0] - at.s[0][0]) * f.n[0] + (c[1] - at.s[0][1]) * f.n[1];
  finish_foot(&f, at.s[0], curve->segment->offset, foot);
}

static void foot_on_arc(const fw_curve *curve, int segment, double xi, const double c[2], fw_foot *foot) {
  const double sense = curve->segment->sense, radius = curve->segment->radius, *centre = curve->point[0];
  double e[2] = {c[0] - centre[0], c[1] - centre[1]}, rho = hypot(e[0], e[1]);
  fw_foot f = {.kind = FW_FOOT_ARC, .segment = segment, .xi = xi, .vertex = -1, .distance = sense * (rho - radius)};
  if (rho > 1e-12 * radius) {
    const double out[2] = {e[0] / rho, e[1] / rho};
    for (int k = 0; k < 2; k++) f.n[k] = sense * out[k];
    finish_foot(&f, (double[2]){centre[0] + radius * out[0], centre[1] + radius * out[1]}, 0.0, foot);
    return;
  }
  fw_curve_point at; /* in the very centre every direction is as good: that of xi is kept */
  fw_curve_eval(curve, xi, &at);
  for (int k = 0; k < 2; k++) f.n[k] = at.n[k];
  finish_foot(&f, at.s[0], 0.0, foot);
}

static void foot_on_vertex(const fw_model *model, const fw_surface *surface, const double *q, const fw_curve *curve,
                           int segment, int end, const double c[2], fw_foot *foot) {
  const int anchor = fw_segment_end(curve->segment, end);
  double p[2];
  fw_anchor_place(model, &surface->anchors[anchor], q, p);
  fw_foot f = {.kind = FW_FOOT_VERTEX, .segment = segment, .xi = end ? 1.0 : -1.0, .vertex = anchor};
  f.distance = hypot(c[0] - p[0], c[1] - p[1]);
  fw_curve_point at;
  fw_curve_eval(curve, f.xi, &at);
  for (int k = 0; k < 2; k++) f.n[k] = f.distance > 0.0 ? (c[k] - p[k]) / f.distance : at.n[k];
  finish_foot(&f, p, curve->segment->offset, foot);
}

/* Sine and cosine of the turn from segment a's end to segment b's start. */
static void turn_between(const fw_curve *a, const fw_curve *b, double *sine, double *cosine) {
  fw_curve_point at, bt;
  fw_curve_eval(a, 1.0, &at);
  fw_curve_eval(b, -1.0, &bt);
  *sine = at.t[0] * bt.t[1] - at.t[1] * bt.t[0];
  *cosine = at.t[0] * bt.t[0] + at.t[1] * bt.t[1];
}

/* A point that sits flush with an end or a corner must not fall off it by a rounding error: faces reach on
 * by this part of a segment's half length; and at a corner a point that is in no deeper than that still presses on
 * the face it touched (deeper it has gone round). */
static const double REACH = 0.1, DEPTH = 2e-3;

/* The centre is nearest to an end of a segment: corner, smooth joint or end of the chain. */
static void foot_at_end(const fw_model *model, const fw_surface *surface, const double *q, const fw_curve *curve,
                        int segment, int end, const double c[2], double radius, fw_foot *foot) {
  enum { DEEP = 100 }; /* a disc pushed in until its centre is this near to the corner sees the sides */
  const fw_segment *own = curve->segment;
  const int other = end ? own->next : own->previous;
  const double round = radius + own->offset, beyond = fw_curve_beyond(curve, end, c);
  foot_on_vertex(model, surface, q, curve, segment, end, c, foot);
  if (other < 0) {
    if (round == 0.0 && own->kind != FW_SEGMENT_ARC && fabs(beyond) <= 1.0 + REACH)
      foot_on_curve(curve, segment, beyond, c, foot);
    return;
  }
  fw_curve beside;
  fw_curve_at(model, surface, other, q, &beside);
  double sine, cosine;
  turn_between(end ? curve : &beside, end ? &beside : curve, &sine, &cosine);
  const bool smooth = fabs(sine) < 1e-9 && cosine > 0.0;
  const bool convex = !smooth && sine < 1e-9;
  if (convex && round > 0.0 && foot->distance > round / DEEP) return;
  fw_foot mine, theirs;
  foot_on_curve(curve, segment, beyond, c, &mine);
  foot_on_curve(&beside, other, fw_curve_beyond(&beside, !end, c), c, &theirs);
  const bool take_mine = smooth || (convex ? mine.distance >= theirs.distance : mine.distance <= theirs.distance);
  *foot = take_mine ? mine : theirs;
}

/* True, with its foot, if a point that touched segment `before` and is now nearest to its neighbour `now` round a
 * sharp convex corner still presses on the face it touched. */
static bool keeps_face(const fw_model *model, const fw_surface *surface, const double *q, const double c[2], int before,
                       int now, fw_foot *foot) {
  const fw_segment *own = &surface->segments[before];
  const int end = own->next == now;
  if ((!end && own->previous != now) || own->kind == FW_SEGMENT_ARC || own->offset > 0.0) return false;
  fw_curve curve, beside;
  fw_curve_at(model, surface, before, q, &curve);
  fw_curve_at(model, surface, now, q, &beside);
  double sine, cosine, xi;
  turn_between(end ? &curve : &beside, end ? &beside : &curve, &sine, &cosine);
  if (sine >= 0.0 || cosine > 0.866) return false; /* not convex, or turning by less than 30 degrees */
  fw_curve_nearest(&curve, c, &xi);
  if (fabs(xi) >= 1.0) xi = fw_curve_beyond(&curve, end, c);
  if (fabs(xi) > 1.0 + REACH) return false;
  foot_on_curve(&curve, before, xi, c, foot);
  fw_curve_point at;
  fw_curve_eval(&curve, xi, &at);
  return foot->distance <= 0.0 && foot->distance > -DEPTH * at.J;
}

void fw_surface_project(const fw_model *model, const fw_surface *surface, const double *q, const double centre[2],
                        double radius, int hint, fw_foot *foot) {
  double xi;
  const int segment = fw_surface_nearest(model, surface, q, centre, hint, &xi);
  if (radius == 0.0 && hint >= 0 && hint < surface->segment_count && hint != segment &&
      keeps_face(model, surface, q, centre, hint, segment, foot))
    return;
  fw_curve curve;
  fw_curve_at(model, surface, segment, q, &curve);
  const bool arc = curve.segment->kind == FW_SEGMENT_ARC, round = arc && curve.segment->next == segment;
  if (fabs(xi) >= 1.0 && !round)
    foot_at_end(model, surface, q, &curve, segment, xi > 0.0, centre, radius, foot);
  else if (arc)
    foot_on_arc(&curve, segment, xi, centre, foot);
  else
    foot_on_curve(&curve, segment, xi, centre, foot);
}

/* ---- slip -------------------------------------------------------------------------------- */

/* A disc crossing a concave corner leaves out what its own radius bridges: its centre's path
 * shortens by 2 r tan(a/2) there, where the turning of the normal alone would account for r a. */
static double bridged(const fw_model *model, const fw_surface *surface, const double *q, int a, int b, double radius) {
  if (radius == 0.0) return 0.0;
  fw_curve before, after;
  fw_curve_at(model, surface, a, q, &before);
  fw_curve_at(model, surface, b, q, &after);
  double sine, cosine;
  turn_between(&before, &after, &sine, &cosine);
  const double turn = atan2(sine, cosine);
  const bool back = cosine < -0.99; /* round the end of a thin body */
  return turn > 0.0 && !back ? -radius * (2.0 * tan(0.5 * turn) - turn) : 0.0;
}

/* Way from (a, xi_a) forward to (b, xi_b) over at most `most` joints; false if b is not met. */
static bool way_forward(const fw_model *model, const fw_surface *surface, const double *q, int a, double xi_a, int b,
                        double xi_b, double radius, int most, double *way) {
  fw_curve curve;
  fw_curve_at(model, surface, a, q, &curve);
  double sum = fw_curve_length(&curve, xi_a, 1.0);
  for (int i = 0; i < most; i++) {
    const int next = surface->segments[a].next;
    if (next < 0) return false;
    sum += bridged(model, surface, q, a, next, radius);
    fw_curve_at(model, surface, next, q, &curve);
    if (next == b) {
      *way = sum + fw_curve_length(&curve, -1.0, xi_b);
      return true;
    }
    sum += fw_curve_length(&curve, -1.0, 1.0);
    a = next;
  }
  return false;
}

/* Way along the surface between two feet, the shorter one where the chain is closed. */
static double way_between(const fw_model *model, const fw_surface *surface, const double *q, const fw_foot *from,
                          const fw_foot *to, double radius) {
  if (from->segment == to->segment) {
    fw_curve curve;
    fw_curve_at(model, surface, from->segment, q, &curve);
    const double way = fw_curve_length(&curve, from->xi, to->xi);
    const bool round = curve.segment->next == from->segment;
    return round ? remainder(way, fw_curve_length(&curve, -1.0, 1.0)) : way;
  }
  /* Widen the search so that a near foot is found in few steps whatever the direction. */
  for (int most = 1; most <= 2 * surface->segment_count; most *= 2) {
    double way;
    if (way_forward(model, surface, q, from->segment, from->xi, to->segment, to->xi, radius, most, &way)) return way;
    if (way_forward(model, surface, q, to->segment, to->xi, from->segment, from->xi, radius, most, &way)) return -way;
  }
  /* Another chain: a new touch; what can be said is how far its place is along the tangent. */
  return (to->place[0] - from->place[0]) * to->t[0] + (to->place[1] - from->place[1]) * to->t[1];
}

/* Angle from one direction to another, -pi .. pi. */
static double angle_between(const double a[2], const double b[2]) {
  return atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

/* Way over the round end of a thick target, whose centre line ends in the foot. */
static double way_over_end(const fw_model *model, const fw_surface *surface, const double *q, const fw_foot *foot) {
  const double offset = surface->segments[foot->segment].offset;
  if (foot->kind != FW_FOOT_VERTEX || offset == 0.0) return 0.0;
  fw_curve curve;
  fw_curve_at(model, surface, foot->segment, q, &curve);
  fw_curve_point at;
  fw_curve_eval(&curve, foot->xi, &at);
  return -offset * angle_between(at.t, foot->t);
}

double fw_surface_slip(const fw_model *model, const fw_surface *surface, const double *q_from, const fw_foot *from,
                       const fw_foot *to, double radius) {
  const double rolled = radius > 0.0 ? radius * angle_between(from->t, to->t) : 0.0;
  return way_between(model, surface, q_from, from, to, radius) - rolled + way_over_end(model, surface, q_from, to) -
         way_over_end(model, surface, q_from, from);
}
