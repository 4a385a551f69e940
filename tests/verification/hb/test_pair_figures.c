/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every contact figure of a pair of two and of one of five points whose normal forces vary: harmonic balance, periodic
 * motions by time integration, and a transient give the same numbers. */
#include "contact/figures.h"
#include "verification/deck_run.h"

static const char *deck = FW_SOURCE_DIR "/tests/verification/hb/figures.xml";

/* At the first frequency of a response. */
static double of_response(const deck_run *run, const char *analysis, const char *pair, const char *name) {
  char column[96];
  size_t rows;
  snprintf(column, sizeof column, "%s.%s", pair, name);
  const double *values = deck_column(run, analysis, "frf-14", column, &rows);
  assert_true(rows > 0);
  return values[0];
}

static double of_transient(const deck_run *run, const char *pair, const char *name) {
  char path[96];
  snprintf(path, sizeof path, "contact.%s.%s", pair, name);
  return deck_number(run, "transient", path);
}

/* What a figure is measured by: fractions by 1, the parts of the power by the power, drift by the amplitude, else
 * itself. */
static double size_of(const deck_run *run, const char *pair, int figure) {
  if (figure == FW_STICK_FRACTION || figure == FW_OPEN_FRACTION) return 1;
  if (figure == FW_PRESLIDING_POWER) figure = FW_DISSIPATED_POWER;
  if (figure == FW_SLIP_DRIFT) figure = FW_SLIP_AMPLITUDE;
  if (figure == FW_IMPACT_MEAN) figure = FW_NORMAL_MEAN;
  return fabs(of_response(run, "balance", pair, fw_contact_figures[figure].name));
}

static void all_ways_agree(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, deck, NULL);
  static const char *const pairs[] = {"two", "five"};
  for (int p = 0; p < 2; p++) {
    printf("pair %s: balance, time orbit, transient\n", pairs[p]);
    for (int k = 0; k < FW_CONTACT_FIGURES; k++) {
      const char *name = fw_contact_figures[k].name;
      double balance = of_response(&run, "balance", pairs[p], name), time = of_response(&run, "time", pairs[p], name);
      double transient = of_transient(&run, pairs[p], name), size = size_of(&run, pairs[p], k);
      printf("  %-24s %-14.7g %-14.7g %-14.7g\n", name, balance, time, transient);
      assert_true(fabs(time - balance) < 1e-3 * size && fabs(transient - balance) < 1e-3 * size);
    }
    double sum = of_response(&run, "balance", pairs[p], "tangential_max");
    double single = of_response(&run, "balance", pairs[p], "tangential_point_max");
    assert_true(sum > 1.2 * single); /* they are two figures */
    assert_true(of_response(&run, "balance", pairs[p], "normal_max") >
                1.01 * of_response(&run, "balance", pairs[p], "normal_min"));
  }
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_ways_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
