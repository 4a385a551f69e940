/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmonic balance against closed forms: the spring-slider, Dahl's loop, the Coulomb oscillator of Den Hartog. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/setting.h"
#include "solver/hb/balance.h"

static const fw_friction NO_FRICTION;

static double report(const char *what, double computed, double reference) {
  double difference = fabs(computed / reference - 1);
  printf("%-44s %14.8g %14.8g %9.1e\n", what, computed, reference, difference);
  return difference;
}

/* Drives a law with u = A cos tau at constant N; returns the first harmonic and the loop's energy. */
static void drive(const char *law, const char *const *settings, int count, double N, double A, double first[2],
                  double *energy) {
  enum { H = 1, SAMPLES = 4096 };
  fw_context *ctx;
  fw_friction friction;
  fw_fourier fourier;
  fw_aft cycle;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, law);
  assert_int_equal(fw_law_create(ctx, ops, settings, count, &friction), FW_OK);
  assert_int_equal(fw_fourier_init(ctx, H, SAMPLES, &fourier), FW_OK);
  assert_int_equal(fw_aft_init(ctx, &fourier, friction.states, &cycle), FW_OK);
  double z0[8] = {0}, u[3] = {0, A, 0};
  fw_aft_point point = {.friction = &friction, .kind = FW_AFT_CONSTANT, .N0 = N, .z0 = z0};
  assert_int_equal(fw_aft_run(&cycle, &point, &(fw_aft_in){.omega = 300, .u = u}, true), FW_OK);
  assert_true(cycle.periodic);
  first[0] = cycle.T_c[1];
  first[1] = cycle.T_c[2];
  *energy = 0;
  for (int j = 0; j < SAMPLES; j++) {
    int next = (j + 1) % SAMPLES;
    *energy += 0.5 * (cycle.T[j] + cycle.T[next]) * (cycle.u[next] - cycle.u[j]);
  }
  fw_aft_clear(&cycle);
  fw_fourier_clear(&fourier);
  fw_friction_clear(&friction);
  fw_context_destroy(&ctx);
}

static void spring_slider(void **unused) {
  (void)unused;
  const char *settings[] = {"mu=0.5", "u-crit=4e-6"};
  double Fc = 0.5 * 83, k = Fc / 4e-6, A = 1.1e-5, first[2], energy;
  double theta = acos(1 - 2 * Fc / (k * A));
  drive("coulomb", settings, 2, 83, A, first, &energy);
  assert_true(report("spring-slider F1c", first[0], k * A / M_PI * (theta - 0.5 * sin(2 * theta))) < 1e-5);
  /* T = F1c cos - F1s sin */
  assert_true(report("spring-slider F1s", -first[1], 4 * Fc / M_PI * (1 - Fc / (k * A))) < 1e-5);
  assert_true(report("spring-slider energy", energy, 4 * Fc * (A - Fc / k)) < 1e-5);
}

static void dahl(void **unused) {
  (void)unused;
  const char *settings[] = {"mu-c=0.5", "sigma-0=1.003e7"};
  double Fc = 0.5 * 83, sigma = 1.003e7, first[2], energy;
  for (double A = 2e-7; A < 3e-5; A *= 5) {
    char what[64];
    snprintf(what, sizeof what, "dahl energy, A = %.0e m", A);
    drive("dahl", settings, 2, 83, A, first, &energy);
    assert_true(report(what, energy, 4 * Fc * (A - Fc / sigma * tanh(sigma * A / Fc))) < 1e-5);
    snprintf(what, sizeof what, "dahl energy by first harmonic, A = %.0e m", A);
    assert_true(report(what, -M_PI * A * first[1], energy) < 1e-5);
  }
}

/* Largest value of a series, by Newton's method on its derivative from the largest of many samples. */
static double turning_point(const double *y, int size) {
  enum { SAMPLES = 4000 };
  double most = 0, at = 0;
  for (int pass = 0; pass < SAMPLES + 8; pass++) {
    double tau = pass < SAMPLES ? 2 * M_PI * pass / SAMPLES : at, x[3] = {y[0], 0, 0};
    for (int k = 1; 2 * k < size; k++) {
      double c = cos(k * tau), s = sin(k * tau), a = y[2 * k - 1], b = y[2 * k];
      x[0] += a * c + b * s;
      x[1] += k * (b * c - a * s);
      x[2] -= k * k * (a * c + b * s);
    }
    if (pass >= SAMPLES) {
      most = x[0];
      at -= x[1] / x[2];
    } else if (x[0] > most) {
      most = x[0];
      at = tau;
    }
  }
  return most;
}

