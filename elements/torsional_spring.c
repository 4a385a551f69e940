/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A spring between the rotations of two points. */
#include <string.h>

#include "elements/spring_law.h"

enum { DOFS = 6, SIZE = DOFS * DOFS, RZ_A = 2, RZ_B = 5 };

static const fw_param params[] = {
    FW_SPRING_LAW_PARAMS("N m/rad", "angle", "rad", "moment", "N m"),
    {0},
};

static bool nonlinear(const fw_properties *props) {
  fw_spring_law law = fw_spring_law_view(props->constants);
  return fw_spring_law_nonlinear(&law);
}

static const char *check(const fw_properties *props, const double *X) {
  (void)X;
  fw_spring_law law = fw_spring_law_view(props->constants);
  return fw_spring_law_check(&law);
}

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)X, (void)v;
  fw_spring_law law = fw_spring_law_view(props->constants);
  double slope, moment = fw_spring_law_force(&law, q[RZ_A] - q[RZ_B], &slope);
  memset(f, 0, DOFS * sizeof *f);
  f[RZ_A] = moment;
  f[RZ_B] = -moment;
  if (C) memset(C, 0, SIZE * sizeof *C);
  if (!K) return FW_OK;
  memset(K, 0, SIZE * sizeof *K);
  K[DOFS * RZ_A + RZ_A] = K[DOFS * RZ_B + RZ_B] = slope;
  K[DOFS * RZ_A + RZ_B] = K[DOFS * RZ_B + RZ_A] = -slope;
  return FW_OK;
}

static double energy(const fw_properties *props, const double *X, const double *q) {
  (void)X;
  fw_spring_law law = fw_spring_law_view(props->constants);
  return fw_spring_law_energy(&law, q[RZ_A] - q[RZ_B]);
}

extern const fw_element_ops fw_element_torsional_spring;
const fw_element_ops fw_element_torsional_spring = {
    .entry = {.name = "torsional-spring",
              .summary = "rotational spring between two points or a point and the ground",
              .equation = "M = preload + k a + table(a), a = rotation of the first point minus that of the second",
              .source = "",
              .params = params},
    .shape = FW_SHAPE_POINT,
    .nodes = 2,
    .rotations = true,
    .pack = fw_spring_law_pack,
    .nonlinear = nonlinear,
    .check = check,
    .force = force,
    .energy = energy,
};
