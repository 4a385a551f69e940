/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strokes and symbols of sketches, in the plane of the paper. */
#ifndef FW_OUTPUT_SKETCH_LINES_H
#define FW_OUTPUT_SKETCH_LINES_H

#include "output/plot.h"

/* Points of lines in drawing order, NaN between lines. */
typedef struct fw_strokes {
  double *x, *y;
  int count, room_x, room_y;
} fw_strokes;

fw_status fw_strokes_add(fw_context *ctx, fw_strokes *strokes, double x, double y);
fw_status fw_strokes_lift(fw_context *ctx, fw_strokes *strokes); /* the line ends */
void fw_strokes_clear(fw_strokes *strokes);

/* A line through points; a circle; an arrow from a place with its head at the end. */
fw_status fw_strokes_line(fw_context *ctx, fw_strokes *strokes, const double (*points)[2], int count);
fw_status fw_strokes_circle(fw_context *ctx, fw_strokes *strokes, const double centre[2], double radius);
fw_status fw_strokes_arrow(fw_context *ctx, fw_strokes *strokes, const double from[2], const double along[2]);

/* Symbols of the given size at a place: a clamp (crossed square), a bearing (triangle that holds along `from`, which
 * points from the ground to the place, with the ground's line), a spring from the ground along `from`, a turn. */
fw_status fw_strokes_clamp(fw_context *ctx, fw_strokes *strokes, const double at[2], double size);
fw_status fw_strokes_bearing(fw_context *ctx, fw_strokes *strokes, const double at[2], const double from[2],
                             double size);
fw_status fw_strokes_spring(fw_context *ctx, fw_strokes *strokes, const double at[2], const double from[2],
                            double size);
fw_status fw_strokes_turn(fw_context *ctx, fw_strokes *strokes, const double at[2], double size);

/* The part of a line between two ends that lies in a box (low, high); false: none of it. */
bool fw_clip(double a[2], double b[2], const double low[2], const double high[2]);

#endif
