/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One segment of a surface at one configuration: a plane curve s(xi), -1 <= xi <= 1. Beyond its
 * ends the curve goes on along its end tangents, so that corners can be met from both sides. */
#ifndef FW_CONTACT_SEGMENT_H
#define FW_CONTACT_SEGMENT_H

#include "contact/detect/surface.h"

typedef struct fw_curve {
  const fw_segment *segment;
  int points;
  double point[FW_SEGMENT_POINTS][2]; /* control points where they are now */
  double rotation;                    /* arcs: of the carrier */
} fw_curve;

/* The curve at one xi. shape[d][j]: d-th derivative of the weight of control point j. */
typedef struct fw_curve_point {
  double shape[4][FW_SEGMENT_POINTS];
  double s[4][2];      /* place and its derivatives by xi */
  double J;            /* |s'| */
  double t[2], n[2];   /* unit tangent, normal to its left */
  double tau, k, jerk; /* t.s'', n.s'', n.s''' */
} fw_curve_point;

/* Index into surface.anchors of the segment's start (end = 0) or end (end = 1). */
int fw_segment_end(const fw_segment *segment, int end);

void fw_curve_at(const fw_model *model, const fw_surface *surface, int segment, const double *q, fw_curve *curve);
void fw_curve_eval(const fw_curve *curve, double xi, fw_curve_point *out);

/* Distance of c from the curve between its ends; *xi is where. */
double fw_curve_nearest(const fw_curve *curve, const double c[2], double *xi);

/* xi of the foot of c on the curve continued beyond end 0 or 1 by its tangent. */
double fw_curve_beyond(const fw_curve *curve, int end, const double c[2]);

/* Length of the surface (the curve shifted by its offset) between two xi, signed; speed is its
 * derivative by `to` and speed_xi the next one. */
double fw_curve_length(const fw_curve *curve, double from, double to);
void fw_curve_speed(const fw_curve *curve, double xi, double *speed, double *speed_xi);

#endif
