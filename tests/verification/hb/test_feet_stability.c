/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stability of a block that rocks on three feet at different heights, whose gaps and slips depend on each other: its
 * largest multiplier against the period map of the same equations, written out here and integrated in small steps. */
#include "verification/deck_run.h"

/* ---- reference -------------------------------------------------------------------------------- */

/* x, y, angle, their rates, friction forces of the outer feet, deflection of the middle one. */
enum { STATES = 9, FEET = 3, STEPS = 8000 };

static const double mass = 2, inertia = 8e-3, weight = 60, above = 90e-3, level = 18;
static const double kx = 3e5, cx = 20, cy = 500, crz = 2, kn = 4e6;
static const double along[FEET] = {-0.09, 0.02, 0.08}, below[FEET] = {45e-3, 55e-3, 70e-3};
static const double mu[FEET] = {0.3, 0.4, 0.2}, sigma[FEET] = {1e6, 0, 2e6}, u_crit = 1e-5;

static void rates(double force, const double *s, double *out) {
  double f[3] = {force - kx * s[0] - cx * s[3], -weight - cy * s[4], -above * force - crz * s[5]};
  for (int i = 0; i < FEET; i++) {
    double N = kn * fmax(0, -(s[1] + along[i] * s[2])), v = s[3] + below[i] * s[5], z = s[6 + i], T = z;
    if (i == 1) { /* elastic Coulomb */
      T = mu[i] * N * z / u_crit;
      out[6 + i] = fabs(z) >= u_crit && z * v > 0 ? 0 : v;
    } else { /* Dahl */
      out[6 + i] = sigma[i] * (v - T * fabs(v) / (mu[i] * N));
    }
    f[0] -= T;
    f[1] += N;
    f[2] += along[i] * N - below[i] * T;
  }
  memcpy(out, s + 3, 3 * sizeof(double));
  out[3] = f[0] / mass;
  out[4] = f[1] / mass;
  out[5] = f[2] / inertia;
}

static void moved(const double *s, double h, const double *by, double *out) {
  for (int k = 0; k < STATES; k++) out[k] = s[k] + h * by[k];
}

/* Once round with Runge and Kutta's rule, in place. */
static void once_round(double w, double *s) {
  double h = 2 * M_PI / w / STEPS, a[STATES], b[STATES], c[STATES], d[STATES], at[STATES];
  for (int i = 0; i < STEPS; i++) {
    double middle = level * cos((i + 0.5) * h * w);
    rates(level * cos(i * h * w), s, a);
    moved(s, h / 2, a, at);
    rates(middle, at, b);
    moved(s, h / 2, b, at);
    rates(middle, at, c);
    moved(s, h, c, at);
    rates(level * cos((i + 1) * h * w), at, d);
    for (int k = 0; k < STATES; k++) s[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
    s[7] = fmin(u_crit, fmax(-u_crit, s[7]));
  }
}

/* Size of a matrix: its largest entry. */
static double size_of(double A[STATES][STATES]) {
  double most = 0;
  for (int i = 0; i < STATES; i++)
    for (int j = 0; j < STATES; j++) most = fmax(most, fabs(A[i][j]));
  return most;
}

/* Largest eigenvalue in size: the size of a high power, by squaring; A is overwritten. */
static double spectral_radius(double A[STATES][STATES]) {
  double logarithm = 0, power = 1;
  for (int pass = 0; pass < 30; pass++) {
    double square[STATES][STATES] = {{0}}, size = size_of(A);
    logarithm += log(size) / power;
    for (int i = 0; i < STATES; i++)
      for (int j = 0; j < STATES; j++)
        for (int k = 0; k < STATES; k++) square[i][j] += A[i][k] / size * (A[k][j] / size);
    memcpy(A, square, sizeof square);
    power *= 2;
  }
  return exp(logarithm);
}

/* The largest multiplier of the motion that the block comes to. */
static double multiplier(double frequency) {
  static const double unit[STATES] = {1e-5, 1e-5, 1e-4, 1e-2, 1e-2, 1e-1, 10, 1e-5, 10};
  double w = 2 * M_PI * frequency, orbit[STATES] = {0, -5e-6}, map[STATES][STATES];
  for (int i = 0; i < 60; i++) once_round(w, orbit);
  for (int j = 0; j < STATES; j++) {
    double up[STATES], down[STATES], step = 1e-4;
    memcpy(up, orbit, sizeof up);
    memcpy(down, orbit, sizeof down);
    up[j] += step * unit[j];
    down[j] -= step * unit[j];
    once_round(w, up);
    once_round(w, down);
    for (int i = 0; i < STATES; i++) map[i][j] = (up[i] - down[i]) / (2 * step * unit[i]);
  }
  return spectral_radius(map);
}

/* ---- comparison ------------------------------------------------------------------------------- */

static void largest_multiplier(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  int compared = 0;
  fw_status status =
      deck_try_only(&run, FW_SOURCE_DIR "/tests/verification/hb/feet.xml",
                    (const char *[]){"left=45", "middle=55", "right=70", "above=90", "level=18", NULL}, "stability");
  if (status != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  const double *f = deck_column(&run, "stability", "frf-18", "frequency", &rows);
  const double *found = deck_column(&run, "stability", "frf-18", "multiplier", &rows);
  for (double at = 80; at < 111; at += 10)
    for (size_t i = 0; i < rows; i++) {
      if (fabs(f[i] - at) > 1e-9) continue;
      char what[60];
      snprintf(what, sizeof what, "largest multiplier at %g Hz", at);
      compare(what, found[i], multiplier(at), 1e-3);
      compared++;
    }
  assert_int_equal(compared, 4);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(largest_multiplier)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
