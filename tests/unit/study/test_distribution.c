/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions against their moments, there and back, and correlation by the copula. */
#include <math.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "study/distribution.h"
#include "study/sampling.h"

static void there_and_back(void **state) {
  (void)state;
  const fw_distribution all[] = {{FW_UNIFORM, -1, 3, 0, 1},
                                 {FW_LOG_UNIFORM, log(1e5), log(1e9), 0, 1},
                                 {FW_NORMAL, 0.5, 0.1, 0, 1},
                                 {FW_NORMAL, 0.5, 0.1, 0.1, 0.7},
                                 {FW_LOG_NORMAL, 1, 0.3, 0, 1}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (double u = 0.05; u < 1; u += 0.1)
      assert_near(fw_distribution_place(&all[i], fw_distribution_value(&all[i], u)), u, 1e-9);
  assert_near(fw_distribution_value(&all[0], 0), -1, 1e-15);
  assert_near(fw_distribution_value(&all[0], 1), 3, 1e-15);
  assert_near(fw_distribution_value(&all[1], 0.5), 1e7, 1e-4);
}

/* Mean and deviation of a log-normal distribution are those of the value. */
static void moments(void **state) {
  (void)state;
  double m = 2, s = 0.5, variance = log1p(s * s / (m * m)), sum = 0, squares = 0;
  fw_distribution d = {FW_LOG_NORMAL, log(m) - variance / 2, sqrt(variance), 0, 1};
  enum { N = 200000 };
  for (int i = 0; i < N; i++) {
    double x = fw_distribution_value(&d, (i + 0.5) / N);
    sum += x / N;
    squares += x * x / N;
  }
  assert_near(sum, m, 1e-4);
  assert_near(sqrt(squares - sum * sum), s, 1e-3);
}

static void copula_correlates(void **state) {
  (void)state;
  enum { N = 4096 };
  fw_context *ctx;
  double r[] = {1, 0.8, 0.8, 1}, impossible[] = {1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1};
  double *u = calloc(2 * N, sizeof *u), mean[2] = {0}, moment[3] = {0};
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_false(fw_copula_factor(3, impossible));
  assert_true(fw_copula_factor(2, r));
  assert_int_equal(fw_sobol_fill(ctx, 2, 1, N, 2, u), FW_OK);
  for (int i = 0; i < N; i++) {
    fw_copula_apply(2, r, u + 2 * i);
    for (int k = 0; k < 2; k++) mean[k] += u[2 * i + k] / N;
  }
  for (int i = 0; i < N; i++) {
    double a = u[2 * i] - 0.5, b = u[2 * i + 1] - 0.5;
    moment[0] += a * a / N;
    moment[1] += b * b / N;
    moment[2] += a * b / N;
  }
  /* Rank correlation of a Gaussian copula: 6/pi asin(r/2). The margins stay uniform. */
  assert_near(mean[0], 0.5, 1e-3);
  assert_near(mean[1], 0.5, 1e-3);
  assert_near(moment[1], 1.0 / 12, 1e-3);
  assert_near(moment[2] / sqrt(moment[0] * moment[1]), 6 / M_PI * asin(0.4), 5e-3);
  free(u);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back), cmocka_unit_test(moments),
                                     cmocka_unit_test(copula_correlates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
