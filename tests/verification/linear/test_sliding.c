/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex modes: damped structures, and steady sliding against closed forms and against the growth that time integration
 * sees. */
#include "verification/deck_run.h"

#include <complex.h>

#define LINEAR FW_SOURCE_DIR "/tests/verification/linear/"

static double complex eigenvalue(const deck_run *run, const char *analysis, int mode) {
  return deck_mode(run, analysis, mode, "growth") + I * 2 * M_PI * deck_mode(run, analysis, mode, "frequency");
}

/* ---- a damped structure -------------------------------------------------------------------- */

/* omega and zeta of a mode without and with complex eigenvalues: lambda = -zeta omega + i omega sqrt(1 - zeta^2). */
static void damped_modes_are_those_of_rayleigh(void **unused) {
  (void)unused;
  for (int parts = 8; parts <= 60; parts += 52) {
    char setting[32];
    const char *settings[] = {setting, NULL};
    deck_run run;
    snprintf(setting, sizeof setting, "parts=%d", parts);
    deck_open(&run, LINEAR "complex-beam.xml", settings);
    for (int i = 0; i < 6; i++) {
      double zeta = deck_mode(&run, "real", i, "damping"), complexly = deck_mode(&run, "complex", i, "damping");
      double omega = 2 * M_PI * deck_mode(&run, "real", i, "frequency");
      double complex lambda = eigenvalue(&run, "complex", i);
      compare("damped frequency (rad/s)", cimag(lambda), omega * sqrt(1 - zeta * zeta), 1e-8);
      compare("growth (1/s)", creal(lambda), -zeta * omega, 1e-8);
      compare("damping ratio", complexly, zeta, 1e-8);
    }
    assert_true(deck_number(&run, "complex", "unstable_modes") == 0);
    deck_close(&run);
  }
}

/* ---- a mass on a belt ------------------------------------------------------------------------ */

typedef struct belt {
  double m, k, c, N, mu_s, mu_c, v_s;
} belt;
static const belt B = {2, 800, 1.5, 10, 0.5, 0.3, 0.2};

static void open_belt(deck_run *run, const char *deck, double V, const char *only) {
  char setting[40];
  const char *settings[] = {setting, NULL};
  snprintf(setting, sizeof setting, "V=%.17g", V);
  if (deck_try_only(run, deck, settings, only) != FW_OK) fail_msg("%s", fw_context_message(run->ctx));
}

/* m lambda^2 + (c + N mu'(V)) lambda + k = 0. */
static double complex belt_eigenvalue(double V) {
  double damping = B.c - B.N * (B.mu_s - B.mu_c) / B.v_s * exp(-fabs(V) / B.v_s), growth = -damping / (2 * B.m);
  return growth + I * sqrt(B.k / B.m - growth * growth);
}

static void sliding_on_a_belt_loses_its_damping(void **unused) {
  (void)unused;
  double critical = B.v_s * log(B.N * (B.mu_s - B.mu_c) / (B.c * B.v_s));
  const double speeds[] = {0.05, -0.1, 0.3, critical, 0.5, 2};
  for (int i = 0; i < 6; i++) {
    deck_run run;
    open_belt(&run, LINEAR "sliding-belt.xml", speeds[i], "sliding");
    double complex lambda = eigenvalue(&run, "sliding", 0), exact = belt_eigenvalue(speeds[i]);
    printf(" belt at %g m/s\n", speeds[i]);
    bounded("growth less the exact one (1/s)", creal(lambda - exact), 1e-10);
    compare("frequency (rad/s)", cimag(lambda), cimag(exact), 1e-10);
    compare("modes that grow", deck_number(&run, "sliding", "unstable_modes"), fabs(speeds[i]) < critical - 1e-9, 0);
    deck_close(&run);
  }
}

/* Growth of a motion about its mean, from the differences of its first and last neighbouring extremes. */
static double growth_of(const double *t, const double *x, size_t rows) {
  double first[2] = {0, 0}, last[2] = {0, 0}, before = NAN;
  for (size_t i = 1; i + 1 < rows; i++) {
    if ((x[i] - x[i - 1]) * (x[i + 1] - x[i]) > 0) continue;
    /* the parabola through three points */
    double a = t[i - 1] - t[i], b = t[i + 1] - t[i], p = (x[i - 1] - x[i]) / a, q = (x[i + 1] - x[i]) / b;
    double curve = (q - p) / (b - a), slope = p - curve * a, at = -slope / (2 * curve);
    double extreme = x[i] + slope * at / 2;
    if (!isnan(before)) {
      last[0] = t[i] + at;
      last[1] = fabs(extreme - before);
      if (first[1] == 0) first[0] = last[0], first[1] = last[1];
    }
    before = extreme;
  }
  return log(last[1] / first[1]) / (last[0] - first[0]);
}

