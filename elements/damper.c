/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A viscous damper along the line between two points, or along a given direction. */
#include "elements/link.h"

const fw_param fw_damper_params[] = {
    FW_LINK_PARAMS,
    {"c", FW_PARAM_NUMBER, "N s/m", NULL, 0, 1e30, NULL, "force over velocity"},
    {0},
};

int fw_damper_pack(const fw_given *given, double *c) {
  int count = fw_link_pack(given, c);
  if (c) c[count] = given[FW_LINK_GIVENS].count ? given[FW_LINK_GIVENS].values[0] : 0;
  return count + 1;
}

static const char *check(const fw_properties *props, const double *X) { return fw_link_check(props->constants, X); }

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  fw_link link;
  FW_TRY(fw_link_make(props->constants, X, q, v, &link));
  double c = props->constants[FW_LINK_CONSTANTS];
  fw_link_force(&link, c * link.rate, 0, c, f, K, C);
  return FW_OK;
}

extern const fw_element_ops fw_element_damper;
const fw_element_ops fw_element_damper = {
    .entry = {.name = "damper",
              .summary = "viscous damper between two points or a point and the ground",
              .equation = "F = c de/dt, e: displacement of the first point relative to the second along the direction\n"
                          "(without one: the elongation)",
              .source = "",
              .params = fw_damper_params},
    .shape = FW_SHAPE_POINT,
    .nodes = 2,
    .in_space = &fw_space_damper,
    .pack = fw_damper_pack,
    .nonlinear = fw_link_follows,
    .follows = fw_link_follows,
    .check = check,
    .force = force,
};
