/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bushing: stiffness and damping in x, y and rz between two points; the other elements of its kind. */
#include "elements/bushing.h"

#include <math.h>
#include <string.h>

/* Value of component i of node a relative to node b (or to the ground). */
static double relative(int nodes, const double *q, int i) { return nodes == 2 ? q[i] - q[i + 3] : q[i]; }

/* matrix = diag(d) between the nodes. */
static void spread(const double d[3], int nodes, double *matrix) {
  int n = 3 * nodes;
  memset(matrix, 0, (size_t)(n * n) * sizeof *matrix);
  for (int i = 0; i < n; i++)
    for (int j = i % 3; j < n; j += 3) matrix[n * i + j] = i == j ? d[i % 3] : -d[i % 3];
}

void fw_bushing_force(const double k[3], const double c[3], int nodes, const double *q, const double *v, double *f,
                      double *K, double *C) {
  for (int i = 0; i < 3; i++) {
    f[i] = k[i] * relative(nodes, q, i) + (v ? c[i] * relative(nodes, v, i) : 0);
    if (nodes == 2) f[i + 3] = -f[i];
  }
  if (K) spread(k, nodes, K);
  if (C) spread(c, nodes, C);
}

double fw_bushing_energy(const double k[3], int nodes, const double *q) {
  double energy = 0;
  for (int i = 0; i < 3; i++) energy += 0.5 * k[i] * relative(nodes, q, i) * relative(nodes, q, i);
  return energy;
}

static const fw_param params[] = {FW_BUSHING_PARAMS};

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)X;
  fw_bushing_force(props->constants, props->constants + 3, 2, q, v, f, K, C);
  return FW_OK;
}

static double energy(const fw_properties *props, const double *X, const double *q) {
  (void)X;
  return fw_bushing_energy(props->constants, 2, q);
}

/* Points of a mesh that is turned are where they should be but for rounding. */
static const char *check(const fw_properties *props, const double *X) {
  static const double rounding = 1e-9;
  (void)props;
  double size = fmax(fmax(fabs(X[0]), fabs(X[1])), fmax(fabs(X[2]), fabs(X[3])));
  return hypot(X[2] - X[0], X[3] - X[1]) <= rounding * size ? NULL : "the two points must be at one place";
}

extern const fw_element_ops fw_element_bushing;
const fw_element_ops fw_element_bushing = {
    .entry = {.name = "bushing",
              .summary = "stiffness and damping in x, y and rotation between two points at one place",
              .equation = "F_i = k_i (q_i of the first point - q_i of the second) + c_i (v_i - v_i)",
              .source = "",
              .params = params},
    .shape = FW_SHAPE_POINT,
    .nodes = 2,
    .rotations = true,
    .check = check,
    .force = force,
    .energy = energy,
    .in_space = &fw_space_bushing,
};
