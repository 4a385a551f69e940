/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forces, torques and motions given as expressions of time, against closed forms. */
#include "verification/deck_run.h"

#define BODIES FW_SOURCE_DIR "/tests/verification/bodies/"

static double rotor(double t) { return 20.0 * (t / 3 - sin(3 * t) / 9); } /* 2/J times the double integral of sin */
static double stator(double t) { return -0.25 * rotor(t); }
static double x(double t) { return 0.1 * sin(5 * t) * exp(-t); }
static double a(double t) { return 0.1 * exp(-t) * ((1 - 25) * sin(5 * t) - 10 * cos(5 * t)); }
/* l^2 = 0.4^2 + y^2 */
static double length(double t) { return 0.5 + 0.1 * sin(2 * t) * sin(2 * t); }
static double y(double t) { return 0.3 - sqrt(length(t) * length(t) - 0.16); }
static double y_rate(double t) { return -length(t) * 0.2 * sin(4 * t) / sqrt(length(t) * length(t) - 0.16); }

/* from: the first row judged. */
static void follow(const deck_run *run, const char *analysis, size_t from, const double tolerance[6]) {
  static const struct {
    const char *sensor, *said;
    double (*exact)(double t);
  } rows[] = {{"rotor", "rotor", rotor},    {"stator", "stator", stator}, {"x", "prescribed way", x},
              {"a", "its acceleration", a}, {"y", "way by a rod", y},     {"y-rate", "its velocity", y_rate}};
  size_t count;
  const double *t = deck_column(run, analysis, "history", "time", &count);
  printf("actuators, %s, largest difference over the largest value\n", analysis);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const double *computed = deck_column(run, analysis, "history", rows[k].sensor, &count);
    double worst = 0.0, most = 0.0;
    for (size_t i = from; i < count; i++) {
      worst = fmax(worst, fabs(computed[i] - rows[k].exact(t[i])));
      most = fmax(most, fabs(rows[k].exact(t[i])));
    }
    bounded(rows[k].said, worst / most, tolerance[k]);
  }
}

static void actuators_do_as_they_are_told(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, BODIES "actuators.xml", NULL);
  /* accelerations begin with an error of first order in the step that falls as rho^n */
  follow(&run, "alpha", 100, (const double[6]){2e-6, 2e-6, 1e-12, 2e-5, 1e-12, 1e-5});
  follow(&run, "ida", 0, (const double[6]){1e-6, 1e-6, 1e-7, 2e-5, 1e-7, 5e-6});
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(actuators_do_as_they_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
