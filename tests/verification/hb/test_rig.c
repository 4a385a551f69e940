/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig by harmonic balance: bounded resonances, both sweeps alike, energy kept, and time integration that stays on
 * the orbit it was started on. */
#include <math.h>

#include "verification/deck_run.h"

static const char *deck = FW_SOURCE_DIR "/tests/verification/hb/rig.xml";

static double report(const char *what, double computed, double reference) {
  double difference = fabs(computed / reference - 1);
  printf("%-44s %14.8g %14.8g %9.1e\n", what, computed, reference, difference);
  return difference;
}

/* The value of a column where another has a value of its grid. */
static double table_value(const deck_run *run, const char *analysis, const char *table, const char *column,
                          const char *key, double where) {
  const fw_data_table *t = deck_table(run, analysis, table);
  int f = fw_data_table_column(t, key), c = fw_data_table_column(t, column);
  assert_true(f >= 0 && c >= 0);
  for (size_t r = 0; r < t->rows; r++)
    if (fabs(t->values[f][r] - where) < 1e-9) return t->values[c][r];
  fail_msg("%s has no row at %s = %g", table, key, where);
  return NAN;
}

static void resonances_are_bounded_and_found_both_ways(const deck_run *run) {
  double last = 1e9;
  for (int level = 0; level < 3; level++) {
    char path[64];
    snprintf(path, sizeof path, "levels[%d].resonance.frequency", level);
    double up = deck_number(run, "frf", path);
    snprintf(path, sizeof path, "levels[%d].down.resonance.frequency", level);
    assert_true(report("resonance, down against up (Hz)", deck_number(run, "frf", path), up) < 1e-7);
    assert_true(up > 47.6 && up < last); /* falls with the level, from stuck towards pinned */
    last = up;
  }
  double residual = deck_number(run, "frf", "energy.residual");
  printf("energy residual, worst of all orbits         %14.2e\n", residual);
  assert_true(residual < 1e-3);
}

static void time_integration_stays_on_the_orbit(const deck_run *run) {
  const struct {
    const char *what, *column, *path;
    double tolerance;
  } figures[] = {{"first harmonic (m)", "drive.amplitude", "sensors.drive.harmonics[1].amplitude", 5e-3},
                 {"second harmonic (m)", "drive.amplitude-2", "sensors.drive.harmonics[2].amplitude", 2e-2},
                 {"third harmonic (m)", "drive.amplitude-3", "sensors.drive.harmonics[3].amplitude", 1e-2},
                 {"work rate (W)", "foot.work_rate", "contact.foot.work_rate", 5e-3},
                 {"dissipated power (W)", "foot.dissipated_power", "contact.foot.dissipated_power", 5e-3},
                 {"slip amplitude (m)", "foot.slip_amplitude", "contact.foot.slip_amplitude", 5e-3},
                 {"largest normal force (N)", "foot.normal_max", "contact.foot.normal_max", 1e-3},
                 {"largest friction force (N)", "foot.tangential_max", "contact.foot.tangential_max", 5e-3}};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    assert_true(report(figures[i].what, table_value(run, "frf", "frf-3-up", figures[i].column, "frequency", 52.5),
                       deck_number(run, "check", figures[i].path)) < figures[i].tolerance);
}

/* The locus passes through the resonances of the responses and has its maximum a little below 7 N; where the third
 * harmonic meets the second mode it folds: two maxima. */
static void locus_agrees_with_the_responses(const deck_run *run) {
  double frf = deck_number(run, "frf", "levels[1].resonance.frequency");
  assert_true(report("resonance at 3 N, locus against frf (Hz)",
                     table_value(run, "locus", "locus", "frequency", "level", 3), frf) < 1e-6);
  frf = deck_number(run, "frf", "levels[2].resonance.amplitude");
  assert_true(report("amplitude at 6.5 N, locus against frf (m)",
                     table_value(run, "locus", "locus", "drive.amplitude", "level", 6.5), frf) < 1e-5);
  double first = deck_number(run, "locus", "maxima[0].level"), critical = deck_number(run, "locus", "maxima[1].level");
  printf("maxima of the level: %.4f, %.4f N\n", first, critical);
  assert_true(first > 2 && first < 3 && critical > 6.5 && critical < 7);
}

static void rig(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, deck, NULL);
  resonances_are_bounded_and_found_both_ways(&run);
  locus_agrees_with_the_responses(&run);
  time_integration_stays_on_the_orbit(&run);
  printf("seconds: frf %.3f, transient %.3f\n", deck_number(&run, "frf", "cpu_seconds"),
         deck_number(&run, "check", "cpu_seconds"));
  deck_close(&run);
}

static double last_frequency(const deck_run *run, int level) {
  static const char *const tables[] = {"frf-1", "frf-3", "frf-6.5", "frf-8"};
  size_t rows;
  const double *frequency = deck_column(run, "frf", tables[level], "frequency", &rows);
  return frequency[rows - 1];
}

/* Where the foot lifts the response may close on itself: it is not followed round and round. Or it bends over and
 * leaves the range where it began, at 47.3 Hz: the sweep jumps, as that of a structure does, and goes on to its end. */
static void curves_end(void **unused) {
  (void)unused;
  deck_run run;
  assert_int_equal(deck_try_only(&run, FW_SOURCE_DIR "/examples/rig/plane-lugre.xml", NULL, "frf"), FW_OK);
  for (int level = 0; level < 4; level++) {
    char path[64];
    const char *note = "";
    snprintf(path, sizeof path, "levels[%d].points", level);
    double points = deck_number(&run, "frf", path);
    snprintf(path, sizeof path, "analyses.frf.levels[%d].note", level);
    fw_results_text(run.results, path, &note);
    printf("plane model, LuGre: %4.0f points to %g Hz; %s\n", points, last_frequency(&run, level), note);
    assert_true(points < 30 * 261);
    assert_true(fabs(last_frequency(&run, level) - 70) < 1e-9);
  }
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rig), cmocka_unit_test(curves_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
