/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sobol's indices and their confidence intervals on samples made here. */
#include <math.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "study/effects.h"

enum { D = 2, BLOCKS = 2000, STRIDE = D + 2 };

typedef struct design {
  double f[BLOCKS][STRIDE]; /* f_A, f_B, f_AB1, f_AB2 */
} design;

static double uniform(unsigned *seed) {
  *seed = 1664525u * *seed + 1013904223u;
  return *seed / 4294967296.0;
}

/* f = 3 x_1 + x_2 + x_1 x_2 on [-1, 1]^2, its mean zero: V_1 = 3, V_2 = 1/3, V_12 = 1/9. */
static double function(const double *x) { return 3 * x[0] + x[1] + x[0] * x[1]; }

static void fill(design *d) {
  unsigned seed = 1;
  for (int i = 0; i < BLOCKS; i++) {
    double a[D], b[D];
    for (int k = 0; k < D; k++) a[k] = 2 * uniform(&seed) - 1, b[k] = 2 * uniform(&seed) - 1;
    d->f[i][0] = function(a);
    d->f[i][1] = function(b);
    for (int k = 0; k < D; k++) {
      double mixed[D] = {a[0], a[1]};
      mixed[k] = b[k];
      d->f[i][2 + k] = function(mixed);
    }
  }
}

/* Standard error of a ratio of means, R = mean(a)/mean(b): that of the mean of (a - R b)/mean(b). */
static double error_of_ratio(const double *a, const double *b) {
  double mean_a = 0, mean_b = 0, squares = 0;
  for (int i = 0; i < BLOCKS; i++) mean_a += a[i] / BLOCKS, mean_b += b[i] / BLOCKS;
  for (int i = 0; i < BLOCKS; i++) squares += pow((a[i] - mean_a / mean_b * b[i]) / mean_b, 2);
  return sqrt(squares) / BLOCKS;
}

static void find_effects(design *d, double resamplings, fw_effect *effects) {
  static const fw_param params[] = {{"bootstrap", FW_PARAM_INTEGER, "", "1000", 10, 1e6, NULL, ""}, {0}};
  fw_value value = {.given = true, .numbers = &resamplings, .count = 1};
  fw_args args = {.params = params, .values = &value};
  fw_study study = {.factor_count = D, .sampling_args = &args, .seed = 3};
  fw_samples samples = {.count = (long)BLOCKS * STRIDE, .columns = 1, .results = &d->f[0][0]};
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_effects_sobol(ctx, &study, &samples, 0, effects), FW_OK);
  fw_context_destroy(&ctx);
}

/* An interval of 95 % goes 1.96 standard errors to either side: one of 90 % would be a sixth shorter, one of 99 % a
 * third longer. */
static void intervals_are_those_of_95_percent(void **unused) {
  (void)unused;
  static design d;
  static double first[BLOCKS], total[BLOCKS], variance[BLOCKS];
  static const double V = 3 + 1.0 / 3 + 1.0 / 9, V_first[D] = {3, 1.0 / 3};
  fw_effect effects[D] = {0};
  fill(&d);
  find_effects(&d, 4000, effects);
  for (int k = 0; k < D; k++) {
    const fw_effect *e = &effects[k];
    for (int i = 0; i < BLOCKS; i++) {
      const double *f = d.f[i];
      variance[i] = (f[0] * f[0] + f[1] * f[1]) / 2;
      first[i] = f[1] * (f[2 + k] - f[0]);
      total[i] = pow(f[0] - f[2 + k], 2) / 2;
    }
    double error = error_of_ratio(first, variance);
    assert_near(e->first, V_first[k] / V, 4 * error);
    assert_near((e->first_high - e->first_low) / (2 * error), 1.96, 0.08);
    error = error_of_ratio(total, variance);
    assert_near(e->total, (V_first[k] + 1.0 / 9) / V, 4 * error);
    assert_near((e->total_high - e->total_low) / (2 * error), 1.96, 0.08);
    assert_true(e->first_low < e->first && e->first < e->first_high);
    assert_true(e->total_low < e->total && e->total < e->total_high);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_are_those_of_95_percent)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
