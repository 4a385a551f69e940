/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load.h"

static double force_value(const double *c, double t, double omega) {
  (void)c;
  (void)t;
  (void)omega;
  return 1.0;
}

const fw_load_ops fw_load_force = {
    .entry = {"force", "A constant force or moment", "f(t) = F", "", NULL}, .constant = true, .value = force_value};
