/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coulomb's friction follows the normal force at once. On the rig at 6.5 N this feeds modes of kilohertz, far beyond
 * the harmonics of the motion: the orbit is periodic but not stable, and time integration leaves it. The multipliers
 * say so as soon as these modes are among the disturbances, and from which damping on the two methods agree. */
#include <math.h>

#include "verification/deck_run.h"

typedef struct finding {
  const char *beta;
  bool within;
} finding;

static double number_or_nan(const deck_run *run, const char *path) {
  double value;
  char full[128];
  snprintf(full, sizeof full, "analyses.both.%s", path);
  return fw_results_number(run->results, full, &value) == FW_OK ? value : NAN;
}

static void damping_decides(void **unused) {
  (void)unused;
  static const finding findings[] = {{"0", false}, {"5e-8", false}, {"2e-7", true}, {"5e-7", true}};
  printf("beta (s), first harmonic differs by, spread over harmonics, work rate differs by, multiplier, at (Hz)\n");
  for (int i = 0; i < 4; i++) {
    deck_run run;
    char setting[32];
    snprintf(setting, sizeof setting, "beta=%s", findings[i].beta);
    deck_open(&run, FW_SOURCE_DIR "/tests/verification/hb/rig-ringing.xml", (const char *[]){setting, NULL});
    double multiplier = number_or_nan(&run, "levels[0].agreement.multiplier");
    printf("%s %.3f %.3f %.3f %.3f %.0f\n", findings[i].beta,
           deck_number(&run, "both", "levels[0].agreement.first_harmonic"),
           deck_number(&run, "both", "levels[0].agreement.spread.first_harmonic"),
           deck_number(&run, "both", "levels[0].agreement.contact.foot.work_rate"), multiplier,
           number_or_nan(&run, "levels[0].agreement.multiplier_frequency"));
    assert_int_equal(deck_number(&run, "both", "levels[0].agreement.within"), findings[i].within);
    assert_true(findings[i].within ? isnan(multiplier) : multiplier > 1.05);
    if (findings[i].within) assert_true(deck_number(&run, "both", "levels[0].agreement.resonance.difference") < 1e-3);
    deck_close(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(damping_decides)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
