/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points between those of a curve of solutions, until the straight lines between neighbours look like the curve.
 *
 * What looks like a curve is decided in pictures: each point has an abscissa and a number of ordinates there, in units of a
 * picture's height. Of the chord between two points, of length L, at whose ends the line turns by angles a and b, the curve
 * is away by about
 *
 *   d = k L^2 / 8,   k the larger of 2 a / (L_before + L) and 2 b / (L + L_behind),
 *
 * and by L / (cot a + cot b) where a + b is more than a right angle: the chord may cut off what is between two flanks.
 * Where d is too large a solution half way is found by Newton's method, across the chord in the space of unknowns; so it is
 * in chords that are long along the abscissa, of which those beside them tell little. */
#ifndef FW_CONTINUATION_SMOOTH_H
#define FW_CONTINUATION_SMOOTH_H

#include "solver/continuation/corrector.h"

/* Straight lines are this close to the curve, in units of a picture's height; the curve has so many times the points of its
 * grid at most. */
#define FW_SMOOTH_WITHIN 0.01
#define FW_SMOOTH_POINTS 10

typedef struct fw_smooth {
  int count;        /* points */
  int most;         /* there may be in the end */
  int ordinates;    /* of a point in pictures, besides its abscissa */
  double tolerance; /* of Newton's method */
  void *user;
  /* Where pictures have all points: 1 + ordinates numbers each, NaN: not drawn. */
  void (*draw)(void *user, double *places);
  /* Whether the curve goes on from point i to i + 1. */
  bool (*joined)(void *user, int i);
  /* y: unknowns and lambda of point i, [n + 1]. */
  void (*point)(void *user, int i, double *y);
  /* Sets curve->scale near y. */
  void (*size)(void *user, fw_continuation *curve, const double *y);
  /* Takes y for a new point i + 1; positive status: it is of no use. */
  fw_status (*insert)(void *user, int i, const double *y);
  int iterations; /* result: of Newton's method */
} fw_smooth;

fw_status fw_smooth_run(fw_context *ctx, fw_continuation *curve, fw_smooth *smooth);

/* How far the curve is from the straight line between points i and i + 1 of `count`, estimated; rows of 1 + ordinates.
 * before, behind: whether the curve goes on beyond its ends. */
double fw_smooth_distance(const double *places, int ordinates, int i, bool before, bool behind);

#endif