static void sliding_grows_in_time_as_its_mode(void **unused) {
  static const char *const analyses[] = {"grows", "ida"};
  (void)unused;
  deck_run run;
  deck_open(&run, LINEAR "sliding-belt.xml", NULL);
  for (int i = 0; i < 2; i++) {
    size_t rows;
    const double *t = deck_column(&run, analyses[i], "history", "time", &rows),
                 *x = deck_column(&run, analyses[i], "history", "x", &rows);
    compare(i ? "growth in time, ida (1/s)" : "growth in time, alpha (1/s)", growth_of(t, x, rows),
            creal(eigenvalue(&run, "sliding", 0)), i ? 2e-4 : 1e-4);
  }
  deck_close(&run);
}

/* LuGre: dz/dt = v - sigma_0 |v| z/g, T = sigma_0 z + sigma_1 dz/dt: with a = sigma_0 V/g and b = V g'/g
 * m l^2 + c l + k + l [(sigma_0 - sigma_1 a) b/(l + a) + sigma_1 b] = 0. */
static void bristles_have_a_lag_of_their_own(void **unused) {
  const double V = 0.01, v_s = 0.02, sigma_0 = 2000, sigma_1 = 5, x = V / v_s;
  double g = B.N * (B.mu_c + (B.mu_s - B.mu_c) * exp(-x * x)),
         slope = -B.N * (B.mu_s - B.mu_c) * 2 * x / v_s * exp(-x * x), a = sigma_0 * V / g, b = V * slope / g;
  (void)unused;
  deck_run run;
  open_belt(&run, LINEAR "sliding-lugre.xml", V, NULL);
  for (int i = 0; i < 2; i++) {
    double complex l = eigenvalue(&run, "sliding", i);
    double complex left = B.m * l * l + B.c * l + B.k + l * ((sigma_0 - sigma_1 * a) * b / (l + a) + sigma_1 * b);
    bounded(i ? "polynomial at the pair, of k" : "polynomial at the real root, of k", cabs(left) / B.k, 1e-10);
  }
  deck_close(&run);
}

/* ---- mode coupling ------------------------------------------------------------------------- */

typedef struct coupling {
  double xx, yy, xy, n;
} coupling;

static coupling springs(void) {
  const double k1 = 1.1e4, k2 = 2e4, a1 = -M_PI / 12, a2 = 2 * M_PI / 9;
  return (coupling){.xx = k1 * cos(a1) * cos(a1) + k2 * cos(a2) * cos(a2),
                    .yy = k1 * sin(a1) * sin(a1) + k2 * sin(a2) * sin(a2),
                    .xy = k1 * sin(a1) * cos(a1) + k2 * sin(a2) * cos(a2),
                    .n = 1.2e4};
}

/* omega^2 of the mode of the lower or the higher frequency, m = 1; of two conjugates the one that grows. */
static double complex coupled(const coupling *k, double mu, double c, int mode) {
  double a = k->xx, d = k->yy + k->n;
  double complex root = csqrt((a - d) * (a - d) / 4 + (k->xy - mu * k->n) * k->xy);
  double complex square = (a + d) / 2 + (mode ? root : -root);
  double complex l = -c / 2 + csqrt(c * c / 4 - square);
  return cimag(l) < 0 ? conj(l) : l;
}

static void two_modes_meet_and_flutter(void **unused) {
  const coupling k = springs();
  double critical = (k.xy + pow(k.xx - k.yy - k.n, 2) / (4 * k.xy)) / k.n;
  const double parts[] = {0.5, 1 - 1e-6, 1 + 1e-6, 1.2, 1.2}, c[] = {0, 0, 0, 0, 4};
  (void)unused;
  printf(" flutter from mu = %.10g\n", critical);
  for (int i = 0; i < 5; i++) {
    char mu[40], damper[40];
    const char *settings[] = {mu, damper, NULL};
    deck_run run;
    snprintf(mu, sizeof mu, "mu=%.17g", critical * parts[i]);
    snprintf(damper, sizeof damper, "c=%.17g", c[i]);
    if (deck_try_only(&run, LINEAR "mode-coupling.xml", settings, "sliding") != FW_OK)
      fail_msg("%s", fw_context_message(run.ctx));
    double most = -INFINITY;
    for (int mode = 0; mode < 2; mode++) {
      double complex lambda = eigenvalue(&run, "sliding", mode), exact = coupled(&k, critical * parts[i], c[i], mode);
      /* where two modes have met their order is free, and rounding of the matrix enters by its root */
      compare("frequency (rad/s)", cimag(lambda), cimag(exact), 1e-8);
      most = fmax(most, creal(lambda));
    }
    double exact =
        fmax(creal(coupled(&k, critical * parts[i], c[i], 0)), creal(coupled(&k, critical * parts[i], c[i], 1)));
    bounded("largest growth less the exact one (1/s)", most - exact, 1e-6);
    compare("modes that grow", deck_number(&run, "sliding", "unstable_modes"), parts[i] > 1, 0);
    deck_close(&run);
  }
}

