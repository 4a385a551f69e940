/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/continuation/arc_length.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 16 };

/* Newton at a fixed lambda from the last point times `factor`. */
static fw_status try_from(fw_continuation *curve, const double *last, double factor, double lambda, double tolerance,
                          double *y) {
  fw_newton newton = {.tolerance = tolerance, .most = 30, .idle = 8};
  fw_fixed fixed = {curve->n, lambda};
  for (int i = 0; i < curve->n; i++) y[i] = factor * last[i];
  y[curve->n] = lambda;
  return fw_continuation_correct(curve, (fw_condition){&fixed, fw_fixed_value}, &newton, y);
}

fw_status fw_curve_break_cross(fw_context *ctx, fw_continuation *curve, double to, double step, double tolerance,
                               double *y) {
  static const double factors[] = {1, 1.5, 2.5, 0.7};
  size_t bytes = ((size_t)curve->n + 1) * sizeof(double);
  double *last, lambda = y[curve->n], sign = to > lambda ? 1 : -1;
  FW_TRY(fw_alloc(ctx, (size_t)curve->n + 1, sizeof *last, &last));
  memcpy(last, y, bytes);
  fw_status status = FW_RECOVER_DIVERGED;
  for (int i = 1; i <= TRIES && status > 0; i++) {
    lambda += sign * step * i; /* the steps grow */
    if ((to - lambda) * sign <= 0) break;
    status = fw_interrupted(ctx);
    if (status == FW_OK) status = FW_RECOVER_DIVERGED;
    for (size_t k = 0; k < sizeof factors / sizeof *factors && status > 0; k++)
      status = try_from(curve, last, factors[k], lambda, tolerance, y);
  }
  free(last);
  return status;
}
