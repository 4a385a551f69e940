/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contact that opens in every period, by harmonic balance and by time integration started on the orbit: a compliant
 * support, whose forces are smooth, and a hard one (dynamic Lagrangian), where the series converges slowly; the rig at
 * 8 N; a foot of several nodes, some of which open. */
#include <math.h>

#include "verification/deck_run.h"

/* Prints how far the methods differ in each figure of the response's only level. */
static void print_agreement(const deck_run *run, const char *analysis) {
  static const char *const figures[] = {"first_harmonic", "contact.foot.normal_max", "contact.foot.tangential_max",
                                        "contact.foot.slip_amplitude", "contact.foot.work_rate"};
  for (int i = 0; i < 5; i++) {
    char path[128];
    snprintf(path, sizeof path, "levels[0].agreement.%s", figures[i]);
    double difference = deck_number(run, analysis, path);
    snprintf(path, sizeof path, "levels[0].agreement.spread.%s", figures[i]);
    printf("%-32s differs by %9.2e, spread over harmonics %9.2e\n", figures[i], difference,
           deck_number(run, analysis, path));
  }
}

static void methods_agree(const char *deck, double first_harmonic, double frequency) {
  deck_run run;
  deck_open(&run, deck, NULL);
  print_agreement(&run, "both");
  double off = deck_number(&run, "both", "levels[0].agreement.resonance.difference");
  printf("resonance (Hz): balance %.5f, time %.5f, %.1e\n", deck_number(&run, "both", "levels[0].resonance.frequency"),
         deck_number(&run, "both", "levels[0].agreement.resonance.time"), off);
  assert_int_equal(deck_number(&run, "both", "levels[0].agreement.within"), 1);
  assert_true(deck_number(&run, "both", "levels[0].agreement.first_harmonic") < first_harmonic);
  assert_true(off < frequency);
  deck_close(&run);
}

static void compliant(void **unused) {
  (void)unused;
  methods_agree(FW_SOURCE_DIR "/tests/verification/hb/opening-compliant.xml", 1e-3, 1e-4);
}

/* 15 harmonics of a motion with impacts: what is left out is the spread, 4 % in the first harmonic. */
static void hard(void **unused) {
  (void)unused;
  methods_agree(FW_SOURCE_DIR "/tests/verification/hb/opening-hard.xml", 0.04, 5e-3);
}

/* How many points of a curve have the contact open at some time, and how many of those are not stable. */
static int count_open(const deck_run *run, const char *analysis, int *unstable) {
  size_t rows;
  const double *least = deck_column(run, analysis, "frf-8", "foot.normal_min", &rows);
  const double *growing = deck_column(run, analysis, "frf-8", "growing", &rows);
  int open = 0;
  *unstable = 0;
  for (size_t i = 0; i < rows; i++) {
    open += least[i] <= 0;
    *unstable += least[i] <= 0 && growing[i] > 0;
  }
  return open;
}

/* More than friction can hold: the curve is followed through the opening. Where the motion is stable both methods
 * agree; at the resonance it is not, harmonic balance says so and time integration leaves it. */
static void rig_lifts(const char *deck, double first_harmonic) {
  deck_run run;
  int unstable;
  size_t rows;
  deck_open(&run, deck, NULL);
  print_agreement(&run, "edge");
  const double *least = deck_column(&run, "edge", "frf-8", "foot.normal_min", &rows);
  assert_true(least[rows - 1] <= 0); /* the peak, where the methods are compared */
  count_open(&run, "edge", &unstable);
  assert_int_equal(unstable, 0);
  assert_int_equal(deck_number(&run, "edge", "levels[0].agreement.within"), 1);
  assert_true(deck_number(&run, "edge", "levels[0].agreement.first_harmonic") < first_harmonic);
  const double *frequency = deck_column(&run, "whole", "frf-8", "frequency", &rows);
  int open = count_open(&run, "whole", &unstable);
  printf("%zu points up to %g Hz, %d with the foot lifting, %d of these unstable; resonance %.4f Hz, multiplier %.3f\n",
         rows, frequency[rows - 1], open, unstable, deck_number(&run, "whole", "levels[0].resonance.frequency"),
         deck_number(&run, "whole", "levels[0].agreement.multiplier"));
  assert_true(frequency[rows - 1] >= 49 - 1e-9);
  assert_true(open > 10 && unstable > 0 && unstable < open);
  assert_true(deck_number(&run, "whole", "levels[0].agreement.multiplier") > 1.5);
  assert_int_equal(deck_number(&run, "whole", "levels[0].agreement.within"), 0);
  deck_close(&run);
}

static void rig_lifts_dahl(void **unused) {
  (void)unused;
  rig_lifts(FW_SOURCE_DIR "/tests/verification/hb/rig-opening.xml", 1e-3);
}

static void rig_lifts_coulomb(void **unused) {
  (void)unused;
  rig_lifts(FW_SOURCE_DIR "/tests/verification/hb/rig-opening-coulomb.xml", 5e-3);
}

/* The rig's foot with five nodes that may touch: those beside the middle lift in every period, with Coulomb's friction
 * (elastic stick), which forgets its deflection then. The response is compared with 60 periods in time at 54.6 Hz
 * (the example's transient: 53.1 um, -94.3 degrees). */
static void foot_of_several_nodes(void **unused) {
  (void)unused;
  deck_run run;
  size_t rows, samples;
  const char *const settings[] = {"mesh=4", "harmonics=15", NULL};
  if (deck_try_only(&run, FW_SOURCE_DIR "/examples/study/foot-mesh.xml", settings, "swept") != FW_OK)
    fail_msg("%s", fw_context_message(run.ctx));
  const double *frequency = deck_column(&run, "swept", "frf-3", "frequency", &rows);
  const double *amplitude = deck_column(&run, "swept", "frf-3", "drive.amplitude", &rows);
  const double *phase = deck_column(&run, "swept", "frf-3", "drive.phase", &rows);
  int opening = 0;
  for (int node = 1; node <= 5; node++) {
    char name[32];
    snprintf(name, sizeof name, "foot %d normal", node);
    const double *N = deck_column(&run, "swept", "loops", name, &samples);
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < samples; i++) {
      least = fmin(least, N[i]);
      most = fmax(most, N[i]);
    }
    printf("  node %d: N from %.2f to %.2f N\n", node, least, most);
    opening += least <= 0 && most > 0;
  }
  assert_true(opening >= 2);
  assert_true(frequency[rows - 1] >= 60 - 1e-9);
  bool met = false;
  for (size_t i = 0; i < rows; i++) {
    if (fabs(frequency[i] - 54.6) > 1e-9) continue;
    met = true;
    compare("amplitude at 54.6 Hz (m)", amplitude[i], 53.1e-6, 0.015);
    compare("phase (degrees)", phase[i], -94.3, 0.01);
  }
  assert_true(met);
  compare("resonance (Hz)", deck_number(&run, "swept", "levels[0].resonance.frequency"), 54.49, 1e-3);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(compliant), cmocka_unit_test(hard),
                                     cmocka_unit_test(rig_lifts_dahl), cmocka_unit_test(rig_lifts_coulomb),
                                     cmocka_unit_test(foot_of_several_nodes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
