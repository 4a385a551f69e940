/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/flow.h"

#include <math.h>
#include <string.h>

#include "core/formula.h"

bool fw_flow_has_frequency(const struct fw_flow *flow) {
  for (int k = 0; k < FW_FLOW_MATRICES; k++)
    if (flow->entry[k] && fw_formula_uses(flow->entry[k], 2)) return true;
  return false;
}

bool fw_flow_set(const struct fw_flow *flow, fw_flow_at where, double *constants) {
  for (int g = 0; g < FW_FLOW_POINTS; g++) {
    double *point = constants + (ptrdiff_t)g * FW_FLOW_POINT;
    const double at[3] = {where.speed < 0 ? flow->speed : where.speed, point[FW_FLOW_S],
                          where.frequency < 0 ? flow->frequency : where.frequency};
    for (int k = 0; k < FW_FLOW_MATRICES; k++) {
      const fw_formula *entry = flow->entry[k];
      point[FW_FLOW_ENTRIES + k] = entry ? entry->value(entry, at, NULL) : 0;
      if (!isfinite(point[FW_FLOW_ENTRIES + k])) return false;
    }
  }
  return true;
}

bool fw_model_has_flow(const fw_model *model) {
  for (int b = 0; b < model->block_count; b++)
    if (model->blocks[b].props.flow) return true;
  return false;
}

bool fw_model_has_flow_frequency(const fw_model *model) {
  for (int b = 0; b < model->block_count; b++)
    if (model->blocks[b].props.flow && fw_flow_has_frequency(model->blocks[b].props.flow)) return true;
  return false;
}

bool fw_model_has_circulation(const fw_model *model) {
  for (int b = 0; b < model->block_count; b++)
    if (model->blocks[b].ops->circulates && model->blocks[b].ops->circulates(&model->blocks[b].props)) return true;
  return false;
}

static bool is_symmetric(int n, const double *A) {
  double most = 0, skew = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      most = fmax(most, fabs(A[i * n + j]));
      skew = fmax(skew, fabs(A[i * n + j] - A[j * n + i]));
    }
  return skew <= 1e-9 * most;
}

int fw_model_unsymmetric(const fw_model *model) {
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    int n = fw_element_dofs(block->ops);
    for (int e = 0; block->ops->circulates && e < block->count; e++) {
      double X[FW_ELEMENT_PLACES], zero[FW_ELEMENT_DOFS] = {0}, f[FW_ELEMENT_DOFS];
      double K[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS], C[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
      fw_element_places(model, block, e, X);
      block->ops->force(&block->props, X, zero, zero, f, K, C);
      if (!is_symmetric(n, K) || !is_symmetric(n, C)) return block->body;
    }
  }
  return -1;
}

/* A += sum of length acts^T entries moves, between two tubes in the block of its rows and the other's columns. */
static void add_matrix(const fw_properties *props, int nodes, int which, double *A) {
  const int n = nodes * FW_SPACE_DOFS, other = nodes > 2 ? FW_FLOW_DOFS : 0;
  memset(A, 0, (size_t)(n * n) * sizeof *A);
  for (int g = 0; g < FW_FLOW_POINTS; g++) {
    const double *point = props->constants + (ptrdiff_t)g * FW_FLOW_POINT, *entry = point + FW_FLOW_ENTRIES + which;
    for (int k = 0; k < 4; k++) {
      const double *acts = point + FW_FLOW_ACTS + (ptrdiff_t)(k / 2) * FW_FLOW_DOFS,
                   *moves = point + FW_FLOW_MOVES + (ptrdiff_t)(k % 2) * FW_FLOW_DOFS;
      for (int i = 0; i < FW_FLOW_DOFS && entry[k] != 0; i++)
        for (int j = 0; j < FW_FLOW_DOFS; j++)
          A[i * n + other + j] += point[FW_FLOW_LENGTH] * entry[k] * acts[i] * moves[j];
    }
  }
}

static void multiply(const double *A, int n, const double *x, double *f) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) f[i] += A[i * n + j] * x[j];
}

