/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rigid block on several feet, whose gaps and slips depend on each other, by harmonic balance and by time integration
 * started on the orbit. */
#include <math.h>

#include "verification/deck_run.h"

/* Every figure within 1 % or twice the spread over harmonics, as `within` says too; the resonance within 0.1 %. lift: a
 * foot leaves the floor in every period. */
static void methods_agree(const char *deck, const char *const *settings, const char *const *feet, bool lift) {
  deck_run run;
  char path[128];
  static const char *const figures[] = {"normal_max", "tangential_max", "slip_amplitude", "work_rate"};
  deck_open(&run, deck, settings);
  double worst = deck_number(&run, "both", "levels[0].agreement.first_harmonic");
  printf("  %-34s differs by %9.2e, spread over harmonics %9.2e\n", "first harmonic", worst,
         deck_number(&run, "both", "levels[0].agreement.spread.first_harmonic"));
  bool lifts = false;
  for (; *feet; feet++) {
    snprintf(path, sizeof path, "levels[0].contact.%s.normal_min", *feet);
    lifts = lifts || deck_number(&run, "both", path) == 0;
    for (int i = 0; i < 4; i++) {
      snprintf(path, sizeof path, "levels[0].contact.%s.%s", *feet, figures[i]);
      assert_true(deck_number(&run, "both", path) > 0);
      snprintf(path, sizeof path, "levels[0].agreement.contact.%s.%s", *feet, figures[i]);
      double difference = deck_number(&run, "both", path);
      snprintf(path, sizeof path, "levels[0].agreement.spread.contact.%s.%s", *feet, figures[i]);
      printf("  %-12s %-21s differs by %9.2e, spread over harmonics %9.2e\n", *feet, figures[i], difference,
             deck_number(&run, "both", path));
      worst = fmax(worst, difference);
    }
  }
  double off = deck_number(&run, "both", "levels[0].agreement.resonance.difference");
  printf("  resonance (Hz): balance %.5f, time %.5f, %.1e\n",
         deck_number(&run, "both", "levels[0].resonance.frequency"),
         deck_number(&run, "both", "levels[0].agreement.resonance.time"), off);
  assert_int_equal(deck_number(&run, "both", "levels[0].agreement.points"), 3);
  assert_int_equal(deck_number(&run, "both", "levels[0].agreement.within"), 1);
  assert_true(worst < 0.01);
  assert_int_equal(lifts, lift);
  assert_true(off < 1e-3);
  deck_close(&run);
}

#define FEET FW_SOURCE_DIR "/tests/verification/hb/feet.xml"
static const char *const all_feet[] = {"left", "middle", "right", NULL};

static void three_feet(void **unused) {
  (void)unused;
  printf("three feet at one height\n");
  methods_agree(FEET, NULL, all_feet, false);
}

/* The middle foot's floor is out of reach. */
static void two_heights(void **unused) {
  (void)unused;
  printf("two feet at different heights\n");
  methods_agree(FEET, (const char *[]){"left=50", "right=70", "drop=10", NULL},
                (const char *const[]){"left", "right", NULL}, false);
}

/* Driven far above its centre: normal forces between nearly nothing and twice the mean. */
static void rocking(void **unused) {
  (void)unused;
  printf("rocking on three feet at different heights\n");
  methods_agree(FEET, (const char *[]){"left=45", "middle=55", "right=70", "above=90", "level=18", NULL}, all_feet,
                false);
}

/* Driven harder still: the outer feet leave the floor in every period. */
static void lifting(void **unused) {
  (void)unused;
  printf("outer feet that lift\n");
  methods_agree(FEET,
                (const char *[]){"left=45", "middle=55", "right=70", "above=90", "level=24", "harmonics=15", NULL},
                all_feet, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(three_feet), cmocka_unit_test(two_heights),
                                     cmocka_unit_test(rocking), cmocka_unit_test(lifting)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
