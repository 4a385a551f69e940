/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/loads/trial_load.c: grows with the square of time. */
#include "core/load.h"

static const fw_param params[] = {{"unit-time", FW_PARAM_NUMBER, "s", "1", 1e-9, 1e9, NULL, "when it is 1"}, {0}};

static double value(const double *c, double t, double omega) {
  (void)omega;
  return t * t / (c[0] * c[0]);
}

extern const fw_load_ops fw_load_trial_load;
const fw_load_ops fw_load_trial_load = {
    .entry = {"trial-load", "A load on trial", "f(t) = F (t/unit-time)^2", "", params}, .value = value};
