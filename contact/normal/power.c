/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "contact/normal/damped.h"

static const fw_param power_params[] = {
    {"stiffness", FW_PARAM_NUMBER, "N/m^p", NULL, 0, 1e24, NULL, "force at unit penetration"},
    {"exponent", FW_PARAM_NUMBER, "", "1.5", 1, 3, NULL, "p: 1 flat, 3/2 Hertz's point contact"},
    FW_NORMAL_CHI,
    {0}};

static const char *power_check(const double *c) { return c[0] > 0.0 ? NULL : "stiffness must be positive"; }

static void power_force(const double *c, double gap, double rate, fw_normal_out *out) {
  const double d = fmax(-gap, 0.0), p = c[1], F = c[0] * pow(d, p);
  const double slope = d > 0.0 ? p * F / d : 0.0;
  fw_normal_damped(F, slope, F * d / (p + 1.0), c[2], rate, out);
}

const fw_normal_ops fw_normal_power = {
    .entry = {.name = "power",
              .summary = "a spring that stiffens as a power of penetration",
              .equation = "N = c d^p (1 + chi d'), d = max(-gap, 0)",
              .source = "Hertz 1882; Hunt and Crossley, J. Appl. Mech. 42, 1975",
              .params = power_params},
    .check = power_check,
    .force = power_force,
};
