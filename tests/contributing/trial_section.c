/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elements/sections/trial_section.c: a square. */
#include "elements/sections/section.h"

static const fw_param params[] = {{"side", FW_PARAM_NUMBER, "m", NULL, 0, 1e9, NULL, "side"}, {0}};

static const char *fill(const double *c, double nu, fw_properties *props) {
  (void)nu;
  if (!(c[0] > 0)) return "the side must be positive";
  props->A = c[0] * c[0];
  props->I = props->A * props->A / 12;
  props->kappa = 5.0 / 6;
  props->height = c[0];
  return NULL;
}

extern const fw_section_ops fw_section_trial_section;
const fw_section_ops fw_section_trial_section = {
    .entry = {"trial-section", "a section on trial", "A = a^2, I = a^4/12", "", params}, .fill = fill};
