/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A response that grows without bound says so, and the curve goes on behind it. With one harmonic of amplitude X a friction
 * mu N that slides after the elastic way u has, with cos theta = 1 - 2 u/X, the parts
 *
 *   c = mu N X/(pi u) (theta - sin(2 theta)/2),  s = 4/pi mu N (1 - u/X)
 *
 * in phase with the motion and with its velocity: ((k - m w^2) X + c)^2 + s^2 = F^2, which at the resonance no X fulfils
 * where F > 4/pi mu N. */
#include "verification/deck_run.h"

/* Force that the motion takes, over that of the drive. */
static double force_of(double frequency, double X) {
  double w = 2 * M_PI * frequency, limit = 16, u = 1e-6, theta = acos(1 - 2 * u / X);
  double c = limit * X / (M_PI * u) * (theta - sin(2 * theta) / 2), s = 4 / M_PI * limit * (1 - u / X);
  return hypot((1e5 - w * w) * X + c, s) / 30;
}

/* Largest difference from the closed form, where X is not so large that rounding is; range: of the frequencies. */
static double judge(const deck_run *run, const char *table, double range[2]) {
  size_t rows;
  double worst = 0;
  const double *frequency = deck_column(run, "frf", table, "frequency", &rows),
               *amplitude = deck_column(run, "frf", table, "x.amplitude", &rows);
  range[0] = INFINITY;
  range[1] = 0;
  for (size_t i = 0; i < rows; i++) {
    if (amplitude[i] < 1) worst = fmax(worst, fabs(force_of(frequency[i], amplitude[i]) - 1));
    range[0] = fmin(range[0], frequency[i]);
    range[1] = fmax(range[1], frequency[i]);
  }
  printf("%s: %zu points from %g to %g Hz, force off by %.1e\n", table, rows, range[0], range[1], worst);
  return worst;
}

static void a_climb_without_end_is_told(void **unused) {
  (void)unused;
  static const char *const tables[] = {"frf-1-up", "frf-1-down"};
  deck_run run;
  const char *told = "";
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/unbounded.xml", NULL);
  assert_int_equal(fw_results_text(run.results, "analyses.frf.levels[0].note", &told), FW_OK);
  assert_non_null(strstr(told, "grows without bound at 50.32"));
  for (int i = 0; i < 2; i++) {
    double range[2];
    assert_true(judge(&run, tables[i], range) < 1e-3);
    assert_near(range[0], 30, 1e-9);
    assert_near(range[1], 70, 1e-9);
  }
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_climb_without_end_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
