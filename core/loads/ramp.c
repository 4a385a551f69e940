/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "core/load.h"

enum { START, DURATION };
static const fw_param ramp_params[] = {{"start", FW_PARAM_NUMBER, "s", "0", 0, 1e9, NULL, "when it begins to rise"},
                                       {"duration", FW_PARAM_NUMBER, "s", NULL, 1e-12, 1e9, NULL, "how long it rises"},
                                       {0}};

static double ramp_value(const double *c, double t, double omega) {
  (void)omega;
  return fmin(1.0, fmax(0.0, (t - c[START]) / c[DURATION]));
}

const fw_load_ops fw_load_ramp = {.entry = {"ramp", "Rises linearly from nothing and stays",
                                            "f(t) = F min(1, (t - start)/duration)", "", ramp_params},
                                  .steep = true,
                                  .value = ramp_value};
