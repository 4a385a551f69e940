/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/surface.h"

#include <math.h>

#include "contact/detect/segment.h"

static const double COSINE_OF_CORNER = 0.866; /* of 30 degrees */

/* Chord of a segment in the reference configuration: length and direction. */
static double chord(const fw_model *model, const fw_surface *surface, int segment, double direction[2]) {
  double a[2], b[2];
  fw_anchor_place(model, &surface->anchors[fw_segment_end(&surface->segments[segment], 0)], NULL, a);
  fw_anchor_place(model, &surface->anchors[fw_segment_end(&surface->segments[segment], 1)], NULL, b);
  const double length = hypot(b[0] - a[0], b[1] - a[1]);
  for (int k = 0; k < 2; k++) direction[k] = length > 0.0 ? (b[k] - a[k]) / length : 0.0;
  return length;
}

/* Half tangent at end e (0 start, 1 end): weights of ends 0 and 1 and of the point beyond (2 + e). With l
 * the own length, m that of the neighbour, d and n the differences of places over own and neighbour:
 * tangent by arc length = (m d/l + l n/m)/(l + m); half of it times l goes with -1 <= xi <= 1. */
static void set_tangent(const fw_model *model, fw_surface *surface, int s, int e) {
  fw_segment *segment = &surface->segments[s];
  const int other = e ? segment->next : segment->previous;
  double own[2], theirs[2], *w = segment->tangent[e];
  const double l = chord(model, surface, s, own);
  double d = 0.5, n = 0.0; /* weights of the two differences: chord alone */
  segment->anchor[2 + e] = segment->anchor[e];
  if (other >= 0 && other != s && surface->segments[other].smooth) {
    const double m = chord(model, surface, other, theirs);
    if (own[0] * theirs[0] + own[1] * theirs[1] > COSINE_OF_CORNER && m > 0.0) {
      d = 0.5 * m / (l + m);
      n = 0.5 * l * l / (m * (l + m));
      segment->anchor[2 + e] = fw_segment_end(&surface->segments[other], e);
    }
  }
  for (int j = 0; j < FW_SEGMENT_POINTS; j++) w[j] = 0.0;
  w[0] -= d;
  w[1] += d;
  w[e] += e ? -n : n; /* at the start the neighbour runs from the point beyond to here, at the end from here on */
  w[2 + e] += e ? n : -n;
}

void fw_surface_smooth(const fw_model *model, fw_surface *surface) {
  for (int s = 0; s < surface->segment_count; s++)
    for (int e = 0; e < 2 && surface->segments[s].smooth; e++) set_tangent(model, surface, s, e);
  for (int s = 0; s < surface->segment_count; s++)
    if (surface->segments[s].smooth) surface->segments[s].kind = FW_SEGMENT_SMOOTH;
}
