/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lap joint of 21 touching nodes driven at its resonance, where slip begins, with slip in part and in gross slip, beside time
 * integration: amplitude, slip and work of the joint within 1 %. */
#include "verification/deck_run.h"

typedef struct state {
  const char *name, *level, *low, *high, *harmonics;
  double slides; /* the joint's share of time slipping, at least */
} state;

static void agrees(const state *s) {
  deck_run run;
  const char *const settings[] = {"cells=1", "beta=1e-6", s->level, s->low, s->high, s->harmonics, NULL};
  if (deck_try_only(&run, FW_SOURCE_DIR "/tests/verification/hb/lap.xml", settings, "driven") != FW_OK)
    fail_msg("%s", fw_context_message(run.ctx));
  double first = deck_number(&run, "driven", "levels[0].agreement.first_harmonic");
  double slip = deck_number(&run, "driven", "levels[0].agreement.contact.joint.slip_amplitude");
  double work = deck_number(&run, "driven", "levels[0].agreement.contact.joint.work_rate");
  double frequency = deck_number(&run, "driven", "levels[0].agreement.resonance.difference");
  double slides = 1 - deck_number(&run, "driven", "levels[0].contact.joint.stick_fraction");
  printf("%-9s %s N: slips %.3f of the time; first harmonic %.1e, slip %.1e, work %.1e, resonance %.1e\n", s->name,
         s->level + strlen("level="), slides, first, slip, work, frequency);
  assert_true(slides > s->slides);
  assert_true(first < 0.01 && slip < 0.01 && work < 0.01 && fabs(frequency) < 2e-3);
  deck_close(&run);
}

static void both_methods_agree(void **unused) {
  (void)unused;
  agrees(&(state){"beginning", "level=12", "low=3530", "high=3580", "harmonics=5", 0});
  agrees(&(state){"in part", "level=60", "low=3490", "high=3550", "harmonics=5", 0.02});
  agrees(&(state){"gross", "level=690", "low=2400", "high=2460", "harmonics=11", 0.3});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_methods_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
