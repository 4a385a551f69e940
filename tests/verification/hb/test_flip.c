/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Period doubling of a bilinear oscillator: multipliers and the frequencies where stability changes against a period
 * map found by shooting; time integration leaves the motion from side to side, as fast as its multiplier says, for one
 * of twice the period. */
#include "verification/deck_run.h"

#define DECK FW_SOURCE_DIR "/tests/verification/hb/flip.xml"

/* ---- reference: m = 1, k = 1e4 above, 6e4 below, c = 6, f = cos wt ------------------------------ */

/* x, v and their derivatives with respect to x and v at the start of the period. */
typedef struct flow {
  double s[6];
} flow;

static flow rate(double w, double t, const flow *y) {
  double k = y->s[0] < 0 ? 6e4 : 1e4, c = 6;
  return (flow){{y->s[1], cos(w * t) - k * y->s[0] - c * y->s[1], y->s[4], y->s[5], -k * y->s[2] - c * y->s[4],
                 -k * y->s[3] - c * y->s[5]}};
}

static flow moved(const flow *y, double h, const flow *by) {
  flow out = *y;
  for (int i = 0; i < 6; i++) out.s[i] += h * by->s[i];
  return out;
}

/* Once round with Runge and Kutta's rule; s[2..5] becomes the period map's derivative, row by row. */
static flow once_round(double w, double x, double v) {
  enum { STEPS = 40000 };
  double h = 2 * M_PI / w / STEPS;
  flow y = {{x, v, 1, 0, 0, 1}};
  for (int i = 0; i < STEPS; i++) {
    flow a = rate(w, i * h, &y), at = moved(&y, h / 2, &a);
    flow b = rate(w, (i + 0.5) * h, &at);
    at = moved(&y, h / 2, &b);
    flow c = rate(w, (i + 0.5) * h, &at);
    at = moved(&y, h, &c);
    flow d = rate(w, (i + 1) * h, &at);
    for (int k = 0; k < 6; k++) y.s[k] += h / 6 * (a.s[k] + 2 * b.s[k] + 2 * c.s[k] + d.s[k]);
  }
  return y;
}

/* The motion of the drive's period, by Newton's method from (x, v), in place; its lower multiplier, or for a pair their
 * common size. */
static double multiplier(double frequency, double *x, double *v) {
  double trace = 0, determinant = 0;
  for (int pass = 0; pass < 12; pass++) {
    flow y = once_round(2 * M_PI * frequency, *x, *v);
    double a = y.s[2] - 1, b = y.s[3], c = y.s[4], d = y.s[5] - 1, rx = y.s[0] - *x, rv = y.s[1] - *v;
    *x -= (d * rx - b * rv) / (a * d - b * c);
    *v -= (a * rv - c * rx) / (a * d - b * c);
    trace = a + d + 2;
    determinant = (a + 1) * (d + 1) - b * c;
  }
  double root = trace * trace / 4 - determinant;
  return root > 0 ? trace / 2 - sqrt(root) : sqrt(determinant);
}

/* Where the lower multiplier passes -1 between two frequencies. */
static double flips_at(double low, double high, bool stable_below) {
  double x = 0, v = 0;
  for (int i = 0; i < 16; i++) {
    double middle = 0.5 * (low + high);
    bool stable = multiplier(middle, &x, &v) > -1;
    *(stable == stable_below ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

/* ---- comparison ------------------------------------------------------------------------------- */

static void multipliers(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK, NULL);
  size_t rows;
  const double *f = deck_column(&run, "frf", "frf-1", "frequency", &rows);
  const double *found = deck_column(&run, "frf", "frf-1", "multiplier", &rows);
  for (double at = 38; at < 64; at += 6) {
    double x = 0, v = 0, reference = multiplier(at, &x, &v);
    for (size_t i = 0; i < rows; i++)
      if (fabs(f[i] - at) < 1e-9) compare("largest multiplier, -1 times", found[i], -reference, 2e-3);
  }
  compare("first period doubling (Hz)", deck_number(&run, "frf", "levels[0].bifurcations[0].frequency"),
          flips_at(35, 40, true), 0.2 / 36); /* the grid is 0.25 Hz wide */
  compare("and the last (Hz)", deck_number(&run, "frf", "levels[0].bifurcations[1].frequency"), flips_at(60, 66, false),
          0.2 / 64);
  for (int i = 0; i < 2; i++) {
    char path[80];
    const char *kind = NULL;
    snprintf(path, sizeof path, "analyses.frf.levels[0].bifurcations[%d].kind", i);
    assert_int_equal(fw_results_text(run.results, path, &kind), FW_OK);
    assert_string_equal(kind, "period-doubling");
  }
  deck_close(&run);
}

enum { ROWS = 100 };

/* Largest difference of the last period from the one `back` periods before. */
static double apart(const double *x, size_t last, size_t back) {
  double most = 0;
  for (size_t i = (last - 1) * ROWS; i < last * ROWS; i++) most = fmax(most, fabs(x[i] - x[i - back * ROWS]));
  return most;
}

/* The displacement once a period: x[n ROWS]. Leaves for a motion of twice the period, or stays. */
static void in_time(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows;
  double x0 = 0, v0 = 0, predicted = multiplier(40, &x0, &v0);
  const char *inside[] = {"at=40", NULL}, *outside[] = {"at=33", NULL};
  deck_open(&run, DECK, inside);
  const double *x = deck_column(&run, "there", "history", "y", &rows);
  size_t last = (rows - 1) / ROWS, n = 1;
  while (n < last && fabs(x[n * ROWS] - x[(n - 1) * ROWS]) < 1e-3 * fabs(x[0])) n++; /* above the integrator's noise */
  double before = x[n * ROWS] - x[(n - 1) * ROWS], after = x[(n + 2) * ROWS] - x[(n + 1) * ROWS];
  compare("growth in two periods", after / before, predicted * predicted, 0.05);
  assert_true((x[(n + 1) * ROWS] - x[n * ROWS]) * before < 0); /* from side to side */
  double once = apart(x, last, 1), twice = apart(x, last, 2);
  printf("  at the end: %.3e m from the period before, %.3e m from two before\n", once, twice);
  assert_true(once > 0.1 * fabs(x[0]) && twice < 1e-3 * once);
  deck_close(&run);
  deck_open(&run, DECK, outside);
  x = deck_column(&run, "there", "history", "y", &rows);
  last = (rows - 1) / ROWS;
  bounded("at 33 Hz, from the period before (relative)", apart(x, last, 1) / fabs(x[0]), 1e-6);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(multipliers), cmocka_unit_test(in_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
