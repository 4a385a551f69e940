/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "elements/sections/section.h"

enum { AREA, MOMENT, KAPPA, HEIGHT, MOMENT_OUT, TORSION, KAPPA_OUT };

static const fw_param params[] = {
    {"A", FW_PARAM_NUMBER, "m^2", NULL, 0, 1e18, NULL, "area"},
    {"I", FW_PARAM_NUMBER, "m^4", NULL, 0, 1e36, NULL, "second moment of area about the axis normal to the plane"},
    {"kappa", FW_PARAM_NUMBER, "", "0", 0, 10, NULL, "shear factor; Timoshenko beams need it"},
    {"height", FW_PARAM_NUMBER, "m", "0", 0, 1e9, NULL,
     "distance between upper and lower surface; 0: sqrt(12 I/A), a rectangle's"},
    {"I-out", FW_PARAM_NUMBER, "m^4", "0", 0, 1e36, NULL, "second moment of bending out of the plane; tubes need it"},
    {"J", FW_PARAM_NUMBER, "m^4", "0", 0, 1e36, NULL, "torsion constant; tubes need it"},
    {"kappa-out", FW_PARAM_NUMBER, "", "0", 0, 10, NULL, "shear factor out of the plane; 0: kappa"},
    {0},
};

static const char *fill(const double *c, double nu, fw_properties *props) {
  (void)nu;
  if (!(c[AREA] > 0)) return "the area A must be positive";
  if (!(c[MOMENT] > 0)) return "the second moment I must be positive";
  props->A = c[AREA];
  props->I = c[MOMENT];
  props->kappa = c[KAPPA];
  props->height = c[HEIGHT] > 0 ? c[HEIGHT] : sqrt(12 * c[MOMENT] / c[AREA]);
  props->I_out = c[MOMENT_OUT];
  props->J = c[TORSION];
  props->kappa_out = c[KAPPA_OUT] > 0 ? c[KAPPA_OUT] : c[KAPPA];
  return NULL;
}

extern const fw_section_ops fw_section_general;
const fw_section_ops fw_section_general = {
    .entry =
        {.name = "general", .summary = "any section, by its numbers", .equation = "", .source = "", .params = params},
    .fill = fill,
};
