/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonlinear normal modes: a Duffing oscillator against its exact period, a Dahl oscillator against its loop, the rig
 * against its resonance where damping is small. */
#include <math.h>

#include "verification/deck_run.h"

#define DECK(name) FW_SOURCE_DIR "/tests/verification/hb/" name

static double column(const fw_data_table *t, const char *name, size_t row) {
  int c = fw_data_table_column(t, name);
  if (c < 0) fail_msg("%s has no column %s", t->name, name);
  return t->values[c][row];
}

/* pi / 2 over the complete elliptic integral K(m), by the arithmetic-geometric mean. */
static double quarter(double m) {
  double a = 1, g = sqrt(1 - m);
  for (int i = 0; i < 20; i++) {
    double next = 0.5 * (a + g);
    g = sqrt(a * g);
    a = next;
  }
  return a;
}

/* At the turning point all harmonics add up. */
static double turning_point(const fw_data_table *t, size_t row, int H) {
  double top = column(t, "amplitude", row);
  for (int k = 2; k <= H; k++) {
    char amplitude[32], phase[32];
    snprintf(amplitude, sizeof amplitude, "middle.amplitude-%d", k);
    snprintf(phase, sizeof phase, "middle.phase-%d", k);
    top += column(t, amplitude, row) * cos(column(t, phase, row) * M_PI / 180);
  }
  return top;
}

static void duffing(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK("duffing.xml"), NULL);
  const fw_data_table *t = deck_table(&run, "mode1", "nnm");
  double height = 10e-3, omega_0 = M_PI * M_PI * sqrt(210e9 / 7800 * height * height / 12);
  double worst = 0;
  for (size_t i = 0; i < t->rows; i++) {
    double top = turning_point(t, i, 7);
    double cubic = 3 * top * top / (height * height); /* (A/r)^2 / 4 */
    double exact = omega_0 / (2 * M_PI) * sqrt(1 + cubic) * quarter(0.5 * cubic / (1 + cubic));
    double frequency = column(t, "frequency", i);
    worst = fmax(worst, fabs(frequency / exact - 1));
    if (i % 5 == 0 || i == t->rows - 1)
      printf("a = %9.3e m: %12.7f Hz, exact %12.7f Hz, %8.1e; damping %8.1e\n", top, frequency, exact,
             frequency / exact - 1, column(t, "damping", i));
    assert_true(fabs(column(t, "damping", i)) < 1e-8);
  }
  assert_true(column(t, "frequency", t->rows - 1) > 1.3 * column(t, "frequency", 0));
  assert_true(worst < 2e-5);
  bounded("energy of a mode without losses", deck_number(&run, "mode1", "energy.residual"), 1e-6);
  deck_close(&run);
}

/* Largest multiplier of a disturbance of the n-th mode while the first moves from rest at `top`: its membrane force
 * stretches the others, y'' + n^2 (n^2 + (q / r)^2 / 4) y = 0 in units of omega_0 (Hill's equation), r^2 = height^2 /
 * 12; a Wronskian of 1, the trace over a period by Runge and Kutta. */
