/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the BDF takes from a motion that nothing damps: all that is missing from k a^2/2 at the end is `numerical`,
 * with IDAS but for where its Newton iterations end, a third of an error that is let pass. */
#include "verification/deck_run.h"

#define DECK(name) FW_SOURCE_DIR "/tests/verification/ida/" name ".xml"

static const double m = 2, k = 5e4, a = 1e-3;

static double taken_by(const deck_run *run, const char *solver, double newton) {
  double x = deck_number(run, solver, "sensors.x.final"), v = deck_number(run, solver, "sensors.v.final");
  double begin = 0.5 * k * a * a, missing = begin - 0.5 * k * x * x - 0.5 * m * v * v;
  double taken = deck_number(run, solver, "energy.numerical");
  printf("%s: %.3g of %.3g J are taken\n", solver, taken, begin);
  compare("energy that the formulas take", taken, missing, newton);
  bounded("what is not accounted for", deck_number(run, solver, "energy.residual"), newton);
  return taken / begin;
}

static void coarse_formulas_tell_what_they_take(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK("bdf-takes"), NULL);
  assert_true(taken_by(&run, "ida", 3e-2) > 0.1);
  assert_true(taken_by(&run, "cvode", 1e-9) > 0.01);
  deck_close(&run);
}

static void fine_formulas_take_little(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK("bdf-takes"), (const char *[]){"tolerance=1e-8", NULL});
  bounded("taken by ida", deck_number(&run, "ida", "energy.numerical") / (0.5 * k * a * a), 1e-5);
  bounded("taken by cvode", taken_by(&run, "cvode", 1e-5), 1e-5);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(coarse_formulas_tell_what_they_take),
                                     cmocka_unit_test(fine_formulas_take_little)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
