/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multipliers of periodic motions against closed forms: a linear oscillator, the Coulomb oscillator of Den Hartog. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "contact/friction/setting.h"
#include "contact/friction/tribometer.h"
#include "solver/hb/orbit_stability.h"
#include "verification/deck_run.h"

static double report(const char *what, double computed, double reference) {
  double difference = fabs(computed - reference);
  printf("%-58s %12.7f %12.7f %9.1e\n", what, computed, reference, difference);
  return difference;
}

/* m = k = P = 1, damping ratio zeta, friction f: the multipliers of the motion at r = omega. */
typedef struct oscillator {
  const char *law, *settings[3];
  double zeta, r, hold, turning; /* turning: largest |x|, out */
  int H, samples;
  double complex multipliers[2]; /* out */
} oscillator;

static void solve(oscillator *o) {
  fw_context *ctx;
  fw_friction friction;
  fw_structure structure;
  fw_reduced reduced;
  fw_balance balance;
  fw_floquet stability;
  int settings = 0;
  while (settings < 3 && o->settings[settings]) settings++;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, o->law);
  assert_int_equal(fw_law_create(ctx, ops, o->settings, settings, &friction), FW_OK);
  if (o->hold > 0) friction.stick.enforcement = FW_LAGRANGE;
  assert_int_equal(fw_structure_init(ctx, 1, 1, 0, &structure), FW_OK);
  structure.M[0] = structure.K[0] = structure.B[0] = 1;
  structure.C[0] = 2 * o->zeta;
  assert_int_equal(fw_reduced_create(ctx, &structure, (fw_retained){0}, &reduced), FW_OK);
  double z0[2] = {0}, one = 1, y[256] = {0};
  fw_balance_contact contact = {.slip = {1, (int[]){0}, (double[]){1}}};
  contact.point = (fw_aft_point){.friction = &friction, .kind = FW_AFT_CONSTANT, .N0 = 1, .z0 = z0};
  contact.point.stick_penalty = o->hold;
  fw_balance_drive load = {.harmonic = 1, .factor = 1};
  assert_int_equal(fw_projected_init(ctx, &reduced, &one, &load.load), FW_OK);
  fw_balance_problem given = {&reduced, NULL, &contact, 1, &load, 1};
  assert_int_equal(fw_balance_init(ctx, &given, o->H, o->samples, false, &balance), FW_OK);
  balance.level = 1;
  fw_continuation curve = {.n = balance.n, .user = &balance, .residual = fw_balance_residual};
  assert_int_equal(fw_continuation_init(ctx, &curve), FW_OK);
  y[balance.n] = o->r;
  assert_int_equal(fw_balance_solve(ctx, &balance, &curve, 1e-9, y), FW_OK);
  o->turning = fw_fourier_peak(balance.aft[0].u, o->samples);
  assert_int_equal(fw_balance_stability(ctx, &balance, y, NULL, &stability), FW_OK);
  if (stability.why) fail_msg("%s", stability.why);
  o->multipliers[0] = stability.multipliers[0];
  o->multipliers[1] = stability.multipliers[1];
  fw_floquet_clear(&stability);
  fw_continuation_clear(&curve);
  fw_balance_clear(&balance);
  fw_projected_clear(&load.load);
  fw_reduced_clear(&reduced);
  fw_structure_clear(&structure);
  fw_friction_clear(&friction);
  fw_context_destroy(&ctx);
}

/* Without friction: exp(-zeta T +- i sqrt(1 - zeta^2) T) over the period T of the drive. */
static void linear(void **unused) {
  (void)unused;
  oscillator o = {.law = "continuous", .settings = {"mu=0"}, .zeta = 0.05, .r = 0.8, .H = 3, .samples = 4096};
  solve(&o);
  double T = 2 * M_PI / o.r, w = sqrt(1 - o.zeta * o.zeta);
  assert_true(report("linear: |multiplier|", cabs(o.multipliers[0]), exp(-o.zeta * T)) < 1e-6);
  assert_true(report("linear: Re", creal(o.multipliers[0]), exp(-o.zeta * T) * cos(w * T)) < 1e-5);
}

/* The motion without stops is symmetric: minus its half-period map has determinant rho and trace -(1 + rho) cos(pi/r),
 * rho = (X - f - X/V)/(X + f - X/V), and the multipliers are the squares of its eigenvalues. X is the turning point of
 * the truncated motion: its own exact answer. */
static void coulomb(void **unused) {
  (void)unused;
  static const double cases[][2] = {{0.8, 0.5}, {0.8, 0.2}, {1.2, 0.3}, {2, 0.4}};
  for (int i = 0; i < 4; i++) {
    double r = cases[i][0], f = cases[i][1], V = 1 / (1 - r * r);
    char mu[32], what[80];
    snprintf(mu, sizeof mu, "mu=%g", f);
    oscillator o = {.law = "coulomb", .settings = {mu}, .r = r, .hold = 30, .H = 19, .samples = 4096};
    solve(&o);
    double X = o.turning, rho = (X - f - X / V) / (X + f - X / V), trace = -(1 + rho) * cos(M_PI / r);
    double complex root = csqrt(0.25 * trace * trace - rho), big = 0.5 * trace + root, small = 0.5 * trace - root;
    snprintf(what, sizeof what, "coulomb, r = %g, f = %g: product of the multipliers", r, f);
    assert_true(report(what, creal(o.multipliers[0] * o.multipliers[1]), rho * rho) < 3e-3);
    snprintf(what, sizeof what, "coulomb, r = %g, f = %g: sum of the multipliers", r, f);
    assert_true(report(what, creal(o.multipliers[0] + o.multipliers[1]), creal(big * big + small * small)) < 3e-3);
  }
}

