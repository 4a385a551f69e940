/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is no vibration is told, and what is not known is left empty. */
#include "core/unknown.h"
#include "verification/deck_run.h"

#define LINEAR FW_SOURCE_DIR "/tests/verification/linear/"

static void assert_refused(const char *path, const char *const *settings, const char *analysis, const char *told) {
  deck_run run;
  char message[64];
  const char *text = "";
  fw_status status = deck_try(&run, path, settings);
  assert_true(status == FW_ERR_ANALYSIS || status == FW_ERR_SINGULAR);
  snprintf(message, sizeof message, "analyses.%s.message", analysis);
  assert_int_equal(fw_results_text(run.results, message, &text), FW_OK);
  if (!strstr(text, told)) fail_msg("'%s' is not in '%s'", told, text);
  deck_close(&run);
}

static void a_rigid_motion_is_named(void **unused) {
  (void)unused;
  const char *const finer[] = {"divisions=4", NULL}, *const turning[] = {"hold=1e6", NULL};
  assert_refused(LINEAR "rigid-motion.xml", NULL, "nnm", "nothing resists body \"beam\" at ");
  assert_refused(LINEAR "rigid-motion.xml", finer, "nnm", "nothing resists body \"beam\" at ");
  assert_refused(LINEAR "rigid-motion.xml", turning, "nnm",
                 "mode 1: nothing resists body \"beam\" at (0.2, 0), direction y");
}

/* Gravity upwards: the pendulum stands on its head, and its springs are too weak. */
static void an_unstable_state_is_told(void **unused) {
  (void)unused;
  const char *const settings[] = {"g=9.81", NULL};
  assert_refused(LINEAR "gravity-on-joints.xml", settings, "nnm",
                 "the state is unstable, body \"lower\" at (0, -1.25), direction x moves away");
}

static void a_sensor_that_the_mode_leaves_alone_is_named(void **unused) {
  (void)unused;
  assert_refused(LINEAR "mode-and-sensor.xml", NULL, "nnm",
                 "mode 1 does not move the sensor \"along\": take another mode");
}

static void a_freedom_without_mass_is_named(void **unused) {
  (void)unused;
  assert_refused(LINEAR "massless-free.xml", NULL, "modes",
                 "body \"b\" at (0.1, 0), direction rz has neither stiffness nor mass");
}

static void what_is_held_wholly_has_no_modes(void **unused) {
  (void)unused;
  assert_refused(LINEAR "held-block.xml", NULL, "modes", "nothing that can move has mass: there are no modes");
  assert_refused(LINEAR "held-block.xml", NULL, "complex", "nothing that can move has mass: there are no modes");
}

static bool is_absent(const deck_run *run, const char *path) {
  double value;
  return fw_results_number(run->results, path, &value) != FW_OK;
}

/* The damping of a motion that loses nothing is rounding, of either sign from point to point. */
static void nothing_lost_is_no_limit_cycle(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, LINEAR "undamped-stuck.xml", NULL);
  assert_true(fw_record_count(run.results->summary, "analyses.a.limit_cycles") <= 0);
  deck_close(&run);
}

static void a_response_that_is_not_found_is_empty(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  deck_open(&run, LINEAR "synthesis-undamped.xml", NULL);
  const double *amplitude = deck_column(&run, "nnm", "synthesis-0.1", "amplitude", &rows),
               *full = deck_column(&run, "nnm", "synthesis-0.1", "full.amplitude", &rows),
               *difference = deck_column(&run, "nnm", "synthesis-0.1", "difference", &rows);
  double most = 0;
  int without = 0;
  assert_true(rows > 0);
  for (size_t i = 0; i < rows; i++) most = fmax(most, amplitude[i]);
  for (size_t i = 0; i < rows; i++) {
    without += fw_is_unknown(full[i]) && amplitude[i] > most / sqrt(2);
    assert_int_equal(fw_is_unknown(full[i]), fw_is_unknown(difference[i]));
    assert_true(fw_is_figure(full[i]) && fw_is_figure(difference[i]));
  }
  printf("%d points above half power without a full response\n", without);
  assert_int_equal(is_absent(&run, "analyses.nnm.levels[0].difference"), without > 0);
  if (without) assert_true(deck_number(&run, "nnm", "levels[0].points_without_full_response") == without);
  assert_true(deck_number(&run, "nnm", "levels[1].points") == 0);
  assert_true(is_absent(&run, "analyses.nnm.levels[1].peak.amplitude"));
  deck_close(&run);
}

