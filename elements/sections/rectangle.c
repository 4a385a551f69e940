/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "elements/sections/section.h"

enum { WIDTH, HEIGHT, KAPPA };

static const fw_param params[] = {
    {"width", FW_PARAM_NUMBER, "m", NULL, 0, 1e9, NULL, "out of the plane"},
    {"height", FW_PARAM_NUMBER, "m", NULL, 0, 1e9, NULL, "in the plane"},
    FW_SECTION_KAPPA,
    {0},
};

static const char *fill(const double *c, double nu, fw_properties *props) {
  double width = c[WIDTH], height = c[HEIGHT];
  if (!(width > 0)) return "the width must be positive";
  if (!(height > 0)) return "the height must be positive";
  props->A = width * height;
  props->I = width * height * height * height / 12;
  props->kappa = c[KAPPA] > 0 ? c[KAPPA] : 10 * (1 + nu) / (12 + 11 * nu);
  props->height = height;
  props->I_out = width * width * width * height / 12;
  props->kappa_out = props->kappa;
  double ratio = fmin(width, height) / fmax(width, height), thin = fmin(width, height);
  props->J = fmax(width, height) * thin * thin * thin * (1.0 / 3 - 0.21 * ratio * (1 - pow(ratio, 4) / 12));
  return NULL;
}

extern const fw_section_ops fw_section_rectangle;
const fw_section_ops fw_section_rectangle = {
    .entry = {.name = "rectangle",
              .summary = "solid rectangle",
              .equation = "A = width height, I = width height^3/12, kappa = 10(1 + nu)/(12 + 11 nu)\n"
                          "J = b h^3 [1/3 - 0.21 h/b (1 - h^4/(12 b^4))], b the longer side (within 0.5 %)",
              .source = FW_COWPER "; J: Roark's Formulas for Stress and Strain",
              .params = params},
    .fill = fill,
};
