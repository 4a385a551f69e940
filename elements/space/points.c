/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Point elements in space: mass, elastic support and bushing with six freedoms a node. */
#include <string.h>

#include "elements/bushing.h"
#include "elements/space/axes.h"

/* ---- mass ---------------------------------------------------------------------------------- */

enum { MASS, INERTIA };

static fw_status no_force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                          double *K, double *C) {
  (void)props, (void)X, (void)q, (void)v;
  memset(f, 0, FW_SPACE_DOFS * sizeof *f);
  if (K) memset(K, 0, FW_SPACE_DOFS * FW_SPACE_DOFS * sizeof *K);
  if (C) memset(C, 0, FW_SPACE_DOFS * FW_SPACE_DOFS * sizeof *C);
  return FW_OK;
}

static const char *check_mass(const fw_properties *props, const double *X) {
  (void)X;
  return props->constants[MASS] > 0 || props->constants[INERTIA] > 0 ? NULL : "the mass is zero";
}

/* The same along all axes. */
static void mass(const fw_properties *props, const double *X, double *M) {
  (void)X;
  memset(M, 0, FW_SPACE_DOFS * FW_SPACE_DOFS * sizeof *M);
  for (int k = 0; k < FW_SPACE_DOFS; k++)
    M[(FW_SPACE_DOFS + 1) * k] = props->constants[fw_dof_turns(k) ? INERTIA : MASS];
}

/* ---- stiffness and damping along the deck's axes -------------------------------------------- */

/* Six numbers in the order of the freedoms. */
static void six(const double *constants, int plane, int space, double out[FW_SPACE_DOFS]) {
  memcpy(out, constants + plane, FW_NODE_DOFS * sizeof *out);
  memcpy(out + FW_NODE_DOFS, constants + space, FW_NODE_DOFS * sizeof *out);
}

/* diag(d) between two nodes or a node and the ground, along the axes of their freedoms. */
static void spread(const double d[FW_SPACE_DOFS], int nodes, const double *X, double *matrix) {
  const fw_space_axes axes = fw_space_node_axes(nodes, X);
  int n = FW_SPACE_DOFS * nodes;
  memset(matrix, 0, (size_t)(n * n) * sizeof *matrix);
  for (int i = 0; i < n; i++)
    for (int j = i % FW_SPACE_DOFS; j < n; j += FW_SPACE_DOFS)
      matrix[n * i + j] = i == j ? d[i % FW_SPACE_DOFS] : -d[i % FW_SPACE_DOFS];
  fw_space_turn_matrix(&axes, matrix);
}

static void multiply(const double *A, int n, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) y[i] += A[n * i + j] * x[j];
}

static fw_status bushing(const fw_properties *props, int nodes, const double *X, const double *q, const double *v,
                         double *f, double *K, double *C) {
  double k[FW_SPACE_DOFS], c[FW_SPACE_DOFS], matrix[FW_SPACE_SIZE];
  int n = FW_SPACE_DOFS * nodes;
  size_t size = (size_t)(n * n) * sizeof *matrix;
  six(props->constants, FW_BUSHING_K, FW_BUSHING_SPACE_K, k);
  six(props->constants, FW_BUSHING_C, FW_BUSHING_SPACE_C, c);
  memset(f, 0, (size_t)n * sizeof *f);
  spread(k, nodes, X, matrix);
  multiply(matrix, n, q, f);
  if (K) memcpy(K, matrix, size);
  spread(c, nodes, X, matrix);
  if (v) multiply(matrix, n, v, f);
  if (C) memcpy(C, matrix, size);
  return FW_OK;
}

static double bushing_energy(const fw_properties *props, int nodes, const double *X, const double *q) {
  double k[FW_SPACE_DOFS], K[FW_SPACE_SIZE], f[FW_SPACE_MOST] = {0}, sum = 0;
  int n = FW_SPACE_DOFS * nodes;
  six(props->constants, FW_BUSHING_K, FW_BUSHING_SPACE_K, k);
  spread(k, nodes, X, K);
  multiply(K, n, q, f);
  for (int i = 0; i < n; i++) sum += 0.5 * q[i] * f[i];
  return sum;
}

static const char *together(const fw_properties *props, const double *X) {
  (void)props;
  bool same = X[0] == X[FW_SPACE_PLACES] && X[1] == X[FW_SPACE_PLACES + 1] && X[2] == X[FW_SPACE_PLACES + 2];
  return same ? NULL : "the two points must be at one place";
}

static fw_status support_force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                               double *K, double *C) {
  return bushing(props, 1, X, q, v, f, K, C);
}

static double support_energy(const fw_properties *props, const double *X, const double *q) {
  return bushing_energy(props, 1, X, q);
}

static fw_status bushing_force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                               double *K, double *C) {
  return bushing(props, 2, X, q, v, f, K, C);
}

static double two_energy(const fw_properties *props, const double *X, const double *q) {
  return bushing_energy(props, 2, X, q);
}

/* ---- entries --------------------------------------------------------------------------------- */

static const fw_param bushing_params[] = {FW_BUSHING_PARAMS};
static const fw_param mass_params[] = {
    {"m", FW_PARAM_NUMBER, "kg", NULL, 0, 1e30, NULL, "mass"},
    {"J", FW_PARAM_NUMBER, "kg m^2", "0", 0, 1e30, NULL, "moment of inertia about every axis through the point"},
    {0},
};

const fw_element_ops fw_space_mass = {
    .entry = {.name = "mass", .summary = "point mass in space", .equation = "", .source = "", .params = mass_params},
    .shape = FW_SHAPE_POINT,
    .nodes = 1,
    .rotations = true,
    .space = true,
    .check = check_mass,
    .force = no_force,
    .mass = mass,
};

const fw_element_ops fw_space_elastic_support = {
    .entry = {.name = "elastic-support",
              .summary = "stiffness and damping along and about x, y, z between a point and the ground",
              .equation = "F_i = k_i q_i + c_i v_i",
              .source = "",
              .params = bushing_params},
    .shape = FW_SHAPE_POINT,
    .nodes = 1,
    .rotations = true,
    .space = true,
    .force = support_force,
    .energy = support_energy,
};

const fw_element_ops fw_space_bushing = {
    .entry = {.name = "bushing",
              .summary = "stiffness and damping along and about x, y, z between two points at one place",
              .equation = "F_i = k_i (q_i of the first point - q_i of the second) + c_i (v_i - v_i)",
              .source = "",
              .params = bushing_params},
    .shape = FW_SHAPE_POINT,
    .nodes = 2,
    .rotations = true,
    .space = true,
    .check = together,
    .force = bushing_force,
    .energy = two_energy,
};
