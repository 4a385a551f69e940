/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "contact/normal/damped.h"

static const fw_param linear_params[] = {
    {"stiffness", FW_PARAM_NUMBER, "N/m", NULL, 0, 1e18, NULL, "force per penetration"}, FW_NORMAL_CHI, {0}};

static const char *linear_check(const double *c) { return c[0] > 0.0 ? NULL : "stiffness must be positive"; }

static void linear_force(const double *c, double gap, double rate, fw_normal_out *out) {
  const double d = fmax(-gap, 0.0);
  fw_normal_damped(c[0] * d, d > 0.0 ? c[0] : 0.0, 0.5 * c[0] * d * d, c[1], rate, out);
}

const fw_normal_ops fw_normal_linear = {
    .entry = {.name = "linear",
              .summary = "a spring that only pushes",
              .equation = "N = k d (1 + chi d'), d = max(-gap, 0)",
              .source = "",
              .params = linear_params},
    .check = linear_check,
    .force = linear_force,
};
