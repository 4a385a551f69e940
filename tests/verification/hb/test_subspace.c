/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many freedoms are reduced on a subspace, few exactly: the resonance is the same. */
#include <math.h>

#include "deck_run.h"

static double resonance(const char *elements, double *condensed) {
  deck_run run;
  const char *settings[] = {elements, NULL};
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/rig-linear.xml", settings);
  double frequency = deck_number(&run, "frf", "levels[0].resonance.frequency");
  *condensed = deck_number(&run, "frf", "reduction.condensed");
  deck_close(&run);
  return frequency;
}

static void subspace_agrees(void **unused) {
  (void)unused;
  double few, many, exact = resonance("elements=40", &few), reduced = resonance("elements=220", &many);
  printf("resonance at 3 N: 40 elements, %g modes %.8f Hz; 220 elements, %g modes %.8f Hz; %.1e\n", few, exact, many,
         reduced, fabs(reduced / exact - 1));
  assert_true(few > 100 && many < 70);
  assert_true(fabs(reduced / exact - 1) < 2e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(subspace_agrees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
