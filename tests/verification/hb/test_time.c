/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmonic balance and time integration of the same deck: method="both" says how far they differ, method="time"
 * finds the same resonance from rest. */
#include <math.h>

#include "verification/deck_run.h"

static void two_methods_agree(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/rig-time.xml", (const char *[]){"elements=16", NULL});
  const char *const figures[] = {"first_harmonic", "contact.foot.normal_max", "contact.foot.tangential_max",
                                 "contact.foot.slip_amplitude", "contact.foot.work_rate"};
  for (int i = 0; i < 5; i++) {
    char path[128];
    snprintf(path, sizeof path, "levels[0].agreement.%s", figures[i]);
    double difference = deck_number(&run, "both", path);
    snprintf(path, sizeof path, "levels[0].agreement.spread.%s", figures[i]);
    double spread = deck_number(&run, "both", path);
    printf("%-32s differs by %9.2e, spread over harmonics %9.2e\n", figures[i], difference, spread);
    assert_true(difference < fmax(0.01, 2 * spread));
  }
  assert_int_equal(deck_number(&run, "both", "levels[0].agreement.points"), 3);
  assert_int_equal(deck_number(&run, "both", "levels[0].agreement.within"), 1);
  double balance = deck_number(&run, "both", "levels[0].resonance.frequency");
  double time = deck_number(&run, "time", "levels[0].resonance.frequency");
  printf("resonance (Hz): balance %.6f, stepped sine %.6f, %.1e\n", balance, time, fabs(time / balance - 1));
  assert_true(fabs(time / balance - 1) < 1e-3);
  printf("stepped sine: %g periods at most, %.1e from steady\n", deck_number(&run, "time", "levels[0].periods"),
         deck_number(&run, "time", "levels[0].distance"));
  assert_true(deck_number(&run, "time", "levels[0].distance") <= 1e-3);
  printf("seconds: both %.2f, time %.2f\n", deck_number(&run, "both", "cpu_seconds"),
         deck_number(&run, "time", "cpu_seconds"));
  deck_close(&run);
}

/* A block that rigid friction holds: the slips that the methods leave are rounding, which no two agree on. */
static void nothing_slips(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/held.xml", NULL);
  printf("held block: first harmonic differs by %.1e\n",
         deck_number(&run, "both", "levels[0].agreement.first_harmonic"));
  assert_true(deck_number(&run, "both", "levels[0].agreement.first_harmonic") < 0.01);
  assert_true(deck_number(&run, "both", "levels[0].contact.foot.tangential_max") > 11.9);
  assert_int_equal(deck_number(&run, "both", "levels[0].agreement.contact.foot.slip_amplitude"), 0);
  assert_int_equal(deck_number(&run, "both", "levels[0].agreement.contact.foot.work_rate"), 0);
  assert_int_equal(deck_number(&run, "both", "levels[0].agreement.within"), 1);
  deck_close(&run);
}

/* Every frequency is a run with events of its own; where nothing tells how far the motion is from steady, the distance
 * is absent and a note says so. */
static void ends_before_it_is_steady(void **unused) {
  (void)unused;
  size_t rows;
  double value;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/time-short.xml", NULL);
  deck_column(&run, "events", "frf-1", "x.amplitude", &rows);
  assert_int_equal(rows, 2);
  const double *distance = deck_column(&run, "undamped", "frf-1", "distance", &rows);
  assert_int_equal(rows, 2);
  assert_true(isnan(distance[0]));
  assert_int_not_equal(fw_results_number(run.results, "analyses.undamped.levels[0].distance", &value), FW_OK);
  const char *note = NULL;
  assert_int_equal(fw_results_text(run.results, "analyses.undamped.levels[0].note", &note), FW_OK);
  assert_non_null(strstr(note, "how far from it is not known"));
  deck_close(&run);
}

/* Time integration that does not get through is a finding of the comparison: the response is there, differences are
 * absent, and a note says why. */
static void time_does_not_get_through(void **unused) {
  (void)unused;
  double value;
  const char *note = NULL;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/time-fails.xml", NULL);
  assert_true(deck_number(&run, "frf", "levels[0].points") > 5);
  assert_int_equal(deck_number(&run, "frf", "levels[0].agreement.within"), 0);
  assert_int_equal(fw_results_text(run.results, "analyses.frf.levels[0].agreement.note", &note), FW_OK);
  printf("%s\n", note);
  assert_non_null(strstr(note, "time integration from the orbit"));
  assert_int_not_equal(fw_results_number(run.results, "analyses.frf.levels[0].agreement.first_harmonic", &value),
                       FW_OK);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_methods_agree), cmocka_unit_test(nothing_slips),
                                     cmocka_unit_test(ends_before_it_is_steady),
                                     cmocka_unit_test(time_does_not_get_through)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
