/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a point to its foot on a surface, with all derivatives, and the slip between two feet. */
#ifndef FW_CONTACT_PROJECT_H
#define FW_CONTACT_PROJECT_H

#include "contact/detect/segment.h"

typedef enum fw_foot_kind { FW_FOOT_CURVE, FW_FOOT_ARC, FW_FOOT_VERTEX } fw_foot_kind;

/* Foot of the follower's centre on the surface. The gap is distance - offset - radius: the signed
 * distance from the surface, continuous everywhere the follower can be in practice.
 * Corners: a convex one is rounded by a disc (the corner is the foot); a point sees the larger of
 * the distances from the two sides continued straight. In a concave one the nearer side counts.
 * Beyond the ends of an open chain the end point is the foot. A point flush with an end, or pressing on the
 * face of `hint` at a sharp corner, stays on that face up to a twentieth of the segment beyond it. */
typedef struct fw_foot {
  fw_foot_kind kind;
  int segment; /* with xi: where it touches, as in fw_touch */
  double xi;
  int vertex;        /* FW_FOOT_VERTEX: the anchor */
  double distance;   /* of the centre from the curve along n */
  double n[2], t[2]; /* unit normal and tangent */
  double place[2];   /* on the surface */
} fw_foot;

/* hint: a segment that is probably near, or -1. */
void fw_surface_project(const fw_model *model, const fw_surface *surface, const double *q, const double centre[2],
                        double radius, int hint, fw_foot *foot);

/* Slip from one foot to another: the way along the target's surface, measured in the
 * configuration q_from, less the way rolled off the disc by the turning of the normal. The disc's own
 * rotation is not in here. */
double fw_surface_slip(const fw_model *model, const fw_surface *surface, const double *q_from, const fw_foot *from,
                       const fw_foot *to, double radius);

/* ---- derivatives ------------------------------------------------------------------------- */

enum { FW_FOOT_POINTS = 1 + FW_SEGMENT_POINTS, FW_FOOT_COORDINATES = 2 * FW_FOOT_POINTS };

/* Gap and slip by the coordinates of the centre (point 0) and of the control points the foot
 * rests on; second derivatives row major with 2*points columns. */
typedef struct fw_foot_gradient {
  int points;
  int anchor[FW_FOOT_POINTS]; /* [0] unused */
  double gap[FW_FOOT_COORDINATES], slip[FW_FOOT_COORDINATES];
  double gap2[FW_FOOT_COORDINATES * FW_FOOT_COORDINATES], slip2[FW_FOOT_COORDINATES * FW_FOOT_COORDINATES];
  double spin; /* d slip / d rotation of the node that carries an arc */
} fw_foot_gradient;

/* second: fill in the second derivatives too. */
void fw_foot_differentiate(const fw_model *model, const fw_surface *surface, const double *q_from, const double *q,
                           const double centre[2], double radius, const fw_foot *foot, bool second,
                           fw_foot_gradient *gradient);

#endif
