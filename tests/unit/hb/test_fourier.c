/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fourier series: projection inverts sampling; the product of two series is that of their samples. */
#include <math.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "solver/hb/aft/fourier.h"

enum { H = 3, SIZE = 2 * H + 1, WIDE = 4 * H + 1, SAMPLES = 6 * H + 1, STRIDE = 2 };

static double number(int seed) { return sin(12.9898 * seed + 1); }

/* Samples of t x, projected, beside block times the coefficients of x; t has harmonics up to 2 H, as a cubic force's
 * derivative has. */
static void products_are_those_of_samples(void **state) {
  (void)state;
  fw_context *ctx;
  fw_fourier narrow, wide;
  double t[STRIDE * WIDE] = {0}, plain[WIDE], x[SIZE], t_samples[SAMPLES], x_samples[SAMPLES];
  double product[SIZE], block[SIZE * SIZE], largest = 0;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_fourier_init(ctx, H, SAMPLES, &narrow), FW_OK);
  assert_int_equal(fw_fourier_init(ctx, 2 * H, SAMPLES, &wide), FW_OK);
  for (int i = 0; i < WIDE; i++) t[STRIDE * i] = plain[i] = number(i);
  for (int i = 0; i < SIZE; i++) x[i] = number(100 + i);
  fw_fourier_sample(&wide, plain, t_samples);
  fw_fourier_sample(&narrow, x, x_samples);
  for (int j = 0; j < SAMPLES; j++) t_samples[j] *= x_samples[j];
  fw_fourier_project(&narrow, t_samples, 1, product);
  fw_fourier_product(&narrow, t, STRIDE, block);
  for (int i = 0; i < SIZE; i++) {
    double sum = 0;
    for (int j = 0; j < SIZE; j++) sum += block[i * SIZE + j] * x[j];
    largest = fmax(largest, fabs(sum - product[i]));
  }
  print_message("product of series: largest difference %.1e\n", largest);
  assert_true(largest < 1e-13);
  fw_fourier_project(&narrow, x_samples, 1, product);
  for (int i = 0; i < SIZE; i++) assert_near(product[i], x[i], 1e-13);
  fw_fourier_clear(&wide);
  fw_fourier_clear(&narrow);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_those_of_samples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
