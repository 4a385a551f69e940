/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction in joints by every way of computing. */
#include "verification/deck_run.h"

#define BODIES FW_SOURCE_DIR "/tests/verification/bodies/"

static double last(const deck_run *run, const char *analysis, const char *sensor) {
  size_t rows;
  const double *values = deck_column(run, analysis, "history", sensor, &rows);
  return values[rows - 1];
}

/* m 1, k 1e4, 1 N of friction, from 0.85 mm: it comes to rest at 0.05 mm. The bearing's Dahl loop has no closed form in
 * time: the integrators, which share nothing but the law, agree. */
static void joints_rub_in_time(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, BODIES "joint-friction.xml", NULL);
  printf("friction in joints, let go\n");
  compare("slide comes to rest at (m), alpha", last(&run, "alpha", "x"), 0.05e-3, 1e-4);
  compare("slide comes to rest at (m), ida", last(&run, "ida", "x"), 0.05e-3, 1e-4);
  compare("wheel (rad), alpha against ida", last(&run, "alpha", "turn"), last(&run, "ida", "turn"), 1e-4);
  deck_close(&run);
}

/* Harmonic balance and time integration share nothing but the law. */
static void joints_rub_in_harmonic_balance(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, BODIES "joint-friction-frf.xml", NULL);
  printf("a slide with friction in its guide, driven\n");
  compare("normal force (N)", deck_number(&run, "frf", "levels[0].contact.way-friction.normal_max"), 1, 1e-12);
  bounded("first harmonic, balance against time", deck_number(&run, "frf", "levels[0].agreement.first_harmonic"), 1e-3);
  bounded("work rate, balance against time",
          deck_number(&run, "frf", "levels[0].agreement.contact.way-friction.work_rate"), 1e-3);
  deck_close(&run);
}

/* Bodies without rotation: a weld and a guide have no equation of turning between them. */
static void bodies_that_only_slide_are_joined(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, BODIES "joint-sliding-bodies.xml", NULL);
  printf("bodies that only slide, welded, on a guide that rubs\n");
  compare("pulled by 1 N (m)", deck_number(&run, "pulled", "sensors.x"), 1 / 2.1e6, 1e-9);
  compare("stuck frequency (Hz)", deck_number(&run, "stuck", "first.frequency"), sqrt(2.1e6) / 6.283185307179586, 1e-4);
  deck_close(&run);
}

static void motions_held_twice_are_refused(void **unused) {
  (void)unused;
  deck_run run;
  assert_int_not_equal(deck_try(&run, BODIES "joint-held-twice.xml", NULL), FW_OK);
  assert_non_null(strstr(fw_context_message(run.ctx), "joint \"slide\" is redundant"));
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_rub_in_time), cmocka_unit_test(joints_rub_in_harmonic_balance),
      cmocka_unit_test(bodies_that_only_slide_are_joined), cmocka_unit_test(motions_held_twice_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
