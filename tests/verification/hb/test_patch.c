/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A patch of 25 nodes (550 unknowns, a Jacobian kept harmonic by harmonic) from stick into gross slip, against time
 * integration of the same deck. */
#include <math.h>

#include "verification/deck_run.h"

static void goes_through_the_onset_of_slip(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/patch.xml", NULL);
  const double *frequency = deck_column(&run, "frf", "frf-200", "frequency", &rows);
  const double *stick = deck_column(&run, "frf", "frf-200", "contact.stick_fraction", &rows);
  double least = 1;
  for (size_t i = 0; i < rows; i++) least = fmin(least, stick[i]);
  printf("%zu points from %g to %g Hz, stick fraction down to %.3f\n", rows, frequency[0], frequency[rows - 1], least);
  assert_true(fabs(frequency[0] - 2000) < 1e-9 && fabs(frequency[rows - 1] - 5000) < 1e-9);
  assert_true(least < 0.9);
  for (size_t i = 1; i < rows; i++) assert_true(frequency[i] - frequency[i - 1] < 100); /* nothing is left out */
  const char *const figures[] = {"first_harmonic", "contact.contact.slip_amplitude", "contact.contact.work_rate"};
  for (int i = 0; i < 3; i++) {
    char path[96];
    snprintf(path, sizeof path, "levels[0].agreement.%s", figures[i]);
    double difference = deck_number(&run, "frf", path);
    printf("%-32s differs from time integration by %.2e\n", figures[i], difference);
    assert_true(difference < 0.01);
  }
  const double *level = deck_column(&run, "curve", "locus", "level", &rows);
  const double *resonance = deck_column(&run, "curve", "locus", "frequency", &rows);
  double swept = deck_number(&run, "frf", "levels[0].resonance.frequency");
  printf("resonance at %g N: %.6f Hz swept, %.6f Hz along the curve of resonances\n", level[0], swept, resonance[0]);
  assert_true(fabs(level[0] - 200) < 1e-9 && fabs(level[rows - 1] - 240) < 1e-9);
  assert_true(fabs(resonance[0] / swept - 1) < 1e-7);
  const double *amplitude = deck_column(&run, "mode", "nnm", "amplitude", &rows);
  const double *frequency_of_mode = deck_column(&run, "mode", "nnm", "frequency", &rows);
  printf("nonlinear mode from %g m, %g Hz to %g m, %g Hz\n", amplitude[0], frequency_of_mode[0], amplitude[rows - 1],
         frequency_of_mode[rows - 1]);
  assert_true(fabs(amplitude[rows - 1] / 2e-5 - 1) < 1e-3);
  assert_true(frequency_of_mode[rows - 1] < 0.8 * frequency_of_mode[0]); /* slip softens it */
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(goes_through_the_onset_of_slip)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
