/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lap joint of two plane bodies, 41 touching nodes: its mode from stick into gross slip. */
#include <math.h>

#include "verification/deck_run.h"

#define LAP FW_SOURCE_DIR "/tests/verification/hb/lap.xml"

static void open_only(deck_run *run, const char *only) {
  if (deck_try_only(run, LAP, NULL, only) != FW_OK) fail_msg("%s", fw_context_message(run->ctx));
}

static void goes_from_stick_into_gross_slip(void **unused) {
  (void)unused;
  deck_run run, linear;
  size_t rows, modes;
  open_only(&run, "mode");
  open_only(&linear, "modes");
  const double *amplitude = deck_column(&run, "mode", "nnm", "amplitude", &rows);
  const double *frequency = deck_column(&run, "mode", "nnm", "frequency", &rows);
  const double *residual = deck_column(&run, "mode", "nnm", "energy_residual", &rows);
  const double *tangential = deck_column(&run, "mode", "nnm", "joint.tangential_max", &rows);
  const double *stuck = deck_column(&linear, "modes", "modes", "frequency", &modes);
  double limit = 0.4 * deck_number(&run, "bolted", "contact.joint.normal"), worst = 0;
  for (size_t i = 0; i < rows; i++) worst = fmax(worst, fabs(residual[i]));
  printf("%zu points from %g m, %.4f Hz (stuck: %.4f Hz) to %g m, %.4f Hz\n", rows, amplitude[0], frequency[0],
         stuck[0], amplitude[rows - 1], frequency[rows - 1]);
  printf("friction of the joint %g N, its limit under the bolts %g N; energy balance to %.1e\n", tangential[rows - 1],
         limit, worst);
  assert_true(fabs(frequency[0] / stuck[0] - 1) < 1e-4);
  assert_true(fabs(amplitude[rows - 1] / 2e-5 - 1) < 1e-3);
  assert_true(frequency[rows - 1] < 0.6 * frequency[0]);
  assert_true(fabs(tangential[rows - 1] / limit - 1) < 0.03); /* bending presses it a little more or less */
  assert_true(worst < 1e-3);
  deck_close(&run);
  deck_close(&linear);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(goes_from_stick_into_gross_slip)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
