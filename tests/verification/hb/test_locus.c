/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig's resonance against its drive, from 0.1 N to its maximum and beyond, S-shaped where the third harmonic meets
 * the second mode: time integration started at three points of every branch stays on the stable ones and leaves the one
 * that is not as its multiplier says. */
#include "verification/deck_run.h"

/* last: it defines I */
#include <complex.h>

enum { ROWS = 100 }; /* of the history in a period */

/* First harmonic of period n. */
static double complex harmonic(const double *x, int n) {
  double complex sum = 0;
  for (int j = 0; j < ROWS; j++) sum += x[n * ROWS + 1 + j] * cexp(-2 * M_PI * I * (j + 1) / ROWS);
  return 2 * sum / ROWS;
}

/* Row of the curve nearest to a point. */
static size_t nearest(const deck_run *run, double level, double frequency) {
  size_t rows, best = 0;
  const double *levels = deck_column(run, "locus", "locus", "level", &rows);
  const double *frequencies = deck_column(run, "locus", "locus", "frequency", &rows);
  double least = INFINITY;
  for (size_t i = 0; i < rows; i++) {
    double distance = hypot(levels[i] / level - 1, 20 * (frequencies[i] / frequency - 1));
    if (distance < least) least = distance, best = i;
  }
  return best;
}

static double at_row(const deck_run *run, const char *column, size_t row) {
  size_t rows;
  return deck_column(run, "locus", "locus", column, &rows)[row];
}

static void stays(const deck_run *run, const char *id, double level, double frequency, double degrees) {
  size_t rows, row = nearest(run, level, frequency);
  const double *x = deck_column(run, id, "history", "drive", &rows);
  int periods = (int)((rows - 1) / ROWS);
  double complex first = harmonic(x, 0), last = harmonic(x, periods - 1);
  double drift = cabs(last / first - 1), multiplier = at_row(run, "multiplier", row);
  printf("  %-9s %5.2f N %9.5f Hz: %8.4f um, %6.2f deg, multiplier %.4f; after %d periods %.1e away\n", id, level,
         frequency, 1e6 * cabs(first), carg(first) * 180 / M_PI, multiplier, periods, drift);
  assert_true(at_row(run, "growing", row) == 0 && drift < 5e-3);
  assert_true(fabs(carg(first) * 180 / M_PI + 90) < degrees); /* a resonance */
}

/* X(n + 30) - X(n) grows with n by the multiplier in each period, wherever the motion is that it leaves, once what decays
 * of where it began is gone. */
static void leaves(const deck_run *run, const char *id, double level, double frequency) {
  size_t rows, row = nearest(run, level, frequency);
  const double *x = deck_column(run, id, "history", "drive", &rows);
  int periods = (int)((rows - 1) / ROWS);
  double complex first = harmonic(x, 0), last = harmonic(x, periods - 1);
  double early = cabs(harmonic(x, 139) - harmonic(x, 109)), late = cabs(harmonic(x, 199) - harmonic(x, 169));
  double growth = pow(late / early, 1.0 / 60), multiplier = at_row(run, "multiplier", row);
  printf("  %-9s %5.2f N %9.5f Hz: %8.2f um, %6.2f deg, multiplier %.4f; grows by %.4f, after %d periods %.1e away\n",
         id, level, frequency, 1e6 * cabs(first), carg(first) * 180 / M_PI, multiplier, growth, periods,
         cabs(last / first - 1));
  assert_true(at_row(run, "growing", row) == 1 && multiplier > 1.001);
  assert_true(fabs(growth - multiplier) < 1e-3);
}

static void stable_branches(const deck_run *run, double degrees) {
  stays(run, "rising-1", 0.5, 55.36317, degrees);
  stays(run, "rising-2", 1.2, 54.93024, degrees);
  stays(run, "rising-3", 2.2, 54.26235, degrees);
  stays(run, "back-1", 2.35, 53.96720, degrees);
  stays(run, "back-2", 2.2, 53.93562, degrees);
  stays(run, "back-3", 2.1, 53.91320, degrees);
  stays(run, "onward-1", 2.2, 53.45684, degrees);
  stays(run, "onward-2", 4, 51.35878, degrees);
  stays(run, "onward-3", 6.4, 48.42591, degrees);
}

static void branches(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/rig-locus.xml", NULL);
  double fold = deck_number(&run, "locus", "maxima[0].level"), most = deck_number(&run, "locus", "maxima[1].level");
  printf("  the curve turns back at %.4f N, %.4f Hz, and at its maximum, %.4f N, %.4f Hz\n", fold,
         deck_number(&run, "locus", "maxima[0].frequency"), most, deck_number(&run, "locus", "maxima[1].frequency"));
  assert_true(fold > 2.3 && fold < 2.5 && most > 6.7 && most < 6.9);
  stable_branches(&run, 1);
  leaves(&run, "beyond-1", 6.7, 47.82197);
  leaves(&run, "beyond-2", 6.4, 47.74207);
  leaves(&run, "beyond-3", 5.8, 47.6856);
  deck_close(&run);
}

/* Without any stiffness-proportional damping the branches before the maximum are the same, at nearly the same
 * frequencies, and as stable; beyond it modes of kilohertz grow first. */
static void undamped_branches(void **unused) {
  (void)unused;
  static const char *const only[] = {"rising-1", "rising-2", "rising-3", "back-1",  "back-2",
                                     "back-3",   "onward-1", "onward-2", "onward-3"};
  const fw_run_options options = {.only = only, .only_count = sizeof only / sizeof *only};
  deck_run run = {0};
  assert_int_equal(fw_context_create(&run.ctx), FW_OK);
  assert_int_equal(fw_deck_load(run.ctx, FW_SOURCE_DIR "/tests/verification/hb/rig-locus.xml", &run.deck), FW_OK);
  assert_int_equal(fw_deck_set(run.ctx, run.deck, "beta", "0"), FW_OK);
  if (fw_run(run.ctx, run.deck, &options, &run.results) != FW_OK) fail_msg("%s", fw_context_message(run.ctx));
  stable_branches(&run, 2);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(branches), cmocka_unit_test(undamped_branches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
