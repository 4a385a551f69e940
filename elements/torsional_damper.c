/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A viscous damper between the rotations of two points. */
#include "elements/bushing.h"

static const fw_param params[] = {
    {"c", FW_PARAM_NUMBER, "N m s/rad", NULL, 0, 1e30, NULL, "moment over angular velocity"},
    {0},
};

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)X;
  const double none[3] = {0}, c[3] = {0, 0, props->constants[0]};
  fw_bushing_force(none, c, 2, q, v, f, K, C);
  return FW_OK;
}

extern const fw_element_ops fw_element_torsional_damper;
const fw_element_ops fw_element_torsional_damper = {
    .entry = {.name = "torsional-damper",
              .summary = "viscous rotational damper between two points or a point and the ground",
              .equation = "M = c da/dt, a = rotation of the first point minus that of the second",
              .source = "",
              .params = params},
    .shape = FW_SHAPE_POINT,
    .nodes = 2,
    .rotations = true,
    .force = force,
};
