/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many freedoms are reduced on a subspace, few exactly: the resonance is the same. */
#include <math.h>

#include "verification/deck_run.h"

typedef struct figures {
  double frequency, condensed, error, error_5;
} figures;

static figures solve(const char *elements, const char *modes) {
  deck_run run;
  const char *settings[] = {elements, modes, NULL};
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/rig-linear.xml", settings);
  figures f = {deck_number(&run, "frf", "levels[0].resonance.frequency"),
               deck_number(&run, "frf", "reduction.condensed"), deck_number(&run, "frf", "reduction.error"),
               deck_number(&run, "frf", "reduction.error_at_5_f_max")};
  printf("%s, %s: %g condensed, resonance %.8f Hz, error of the reduction %.1e, at 5 f-max %.1e\n", elements, modes,
         f.condensed, f.frequency, f.error, f.error_5);
  deck_close(&run);
  return f;
}

static void subspace_agrees(void **unused) {
  (void)unused;
  figures exact = solve("elements=40", "modes=60"), reduced = solve("elements=220", "modes=60");
  assert_true(exact.condensed > 100 && reduced.condensed < 70);
  assert_true(exact.error == 0 && reduced.error > 0 && reduced.error < 1e-6);
  assert_true(fabs(reduced.frequency / exact.frequency - 1) < 2e-6);
}

/* The error that is reported says how far a small basis carries. */
static void few_modes_are_told(void **unused) {
  (void)unused;
  figures many = solve("elements=220", "modes=60"), few = solve("elements=220", "modes=3");
  assert_true(few.error > 10 * many.error && few.error_5 > 10 * few.error);
  assert_true(fabs(few.frequency / many.frequency - 1) < 10 * few.error_5);
}

/* The largest response near the resonance is a little larger than that at the resonance and than any on a grid. */
static void peak_is_found(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/rig-linear.xml", NULL);
  const fw_data_table *t = deck_table(&run, "locus", "locus");
  int level = fw_data_table_column(t, "level"), peak = fw_data_table_column(t, "peak_amplitude");
  int at = fw_data_table_column(t, "drive.amplitude"), where = fw_data_table_column(t, "peak_frequency");
  size_t row = t->rows - 1;
  assert_true(fabs(t->values[level][row] - 3) < 1e-9);
  double grid = deck_number(&run, "frf", "levels[0].peak.amplitude"), found = t->values[peak][row];
  printf("at 3 N: resonance %.6e m, grid's largest %.6e m, peak %.6e m at %.4f Hz\n", t->values[at][row], grid, found,
         t->values[where][row]);
  assert_true(found >= grid && found < 1.002 * grid && found > t->values[at][row]);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(subspace_agrees), cmocka_unit_test(few_modes_are_told),
                                     cmocka_unit_test(peak_is_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
