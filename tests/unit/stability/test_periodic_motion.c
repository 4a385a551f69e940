/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stability of motions that time integration found, without harmonic balance: a Duffing oscillator
 * x'' + 2 zeta x' + x + a x^3 = p cos(omega t), its period and its multipliers by Runge's and Kutta's method. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "solver/stability/floquet.h"

static const double zeta = 0.05, a = 0.4, p = 0.3, omega = 1.3;
enum { SAMPLES = 2000, PERIODS = 200 };

/* y: x, x', then two disturbances of both. */
static void rate(double t, const double *y, double *out) {
  double k = 1 + 3 * a * y[0] * y[0];
  out[0] = y[1];
  out[1] = p * cos(omega * t) - 2 * zeta * y[1] - y[0] - a * y[0] * y[0] * y[0];
  for (int c = 2; c < 6; c += 2) {
    out[c] = y[c + 1];
    out[c + 1] = -2 * zeta * y[c + 1] - k * y[c];
  }
}

static void step(double t, double h, double *y) {
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  double k[6] = {0}, sum[6] = {0}, trial[6];
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < 6; i++) trial[i] = y[i] + at[s] * h * k[i];
    rate(t + at[s] * h, trial, k);
    for (int i = 0; i < 6; i++) sum[i] += weight[s] * k[i];
  }
  for (int i = 0; i < 6; i++) y[i] += h * sum[i] / 6;
}

static void add_tangents(void *unused, const double *q, const double *v, double *K, double *C) {
  (void)unused;
  (void)v;
  (void)C;
  K[0] += 3 * a * q[0] * q[0];
}

static void of_time_integration(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_periodic_motion motion;
  fw_floquet stability;
  double y[6] = {0}, out[6];
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_periodic_motion_init(ctx, 1, SAMPLES, 0, false, &motion), FW_OK);
  motion.M[0] = motion.K[0] = 1;
  motion.C[0] = 2 * zeta;
  motion.h = 2 * M_PI / (omega * SAMPLES);
  motion.add_tangents = add_tangents;
  for (int i = 0; i < PERIODS * SAMPLES; i++) step(i % SAMPLES * motion.h, motion.h, y);
  memcpy(y + 2, (double[]){1, 0, 0, 1}, 4 * sizeof *y);
  for (int s = 0; s < SAMPLES; s++) {
    rate(s * motion.h, y, out);
    motion.q[s] = y[0];
    motion.v[s] = y[1];
    motion.f[s] = out[1];
    step(s * motion.h, motion.h, y);
  }
  motion.start = fw_periodic_motion_fastest(&motion);
  assert_int_equal(fw_floquet_find(ctx, &motion, &stability), FW_OK);
  assert_null(stability.why);
  double trace = y[2] + y[5], det = y[2] * y[5] - y[3] * y[4];
  double complex sum = stability.multipliers[0] + stability.multipliers[1];
  assert_true(fabs(trace) > 0.1);
  assert_true(cabs(sum - trace) < 2e-5);
  assert_true(cabs(stability.multipliers[0] * stability.multipliers[1] - det) < 1e-5);
  assert_int_equal(stability.growing, 0);
  fw_floquet_clear(&stability);
  fw_periodic_motion_clear(&motion);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_time_integration)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
