/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "elements/sections/section.h"

enum { DIAMETER, WALL, KAPPA };

static const fw_param params[] = {
    {"diameter", FW_PARAM_NUMBER, "m", NULL, 0, 1e9, NULL, "outer diameter"},
    {"wall", FW_PARAM_NUMBER, "m", NULL, 0, 1e9, NULL, "wall thickness"},
    FW_SECTION_KAPPA,
    {0},
};

static const char *fill(const double *c, double nu, fw_properties *props) {
  double d = c[DIAMETER], inner = d - 2 * c[WALL];
  if (!(d > 0)) return "the diameter must be positive";
  if (!(c[WALL] > 0)) return "the wall must be positive";
  if (inner < 0) return "the wall is thicker than half the diameter";
  double ratio = inner / d, r2 = ratio * ratio, sum = (1 + r2) * (1 + r2);
  props->A = M_PI / 4 * (d * d - inner * inner);
  props->I = M_PI / 64 * (d * d * d * d - inner * inner * inner * inner);
  props->kappa = c[KAPPA] > 0 ? c[KAPPA] : 6 * (1 + nu) * sum / ((7 + 6 * nu) * sum + (20 + 12 * nu) * r2);
  props->height = d;
  fw_section_round(props);
  return NULL;
}

extern const fw_section_ops fw_section_tube;
const fw_section_ops fw_section_tube = {
    .entry = {.name = "tube",
              .summary = "hollow circle",
              .equation = "A = pi (d^2 - i^2)/4, I = pi (d^4 - i^4)/64, i = d - 2 wall, m = i/d\n"
                          "kappa = 6(1 + nu)(1 + m^2)^2/[(7 + 6 nu)(1 + m^2)^2 + (20 + 12 nu) m^2]",
              .source = FW_COWPER,
              .params = params},
    .fill = fill,
};
