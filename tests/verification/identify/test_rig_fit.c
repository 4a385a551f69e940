/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LuGre's law with a clamp that yields, fitted to all that was measured on the rig: what a passive set reaches. */
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"
#include "identify_case.h"

static void at_most(const deck_run *run, const char *path, double limit) {
  double value = number(run, "%s", path);
  printf("%-48s computed %.4g, at most %.4g, difference %.3g\n", path, value, limit, value - limit);
  assert_true(fabs(value) <= limit);
}

static void a_passive_set_explains_the_rig(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, FW_SOURCE_DIR "/examples/rig/identify-lugre.xml", NULL);
  at_most(&run, "identification.fit.frequency_rms_percent", 0.55);
  at_most(&run, "identification.fit.contact[2].slip_amplitude", 5e-6);
  assert_true(number(&run, "identification.fit.contact[2].slip_amplitude") > 3e-6);
  at_most(&run, "identification.fit.contact[3].response.amplitude", 36e-6);
  for (int i = 4; i < 16; i++) {
    char path[80];
    snprintf(path, sizeof path, "identification.fit.targets[%d].difference_percent", i);
    at_most(&run, path, 26);
  }
  for (int i = 0; i < 4; i++) {
    char path[80];
    snprintf(path, sizeof path, "identification.fit.contact[%d].passivity", i);
    at_most(&run, path, 1);
  }
  for (int i = 0; i < 4; i++) { /* a spring, and no less than any law leaves */
    assert_true(number(&run, "identification.fit.contact[%d].equivalent_stiffness", i) > 0);
    assert_true(number(&run, "identification.fit.contact[%d].response.amplitude", i) >
                number(&run, "identification.fit.bound[%d].amplitude", i));
  }
  assert_int_equal((int)number(&run, "identification.fit.rank"), 4);
  for (int i = 0; i < 4; i++) { /* each level from the others, accelerometers and driving point left out with it */
    char path[80];
    snprintf(path, sizeof path, "identification.fit.left_out[%d].difference_percent", i);
    at_most(&run, path, 2);
  }
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_passive_set_explains_the_rig)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
