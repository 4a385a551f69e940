/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may drive a frequency response: acceleration of the base, several harmonics at once; against closed forms. */
#include "verification/deck_run.h"

#include <complex.h>
#include <math.h>

static double worst_row(const fw_data_table *t, double level) {
  const double m = 2, k = 1000, c = 4;
  const char *const names[] = {"frequency", "x.amplitude", "x.phase", "x.amplitude-2", "x.phase-2"};
  double worst = 0;
  int at[5];
  for (int i = 0; i < 5; i++) assert_true((at[i] = fw_data_table_column(t, names[i])) >= 0);
  for (size_t r = 0; r < t->rows; r++) {
    double w = 2 * M_PI * t->values[at[0]][r];
    double complex X1 = level * 3 * m / (k - w * w * m + I * w * c);
    double complex X2 = level * 0.5 * cexp(I * M_PI / 6) / (k - 4 * w * w * m + 2 * I * w * c);
    double complex Y1 = t->values[at[1]][r] * cexp(I * t->values[at[2]][r] * M_PI / 180);
    double complex Y2 = t->values[at[3]][r] * cexp(I * t->values[at[4]][r] * M_PI / 180);
    worst = fmax(worst, fmax(cabs(Y1 / X1 - 1), cabs(Y2 / X2 - 1)));
  }
  return worst;
}

static void base_and_second_harmonic(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/drives.xml", NULL);
  for (int level = 1; level <= 2; level++) {
    char name[16];
    snprintf(name, sizeof name, "frf-%d", level);
    const fw_data_table *t = deck_table(&run, "frf", name);
    double worst = worst_row(t, level);
    printf("level %d, %zu frequencies: worst relative difference of both harmonics %.1e\n", level, t->rows, worst);
    assert_true(t->rows >= 26 && worst < 1e-9);
  }
  double exact = sqrt(1000.0 / 2) / (2 * M_PI), found = deck_number(&run, "frf", "levels[0].resonance.frequency");
  printf("phase resonance %.10f Hz, natural frequency %.10f Hz, %.1e\n", found, exact, fabs(found / exact - 1));
  assert_true(fabs(found / exact - 1) < 1e-9);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(base_and_second_harmonic)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