static fw_status force_of(const fw_properties *props, int nodes, const double *q, const double *v, double *f, double *K,
                          double *C) {
  double A[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
  const int n = nodes * FW_SPACE_DOFS;
  memset(f, 0, (size_t)n * sizeof *f);
  add_matrix(props, nodes, FW_FLOW_STIFFNESS, A);
  multiply(A, n, q, f);
  if (K) memcpy(K, A, (size_t)(n * n) * sizeof *K);
  if (!v && !C) return FW_OK;
  add_matrix(props, nodes, FW_FLOW_DAMPING, A);
  if (v) multiply(A, n, v, f);
  if (C) memcpy(C, A, (size_t)(n * n) * sizeof *C);
  return FW_OK;
}

static double energy_of(const fw_properties *props, int nodes, const double *q) {
  double f[FW_ELEMENT_DOFS], sum = 0;
  force_of(props, nodes, q, NULL, f, NULL, NULL);
  for (int i = 0; i < nodes * FW_SPACE_DOFS; i++) sum += 0.5 * q[i] * f[i];
  return sum;
}

static bool always(const fw_properties *props) {
  (void)props;
  return true;
}

void fw_flow_motion(const fw_block *block, const double *q, double u[2 * FW_FLOW_POINTS]) {
  const double *moving = q + (ptrdiff_t)(block->ops->nodes - 2) * FW_SPACE_DOFS; /* its nodes are the last */
  for (int k = 0; k < 2 * FW_FLOW_POINTS; k++) {
    const double *point = block->props.constants + (ptrdiff_t)(k / 2) * FW_FLOW_POINT,
                 *weights = point + FW_FLOW_MOVES + (ptrdiff_t)(k % 2) * FW_FLOW_DOFS;
    double sum = 0;
    for (int i = 0; i < FW_FLOW_DOFS; i++) sum += weights[i] * moving[i];
    u[k] = sum * sqrt(point[FW_FLOW_LENGTH]);
  }
}

/* ---- one tube --------------------------------------------------------------------------------- */

static fw_status own_force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                           double *K, double *C) {
  (void)X;
  return force_of(props, 2, q, v, f, K, C);
}

static void own_mass(const fw_properties *props, const double *X, double *M) {
  (void)X;
  add_matrix(props, 2, FW_FLOW_MASS, M);
}

static double own_energy(const fw_properties *props, const double *X, const double *q) {
  (void)X;
  return energy_of(props, 2, q);
}

const fw_element_ops fw_element_flow = {
    .entry = {.name = "fluid-elastic",
              .summary = "fluid-elastic forces per length on a tube",
              .equation = "p = -(M u'' + C u' + K u)",
              .source = ""},
    .shape = FW_SHAPE_POINT,
    .nodes = 2,
    .space = true,
    .force = own_force,
    .mass = own_mass,
    .energy = own_energy,
    .circulates = always,
};

/* ---- of another -------------------------------------------------------------------------------- */

static fw_status between_force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                               double *K, double *C) {
  (void)X;
  return force_of(props, 4, q, v, f, K, C);
}

/* Both ways: what one does to the other that does to it. */
static void between_mass(const fw_properties *props, const double *X, double *M) {
  const int n = 2 * FW_FLOW_DOFS;
  (void)X;
  add_matrix(props, 4, FW_FLOW_MASS, M);
  for (int i = 0; i < FW_FLOW_DOFS; i++)
    for (int j = 0; j < FW_FLOW_DOFS; j++) M[(FW_FLOW_DOFS + j) * n + i] = M[i * n + FW_FLOW_DOFS + j];
}

static double between_energy(const fw_properties *props, const double *X, const double *q) {
  (void)X;
  return energy_of(props, 4, q);
}

const fw_element_ops fw_element_flow_between = {
    .entry = {.name = "fluid-elastic",
              .summary = "fluid-elastic forces per length on a tube by the motion of another",
              .equation = "p = -(M u'' + C u' + K u)",
              .source = ""},
    .shape = FW_SHAPE_POINT,
    .nodes = 4,
    .space = true,
    .force = between_force,
    .mass = between_mass,
    .energy = between_energy,
    .circulates = always,
};
