/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "core/load.h"
#include "core/loads/waves.h"

static const fw_param random_params[] = {
    {"f-min", FW_PARAM_NUMBER, "Hz", NULL, 0, 1e12, NULL, "lower end of the band"},
    {"f-max", FW_PARAM_NUMBER, "Hz", NULL, 1e-12, 1e12, NULL, "upper end of the band"},
    {"seed", FW_PARAM_INTEGER, "", "1", 0, 4294967295.0, NULL, "the same seed gives the same signal"},
    {"lines", FW_PARAM_INTEGER, "", "200", 1, 100000, NULL, "cosines in the sum"},
    {0}};

/* Constants: lines, amplitude of each, then frequency and phase of each: equally spaced lines, shifted a little each so
 * that the sum does not repeat with the line spacing, with random phases (Shinozuka). The RMS is 1. */
static int random_pack(const fw_given *given, double *c) {
  int n = (int)given[3].values[0];
  if (!c) return 2 + 2 * n;
  double low = given[0].values[0], width = (given[1].values[0] - low) / n;
  uint64_t state = (uint64_t)given[2].values[0];
  c[0] = width > 0.0 ? n : NAN;
  c[1] = sqrt(2.0 / n);
  for (int i = 0; i < n; i++) {
    c[2 + 2 * i] = fw_two_pi * (low + (i + fw_random_uniform(&state)) * width);
    c[3 + 2 * i] = fw_two_pi * fw_random_uniform(&state);
  }
  return 2 + 2 * n;
}

static const char *random_check(const double *c) { return isnan(c[0]) ? "f-max must be above f-min" : NULL; }

static double random_value(const double *c, double t, double omega) {
  (void)omega;
  double sum = 0.0;
  for (int i = 0; i < (int)c[0]; i++) sum += cos(c[2 + 2 * i] * t + c[3 + 2 * i]);
  return c[1] * sum;
}

const fw_load_ops fw_load_random = {
    .entry = {"random", "Band-limited noise of unit RMS, the same for the same seed",
              "f(t) = F sqrt(2/n) sum cos(omega_k t + phi_k)", "Shinozuka 1972", random_params},
    .pack = random_pack,
    .check = random_check,
    .value = random_value};
