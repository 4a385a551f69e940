/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forces at the rig's foot from its accelerometers: against what independent beam models found. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "verification/deck_run.h"

static double number(const deck_run *run, const char *id, const char *name) {
  char path[128];
  double value = NAN;
  snprintf(path, sizeof path, "identification.%s.%s", id, name);
  if (fw_results_number(run->results, path, &value) != FW_OK) fail_msg("no %s", path);
  return value;
}

static void near(const deck_run *run, const char *id, const char *name, double reference) {
  double value = number(run, id, name), difference = value / reference - 1;
  printf("%-18s %-18s computed %.4g, reference %.4g, difference %+.1f %%\n", id, name, value, reference,
         100 * difference);
  assert_true(fabs(difference) < 0.05);
}

static void forces_at_the_foot_of_the_rig(void **unused) {
  (void)unused;
  static const struct {
    const char *id;
    double friction, slip, damper, clamp;
  } cases[] = {{"at-8N", 55, 6.4e-6, 2.8e4, 0},
               {"at-8N-clamp", 64, 4.6e-6, 4.4e4, 1.9e3},
               {"at-6N5", 46, 6.0e-6, 2.4e4, 0},
               {"at-6N5-clamp", 53, 4.3e-6, 3.8e4, 2.5e3}};
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/examples/rig/identify-forces.xml", NULL);
  for (int i = 0; i < 4; i++) {
    near(&run, cases[i].id, "friction", cases[i].friction);
    near(&run, cases[i].id, "slip", cases[i].slip);
    near(&run, cases[i].id, "equivalent_damper", cases[i].damper);
    if (cases[i].clamp > 0) near(&run, cases[i].id, "kclamp", cases[i].clamp);
  }
  /* Absolute residuals move the slip. */
  double moved = number(&run, "at-8N-absolute", "slip") / number(&run, "at-8N", "slip") - 1;
  printf("absolute residuals at 8 N: slip %+.1f %%\n", 100 * moved);
  assert_true(moved > 0.03 && moved < 0.12);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forces_at_the_foot_of_the_rig)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
