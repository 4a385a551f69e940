/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "elements/sections/section.h"

enum { DIAMETER, KAPPA };

static const fw_param params[] = {
    {"diameter", FW_PARAM_NUMBER, "m", NULL, 0, 1e9, NULL, "diameter"},
    FW_SECTION_KAPPA,
    {0},
};

static const char *fill(const double *c, double nu, fw_properties *props) {
  double d = c[DIAMETER];
  if (!(d > 0)) return "the diameter must be positive";
  props->A = M_PI * d * d / 4;
  props->I = M_PI * d * d * d * d / 64;
  props->kappa = c[KAPPA] > 0 ? c[KAPPA] : 6 * (1 + nu) / (7 + 6 * nu);
  props->height = d;
  fw_section_round(props);
  return NULL;
}

extern const fw_section_ops fw_section_circle;
const fw_section_ops fw_section_circle = {
    .entry = {.name = "circle",
              .summary = "solid circle",
              .equation = "A = pi d^2/4, I = pi d^4/64, kappa = 6(1 + nu)/(7 + 6 nu)",
              .source = FW_COWPER,
              .params = params},
    .fill = fill,
};
