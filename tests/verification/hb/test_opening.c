/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contact that opens in every period, by harmonic balance and by time integration started on the orbit: a compliant
 * support, whose forces are smooth, and a hard one (dynamic Lagrangian), where the series converges slowly. */
#include <math.h>

#include "verification/deck_run.h"

static void methods_agree(const char *deck, double first_harmonic, double frequency) {
  deck_run run;
  char path[128];
  deck_open(&run, deck, NULL);
  static const char *const figures[] = {"first_harmonic", "contact.foot.normal_max", "contact.foot.tangential_max",
                                        "contact.foot.slip_amplitude", "contact.foot.work_rate"};
  for (int i = 0; i < 5; i++) {
    snprintf(path, sizeof path, "levels[0].agreement.%s", figures[i]);
    double difference = deck_number(&run, "both", path);
    snprintf(path, sizeof path, "levels[0].agreement.spread.%s", figures[i]);
    printf("%-32s differs by %9.2e, spread over harmonics %9.2e\n", figures[i], difference,
           deck_number(&run, "both", path));
  }
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(compliant), cmocka_unit_test(hard)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