/* Turning-point amplitude max|x| of m = k = P = 1 with friction f at r = omega, H harmonics, elastic stick with
 * elastic slip u_crit. */
static double coulomb_oscillator(double r, int H, int samples, double hold, bool exact) {
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_friction friction;
  const char *settings[] = {"mu=0.5", "u-crit=1e-5"};
  const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, "coulomb");
  assert_int_equal(fw_law_create(ctx, ops, settings, 2, &friction), FW_OK);
  friction.stick.enforcement = hold > 0 ? FW_LAGRANGE : FW_PENALTY;
  fw_structure structure;
  assert_int_equal(fw_structure_init(ctx, 1, 1, 0, &structure), FW_OK);
  structure.M[0] = structure.K[0] = structure.B[0] = 1;
  fw_reduced reduced;
  assert_int_equal(fw_reduced_create(ctx, &structure, (fw_retained){0}, &reduced), FW_OK);
  double z0[2] = {0}, one = 1;
  fw_balance_contact contact = {.slip = {1, (int[]){0}, (double[]){1}}};
  contact.point = (fw_aft_point){.friction = &friction, .kind = FW_AFT_CONSTANT, .N0 = 1, .z0 = z0};
  contact.point.stick_penalty = hold;
  contact.point.exact = exact;
  fw_balance_drive load = {.harmonic = 1, .factor = 1};
  assert_int_equal(fw_projected_init(ctx, &reduced, &one, &load.load), FW_OK);
  fw_balance_problem given = {&reduced, NULL, &contact, 1, &load, 1};
  fw_balance balance;
  assert_int_equal(fw_balance_init(ctx, &given, H, samples, false, &balance), FW_OK);
  fw_continuation curve = {.n = balance.n, .user = &balance, .residual = fw_balance_residual};
  assert_int_equal(fw_continuation_init(ctx, &curve), FW_OK);
  double y[128] = {0};
  y[balance.n] = r;
  assert_int_equal(fw_balance_solve(ctx, &balance, &curve, 1e-9, y), FW_OK);
  double peak = turning_point(y, 2 * H + 1);
  fw_continuation_clear(&curve);
  fw_balance_clear(&balance);
  fw_projected_clear(&load.load);
  fw_reduced_clear(&reduced);
  fw_structure_clear(&structure);
  fw_friction_clear(&friction);
  fw_context_destroy(&ctx);
  return peak;
}

static void den_hartog(void **unused) {
  (void)unused;
  double exact = 2.3322349875, error[2] = {0};
  const int H[] = {1, 3, 9, 19};
  const double truncated[] = {2.14216067, 2.24588210, 2.29923151, 0};
  for (int i = 0; i < 4; i++) {
    char what[64];
    double X = coulomb_oscillator(0.8, H[i], 1024, 0, false);
    snprintf(what, sizeof what, "coulomb oscillator, H = %d, against exact", H[i]);
    double off = report(what, X, exact);
    if (i >= 2) error[i - 2] = off;
    if (truncated[i] == 0) continue;
    snprintf(what, sizeof what, "coulomb oscillator, H = %d, against X_H", H[i]);
    assert_true(report(what, X, truncated[i]) <
                5e-3); /* elastic slip u_crit shifts the switching by 2 sqrt(u_crit / X) */
  }
  assert_true(error[1] < 0.6 * error[0]); /* the 1/H rate: 9 to 19 */
}

/* Rigid stick has the exact answer of the truncated series: to four digits at once, to six where the samples resolve
 * the moment in which friction changes over. The weight of the slip does not matter over two decades. */
static void den_hartog_rigid(void **unused) {
  (void)unused;
  const int H[] = {1, 3, 9};
  const double truncated[] = {2.14216067, 2.24588210, 2.29923151};
  for (int i = 0; i < 3; i++) {
    char what[64];
    for (double hold = 30; hold < 4000; hold *= 10) {
      snprintf(what, sizeof what, "rigid coulomb, H = %d, hold %g, against X_H", H[i], hold);
      assert_true(report(what, coulomb_oscillator(0.8, H[i], 16384, hold, false), truncated[i]) < 4e-5);
    }
    snprintf(what, sizeof what, "H = %d, 4096 samples", H[i]);
    assert_true(report(what, coulomb_oscillator(0.8, H[i], 4096, 30, false), truncated[i]) < 2e-5);
    snprintf(what, sizeof what, "H = %d, hold 300, 65536 samples", H[i]);
    assert_true(report(what, coulomb_oscillator(0.8, H[i], 65536, 300, false), truncated[i]) < 1.5e-6);
  }
}

/* With exact switching times a few samples do: the answer does not depend on them, and six digits are a matter of the
 * weight, which leaves friction a moment to change over. */