static void flutter_grows_in_time_as_its_mode(void **unused) {
  static const char *const settings[] = {"mu=0.7", NULL};
  const coupling k = springs();
  (void)unused;
  deck_run run;
  size_t rows;
  deck_open(&run, LINEAR "mode-coupling.xml", settings);
  const double *t = deck_column(&run, "grows", "history", "time", &rows),
               *x = deck_column(&run, "grows", "history", "x", &rows);
  double grows = fmax(creal(coupled(&k, 0.7, 0, 0)), creal(coupled(&k, 0.7, 0, 1)));
  size_t half = rows / 2; /* by then the mode that decays is gone */
  compare("flutter's growth in time (1/s)", growth_of(t + half, x + half, rows - half), grows, 1e-3);
  deck_close(&run);
}

/* ---- matrices that are not symmetric ---------------------------------------------------------- */

/* K = [900 160; -160 1100], C = [5 0.7; -0.7 5], M = 1. What the skew part of K does is told; the balance closes. */
static void superelements_need_not_be_symmetric(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, LINEAR "circulatory.xml", NULL);
  for (int i = 0; i < 2; i++) {
    double complex l = eigenvalue(&run, "modes", i), across = 160 + 0.7 * l;
    double complex left = (l * l + 5 * l + 900) * (l * l + 5 * l + 1100) + across * across;
    bounded("determinant, of that of K", cabs(left) / (900 * 1100 + 160 * 160), 1e-11);
  }
  compare("static deflection (m)", deck_table(&run, "alpha", "history")->values[1][0], 1100. / (900 * 1100 + 160 * 160),
          1e-3);
  bounded("energy left over, alpha", deck_number(&run, "alpha", "energy.residual"), 1e-11);
  bounded("energy left over, ida", deck_number(&run, "ida", "energy.residual"), 1e-5);
  compare("work of what is skew, ida against alpha (J)", deck_number(&run, "ida", "energy.fluid_elastic"),
          deck_number(&run, "alpha", "energy.fluid_elastic"), 1e-3);
  deck_close(&run);
}

/* Harmonic balance against the 2 x 2 system, solved directly; what goes in is what damping and the skew part take. */
static void responses_need_no_symmetry(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  assert_int_equal(deck_try_only(&run, LINEAR "circulatory.xml", NULL, "response"), FW_OK);
  const double *f = deck_column(&run, "response", "frf-1", "frequency", &rows),
               *x = deck_column(&run, "response", "frf-1", "x.amplitude", &rows),
               *y = deck_column(&run, "response", "frf-1", "y.amplitude", &rows),
               *left = deck_column(&run, "response", "frf-1", "energy_residual", &rows);
  double worst = 0, energy = 0;
  for (size_t i = 0; i < rows; i++) {
    double w = 2 * M_PI * f[i];
    double complex a = 900 - w * w + 5 * I * w, d = 1100 - w * w + 5 * I * w, b = 160 + 0.7 * I * w;
    double complex determinant = a * d + b * b;
    worst = fmax(worst, fabs(x[i] * cabs(determinant) / cabs(d) - 1));
    worst = fmax(worst, fabs(y[i] * cabs(determinant) / cabs(b) - 1));
    energy = fmax(energy, fabs(left[i]));
  }
  assert_true(rows >= 9);
  bounded("response, harmonic balance against a direct solution", worst, 1e-9);
  bounded("power left over", energy, 1e-12);
  deck_close(&run);
}

/* ---- what has no steady sliding ------------------------------------------------------------ */

static void a_belt_at_rest_is_refused(void **unused) {
  static const char *const settings[] = {"V=0", NULL};
  (void)unused;
  deck_run run;
  assert_int_equal(deck_try_only(&run, LINEAR "sliding-belt.xml", settings, "sliding"), FW_ERR_ANALYSIS);
  assert_non_null(strstr(fw_context_message(run.ctx), "no closed contact slides"));
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(damped_modes_are_those_of_rayleigh),
                                     cmocka_unit_test(sliding_on_a_belt_loses_its_damping),
                                     cmocka_unit_test(sliding_grows_in_time_as_its_mode),
                                     cmocka_unit_test(bristles_have_a_lag_of_their_own),
                                     cmocka_unit_test(two_modes_meet_and_flutter),
                                     cmocka_unit_test(flutter_grows_in_time_as_its_mode),
                                     cmocka_unit_test(superelements_need_not_be_symmetric),
                                     cmocka_unit_test(responses_need_no_symmetry),
                                     cmocka_unit_test(a_belt_at_rest_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
