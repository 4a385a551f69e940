/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The examples with rigid bodies, joints and friction against theory. */
#include "verification/deck_run.h"

#define EXAMPLES FW_SOURCE_DIR "/examples/"

/* ---- wire pendulum ----------------------------------------------------------------------- */

enum { PEAKS = 400 };

/* Heights of the maxima of a history, by the parabola through three rows. */
static int maxima(const double *x, size_t rows, double *peaks) {
  int count = 0;
  for (size_t i = 1; i + 1 < rows && count < PEAKS; i++) {
    if (!(x[i] > 0.0 && x[i] > x[i - 1] && x[i] >= x[i + 1])) continue;
    double slope = 0.5 * (x[i + 1] - x[i - 1]), bend = x[i + 1] - 2 * x[i] + x[i - 1];
    peaks[count++] = x[i] - 0.5 * slope * slope / bend;
  }
  return count;
}

/* Equivalent damping of a spring k with Dahl friction at slip amplitude x: dE/(pi x (k x + T)). */
static double dahl_damping(double ratio, double u) {
  return 2 * ratio * (u - tanh(u)) / (M_PI * u * (u + ratio * tanh(u)));
}

static void pendulum_decays_by_solid_friction(void **unused) {
  (void)unused;
  static const double xc = 0.05 / 8, ratio = 0.02; /* as angle; sigma-0 over k */
  deck_run run;
  deck_open(&run, EXAMPLES "pendulum/pendulum.xml", NULL);
  size_t rows;
  const double *angle = deck_column(&run, "swing", "history", "angle", &rows);
  double peaks[PEAKS], worst = 0.0;
  int count = maxima(angle, rows, peaks), shown = 0;
  static const struct {
    double below;
    const char *said;
  } regions[] = {{6.5, "u = 6: linear"}, {1.05, "u = 1: exponential"}, {0.35, "u = 0.3: hyperbolic"}};
  assert_true(count > 100);
  printf("wire pendulum, equivalent damping over %d swings\n", count);
  for (int n = 1; n + 1 < count; n++) {
    double u = sqrt(peaks[n] * peaks[n + 1]) / xc, theory = dahl_damping(ratio, u);
    double measured = log(peaks[n] / peaks[n + 1]) / (2 * M_PI);
    worst = fmax(worst, fabs(measured / theory - 1));
    if (shown < 3 && u < regions[shown].below) compare(regions[shown++].said, measured, theory, 0.02);
  }
  assert_int_equal(shown, 3);
  bounded("largest difference of all swings", worst, 0.02);
  /* Far below x_c the inverse amplitude grows by 4/3 sigma-0/(k x_c) each swing. */
  double growth = (1 / peaks[count - 1] - 1 / peaks[count - 11]) * xc / 10;
  compare("growth of x_c/x in a swing, last ten", growth, 4.0 / 3.0 * ratio, 0.05);
  deck_close(&run);
}

/* ---- stick-slip -------------------------------------------------------------------------- */

static void slider_sticks_and_slips(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, EXAMPLES "stick-slip/slider.xml", NULL);
  size_t rows;
  const double *t = deck_column(&run, "pulled", "history", "time", &rows);
  const double *v = deck_column(&run, "pulled", "history", "v", &rows);
  double first = 0.0, last = 0.0;
  int count = 0;
  for (size_t i = 1; i < rows; i++) {
    if (!(v[i - 1] < 0.2 && v[i] >= 0.2)) continue;
    last = t[i - 1] + (t[i] - t[i - 1]) * (0.2 - v[i - 1]) / (v[i] - v[i - 1]);
    if (count++ == 0) first = last;
  }
  printf("spring-pulled slider\n");
  assert_true(count >= 3);
  compare("time of a jump and a rest (s)", (last - first) / (count - 1), 7.61126, 1e-3);
  compare("fastest moment (m/s)", deck_number(&run, "pulled", "sensors.v.max"), 0.467423, 1e-3);
  deck_close(&run);
}

static void shaken_block_rubs_as_computed(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, EXAMPLES "stick-slip/base-excited.xml", NULL);
  printf("base-excited block\n");
  compare("work rate (W)", deck_number(&run, "shaken", "contact.sole.work_rate"), 15.2671, 5e-4);
  deck_close(&run);
}

/* ---- linkages ---------------------------------------------------------------------------- */

/* The slider travels its stroke twice a turn against mu N = 10 N; Dahl's corners save 4 Fc x_c a turn. */
static void slider_crank_rubs_in_its_guide(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, EXAMPLES "linkage/slider-crank.xml", NULL);
  printf("slider-crank with a flexible rod\n");
  compare("power of friction (W)", deck_number(&run, "run", "contact.guide-friction.dissipated_power"),
          4 * 10.0 * (0.05 - 1e-5) * 10, 2e-3);
  bounded("joints open by (m)", deck_number(&run, "run", "constraints.position_error"), 1e-10);
  bounded("energy residual", deck_number(&run, "run", "energy.residual"), 1e-3);
  deck_close(&run);
}

static double damper_amplitude(const char *N, double *power) {
  const char *const settings[] = {N, NULL};
  deck_run run;
  deck_open(&run, EXAMPLES "linkage/friction-damper.xml", settings);
  double amplitude = deck_number(&run, "shaken", "sensors.upper.harmonics[1].amplitude");
  *power = deck_number(&run, "shaken", "contact.damper-friction.dissipated_power");
  deck_close(&run);
  return amplitude;
}

static void damper_takes_most_in_between(void **unused) {
  (void)unused;
  double none, some, stuck, swings = damper_amplitude("N=0", &none), damped = damper_amplitude("N=0.5", &some);
  damper_amplitude("N=500", &stuck);
  printf("friction damper, N = 0, 0.5, 500 N\n");
  printf("  amplitude of the shaken end falls from %.4g to %.4g m\n", swings, damped);
  printf("  power of friction %.3g, %.3g, %.3g W\n", none, some, stuck);
  assert_true(damped < 0.7 * swings);
  assert_true(none == 0.0 && some > 1e-4 && fabs(stuck) < 1e-3 * some);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_decays_by_solid_friction), cmocka_unit_test(slider_sticks_and_slips),
      cmocka_unit_test(shaken_block_rubs_as_computed), cmocka_unit_test(slider_crank_rubs_in_its_guide),
      cmocka_unit_test(damper_takes_most_in_between)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
