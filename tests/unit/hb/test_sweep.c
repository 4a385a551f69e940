/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Continuation through the folds of the Duffing oscillator, one harmonic, where the curve is known. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "solver/continuation/arc_length.h"

/* x'' + 2 d x' + x + x^3 = F cos w t with x = a cos + b sin: the first harmonic of x^3 is 3/4 (a^2+b^2) times it. */
static const double D = 0.02, F = 0.1;

static fw_status duffing(void *user, const double *y, double *r, fw_jacobian *J, double *r_lambda) {
  (void)user;
  double a = y[0], b = y[1], w = y[2], k = 1 - w * w, c = 2 * D * w, n = 0.75 * (a * a + b * b);
  r[0] = k * a + c * b + n * a - F;
  r[1] = k * b - c * a + n * b;
  if (!J) return FW_OK;
  J->dense[0] = k + n + 1.5 * a * a;
  J->dense[1] = -c + 1.5 * a * b;
  J->dense[2] = c + 1.5 * a * b;
  J->dense[3] = k + n + 1.5 * b * b;
  if (!r_lambda) return FW_OK;
  r_lambda[0] = -2 * w * a + 2 * D * b;
  r_lambda[1] = -2 * w * b - 2 * D * a;
  return FW_OK;
}

typedef struct record {
  int points, folds;
  double direction, peak, peak_frequency, worst;
} record;

static fw_status remember(void *user, fw_continuation *curve, const double *y, const double *tangent) {
  record *seen = user;
  double amplitude = hypot(y[0], y[1]), w = y[2];
  if (seen->points && tangent[2] * seen->direction < 0) seen->folds++;
  seen->direction = tangent[2];
  seen->points++;
  if (amplitude > seen->peak) {
    seen->peak = amplitude;
    seen->peak_frequency = w;
  }
  /* (1 - w^2 + 3/4 A^2)^2 + (2 d w)^2 = (F/A)^2 */
  double left = hypot(1 - w * w + 0.75 * amplitude * amplitude, 2 * D * w);
  seen->worst = fmax(seen->worst, fabs(left * amplitude / F - 1));
  curve->scale[0] = curve->scale[1] = fmax(amplitude, 0.3 * seen->peak);
  return FW_OK;
}

static record sweep_duffing(double from, double to) {
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_continuation curve = {.n = 2, .residual = duffing};
  assert_int_equal(fw_continuation_init(ctx, &curve), FW_OK);
  curve.scale[0] = curve.scale[1] = 0.1;
  curve.scale[2] = 1;
  record seen = {0};
  fw_arc_length sweep = {
      .from = from, .to = to, .step = 0.01, .tolerance = 1e-10, .most = 2000, .user = &seen, .accept = remember};
  double y[3] = {0.1, 0, from};
  assert_int_equal(fw_arc_length_run(ctx, &curve, &sweep, y), FW_OK);
  assert_true(fabs(y[2] - to) < 1e-12);
  printf("duffing %.1f -> %.1f: %d points, %d rejected, %d iterations, %d folds, peak %.6f at %.6f, worst %.1e\n", from,
         to, sweep.points, sweep.rejected, sweep.iterations, seen.folds, seen.peak, seen.peak_frequency, seen.worst);
  fw_continuation_clear(&curve);
  fw_context_destroy(&ctx);
  return seen;
}

static void follows_both_folds(void **unused) {
  (void)unused;
  for (int down = 0; down < 2; down++) {
    record seen = down ? sweep_duffing(3, 0.4) : sweep_duffing(0.4, 3);
    assert_int_equal(seen.folds, 2);
    assert_true(seen.worst < 1e-9);
    /* at the peak w^2 = 1 + 3/4 A^2 and 2 d w A = F (phase resonance, next to the amplitude's) */
    double A2 = (-1 + sqrt(1 + 3 * pow(F / (2 * D), 2))) / 1.5;
    assert_true(fabs(seen.peak / sqrt(A2) - 1) < 2e-3);
    assert_true(seen.points < 700);
  }
}

/* lambda = zigzag(x) with slopes 3, -5, 3: corners at which the curve turns back by 150 degrees. */
static fw_status zigzag(void *user, const double *y, double *r, fw_jacobian *J, double *r_lambda) {
  (void)user;
  double x = y[0], slope = x > 1 && x < 1.5 ? -5 : 3;
  r[0] = y[1] - (x <= 1 ? 3 * x : x < 1.5 ? 3 - 5 * (x - 1) : 0.5 + 3 * (x - 1.5));
  if (J) J->dense[0] = -slope;
  if (r_lambda) r_lambda[0] = 1;
  return FW_OK;
}

/* x (x - lambda) = 0: x = 0 is crossed by another branch at lambda = 0. */
static fw_status crossing(void *user, const double *y, double *r, fw_jacobian *J, double *r_lambda) {
  (void)user;
  r[0] = y[0] * (y[0] - y[1]);
  if (J) J->dense[0] = 2 * y[0] - y[1];
  if (r_lambda) r_lambda[0] = -y[0];
  return FW_OK;
}

static fw_status count_turns(void *user, fw_continuation *curve, const double *y, const double *tangent) {
  record *seen = user;
  (void)curve;
  if (seen->points++ && tangent[1] * seen->direction < 0) seen->folds++;
  seen->direction = tangent[1];
  seen->worst = fmax(seen->worst, fabs(y[0]));
  return FW_OK;
}

static record sweep_plane(fw_status (*residual)(void *, const double *, double *, fw_jacobian *, double *), double from,
                          double to) {
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_continuation curve = {.n = 1, .residual = residual};
  assert_int_equal(fw_continuation_init(ctx, &curve), FW_OK);
  record seen = {0};
  fw_arc_length sweep = {
      .from = from, .to = to, .step = 0.1, .tolerance = 1e-10, .most = 500, .user = &seen, .accept = count_turns};
  double y[2] = {0, from};
  assert_int_equal(fw_arc_length_run(ctx, &curve, &sweep, y), FW_OK);
  assert_true(fabs(y[1] - to) < 1e-12);
  printf("%g -> %g: %d points, %d rejected, %d turns, largest x %.6f\n", from, to, sweep.points, sweep.rejected,
         seen.folds, seen.worst);
  fw_continuation_clear(&curve);
  fw_context_destroy(&ctx);
  return seen;
}

static void turns_sharp_corners(void **unused) {
  (void)unused;
  record seen = sweep_plane(zigzag, 0, 4);
  assert_int_equal(seen.folds, 2);
  assert_true(fabs(seen.worst - (1.5 + 3.5 / 3)) < 1e-9);
}

static void goes_straight_on_at_a_branch_point(void **unused) {
  (void)unused;
  record seen = sweep_plane(crossing, -1.05, 1);
  assert_int_equal(seen.folds, 0);
  assert_true(seen.worst < 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(follows_both_folds), cmocka_unit_test(turns_sharp_corners),
                                     cmocka_unit_test(goes_straight_on_at_a_branch_point)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