static void stability_that_is_not_judged_is_empty(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  const char *why = "";
  deck_open(&run, LINEAR "pinned.xml", NULL);
  const double *multiplier = deck_column(&run, "frf", "frf-1", "multiplier", &rows);
  assert_true(rows >= 3);
  for (size_t i = 0; i < rows; i++) assert_true(fw_is_unknown(multiplier[i]));
  assert_int_equal(fw_results_text(run.results, "analyses.frf.levels[0].stability_unknown", &why), FW_OK);
  assert_true(is_absent(&run, "analyses.frf.levels[0].unstable_points"));
  deck_close(&run);
}

static void stability_that_is_not_judged_names_its_contact(void **unused) {
  (void)unused;
  deck_run run;
  const char *why = "";
  deck_open(&run, LINEAR "static-limit.xml", NULL);
  assert_int_equal(fw_results_text(run.results, "analyses.frf.levels[0].stability_unknown", &why), FW_OK);
  assert_string_equal(why, "rigid stick with a static limit above the sliding force: contact \"foot\", point 1 of 1");
  deck_close(&run);
}

/* Hard contact and rigid stick hold the block: what coordinates round to under their forces, step by step, is no work. */
static void rounding_is_no_work(void **unused) {
  (void)unused;
  const char *const decks[] = {LINEAR "held.xml", LINEAR "held-arc.xml", LINEAR "held-circle.xml"};
  for (int i = 0; i < 3; i++) {
    deck_run run;
    deck_open(&run, decks[i], NULL);
    bounded("work of the loads (J)", deck_number(&run, "a", "energy.loads"), 1e-12);
    bounded("energy residual", deck_number(&run, "a", "energy.residual"), 0.01);
    deck_close(&run);
  }
}

static void a_decay_without_swings_is_told(void **unused) {
  (void)unused;
  assert_refused(LINEAR "no-swing.xml", NULL, "creeping",
                 "the sensor \"x\" does not swing within 1 s (it moves from 3.679 mm to 10 mm)");
  assert_refused(LINEAR "no-swing.xml", NULL, "still", "nothing moves the sensor \"x\"");
  assert_refused(LINEAR "no-swing-beam.xml", NULL, "still", "nothing moves the sensor \"y\""); /* but rounding does */
}

/* A drive that its start has left on is no constant force. */
static void a_drive_left_on_is_taken_off_or_refused(void **unused) {
  (void)unused;
  deck_run run;
  const char *const settings[] = {NULL};
  if (deck_try_only(&run, LINEAR "left-on.xml", settings, "free") != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  double zeta = deck_number(&run, "free", "last.damping"), f = deck_number(&run, "free", "last.frequency");
  compare("damping of the free decay", zeta, 0.02, 1e-4);
  compare("its frequency", f, 10 * sqrt(1 - 4e-4) / (2 * M_PI), 1e-5);
  deck_close(&run);
  assert_refused(LINEAR "left-on.xml", NULL, "left", "\"drive\" is harmonic and still on from the start");
  assert_refused(LINEAR "left-on.xml", NULL, "on", "\"drive\" is harmonic and still on from the start");
}

/* Rounding neither vibrates nor grows. */
static void without_stiffness_nothing_grows(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, LINEAR "without-stiffness.xml", NULL);
  for (int i = 0; i < 2; i++) {
    char path[64];
    snprintf(path, sizeof path, "modes[%d].frequency", i);
    assert_true(deck_number(&run, "modes", path) == 0.0);
    snprintf(path, sizeof path, "analyses.modes.modes[%d].growth", i);
    assert_true(is_absent(&run, path));
  }
  const char *status = "";
  assert_int_equal(fw_results_text(run.results, "analyses.hangs.status", &status), FW_OK);
  assert_string_equal(status, "done");
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_rigid_motion_is_named),
                                     cmocka_unit_test(an_unstable_state_is_told),
                                     cmocka_unit_test(a_sensor_that_the_mode_leaves_alone_is_named),
                                     cmocka_unit_test(a_freedom_without_mass_is_named),
                                     cmocka_unit_test(what_is_held_wholly_has_no_modes),
                                     cmocka_unit_test(nothing_lost_is_no_limit_cycle),
                                     cmocka_unit_test(a_response_that_is_not_found_is_empty),
                                     cmocka_unit_test(stability_that_is_not_judged_is_empty),
                                     cmocka_unit_test(stability_that_is_not_judged_names_its_contact),
                                     cmocka_unit_test(rounding_is_no_work),
                                     cmocka_unit_test(a_decay_without_swings_is_told),
                                     cmocka_unit_test(a_drive_left_on_is_taken_off_or_refused),
                                     cmocka_unit_test(without_stiffness_nothing_grows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
