/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What moving fluids add: forces that are no structure's damping and have no potential. */
#include <string.h>

#include "elements/flow.h"
#include "solver/assembly/system_parts.h"

/* Matrices of element e of block b at rest. */
typedef struct matrices {
  double K[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS], C[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
} matrices;

static void find(const fw_system *system, int b, int e, matrices *out) {
  const fw_block *block = &system->model->blocks[b];
  double X[FW_ELEMENT_PLACES], zero[FW_ELEMENT_DOFS] = {0}, f[FW_ELEMENT_DOFS];
  fw_element_places(system->model, block, e, X);
  block->ops->force(&block->props, X, zero, zero, f, out->K, out->C);
}

static void make_skew(int n, double *K) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double half = 0.5 * (K[i * n + j] - K[j * n + i]);
      K[i * n + j] = half;
      K[j * n + i] = -half;
    }
}

fw_status fw_circulation_make(fw_context *ctx, fw_system *system) {
  const fw_model *model = system->model;
  if (!fw_model_has_circulation(model)) return FW_OK;
  FW_TRY(fw_sparse_like(ctx, system->K, &system->C_flow));
  FW_TRY(fw_sparse_like(ctx, system->K, &system->K_flow));
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    int n = fw_element_dofs(block->ops);
    if (!block->ops->circulates || !block->ops->circulates(&block->props)) continue;
    for (int e = 0; e < block->count; e++) {
      const int32_t *where = system->scatter[b] + (size_t)e * (size_t)(n * n);
      matrices own;
      find(system, b, e, &own);
      make_skew(n, own.K);
      fw_element_scatter(where, n, own.K, 1.0, system->K_flow->x);
      if (block->props.flow) fw_element_scatter(where, n, own.C, 1.0, system->C_flow->x);
    }
  }
  return FW_OK;
}

fw_flow_work fw_system_flow_work(const fw_system *system, const double *gain, const double *v, const double *q) {
  const fw_sparse *C = system->C_flow, *K = system->K_flow;
  fw_flow_work work = {0};
  for (int64_t j = 0; C && j < system->model->dof_count; j++)
    for (int64_t k = C->p[j]; k < C->p[j + 1]; k++) {
      if (C->i[k] >= system->model->dof_count) continue;
      work.damping += gain[C->i[k]] * C->x[k] * v[j];
      work.stiffness += gain[C->i[k]] * K->x[k] * q[j];
    }
  return work;
}

/* Takes the matrices of fluids off; the skew part of all others goes with K_flow. */
static void take_off(const fw_system *system, fw_sparse *K, fw_sparse *M) {
  for (int b = 0; b < system->model->block_count; b++) {
    const fw_block *block = &system->model->blocks[b];
    int n = fw_element_dofs(block->ops);
    for (int e = 0; block->props.flow && e < block->count; e++) {
      const int32_t *where = system->scatter[b] + (size_t)e * (size_t)(n * n);
      double X[FW_ELEMENT_PLACES], mass[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
      matrices own, skew;
      find(system, b, e, &own);
      skew = own;
      make_skew(n, skew.K);
      fw_element_places(system->model, block, e, X);
      fw_element_mass_matrix(block->ops, &block->props, X, mass);
      fw_element_scatter(where, n, own.K, -1.0, K->x);
      fw_element_scatter(where, n, skew.K, 1.0, K->x); /* which K_flow has taken already */
      fw_element_scatter(where, n, mass, -1.0, M->x);
    }
  }
}

fw_status fw_system_structure(fw_context *ctx, const fw_system *system, fw_sparse **K, fw_sparse **M) {
  *K = *M = NULL;
  FW_TRY(fw_sparse_like(ctx, system->K, K));
  FW_TRY(fw_sparse_like(ctx, system->K, M));
  if (system->K_flow)
    fw_sparse_combine(system->K, 1.0, system->K_flow, -1.0, *K);
  else
    memcpy((*K)->x, system->K->x, (size_t)system->K->p[system->size] * sizeof(double));
  memcpy((*M)->x, system->M->x, (size_t)system->M->p[system->size] * sizeof(double));
  take_off(system, *K, *M);
  return FW_OK;
}
