/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Continuation through the folds of the Duffing oscillator, one harmonic, where the curve is known. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "solver/hb/sweep.h"

/* x'' + 2 d x' + x + x^3 = F cos w t with x = a cos + b sin: the first harmonic of x^3 is 3/4 (a^2+b^2) times it. */
static const double D = 0.02, F = 0.1;

static fw_status duffing(void *user, const double *y, double *r, double *J, double *r_lambda) {
  (void)user;
  double a = y[0], b = y[1], w = y[2], k = 1 - w * w, c = 2 * D * w, n = 0.75 * (a * a + b * b);
  r[0] = k * a + c * b + n * a - F;
  r[1] = k * b - c * a + n * b;
  if (!J) return FW_OK;
  J[0] = k + n + 1.5 * a * a;
  J[1] = -c + 1.5 * a * b;
  J[2] = c + 1.5 * a * b;
  J[3] = k + n + 1.5 * b * b;
  if (!r_lambda) return FW_OK;
  r_lambda[0] = -2 * w * a + 2 * D * b;
  r_lambda[1] = -2 * w * b - 2 * D * a;
  return FW_OK;
}

typedef struct record {
  int points, folds;
  double direction, peak, peak_frequency, worst;
} record;

static fw_status remember(void *user, fw_curve *curve, const double *y, const double *tangent) {
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
  fw_curve curve = {.n = 2, .residual = duffing};
  assert_int_equal(fw_curve_init(ctx, &curve), FW_OK);
  curve.scale[0] = curve.scale[1] = 0.1;
  curve.scale[2] = 1;
  record seen = {0};
  fw_sweep sweep = {
      .from = from, .to = to, .step = 0.01, .tolerance = 1e-10, .most = 2000, .user = &seen, .accept = remember};
  double y[3] = {0.1, 0, from};
  assert_int_equal(fw_sweep_run(ctx, &curve, &sweep, y), FW_OK);
  assert_true(fabs(y[2] - to) < 1e-12);
  printf("duffing %.1f -> %.1f: %d points, %d rejected, %d iterations, %d folds, peak %.6f at %.6f, worst %.1e\n", from,
         to, sweep.points, sweep.rejected, sweep.iterations, seen.folds, seen.peak, seen.peak_frequency, seen.worst);
  fw_curve_clear(&curve);
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(follows_both_folds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
