/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Motions with stick, slip, reversal and impact whose every event is known in closed form, by solver="ida". */
#include "verification/deck_run.h"

#define DECK(name) FW_SOURCE_DIR "/tests/verification/ida/" name ".xml"

enum { CLOSES = 1, OPENS, BOUNCES, STICKS, SLIPS, TURNS }; /* column "change" of the table of events */

/* Slip lasts (2/omega) [pi - atan(D omega/(k V))], stick 2 D/(k V), D the drop from static to kinetic force; between
 * them v = V (1 - cos) + (D/(k V)) omega V sin, at most V + sqrt(V^2 + (D omega/k)^2). */
static void stick_slip(void **unused) {
  (void)unused;
  printf("stick-slip: m 1, k 2, V 0.1, 1.5 N / 1 N\n");
  const double k = 2.0, V = 0.1, D = 0.5, omega = sqrt(2.0);
  const double slip = 2.0 / omega * (M_PI - atan(D * omega / (k * V))), stick = 2.0 * D / (k * V);
  size_t rows, samples;
  deck_run run;
  deck_open(&run, DECK("stick-slip"), NULL);
  const double *time = deck_column(&run, "slips", "events", "time", &rows),
               *change = deck_column(&run, "slips", "events", "change", &rows);
  assert_true(rows >= 9);
  compare("first slip (s)", time[0], 7.5, 1e-9);
  for (size_t i = 0; i + 1 < 9; i++) {
    bool slips = i % 2 == 0;
    assert_int_equal((int)change[i], slips ? SLIPS : STICKS);
    compare(slips ? "slips for (s)" : "sticks for (s)", time[i + 1] - time[i], slips ? slip : stick, 1e-7);
  }
  /* rows 0.02 s apart: the largest is within v'' h^2/8 of the maximum */
  const double *v = deck_column(&run, "slips", "history", "v", &samples);
  double most = 0.0, curvature = V * omega * omega * (1.0 + hypot(1.0, D * omega / (k * V)));
  for (size_t i = 0; i < samples; i++) most = fmax(most, v[i]);
  compare("largest velocity (m/s)", most, V + hypot(V, D * omega / k), curvature * 0.02 * 0.02 / 8.0 / most);
  compare("constraint violation (m)", deck_number(&run, "slips", "statistics.constraint_violation"), 0.0, 1e-12);
  deck_close(&run);
}

static void free_decay(void **unused) {
  (void)unused;
  static const double turning[] = {-1.5e-3, -0.4e-3, -1.1e-3, -0.8e-3};
  printf("Coulomb free decay: m 1, k 1e4, 1 N, from 0.85 mm\n");
  size_t rows;
  deck_run run;
  deck_open(&run, DECK("decay"), NULL);
  const double *time = deck_column(&run, "decay", "events", "time", &rows),
               *slip = deck_column(&run, "decay", "events", "slip", &rows);
  const double *change = deck_column(&run, "decay", "events", "change", &rows);
  assert_int_equal(rows, 4);
  for (int i = 0; i < 4; i++) {
    assert_int_equal((int)change[i], i < 3 ? TURNS : STICKS);
    compare("turning point (m from the spring's rest)", slip[i] + 8.5e-4, turning[i] + 8.5e-4, 1e-6);
    compare("at (s)", time[i], (i + 1) * M_PI / 100.0, 1e-7);
  }
  deck_close(&run);
}

static void den_hartog(void **unused) {
  (void)unused;
  static const struct {
    const char *settings[3];
    double X;
  } cases[] = {
      {{"r=0.8", "f=0.5"}, 2.3322349875}, {{"r=0.8", "f=0.2"}, 2.7114152554}, {{"r=1.2", "f=0.3"}, 2.0723842680}};
  printf("Den Hartog: x0 k/P without stops\n");
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    size_t rows;
    deck_run run;
    deck_open(&run, DECK("den-hartog"), cases[c].settings);
    const double *slip = deck_column(&run, "driven", "events", "slip", &rows);
    assert_true(rows > 100);
    double amplitude = 0.5 * fabs(slip[rows - 1] - slip[rows - 2]);
    char what[60];
    snprintf(what, sizeof what, "%s, %s", cases[c].settings[0], cases[c].settings[1]);
    compare(what, amplitude * 1e4 / 10.0, cases[c].X, 1e-6);
    deck_close(&run);
  }
}

/* Free fall from 1 m at g = 10; each impact halves the normal speed and takes mu (1 + e) v_n sideways. */
static void bouncing(void **unused) {
  (void)unused;
  printf("bouncing: e 1/2, mu 0.1, pushed sideways by 0.2 g\n");
  size_t rows;
  deck_run run;
  deck_open(&run, DECK("bounce"), NULL);
  const double *time = deck_column(&run, "falls", "events", "time", &rows),
               *change = deck_column(&run, "falls", "events", "change", &rows);
  const double *sideways = deck_column(&run, "falls", "events", "slip velocity", &rows);
  double at = sqrt(0.2), v_n = 10.0 * at, v_t = 2.0 * at;
  assert_true(rows > 12);
  for (int i = 0; i < 10; i++) {
    assert_int_equal((int)change[i], BOUNCES);
    compare("impact at (s)", time[i], at, 1e-9);
    v_t -= 0.1 * 1.5 * v_n;
    compare("sideways after it (m/s)", sideways[i], v_t, 1e-8);
    v_n *= 0.5;
    v_t += 2.0 * 2.0 * v_n / 10.0;
    at += 2.0 * v_n / 10.0;
  }
  assert_int_equal((int)change[rows - 1], CLOSES);
  /* bounces lower than the displacement tolerance, 1e-12 m, are cut off: they would last 4 sqrt(2 g 1e-12)/g at most */
  compare("rests from (s)", time[rows - 1], 3.0 * sqrt(0.2), 4.0 * sqrt(2e-11) / 10.0 / 1.34);
  compare("presses with (N)", deck_number(&run, "falls", "contact.sole.normal_max"), 10.0, 1e-9);
  compare("constraint violation (m)", deck_number(&run, "falls", "statistics.constraint_violation"), 0.0, 1e-12);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stick_slip), cmocka_unit_test(free_decay),
                                     cmocka_unit_test(den_hartog), cmocka_unit_test(bouncing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
