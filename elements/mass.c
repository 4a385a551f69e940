/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A point mass with rotary inertia. */
#include <string.h>

#include "elements/bushing.h"

enum { DOFS = 3, SIZE = DOFS * DOFS };
enum { M, J };

static const fw_param params[] = {
    {"m", FW_PARAM_NUMBER, "kg", NULL, 0, 1e30, NULL, "mass"},
    {"J", FW_PARAM_NUMBER, "kg m^2", "0", 0, 1e30, NULL,
     "moment of inertia about the point; of a tube about every axis"},
    {0},
};

static const char *check(const fw_properties *props, const double *X) {
  (void)X;
  return props->constants[M] > 0 || props->constants[J] > 0 ? NULL : "the mass is zero";
}

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)props, (void)X, (void)q, (void)v;
  memset(f, 0, DOFS * sizeof *f);
  if (K) memset(K, 0, SIZE * sizeof *K);
  if (C) memset(C, 0, SIZE * sizeof *C);
  return FW_OK;
}

static void mass(const fw_properties *props, const double *X, double *matrix) {
  (void)X;
  const double diagonal[SIZE] = {props->constants[M], 0, 0, 0, props->constants[M], 0, 0, 0, props->constants[J]};
  memcpy(matrix, diagonal, sizeof diagonal);
}

extern const fw_element_ops fw_element_mass;
const fw_element_ops fw_element_mass = {
    .entry =
        {.name = "mass", .summary = "point mass with rotary inertia", .equation = "", .source = "", .params = params},
    .shape = FW_SHAPE_POINT,
    .nodes = 1,
    .rotations = true,
    .check = check,
    .force = force,
    .mass = mass,
    .in_space = &fw_space_mass,
};
