/* SPDX-License-Identifier: GPL-3.0-or-later */
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
  return NULL;
}

extern const fw_section_ops fw_section_rectangle;
const fw_section_ops fw_section_rectangle = {
    .entry = {.name = "rectangle",
              .summary = "solid rectangle",
              .equation = "A = width height, I = width height^3/12, kappa = 10(1 + nu)/(12 + 11 nu)",
              .source = FW_COWPER,
              .params = params},
    .fill = fill,
};
