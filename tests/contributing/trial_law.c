/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contact/friction/trial_law.c: T = mu N sgn v. */
#include "contact/friction/sliding.h"

static const fw_param params[] = {{"mu", FW_PARAM_NUMBER, "", "0.5", 0, 10, NULL, "coefficient of friction"},
                                  FW_PARAMS_END};

static void limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  (void)z;
  fw_sliding_limit(c[0], c[0], c[0], 0.0, 0.0, v, N, out);
}

extern const fw_friction_ops fw_friction_trial_law;
const fw_friction_ops fw_friction_trial_law = {.entry = {"trial-law", "a law on trial", "T = mu N sgn v", "", params},
                                               .limit = limit};