static double hill(double top, double height, int n) {
  enum { STEPS = 4000 };
  double cubic = 3 * top * top / (height * height), w = sqrt(1 + cubic) * quarter(0.5 * cubic / (1 + cubic));
  double x[6] = {sqrt(cubic), 0, 1, 0, 0, 1}, h = 2 * M_PI / w / STEPS; /* q / (2 r), two disturbances */
  static const double parts[4] = {0, 0.5, 0.5, 1}, weights[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (int step = 0; step < STEPS; step++) {
    double rate[6] = {0}, sum[6] = {0};
    for (int stage = 0; stage < 4; stage++) {
      double at[6];
      for (int i = 0; i < 6; i++) at[i] = x[i] + parts[stage] * h * rate[i];
      double k = n * n * (n * n + at[0] * at[0]);
      const double next[6] = {at[1], -at[0] * (1 + at[0] * at[0]), at[3], -k * at[2], at[5], -k * at[4]};
      for (int i = 0; i < 6; i++) {
        rate[i] = next[i];
        sum[i] += weights[stage] * h * rate[i];
      }
    }
    for (int i = 0; i < 6; i++) x[i] += sum[i];
  }
  double half = 0.5 * fabs(x[2] + x[5]);
  return half > 1 ? half + sqrt(half * half - 1) : 1;
}

/* The first mode of the same beam loses its stability to the second where this is parametrically excited, and regains
 * it: multipliers against Hill's equation, bifurcations where its trace passes 2. */
static void duffing_stability(void **unused) {
  (void)unused;
  const char *settings[] = {"a_max=22e-3", "points=40", "H=9", "samples=1024", NULL};
  const double height = 10e-3;
  deck_run run;
  deck_open(&run, DECK("duffing.xml"), settings);
  const fw_data_table *t = deck_table(&run, "mode1", "nnm");
  double worst = 0, along = 0, from = 0, to = 0;
  int unstable = 0;
  for (size_t i = 0; i < t->rows; i++) {
    double top = turning_point(t, i, 9), exact = 1, multiplier = column(t, "multiplier", i);
    for (int n = 2; n <= 4; n++) exact = fmax(exact, hill(top, height, n));
    double larger = fmax(exact, multiplier);
    bool edge = larger > 1 + 1e-6 && larger < 1.1; /* a square root begins there */
    if (!edge) worst = fmax(worst, fabs(multiplier / exact - 1));
    along = fmax(along, fabs(column(t, "along", i) - 1));
    if (exact > 1) to = column(t, "amplitude", i);
    if (exact > 1 && unstable++ == 0) from = column(t, "amplitude", i);
    if (exact > 1.1 || i % 10 == 0)
      printf("a = %8.5f mm: multiplier %9.6f, Hill %9.6f, growing %g\n", 1e3 * top, multiplier, exact,
             column(t, "growing", i));
  }
  printf("largest difference %.1e; along the mode at most %.1e from 1\n", worst, along);
  assert_true(unstable > 5 && worst < 2e-3 && along < 1e-3);
  assert_near(deck_number(&run, "mode1", "unstable_points"), unstable, 1);
  printf("unstable from %.5f to %.5f mm, Hill from %.5f to %.5f mm\n",
         1e3 * deck_number(&run, "mode1", "bifurcations[0].amplitude"),
         1e3 * deck_number(&run, "mode1", "bifurcations[1].amplitude"), 1e3 * from, 1e3 * to);
  assert_true(fabs(deck_number(&run, "mode1", "bifurcations[0].amplitude") / from - 1) < 1e-2);
  assert_true(fabs(deck_number(&run, "mode1", "bifurcations[1].amplitude") / to - 1) < 1e-2);
  const char *kind = NULL;
  assert_int_equal(fw_results_text(run.results, "analyses.mode1.bifurcations[0].kind", &kind), FW_OK);
  assert_string_equal(kind, "fold");
  deck_close(&run);
}

/* Put together from the mode: hysteresis does not depend on the drive's frequency, a mode's damping does, by w/w0,
 * which above half power is about as far from 1 as the damping is large. */
static void forced_responses(const deck_run *run) {
  static const char *const tables[] = {"synthesis-0.01", "synthesis-0.3", "synthesis-3"};
  for (int l = 0; l < 3; l++) {
    const fw_data_table *t = deck_table(run, "mode1", tables[l]);
    char path[64];
    snprintf(path, sizeof path, "levels[%d].difference", l);
    double difference = deck_number(run, "mode1", path), damping = 0;
    for (size_t i = 0; i < t->rows; i++) damping = fmax(damping, column(t, "mode.damping", i));
    printf("%s N: at most %.1e from the full response above half power; damping up to %.1e\n", tables[l], difference,
           damping);
    assert_true(t->rows > 10 && difference < damping);
  }
}

static void dahl(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK("dahl.xml"), NULL);
  const fw_data_table *t = deck_table(&run, "mode1", "nnm");
  double Fc = 10, sigma = 1e6, k = 1e6, worst = 0, along = 0;
  for (size_t i = 0; i < t->rows; i++) {
    double a = column(t, "amplitude", i), omega = 2 * M_PI * column(t, "frequency", i);
    double x = sigma * a / Fc,
           loop = x < 1e-2 ? 4 * Fc * a * x * x / 3 * (1 - 0.4 * x * x) : 4 * Fc * a * (1 - tanh(x) / x);
    double exact = loop / (2 * M_PI * omega * omega * a * a), zeta = column(t, "damping", i);
    if (i % 12 == 0) printf("a = %9.3e m: omega %10.4f, damping %10.4e, loop %10.4e\n", a, omega, zeta, exact);
    worst = fmax(worst, fabs(zeta - exact) / fmax(exact, 1e-4));
    assert_true(column(t, "growing", i) == 0); /* nothing leaves the mode of one freedom, */
    if (i == 0 || i + 1 == t->rows || a < 2e-8 || a > 1e-6) continue;
    double slope = (column(t, "damping", i + 1) - column(t, "damping", i - 1)) /
                   log(column(t, "amplitude", i + 1) / column(t, "amplitude", i - 1));
    double off = fabs(column(t, "along", i) - exp(-2 * M_PI * slope)); /* and along it damping gathers or scatters */
    along = fmax(along, off / zeta);
  }
  printf("along the mode at most %.2f dampings from exp(-2 pi dzeta/dln a)\n", along);
  assert_true(along < 0.1);
  printf("worst difference of damping, relative or against 1e-4: %.1e\n", worst);
  assert_true(worst < 1e-4);
  forced_responses(&run);
  double low = 2 * M_PI * column(t, "frequency", 0), high = 2 * M_PI * column(t, "frequency", t->rows - 1);
  printf("stuck %.8g, reference %.8g; sliding %.8g, reference %.8g\n", low, sqrt(k + sigma), high, sqrt(k));
  assert_true(fabs(low / sqrt(k + sigma) - 1) < 1e-4 && fabs(high / sqrt(k) - 1) < 1e-3);
  deck_close(&run);
}

