/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/continuation/arc_length.h"

enum { TRIES = 16 };
static const double OFF_MOST = 0.25; /* scaled: how far beside the line through the trail the curve may go on */

fw_status fw_trail_init(fw_context *ctx, int n, fw_trail *trail) {
  *trail = (fw_trail){.m = n + 1, .top = -INFINITY};
  return fw_alloc(ctx, FW_TRAIL * ((size_t)n + 1), sizeof *trail->points, &trail->points);
}

void fw_trail_clear(fw_trail *trail) {
  free(trail->points);
  *trail = (fw_trail){0};
}

static double lambda_of(const fw_trail *trail, int point) {
  return trail->points[(size_t)point * (size_t)trail->m + (size_t)trail->m - 1];
}

void fw_trail_mark(fw_trail *trail, double step, const double *y) {
  size_t m = (size_t)trail->m;
  double lambda = y[m - 1];
  trail->top = fmax(trail->top, lambda);
  if (trail->count && lambda < lambda_of(trail, 0) + 0.5 * step) return;
  memmove(trail->points + m, trail->points, (FW_TRAIL - 1) * m * sizeof *y);
  memcpy(trail->points, y, m * sizeof *y);
  if (trail->count < FW_TRAIL) trail->count++;
}

/* Unknown i on the line through two points of the trail, at another lambda. */
static double on_line(const fw_trail *trail, int point, double lambda, int i) {
  const double *near = trail->points + (size_t)point * (size_t)trail->m, *far = near + trail->m;
  int last = trail->m - 1;
  return near[i] + (near[i] - far[i]) * (lambda - near[last]) / (near[last] - far[last]);
}

static fw_status try_line(const fw_trail *trail, fw_continuation *curve, int point, double lambda, double tolerance,
                          double *y) {
  fw_newton newton = {.tolerance = tolerance, .most = 30, .idle = 8};
  fw_fixed fixed = {curve->n, lambda};
  double square = 0;
  for (int i = 0; i < curve->n; i++) y[i] = on_line(trail, point, lambda, i);
  y[curve->n] = lambda;
  FW_TRY(fw_continuation_correct(curve, (fw_condition){&fixed, fw_fixed_value}, &newton, y));
  for (int i = 0; i < curve->n; i++) square += pow((y[i] - on_line(trail, point, lambda, i)) / curve->scale[i], 2);
  return square <= OFF_MOST * OFF_MOST ? FW_OK : FW_RECOVER_DIVERGED;
}

fw_status fw_trail_leave(fw_context *ctx, const fw_trail *trail, fw_continuation *curve, double to, double step,
                         double tolerance, double *y) {
  double lambda = trail->top;
  for (int i = 1; i <= TRIES; i++) {
    lambda += 0.25 * step * i; /* the steps grow */
    if (lambda > to) break;
    FW_TRY(fw_interrupted(ctx));
    for (int point = 0; point + 1 < trail->count; point++) {
      fw_status status = try_line(trail, curve, point, lambda, tolerance, y);
      if (status <= 0) return status;
    }
  }
  return FW_RECOVER_DIVERGED;
}