static void den_hartog_exact(void **unused) {
  (void)unused;
  const int H[] = {1, 3, 9};
  const double truncated[] = {2.14216067, 2.24588210, 2.29923151};
  for (int i = 0; i < 3; i++)
    for (double hold = 30; hold < 4000; hold *= 10) {
      char what[64];
      double X = coulomb_oscillator(0.8, H[i], 1024, hold, true);
      snprintf(what, sizeof what, "exact switching, H = %d, 1024 samples, hold %g", H[i], hold);
      assert_true(report(what, X, truncated[i]) < (hold > 100 ? 1e-6 : 2e-5));
      snprintf(what, sizeof what, "H = %d, 64 samples against 1024", H[i]);
      assert_true(report(what, coulomb_oscillator(0.8, H[i], 64, hold, true), X) < 1e-9);
    }
}

/* A mass on a spring whose lower end, a hundredth of the mass, stands on hard ground under N0 = 1 and lifts: first
 * harmonic of the mass at omega, and the part of the period in which the foot is off the ground. */
static double lifting_foot(double omega, int H, int samples, double press, double *open) {
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_structure structure;
  assert_int_equal(fw_structure_init(ctx, 2, 1, 0, &structure), FW_OK);
  const double M[] = {1, 0, 0, 0.01}, C[] = {0.1, -0.1, -0.1, 0.15}, K[] = {1.2, -1, -1, 1};
  memcpy(structure.M, M, sizeof M);
  memcpy(structure.C, C, sizeof C);
  memcpy(structure.K, K, sizeof K);
  structure.B[1] = 1; /* the foot's height is the gap */
  fw_reduced reduced;
  assert_int_equal(fw_reduced_create(ctx, &structure, (fw_retained){0}, &reduced), FW_OK);
  fw_balance_contact contact = {.gap = {1, (int[]){0}, (double[]){1}}};
  contact.point = (fw_aft_point){.friction = &NO_FRICTION, .kind = FW_AFT_CLOSED, .N0 = 1, .gap_penalty = press};
  const double up[] = {1, 0};
  fw_balance_drive load = {.harmonic = 1, .factor = 0.6};
  assert_int_equal(fw_projected_init(ctx, &reduced, up, &load.load), FW_OK);
  fw_balance_problem given = {&reduced, NULL, &contact, 1, &load, 1};
  fw_balance balance;
  assert_int_equal(fw_balance_init(ctx, &given, H, samples, true, &balance), FW_OK);
  fw_continuation curve = {.n = balance.n, .user = &balance, .residual = fw_balance_residual};
  assert_int_equal(fw_continuation_init(ctx, &curve), FW_OK);
  double y[256] = {0};
  y[balance.n] = omega;
  assert_int_equal(fw_balance_solve(ctx, &balance, &curve, 1e-9, y), FW_OK);
  *open = 0;
  for (int j = 0; j < samples; j++) *open += (balance.aft[0].N[j] <= 0) / (double)samples;
  double complex gap = fw_balance_coordinate(&balance, y, 0, 1), row = 0;
  fw_dynamic_reading(&balance.dynamic[1], &load.load, &row);
  double X = cabs(row * gap + 0.6 * fw_dynamic_direct(&balance.dynamic[1], &load.load, &load.load));
  fw_continuation_clear(&curve);
  fw_balance_clear(&balance);
  fw_projected_clear(&load.load);
  fw_reduced_clear(&reduced);
  fw_structure_clear(&structure);
  fw_context_destroy(&ctx);
  return X;
}

/* The weight of the gap matters little over two decades, and the less the more harmonics there are. */
static void weight_of_the_gap(void **unused) {
  (void)unused;
  const int H[] = {15, 41}, samples[] = {1024, 4096};
  double open, finest = lifting_foot(0.8, 41, 4096, 30, &open), worst[2] = {0};
  printf("foot off the ground for %.3f of the period\n", open);
  assert_true(open > 0.1 && open < 0.9);
  for (int i = 0; i < 2; i++)
    for (double press = 3; press < 400; press *= 10) {
      char what[64];
      snprintf(what, sizeof what, "lifting foot, H = %d, press %g", H[i], press);
      worst[i] = fmax(worst[i], report(what, lifting_foot(0.8, H[i], samples[i], press, &open), finest));
    }
  assert_true(worst[0] < 2e-3 && worst[1] < 0.5 * worst[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(spring_slider),    cmocka_unit_test(dahl),
                                     cmocka_unit_test(den_hartog),       cmocka_unit_test(den_hartog_rigid),
                                     cmocka_unit_test(den_hartog_exact), cmocka_unit_test(weight_of_the_gap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
