/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forces of joints that follow formulas of time, against mass times the second derivatives worked out by hand. */
#include "verification/deck_run.h"

static const double mass = 2.0;

static double along(double t) {
  double past = fmax(t - 0.05, 0.0), late = fmax(t - 0.02, 0.0);
  double swing = 0.01 * exp(-8.0 * t) * ((64.0 - 3600.0) * sin(60.0 * t) - 960.0 * cos(60.0 * t));
  return swing + 6.0 * past + 12.0 * late * late;
}

static double upward(double t) { return 0.04 / pow(1.0 + 30.0 * t, 3.0); }

static void forces_are_exact(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  double worst[2] = {0}, largest[2] = {0};
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/ida/prescribed-motion.xml", NULL);
  const double *t = deck_column(&run, "ida", "joints", "time", &rows);
  const double *fx = deck_column(&run, "ida", "joints", "shake fx", &rows);
  const double *fy = deck_column(&run, "ida", "joints", "lift fy", &rows);
  assert_int_equal(rows, 51);
  for (size_t i = 0; i < rows; i++) {
    const double exact[2] = {mass * along(t[i]), mass * upward(t[i])}, found[2] = {fx[i], fy[i]};
    for (int k = 0; k < 2; k++) {
      worst[k] = fmax(worst[k], fabs(found[k] - exact[k]));
      largest[k] = fmax(largest[k], fabs(exact[k]));
    }
  }
  bounded("force along, over the largest", worst[0] / largest[0], 1e-9);
  bounded("force upward, over the largest", worst[1] / largest[1], 1e-9);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forces_are_exact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
