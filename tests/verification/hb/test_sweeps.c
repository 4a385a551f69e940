/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps go along their curve once and reach its end. */
#include "verification/deck_run.h"

/* How far a sweep went against its direction, all such stretches together (Hz). */
static double walked_back(const deck_run *run, const char *table, double direction) {
  size_t rows;
  const double *frequency = deck_column(run, "frf", table, "frequency", &rows);
  double back = 0;
  for (size_t i = 1; i < rows; i++) back += fmax(0, -direction * (frequency[i] - frequency[i - 1]));
  printf("%-10s %zu points, walked back by %.4f Hz\n", table, rows, back);
  return back;
}

/* Where slip begins the response has an S between 54.5205 and 54.5293 Hz, with corners at which Newton's method finds
 * other stretches of it: both sweeps follow it once. */
static void slip_onset_is_passed_once(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/rig-onset.xml", NULL);
  double up = walked_back(&run, "frf-1-up", 1), down = walked_back(&run, "frf-1-down", -1);
  assert_true(up > 0.008 && up < 0.01);
  assert_true(down > 0.008 && down < 0.01);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slip_onset_is_passed_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
