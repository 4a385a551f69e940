/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shooting against what time integration of the same steps settles to, where disturbances die out slowly. */
#include "impacts.h"

static double at(const deck_run *run, const char *analysis, const char *column, double frequency) {
  size_t rows;
  const double *f = deck_column(run, analysis, "frf-8", "frequency", &rows);
  size_t i = 0;
  while (i < rows && fabs(f[i] - frequency) > 1e-9) i++;
  assert_true(i < rows);
  return deck_column(run, analysis, "frf-8", column, &rows)[i];
}

static void rig_at_8_newtons(void **state) {
  deck_run run;
  (void)state;
  if (deck_try(&run, DATA "settles.xml", NULL) != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  for (double f = 49.4; f < 49.47; f += 0.05) {
    printf("    %g Hz\n", f);
    compare("largest multiplier", at(&run, "shot", "multiplier", f), 0.961, 2e-3);
    compare("amplitude", at(&run, "shot", "drive.amplitude", f), at(&run, "settled", "drive.amplitude", f), 2e-8);
    compare("third harmonic", at(&run, "shot", "drive.amplitude-3", f), at(&run, "settled", "drive.amplitude-3", f),
            1e-7);
  }
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rig_at_8_newtons)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
