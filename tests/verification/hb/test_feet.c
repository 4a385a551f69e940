/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rigid block on several feet, whose gaps and slips depend on each other, by harmonic balance and by time integration
 * started on the orbit. */
#include <math.h>

#include "verification/deck_run.h"

/* What is expected of a comparison. */
typedef struct expected {
  double resonance; /* relative difference of its frequency, at most */
  bool lift;        /* a foot leaves the floor in every period */
} expected;

static void open_only(deck_run *run, const char *deck, const char *const *settings, const char *only) {
  if (deck_try_only(run, deck, settings, only) != FW_OK) fail_msg("%s: %s", deck, fw_context_message(run->ctx));
}

/* Every figure of every foot within 1 %, and all as `within` says. */
static void methods_agree(const char *deck, const char *const *settings, const char *const *feet, expected want) {
  deck_run run;
  char path[128];
  static const char *const figures[] = {"normal_max", "tangential_max", "slip_amplitude", "work_rate"};
  open_only(&run, deck, settings, "both");
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
  assert_int_equal(lifts, want.lift);
  assert_true(off < want.resonance);
  deck_close(&run);
}

#define FEET FW_SOURCE_DIR "/tests/verification/hb/feet.xml"
static const char *const all_feet[] = {"left", "middle", "right", NULL};

static void three_feet(void **unused) {
  (void)unused;
  printf("three feet at one height\n");
  methods_agree(FEET, NULL, all_feet, (expected){1e-3, false});
}

/* The middle foot's floor is out of reach. */
static void two_heights(void **unused) {
  (void)unused;
  printf("two feet at different heights\n");
  methods_agree(FEET, (const char *[]){"left=50", "right=70", "drop=10", NULL},
                (const char *const[]){"left", "right", NULL}, (expected){1e-3, false});
}

/* Driven far above its centre: normal forces between nearly nothing and twice the mean. */
static void rocking(void **unused) {
  (void)unused;
  printf("rocking on three feet at different heights\n");
  methods_agree(FEET, (const char *[]){"left=45", "middle=55", "right=70", "above=90", "level=18", NULL}, all_feet,
                (expected){1e-3, false});
}

/* Driven harder still: the outer feet leave the floor in every period. */
static void lifting(void **unused) {
  (void)unused;
  printf("outer feet that lift\n");
  methods_agree(FEET,
                (const char *[]){"left=45", "middle=55", "right=70", "above=90", "level=24", "harmonics=15", NULL},
                all_feet, (expected){1e-3, true});
}

/* Hard feet keep the block from turning, and the soft one between them yields to nothing. Rigid stick converges as 1/H.
 */
static void hard_feet(void **unused) {
  (void)unused;
  printf("two hard feet at different heights, one of them sticks rigidly, and a soft one\n");
  methods_agree(FW_SOURCE_DIR "/tests/verification/hb/feet-hard.xml", NULL, all_feet, (expected){5e-3, false});
}

/* The mode begins as that of the block that sticks, and energy is balanced up to gross slip. */
static void nonlinear_mode(void **unused) {
  (void)unused;
  deck_run run;
  printf("nonlinear mode on three stiff feet\n");
  const char *const stiff[] = {"kn=4e8", NULL};
  open_only(&run, FEET, stiff, "stuck");
  double linear = deck_number(&run, "stuck", "modes[0].frequency");
  deck_close(&run);
  open_only(&run, FEET, stiff, "mode1");
  compare("frequency (Hz) at 1 nm, of the stuck block", deck_number(&run, "mode1", "first.frequency"), linear, 1e-4);
  compare("amplitude reached (m)", deck_number(&run, "mode1", "last.amplitude"), 2e-5, 1e-2);
  bounded("energy", deck_number(&run, "mode1", "energy.residual"), 1e-3);
  assert_true(deck_number(&run, "mode1", "last.frequency") < 0.6 * linear);
  deck_close(&run);
}

/* Resonance (Hz) with the left foot's friction coefficient. */
static double resonance_at(const char *mu) {
  deck_run run;
  open_only(&run, FEET, (const char *[]){mu, NULL}, "derivatives");
  double frequency = deck_number(&run, "derivatives", "levels[0].resonance.frequency");
  deck_close(&run);
  return frequency;
}

static void sensitivity(void **unused) {
  (void)unused;
  deck_run run;
  printf("derivative of the resonance on three feet\n");
  open_only(&run, FEET, NULL, "derivatives");
  double difference = (resonance_at("mu=0.301") - resonance_at("mu=0.299")) / 2e-3;
  compare("by the left foot's mu (Hz)", deck_number(&run, "derivatives", "levels[0].sensitivity.left.mu-c.frequency"),
          difference, 2e-5);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(three_feet), cmocka_unit_test(two_heights),
                                     cmocka_unit_test(rocking),    cmocka_unit_test(lifting),
                                     cmocka_unit_test(hard_feet),  cmocka_unit_test(nonlinear_mode),
                                     cmocka_unit_test(sensitivity)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