/* The same oscillator in time: once round from (x, v) where the contact slides and its state follows from that. */
typedef struct runner {
  fw_context *ctx;
  fw_sled sled;
  double r;
  int steps; /* of a period */
} runner;

static void go(runner *run, int from, int count) {
  double dt = 2 * M_PI / run->r / run->steps;
  for (int k = from; k < from + count; k++) {
    double end = cos(2 * M_PI * (k + 1) / run->steps);
    assert_int_equal(fw_sled_step(run->ctx, &run->sled, dt, end, 1, 1), FW_OK);
  }
}

/* Trace and determinant of the period map by differences, after the motion has become periodic. */
static void by_time(const char *law, const char *const *settings, int count, double r, double *trace, double *det) {
  enum { STEPS = 20000, PERIODS = 60 };
  runner run = {.r = r, .steps = STEPS};
  fw_friction friction;
  const double step = 1e-5;
  double map[2][2], z[8];
  assert_int_equal(fw_context_create(&run.ctx), FW_OK);
  const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, law);
  assert_int_equal(fw_law_create(run.ctx, ops, settings, count, &friction), FW_OK);
  assert_int_equal(fw_sled_create(run.ctx, &friction, 1, 1, &run.sled), FW_OK);
  run.sled.end = 1;
  go(&run, 0, PERIODS * STEPS);
  int start = 0;
  for (double fastest = 0; start < STEPS; start++) { /* to the fastest moment */
    go(&run, start, 1);
    if (fabs(run.sled.v) < fastest && fastest > 0.5) break;
    fastest = fabs(run.sled.v);
  }
  start++;
  fw_sled kept = run.sled;
  memcpy(z, run.sled.z, (size_t)friction.states * sizeof *z);
  for (int i = 0; i < 2; i++) {
    double end[2][2];
    for (int side = 0; side < 2; side++) {
      double move = side ? step : -step;
      run.sled = kept;
      memcpy(run.sled.z, z, (size_t)friction.states * sizeof *z);
      if (i == 0) run.sled.x += move;
      if (i == 0) run.sled.a -= move;
      if (i == 1) run.sled.v += move;
      go(&run, start, STEPS);
      end[side][0] = run.sled.x;
      end[side][1] = run.sled.v;
    }
    for (int k = 0; k < 2; k++) map[k][i] = (end[1][k] - end[0][k]) / (2 * step);
  }
  *trace = map[0][0] + map[1][1];
  *det = map[0][0] * map[1][1] - map[0][1] * map[1][0];
  fw_sled_clear(&run.sled);
  fw_friction_clear(&friction);
  fw_context_destroy(&run.ctx);
}

/* Laws with a stiffness, against differences of time integration. */
static void against_time(void **unused) {
  (void)unused;
  static const struct {
    const char *law, *settings[2];
    double r;
  } cases[] = {{"coulomb", {"mu=0.5", "u-crit=0.05"}, 0.8}, {"dahl", {"mu-c=0.4", "sigma-0=4"}, 0.8}};
  for (int i = 0; i < 2; i++) {
    double trace, det;
    char what[80];
    by_time(cases[i].law, cases[i].settings, 2, cases[i].r, &trace, &det);
    oscillator o = {.law = cases[i].law, .r = cases[i].r, .H = 39, .samples = 4096};
    memcpy(o.settings, cases[i].settings, sizeof cases[i].settings);
    solve(&o);
    snprintf(what, sizeof what, "%s: product of the multipliers, against time", cases[i].law);
    assert_true(report(what, creal(o.multipliers[0] * o.multipliers[1]), det) < 1e-2);
    snprintf(what, sizeof what, "%s: sum of the multipliers, against time", cases[i].law);
    assert_true(report(what, creal(o.multipliers[0] + o.multipliers[1]), trace) < 1e-2);
  }
}

/* ---- folds -------------------------------------------------------------------------------- */

static double cell(const fw_data_table *table, const char *name, size_t row) {
  int column = fw_data_table_column(table, name);
  assert_true(column >= 0);
  return table->values[column][row];
}

/* The response of a von Karman beam bends over: the motions between the two folds, and only these, are unstable, with
 * one real multiplier above 1, and the summary has the folds where the frequency turns back. */
static void folds(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/duffing-forced.xml", NULL);
  const fw_data_table *t = deck_table(&run, "frf", "frf-1");
  size_t turn[2], turns = 0;
  for (size_t i = 1; i + 1 < t->rows; i++) {
    double before = cell(t, "frequency", i) - cell(t, "frequency", i - 1);
    double after = cell(t, "frequency", i + 1) - cell(t, "frequency", i);
    if (before * after < 0 && turns < 2) turn[turns++] = i;
  }
  assert_int_equal(turns, 2);
  for (size_t i = 0; i < t->rows; i++) {
    bool near =
        i + 1 == turn[0] || i == turn[0] || i == turn[0] + 1 || i + 1 == turn[1] || i == turn[1] || i == turn[1] + 1;
    if (!near) assert_int_equal((int)cell(t, "growing", i), i > turn[0] && i < turn[1]);
  }
  for (int k = 0; k < 2; k++) {
    char path[64], what[64];
    snprintf(path, sizeof path, "levels[0].bifurcations[%d].frequency", k);
    snprintf(what, sizeof what, "fold %d: frequency by the multipliers, by the curve (Hz)", k + 1);
    assert_true(report(what, deck_number(&run, "frf", path), cell(t, "frequency", turn[k])) < 2e-2);
  }
  assert_near(deck_number(&run, "frf", "levels[0].unstable_points"), (double)(turn[1] - turn[0]), 3);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear), cmocka_unit_test(coulomb),
                                     cmocka_unit_test(against_time), cmocka_unit_test(folds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
