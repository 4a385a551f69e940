/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid stick of laws that fall from rest with a root of the velocity: their slope is infinite where slip begins, and
 * friction must all the same stay below its static limit, oppose the motion, and be the same to every integrator. */
#include "verification/deck_run.h"

static const char *const runs[] = {"located", "impulses", "ida"};

static void check_forces(const deck_run *run, const char *analysis, const char *pair) {
  char name[64];
  size_t rows;
  double most = 0.0, along = 0.0;
  snprintf(name, sizeof name, "%s normal", pair);
  const double *N = deck_column(run, analysis, "contact", name, &rows);
  snprintf(name, sizeof name, "%s tangential", pair);
  const double *T = deck_column(run, analysis, "contact", name, &rows);
  snprintf(name, sizeof name, "%s slip velocity", pair);
  const double *v = deck_column(run, analysis, "contact", name, &rows);
  for (size_t r = 0; r < rows; r++) {
    most = fmax(most, fabs(T[r]) - 0.4 * N[r]);
    if (fabs(v[r]) > 1e-7) along = fmax(along, -T[r] * v[r]);
  }
  bounded("friction beyond its static limit", fmax(most, 0.0), 1e-5);
  bounded("power that friction gives", along, 1e-12);
}

static void steep(const char *exponent) {
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/ida/steep-friction.xml", (const char *[]){exponent, NULL});
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
    printf("%s, %s\n", runs[k], exponent);
    check_forces(&run, runs[k], "stribeck");
    check_forces(&run, runs[k], "karnopp");
    compare("amplitude", deck_number(&run, runs[k], "sensors.x.max"), deck_number(&run, "ida", "sensors.x.max"), 0.01);
  }
  deck_close(&run);
}

static void root(void **unused) {
  (void)unused;
  steep("exponent=0.5");
}

static void fifth_root(void **unused) {
  (void)unused;
  steep("exponent=0.2");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(root), cmocka_unit_test(fifth_root)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
