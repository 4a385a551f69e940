/* SPDX-License-Identifier: GPL-3.0-or-later */
/* H1 and coherence of signals whose relation is known. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "solver/analyses/welch.h"

enum { LENGTH = 256 };

static double noise(uint64_t *state) { /* uniform, of unit variance */
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return ((double)(*state >> 11) * 0x1p-53 - 0.5) * sqrt(12);
}

/* Lines of whole periods without a window: y is x delayed by 3 samples, halved, on top of a constant. */
static void lines_are_exact(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_welch w;
  double signals[2 * LENGTH];
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_welch_init(ctx, LENGTH, 1, false, &w), FW_OK);
  for (int j = 0; j < LENGTH; j++) {
    signals[j] = signals[LENGTH + j] = 0;
    for (int k = 5; k < 100; k += 7) signals[j] += cos(2 * M_PI * k * j / LENGTH + k);
    for (int k = 5; k < 100; k += 7) signals[LENGTH + j] += 0.5 * cos(2 * M_PI * k * (j - 3) / LENGTH + k);
    signals[LENGTH + j] += 4;
  }
  fw_welch_add(&w, signals);
  for (int k = 5; k < 100; k += 7) {
    double complex exact = 0.5 * cexp(-I * 2 * M_PI * k * 3 / LENGTH);
    assert_true(cabs(fw_welch_gain(&w, 0, k) - exact) < 1e-12);
    assert_true(fabs(fw_welch_coherence(&w, 0, k) - 1) < 1e-12);
  }
  fw_welch_clear(&w);
  fw_context_destroy(&ctx);
}

/* Two outputs, one with noise of its own of variance v: no bias, coherence g^2 / (g^2 + v), both within the scatter of
 * the mean over bins and records. */
static void noise_lowers_coherence(void **unused) {
  (void)unused;
  enum { RECORDS = 400 };
  const double g = 0.5, v = 0.25;
  fw_context *ctx;
  fw_welch w;
  double signals[3 * LENGTH], coherence[2] = {0};
  double complex gain[2] = {0};
  uint64_t state = 1;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_welch_init(ctx, LENGTH, 2, true, &w), FW_OK);
  for (int r = 0; r < RECORDS; r++) {
    for (int j = 0; j < LENGTH; j++) {
      signals[j] = noise(&state);
      signals[LENGTH + j] = -g * signals[j];
      signals[2 * LENGTH + j] = g * signals[j] + sqrt(v) * noise(&state);
    }
    fw_welch_add(&w, signals);
  }
  assert_int_equal(w.records, RECORDS);
  for (int o = 0; o < 2; o++)
    for (int k = 4; k < 124; k++) {
      gain[o] += fw_welch_gain(&w, o, k) / 120;
      coherence[o] += fw_welch_coherence(&w, o, k) / 120;
    }
  printf("gains %.6f %.4f, coherences %.6f %.4f\n", creal(gain[0]), creal(gain[1]), coherence[0], coherence[1]);
  assert_true(cabs(gain[0] + g) < 1e-12 && fabs(coherence[0] - 1) < 1e-12);
  assert_true(cabs(gain[1] - g) < 0.01 && fabs(coherence[1] - g * g / (g * g + v)) < 0.01);
  fw_welch_clear(&w);
  fw_context_destroy(&ctx);
}

/* A line between two bins, 10.5, beside Hann's window: its power falls off as (1/(d (d^2 - 1)))^2 with the distance d
 * from the line, without a window as (1/d)^2. */
static void window_keeps_lines_together(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_welch w;
  double signals[2 * LENGTH];
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_welch_init(ctx, LENGTH, 1, true, &w), FW_OK);
  for (int j = 0; j < LENGTH; j++) signals[j] = signals[LENGTH + j] = sin(2 * M_PI * 10.5 * j / LENGTH);
  fw_welch_add(&w, signals);
  double near = 0.5, far = 12.5; /* bins 11 and 23 */
  double exact = pow(near * (near * near - 1) / (far * (far * far - 1)), 2);
  printf("power 12.5 bins away over that half a bin away: %.3e, Hann's window %.3e\n", w.S_xx[23] / w.S_xx[11], exact);
  assert_true(fabs(w.S_xx[23] / w.S_xx[11] / exact - 1) < 0.5);
  fw_welch_clear(&w);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_exact), cmocka_unit_test(window_keeps_lines_together),
                                     cmocka_unit_test(noise_lowers_coherence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
