/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/superelement.h"

#include <math.h>
#include <string.h>

/* ---- matrices of all nodes --------------------------------------------------------------- */

static bool is_finite(int n, const double *A) {
  for (int k = 0; k < n * n; k++)
    if (!isfinite(A[k])) return false;
  return true;
}

static bool is_symmetric(int n, const double *A) {
  double most = 0;
  if (!is_finite(n, A)) return false;
  for (int k = 0; k < n * n; k++) most = fmax(most, fabs(A[k]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (fabs(A[n * i + j] - A[n * j + i]) > 1e-9 * most) return false;
  return true;
}

const char *fw_superelement_check(int nodes, const double *K, const double *M, const double *C) {
  int n = 3 * nodes;
  if (nodes < 2) return "a superelement needs at least two nodes";
  if (!is_finite(n, K)) return "the stiffness matrix has an entry that is not a finite number";
  if (M && !is_symmetric(n, M)) return "the mass matrix is not symmetric";
  if (C && !is_finite(n, C)) return "the damping matrix has an entry that is not a finite number";
  for (int i = 0; M && i < n; i++)
    if (M[n * i + i] < 0) return "the mass matrix has a negative diagonal";
  return NULL;
}

enum { GROUP = FW_SUPERELEMENT_GROUP };

int fw_superelement_nodes(int size) { return size > GROUP ? (size + GROUP - 1) / GROUP : 2; }

int fw_superelement_pairs(int size) {
  int nodes = fw_superelement_nodes(size);
  return nodes * (nodes - 1) / 2;
}

/* Copies the block of nodes (from_i, from_j) of A, as far as it goes, to block (i, j) of the pair's matrix. */
static void copy_block(int size, const double *A, int from_i, int from_j, int i, int j, double *pair) {
  ptrdiff_t n = size, from_row = (ptrdiff_t)GROUP * from_i, from_column = (ptrdiff_t)GROUP * from_j;
  for (int row = 0; row < GROUP && from_row + row < n; row++)
    for (int column = 0; column < GROUP && from_column + column < n; column++)
      pair[FW_PAIR_DOFS * (GROUP * i + row) + GROUP * j + column] = A[n * (from_row + row) + from_column + column];
}

static void take(int size, const double *A, const int ends[2], double *pair) {
  if (!A) return;
  copy_block(size, A, ends[0], ends[1], 0, 1, pair);
  copy_block(size, A, ends[1], ends[0], 1, 0, pair);
  if (ends[0] == 0) copy_block(size, A, ends[1], ends[1], 1, 1, pair);
  if (ends[0] == 0 && ends[1] == 1) copy_block(size, A, 0, 0, 0, 0, pair);
}

bool fw_superelement_pair(int size, const double *K, const double *M, const double *C, int pair, int ends[2],
                          double *constants) {
  const int nodes = fw_superelement_nodes(size);
  bool any = false;
  ends[0] = 0;
  while (pair >= nodes - 1 - ends[0]) pair -= nodes - 1 - ends[0]++;
  ends[1] = ends[0] + 1 + pair;
  memset(constants, 0, FW_PAIR_CONSTANTS * sizeof *constants);
  take(size, K, ends, constants + FW_PAIR_K);
  take(size, M, ends, constants + FW_PAIR_M);
  take(size, C, ends, constants + FW_PAIR_C);
  for (int k = 0; k < FW_PAIR_CONSTANTS; k++) any = any || constants[k] != 0.0;
  return any;
}

/* ---- the element of one pair ------------------------------------------------------------- */

static const char *check(const fw_properties *props, const double *X) {
  (void)X;
  return props->constant_count == FW_PAIR_CONSTANTS ? NULL : "a pair of a superelement needs K, M and C";
}

/* f += A x */
static void multiply_add(const double *A, const double *x, double *f) {
  for (int i = 0; i < FW_PAIR_DOFS; i++)
    for (int j = 0; j < FW_PAIR_DOFS; j++) f[i] += A[FW_PAIR_DOFS * i + j] * x[j];
}

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)X;
  memset(f, 0, FW_PAIR_DOFS * sizeof *f);
  multiply_add(props->constants + FW_PAIR_K, q, f);
  if (v) multiply_add(props->constants + FW_PAIR_C, v, f);
  if (K) memcpy(K, props->constants + FW_PAIR_K, FW_PAIR_SIZE * sizeof *K);
  if (C) memcpy(C, props->constants + FW_PAIR_C, FW_PAIR_SIZE * sizeof *C);
  return FW_OK;
}

static void mass(const fw_properties *props, const double *X, double *M) {
  (void)X;
  memcpy(M, props->constants + FW_PAIR_M, FW_PAIR_SIZE * sizeof *M);
}

static double energy(const fw_properties *props, const double *X, const double *q) {
  (void)X;
  double f[FW_PAIR_DOFS] = {0}, sum = 0;
  multiply_add(props->constants + FW_PAIR_K, q, f);
  for (int i = 0; i < FW_PAIR_DOFS; i++) sum += 0.5 * q[i] * f[i];
  return sum;
}

/* Files have rounding, which is none. */
static bool circulates(const fw_properties *props) { return !is_symmetric(FW_PAIR_DOFS, props->constants + FW_PAIR_K); }

const fw_element_ops fw_element_pair = {
    .entry = {.name = "superelement",
              .summary = "two nodes of a body given by its matrices",
              .equation = "f = K q + C v",
              .source = ""},
    .shape = FW_SHAPE_POINT,
    .nodes = 2,
    .rotations = true,
    .check = check,
    .force = force,
    .mass = mass,
    .energy = energy,
    .circulates = circulates,
};
