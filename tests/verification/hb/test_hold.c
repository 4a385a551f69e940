/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constant response: the force found along the frequency against closed forms, and on the rig against the response at
 * that force. */
#include "verification/deck_run.h"

#include <complex.h>
#include <math.h>

static const double MU_N = 10, STIFF = 1e6; /* of both friction laws: limit and presliding stiffness */

/* First harmonic of the friction force over that of the slip A cos tau. */
typedef double complex (*loop_fn)(double A);

static double complex no_friction(double A) {
  (void)A;
  return 0;
}

static double complex spring_slider(double A) {
  double theta = acos(1 - 2 * MU_N / (STIFF * A));
  return STIFF / M_PI * (theta - 0.5 * sin(2 * theta)) + I * 4 * MU_N / (M_PI * A) * (1 - MU_N / (STIFF * A));
}

/* The downward branch of Dahl's loop from its tip (A, T_A), by the midpoint rule, which is exact for periodic T. */
static double complex dahl(double A) {
  enum { STEPS = 20000 };
  double tip = MU_N * tanh(STIFF * A / MU_N);
  double complex sum = 0;
  for (int i = 0; i < STEPS; i++) {
    double tau = M_PI * (i + 0.5) / STEPS, u = A * cos(tau);
    sum += 2.0 / STEPS * (-MU_N + (MU_N + tip) * exp(-STIFF * (A - u) / MU_N)) * cexp(-I * tau);
  }
  return sum / A;
}

/* Largest relative difference of the level in a table to what makes an oscillator vibrate at amplitude a / omega^rate.
 */
static double worst_row(const deck_run *run, const char *id, const char *table, double force, double m, double c,
                        double a, int rate, loop_fn loop) {
  const fw_data_table *t = deck_table(run, id, table);
  int frequency = fw_data_table_column(t, "frequency"), level = fw_data_table_column(t, "loads.level");
  assert_true(frequency >= 0 && level >= 0 && t->rows >= 36);
  double worst = 0;
  for (size_t r = 0; r < t->rows; r++) {
    double w = 2 * M_PI * t->values[frequency][r], A = a / pow(w, rate);
    double exact = A * cabs(1e6 - w * w * m + I * w * c + loop(A)) / force;
    worst = fmax(worst, fabs(t->values[level][r] / exact - 1));
  }
  printf("%-12s %-16s %3zu rows, worst relative difference of the force %.1e\n", id, table, t->rows, worst);
  return worst;
}

static void closed_forms(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/hold.xml", NULL);
  assert_true(worst_row(&run, "free", "frf-2e-05", 3, 2, 40, 2e-5, 0, no_friction) < 1e-6);
  assert_true(worst_row(&run, "accelerated", "frf-5", 3, 2, 40, 5, 2, no_friction) < 1e-6);
  static const char *const ways[] = {"up", "down"};
  for (int level = 0; level < 2; level++)
    for (int way = 0; way < 2; way++) {
      char table[32];
      double a = level ? 1e-4 : 2e-5;
      snprintf(table, sizeof table, "frf-%g-%s", a, ways[way]);
      assert_true(worst_row(&run, "slider", table, 1, 1, 0, a, 0, spring_slider) < 1e-5);
      assert_true(worst_row(&run, "dahl", table, 1, 1, 0, a, 0, dahl) < 1e-5);
    }
  double complex at = spring_slider(2e-5);
  double exact = sqrt(1e6 + creal(at)) / (2 * M_PI),
         found = deck_number(&run, "slider", "levels[0].resonance.frequency");
  printf("phase resonance of the spring-slider %.8f Hz, exact %.8f Hz, %.1e\n", found, exact, fabs(found / exact - 1));
  assert_true(fabs(found / exact - 1) < 1e-6);
  double least = deck_number(&run, "slider", "levels[0].resonance.level");
  printf("force there %.8f N, exact %.8f N, %.1e\n", least, 2e-5 * cimag(at), fabs(least / (2e-5 * cimag(at)) - 1));
  assert_true(fabs(least / (2e-5 * cimag(at)) - 1) < 1e-5);
  deck_close(&run);
}

/* The rig at constant response; then at the force found at its resonance, which is where the amplitude is the same. */
static void rig_both_ways(void **unused) {
  (void)unused;
  const char *deck = FW_SOURCE_DIR "/tests/verification/hb/rig-hold.xml";
  deck_run held, driven;
  deck_open(&held, deck, NULL);
  double f = deck_number(&held, "held", "levels[0].resonance.frequency");
  double level = deck_number(&held, "held", "levels[0].resonance.level");
  char setting[64];
  const char *settings[] = {setting, NULL};
  snprintf(setting, sizeof setting, "level=%.17g", level);
  deck_open(&driven, deck, settings);
  double f_driven = deck_number(&driven, "driven", "levels[0].resonance.frequency");
  double amplitude = deck_number(&driven, "driven", "levels[0].resonance.amplitude");
  printf("rig held at 2e-5 m: resonance %.7f Hz at %.6f N; at that force %.7f Hz with %.8e m\n", f, level, f_driven,
         amplitude);
  assert_true(fabs(f_driven / f - 1) < 1e-7);
  assert_true(fabs(amplitude / 2e-5 - 1) < 1e-5);
  assert_true(deck_number(&held, "held", "energy.residual") < 1e-3);
  deck_close(&held);
  deck_close(&driven);
}

/* How the force at resonance changes with the friction, against differences of whole runs. */
static void derivative_of_the_force(void **unused) {
  (void)unused;
  const char *deck = FW_SOURCE_DIR "/tests/verification/hb/rig-hold.xml";
  static const char *const settings[3][2] = {{"mu=0.4995"}, {"mu=0.5"}, {"mu=0.5005"}};
  double level[3], slope = 0;
  for (int i = 0; i < 3; i++) {
    deck_run run;
    deck_open(&run, deck, settings[i]);
    level[i] = deck_number(&run, "held", "levels[0].resonance.level");
    if (i == 1) slope = deck_number(&run, "held", "levels[0].sensitivity.foot.mu-c.level");
    deck_close(&run);
  }
  double difference = (level[2] - level[0]) / 1e-3;
  printf("force over mu-c: %.6f N, by differences %.6f N, %.1e\n", slope, difference, fabs(slope / difference - 1));
  assert_true(fabs(slope / difference - 1) < 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(rig_both_ways),
                                     cmocka_unit_test(derivative_of_the_force)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
