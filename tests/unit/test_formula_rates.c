/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives of formulas of time, slow and fast. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "core/formula.h"

static double rate; /* rad/s of the sine */

static double sine(const fw_formula *self, const double *t, double *slopes) {
  (void)self, (void)slopes;
  return sin(rate * *t + 0.3) + 5 * *t * *t;
}

static void derivatives_are_exact(void **unused) {
  (void)unused;
  fw_formula formula = {.value = sine};
  static const double rates[] = {0.01, 1, 30, 6000};
  for (int k = 0; k < 4; k++) {
    double t = 0.7, first, second;
    rate = rates[k];
    fw_formula_rates(&formula, t, &first, &second);
    double exact = rate * cos(rate * t + 0.3) + 10 * t, bend = -rate * rate * sin(rate * t + 0.3) + 10;
    printf("rate %-6g first %10.2e second %10.2e\n", rate, first / exact - 1, second / bend - 1);
    assert_true(fabs(first - exact) < 1e-9 * (rate + 10));
    assert_true(fabs(second - bend) < 1e-6 * (rate * rate + 10));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_are_exact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