/* Frequency at an amplitude, between rows; NaN outside them. */
static double backbone_at(const fw_data_table *t, double amplitude) {
  for (size_t i = 1; i < t->rows; i++) {
    double a = column(t, "amplitude", i - 1), b = column(t, "amplitude", i);
    if (amplitude < a || amplitude > b) continue;
    double part = log(amplitude / a) / log(b / a);
    return column(t, "frequency", i - 1) * (1 - part) + part * column(t, "frequency", i);
  }
  return NAN;
}

static void rig(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK("rig-nnm.xml"), NULL);
  const fw_data_table *mode = deck_table(&run, "mode1", "nnm"), *locus = deck_table(&run, "locus", "locus");
  int compared = 0;
  for (size_t i = 0; i < locus->rows; i += 1 + locus->rows / 10) {
    double a = column(locus, "drive.amplitude", i), f = column(locus, "frequency", i),
           zeta = column(locus, "damping", i);
    double backbone = backbone_at(mode, a);
    if (isnan(backbone)) continue;
    printf("%6.3f N: a %9.3e m, locus %9.5f Hz, mode %9.5f Hz, %8.1e, damping %.4f\n", column(locus, "level", i), a, f,
           backbone, backbone / f - 1, zeta);
    if (zeta > 0.03) continue; /* the two differ by terms of second order in damping */
    assert_true(fabs(backbone / f - 1) < 5 * zeta * zeta);
    compared++;
  }
  assert_true(compared >= 3);
  for (int l = 0; l < 3; l++) {
    char path[64];
    double figures[3];
    const char *const names[] = {"level", "peak.frequency", "difference"};
    for (int i = 0; i < 3; i++) {
      snprintf(path, sizeof path, "levels[%d].%s", l, names[i]);
      figures[i] = deck_number(&run, "mode1", path);
    }
    printf("%.3f N: response from the mode, peak at %.4f Hz, %.1e from the full one above half power\n", figures[0],
           figures[1], figures[2]);
    if (l < 2) assert_true(figures[2] < 2e-2); /* at 1 N the third harmonic moves the second mode: another matter */
  }
  double stuck = deck_number(&run, "stuck", "modes[0].frequency"),
         first = deck_number(&run, "mode1", "first.frequency");
  printf("first mode, contact stuck: modal %.8f Hz, nnm at 1e-8 m %.8f Hz\n", stuck, first);
  assert_true(fabs(first / stuck - 1) < 1e-5);
  printf("energy residual %.1e; nnm %.2f s\n", deck_number(&run, "mode1", "energy.residual"),
         deck_number(&run, "mode1", "cpu_seconds"));
  assert_true(deck_number(&run, "mode1", "energy.residual") < 1e-3);
  deck_close(&run);
}

/* The row with that amplitude, which is on both grids; -1: none. */
static int row_at(const fw_data_table *t, double amplitude) {
  for (size_t i = 0; i < t->rows; i++)
    if (fabs(column(t, "amplitude", i) / amplitude - 1) < 1e-9) return (int)i;
  return -1;
}

/* Nine harmonics on the far side of an internal resonance, three as if it were not there: the fifth harmonic, which
 * the third mode answers, lowers the frequency before it and raises it beyond. */
static void internal_resonance(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK("loop.xml"), NULL);
  const fw_data_table *three = deck_table(&run, "three", "nnm"), *nine = deck_table(&run, "nine", "nnm");
  const char *status = "", *note = "";
  fw_results_text(run.results, "analyses.nine.status", &status);
  fw_results_text(run.results, "analyses.nine.note", &note);
  printf("%s: %s\n", status, note);
  assert_string_equal(status, "done");
  assert_non_null(strstr(note, "turns off into a loop"));
  int before = 0, beyond = 0;
  for (size_t i = 0; i < nine->rows; i++) {
    double a = column(nine, "amplitude", i), frequency = column(nine, "frequency", i);
    int row = row_at(three, a);
    if (i) assert_true(a > column(nine, "amplitude", i - 1));      /* nothing of the loop is left */
    if (row < 0 || a < 4e-3 || (a > 6e-3 && a < 6.6e-3)) continue; /* by the tongue itself, the frequency is its own */
    double difference = frequency / column(three, "frequency", (size_t)row) - 1;
    printf("a = %9.3e m: %10.6f Hz, %9.1e beside three harmonics\n", a, frequency, difference);
    assert_true(a < 6e-3 ? difference < 0 && difference > -1e-6 : difference > 0 && difference < 4e-5);
    a < 6e-3 ? before++ : beyond++;
  }
  assert_true(before >= 3 && beyond >= 5);
  compare("last amplitude", column(nine, "amplitude", nine->rows - 1), 0.012, 1e-9);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(duffing), cmocka_unit_test(duffing_stability),
                                     cmocka_unit_test(dahl), cmocka_unit_test(rig),
                                     cmocka_unit_test(internal_resonance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
