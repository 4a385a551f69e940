/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A point held by stiffness and damping in x, y and rz. */
#include "elements/bushing.h"

static const fw_param params[] = {FW_BUSHING_PARAMS};

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)X;
  fw_bushing_force(props->constants, props->constants + 3, 1, q, v, f, K, C);
  return FW_OK;
}

static double energy(const fw_properties *props, const double *X, const double *q) {
  (void)X;
  return fw_bushing_energy(props->constants, 1, q);
}

extern const fw_element_ops fw_element_elastic_support;
const fw_element_ops fw_element_elastic_support = {
    .entry = {.name = "elastic-support",
              .summary = "stiffness and damping in x, y and rotation between a point and the ground",
              .equation = "F_i = k_i q_i + c_i v_i",
              .source = "",
              .params = params},
    .shape = FW_SHAPE_POINT,
    .nodes = 1,
    .rotations = true,
    .force = force,
    .energy = energy,
    .in_space = &fw_space_elastic_support,
};
