/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One model turned, mirrored and moved: every figure of every analysis stays, the second order of von Kármán beams
 * included, and that is the one of time integration. */
#include "verification/deck_run.h"

#include <complex.h>

#define DECK FW_SOURCE_DIR "/tests/verification/hb/turned.xml"

enum { HARMONICS = 3, FIGURES = 21 };

/* What does not depend on how the model lies. */
typedef struct figures {
  double value[FIGURES];
  int count;
} figures;

static const char *const names[FIGURES] = {"along: mean",
                                           "across: mean",
                                           "along: harmonic 1",
                                           "across: harmonic 1",
                                           "along: harmonic 2",
                                           "across: harmonic 2",
                                           "along: harmonic 3",
                                           "across: harmonic 3",
                                           "turn",
                                           "turn: harmonic 3",
                                           "coordinates",
                                           "resonance (Hz)",
                                           "slip amplitude (m)",
                                           "dissipated power (W)",
                                           "largest normal force (N)",
                                           "second mode (Hz)",
                                           "third mode (Hz)",
                                           "nonlinear mode, last (Hz)",
                                           "its damping",
                                           "time: dissipated power (W)",
                                           "time: largest normal force (N)"};

static double cell(const deck_run *run, const char *column) {
  size_t rows;
  const double *values = deck_column(run, "frf", "frf-3", column, &rows);
  assert_true(rows > 0);
  return values[0];
}

static double complex harmonic(const deck_run *run, const char *sensor, int k) {
  char amplitude[40], phase[40];
  snprintf(amplitude, sizeof amplitude, k > 1 ? "%s.amplitude-%d" : "%s.amplitude", sensor, k);
  snprintf(phase, sizeof phase, k > 1 ? "%s.phase-%d" : "%s.phase", sensor, k);
  if (k == 0) snprintf(amplitude, sizeof amplitude, "%s.mean", sensor);
  return k ? cell(run, amplitude) * cexp(I * M_PI / 180 * cell(run, phase)) : cell(run, amplitude);
}

static void add(figures *f, double value) { f->value[f->count++] = value; }

static void measure(const char *const *settings, double angle, figures *f) {
  deck_run run;
  deck_open(&run, DECK, settings);
  *f = (figures){0};
  for (int k = 0; k <= HARMONICS; k++) {
    double complex x = harmonic(&run, "x", k), y = harmonic(&run, "y", k);
    add(f, cabs(cos(angle) * x + sin(angle) * y));
    add(f, cabs(cos(angle) * y - sin(angle) * x));
  }
  add(f, cabs(harmonic(&run, "turn", 1)));
  add(f, cabs(harmonic(&run, "turn", 3)));
  static const char *const read[][2] = {{"frf", "reduction.coordinates"},
                                        {"frf", "levels[0].resonance.frequency"},
                                        {"frf", "levels[0].contact.foot.slip_amplitude"},
                                        {"frf", "levels[0].contact.foot.dissipated_power"},
                                        {"frf", "levels[0].contact.foot.normal_max"},
                                        {"modes", "modes[1].frequency"},
                                        {"modes", "modes[2].frequency"},
                                        {"nnm", "last.frequency"},
                                        {"nnm", "last.damping"},
                                        {"time", "contact.foot.dissipated_power"},
                                        {"time", "contact.foot.normal_max"}};
  for (size_t i = 0; i < sizeof read / sizeof *read; i++) add(f, deck_number(&run, read[i][0], read[i][1]));
  deck_close(&run);
}

static void stays_as_it_was(const char *how, const figures *as_drawn, double angle, const char *const *settings) {
  figures now;
  printf("%s\n", how);
  measure(settings, angle, &now);
  assert_int_equal(now.count, as_drawn->count);
  for (int i = 0; i < now.count; i++) {
    double largest = as_drawn->value[3]; /* motions beside that across, at the first harmonic */
    if (i < 8 && as_drawn->value[i] < 1e-9 * largest)
      bounded(names[i], now.value[i], 1e-9 * largest);
    else
      compare(names[i], now.value[i], as_drawn->value[i], 1e-6);
  }
}

static void turned_mirrored_and_moved(void **state) {
  (void)state;
  figures as_drawn;
  measure(NULL, 0, &as_drawn);
  assert_true(as_drawn.value[4] > 1e-4 * as_drawn.value[3]); /* the second order is there */
  stays_as_it_was("turned by 30 degrees", &as_drawn, M_PI / 6, (const char *const[]){"angle=30", NULL});
  stays_as_it_was("turned by 180 degrees", &as_drawn, M_PI, (const char *const[]){"angle=180", NULL});
  stays_as_it_was("mirrored", &as_drawn, 0, (const char *const[]){"side=-1", NULL});
  stays_as_it_was("mirrored, turned by 75 degrees and moved", &as_drawn, M_PI * 75 / 180,
                  (const char *const[]){"angle=75", "side=-1", "dx=3", "dy=-2", NULL});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(turned_mirrored_and_moved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
