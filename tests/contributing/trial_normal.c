/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contact/normal/trial_normal.c: a spring that only pushes. */
#include <math.h>

#include "contact/normal/damped.h"

static const fw_param params[] = {{"k", FW_PARAM_NUMBER, "N/m", NULL, 0, 1e18, NULL, "stiffness"}, {0}};

static void force(const double *c, double gap, double rate, fw_normal_out *out) {
  const double d = fmax(-gap, 0.0);
  fw_normal_damped(c[0] * d, d > 0.0 ? c[0] : 0.0, 0.5 * c[0] * d * d, 0.0, rate, out);
}

extern const fw_normal_ops fw_normal_trial_normal;
const fw_normal_ops fw_normal_trial_normal = {
    .entry = {"trial-normal", "a normal law on trial", "N = k max(-gap, 0)", "", params}, .force = force};
