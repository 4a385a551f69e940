/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dahl on a spring: the steady loop of half-amplitude x takes 2 F_c x_c (u - tanh u) a half cycle, u = x/x_c, which is
 * a damping of dE/(pi x (k x + T)) with T = F_c tanh u at its ends; to first order in F_c/(k x). */
#include "verification/deck_run.h"

#define DECK(name) FW_SOURCE_DIR "/tests/verification/ida/" name ".xml"

static void dahl_on_a_spring(void **unused) {
  (void)unused;
  const double F = 0.1, k = 1e4, xc = F / 200.0;
  size_t rows;
  deck_run run;
  deck_open(&run, DECK("ring-down-dahl"), NULL);
  const double *amplitude = deck_column(&run, "decay", "decay", "amplitude", &rows),
               *damping = deck_column(&run, "decay", "decay", "damping", &rows);
  assert_true(rows > 200);
  printf("Dahl on a spring: damping against amplitude\n");
  for (size_t i = 2; i < rows; i += rows / 8) {
    char what[60];
    double x = amplitude[i], u = x / xc;
    double zeta = 2.0 * F * xc * (u - tanh(u)) / (M_PI * x * (k * x + F * tanh(u)));
    snprintf(what, sizeof what, "damping at %.3g m", x);
    compare(what, damping[i], zeta, F / (k * x));
  }
  assert_true(amplitude[rows - 1] < 0.5 * amplitude[0]);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(dahl_on_a_spring)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
