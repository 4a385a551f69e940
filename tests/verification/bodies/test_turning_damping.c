/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dampers and Rayleigh's damping go with what turns: no rigid rotation is damped. */
#include "verification/deck_run.h"

#define BODIES FW_SOURCE_DIR "/tests/verification/bodies/"

/* Distance s of two masses of 1 kg flying around each other on a spring and a damper, with the moment of momentum L:
 * mu s'' = L^2/(mu s^3) - k (s - 1) - c s', mu = 1/2. */
static const double L = 3.0;

static void rates(const double s[2], double out[2]) {
  const double mu = 0.5, k = 200, c = 4;
  out[0] = s[1];
  out[1] = (L * L / (mu * s[0] * s[0] * s[0]) - k * (s[0] - 1) - c * s[1]) / mu;
}

/* Runge-Kutta steps of at most 1e-5 from t0 to t1. */
static void advance(double s[2], double t0, double t1) {
  int steps = 1 + (int)((t1 - t0) / 1e-5);
  double h = (t1 - t0) / steps, k[4][2], at[2];
  static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (int i = 0; i < steps; i++) {
    for (int stage = 0; stage < 4; stage++) {
      for (int j = 0; j < 2; j++) at[j] = s[j] + (stage ? h * part[stage] * k[stage - 1][j] : 0);
      rates(at, k[stage]);
    }
    for (int stage = 0; stage < 4; stage++)
      for (int j = 0; j < 2; j++) s[j] += h * weight[stage] * k[stage][j];
  }
}

static void masses_ring_out(const deck_run *run, const char *analysis, double way, double moment) {
  size_t rows;
  const double *t = deck_column(run, analysis, "history", "time", &rows);
  const double *x = deck_column(run, analysis, "history", "x", &rows),
               *y = deck_column(run, analysis, "history", "y", &rows);
  const double *vx = deck_column(run, analysis, "history", "vx", &rows),
               *vy = deck_column(run, analysis, "history", "vy", &rows);
  double s[2] = {1, 0}, worst = 0, lost = 0;
  for (size_t i = 0; i < rows; i++) {
    advance(s, i ? t[i - 1] : 0, t[i]);
    worst = fmax(worst, fabs(2 * hypot(0.5 + x[i], y[i]) - s[0]));
    lost = fmax(lost, fabs(2 * ((0.5 + x[i]) * vy[i] - y[i] * vx[i]) / L - 1));
  }
  printf("%s, two masses around each other on a damper\n", analysis);
  bounded("distance off by (m)", worst, way);
  bounded("moment of momentum lost", lost, moment);
}

/* At rest in the turning frame nothing is damped: the drive needs no torque (a damper of fixed direction would). */
static void beam_comes_to_rest(const deck_run *run, double tolerance) {
  size_t rows;
  const double *x = deck_column(run, "alpha", "history", "tip-x", &rows);
  const double *y = deck_column(run, "alpha", "history", "tip-y", &rows);
  const double *torque = deck_column(run, "alpha", "joints", "drive mz", &rows);
  double k = 10.0 * sqrt(7000 / 7e7);
  printf("alpha, beam turned about one end\n");
  compare("stretched length (m)", hypot(1 + x[rows - 1], y[rows - 1]), tan(k) / k, 1e-5);
  bounded("torque that is left (N m)", torque[rows - 1], tolerance);
}

static void damping_turns(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, BODIES "turning-damping.xml", NULL);
  masses_ring_out(&run, "alpha", 1e-5, 1e-5);
  beam_comes_to_rest(&run, 1e-4);
  masses_ring_out(&run, "ida", 1e-5, 1e-5);
  deck_close(&run);
}

/* Damping forces at both ends of a step have the matrices of their own places: with one for both 53 % of the energy
 * went missing in 0.9 s. */
static void what_is_told_is_lost(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, BODIES "turning-swing.xml", NULL);
  double kinetic = 0.5 * 2700 * 0.02 * 0.01 * pow(0.2, 3) / 3 * 20 * 20;
  printf("alpha, damped beam that swings\n");
  bounded("energy residual", deck_number(&run, "swing", "energy.residual"), 1e-5);
  bounded("lost of its energy", deck_number(&run, "swing", "energy.structural_damping") / kinetic, 0.05);
  deck_close(&run);
}

/* With the matrix at rest all integrators lost 98 % of the energy: rates of the strain at rest are none of the beam's. */
static void moderate_rotations_are_free(void **unused) {
  (void)unused;
  static const char *const solvers[] = {"alpha", "ida", "cvode"};
  deck_run run;
  deck_open(&run, BODIES "moderate-swing.xml", NULL);
  double kinetic = 0.5 * 2700 * 0.02 * 0.01 * pow(0.2, 3) / 3 * 20 * 20;
  for (int i = 0; i < 3; i++) {
    double lost = deck_number(&run, solvers[i], "energy.structural_damping");
    printf("%s, von Kármán beam that swings\n", solvers[i]);
    bounded("energy residual", deck_number(&run, solvers[i], "energy.residual"), 1e-5);
    compare("lost of its energy, beside a linear beam", lost / kinetic, 0.0017418 / kinetic, 0.01);
  }
  deck_close(&run);
}

static void modal_damping_does_not(void **unused) {
  (void)unused;
  deck_run run;
  assert_int_equal(deck_try(&run, BODIES "turning-modal.xml", NULL), FW_ERR_DECK);
  assert_non_null(strstr(fw_context_message(run.ctx), "\"wire\" turns far"));
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(damping_turns), cmocka_unit_test(what_is_told_is_lost),
                                     cmocka_unit_test(moderate_rotations_are_free),
                                     cmocka_unit_test(modal_damping_does_not)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
