/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes of forced responses: a linear cantilever's is its mode; the rig's are those of its modes as long as it sticks,
 * and its third harmonic takes the shape of the second mode. */
#include "verification/deck_run.h"

#define DECK(name) FW_SOURCE_DIR "/tests/verification/hb/" name

static double entry(const deck_run *run, const char *table, int harmonic, int form, const char *column) {
  size_t rows;
  const double *harmonics = deck_column(run, "frf", table, "harmonic", &rows);
  const double *forms = deck_column(run, "frf", table, "form", &rows);
  const double *values = deck_column(run, "frf", table, column, &rows);
  for (size_t i = 0; i < rows; i++)
    if (harmonics[i] == harmonic && forms[i] == form) return values[i];
  fail_msg("%s has no harmonic %d, form %d", table, harmonic, form);
  return NAN;
}

static void cantilever(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK("shapes.xml"), NULL);
  double mass = 7800 * 20e-3 * 5e-3 * 0.5;
  compare("second mode: MAC of the harmonic form", entry(&run, "shapes-1", 1, 0, "mac-2"), 1, 1e-6);
  bounded("MAC with the first mode", entry(&run, "shapes-1", 1, 0, "mac-1"), 1e-6);
  compare("MAC of the sine form", entry(&run, "shapes-1", 1, 2, "mac-2"), 1, 1e-6);
  compare("tip, mass-normalised", fabs(entry(&run, "shapes-1", 1, 0, "tip")), 2 / sqrt(mass), 1e-4);
  compare("cosine and sine together", entry(&run, "shapes-1", 1, 1, "share") + entry(&run, "shapes-1", 1, 2, "share"),
          1, 1e-9);
  compare("the mode it is like", deck_number(&run, "frf", "levels[0].shape.mode"), 2, 0);
  /* the shape's amplitude times its value is the response, here an acceleration */
  size_t rows;
  double omega = 2 * M_PI * deck_number(&run, "frf", "levels[0].resonance.frequency");
  double response = deck_number(&run, "frf", "levels[0].resonance.amplitude") / (omega * omega);
  (void)deck_column(&run, "frf", "shapes-1", "middle", &rows);
  assert_int_equal(rows, 3); /* a linear response has one harmonic */
  compare("amplitude times shape",
          entry(&run, "shapes-1", 1, 0, "amplitude") * fabs(entry(&run, "shapes-1", 1, 0, "middle")), response, 1e-5);
  deck_close(&run);
}

static void rig(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK("rig-shapes.xml"), NULL);
  compare("rig, 0.01 N: MAC with the stuck mode", entry(&run, "shapes-0.01", 1, 0, "mac-1"), 1, 1e-6);
  double slipping = entry(&run, "shapes-3", 1, 0, "mac-1"), third = entry(&run, "shapes-3", 3, 0, "mac-2");
  printf("  rig, 3 N: first harmonic and mode 1 %.6f, third harmonic and mode 2 %.6f\n", slipping, third);
  assert_true(slipping > 0.99 && slipping < 0.9999 && third > 0.98);
  assert_true(entry(&run, "shapes-3", 3, 0, "share") > 0.999); /* it moves in one phase */
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cantilever), cmocka_unit_test(rig)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
