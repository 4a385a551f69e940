/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sparsity pattern for all modes of all contact points, and the forces that they share now. */
#include <stdlib.h>

#include "contact/detect/surface.h"
#include "solver/time/ida/dae.h"

/* What the pattern is listed from: the equations, and room for the freedoms of the point with the most. */
typedef struct source {
  const fw_dae *dae;
  int *dofs;
} source;

/* Every freedom a contact point may ever see: its follower's and those that carry its target, or of its joint's other
 * end. */
static int point_dofs(const fw_model *model, const fw_dae_point *point, int *dofs) {
  const fw_surface *target = point->pair->target;
  const fw_joint *joint = point->pair->joint;
  int count = 0;
  for (int k = 0; k < FW_NODE_DOFS; k++) {
    int dof = model->nodes[point->pair->followers[point->follower].at.node].dof[k];
    if (dof >= 0) dofs[count++] = dof;
  }
  for (int k = 0; joint && joint->b.node >= 0 && k < FW_NODE_DOFS; k++) {
    int dof = model->nodes[joint->b.node].dof[k];
    if (dof >= 0) dofs[count++] = dof;
  }
  for (int a = 0; target && a < target->anchor_count; a++)
    for (int k = 0; target->anchors[a].node >= 0 && k < FW_NODE_DOFS; k++) {
      int dof = model->nodes[target->anchors[a].node].dof[k];
      if (dof >= 0) dofs[count++] = dof;
    }
  return count;
}

static void contact_entries(const source *from, fw_entries *e, int c) {
  const fw_dae *dae = from->dae;
  const fw_dae_point *point = &dae->points[c];
  const int *dofs = from->dofs;
  int count = point_dofs(dae->model, point, from->dofs);
  int64_t n = dae->n, N = dae->contact_at + 2 * c, T = N + 1;
  for (int i = 0; i < count; i++) {
    for (int64_t row = N; row <= T; row++) {
      fw_entries_add(e, row, dofs[i]);
      fw_entries_add(e, row, n + dofs[i]);
      fw_entries_add(e, n + dofs[i], row);
    }
    for (int j = 0; j < count; j++) fw_entries_add(e, n + dofs[i], dofs[j]);
    for (int s = 0; point->first_z >= 0 && s < point->pair->states; s++) {
      fw_entries_add(e, dae->z_at + point->first_z + s, dofs[i]);
      fw_entries_add(e, dae->z_at + point->first_z + s, n + dofs[i]);
    }
  }
  for (int64_t row = N; row <= T; row++)
    for (int64_t column = N; column <= T; column++) fw_entries_add(e, row, column);
  for (int s = 0; point->first_z >= 0 && s < point->pair->states; s++) {
    int64_t row = dae->z_at + point->first_z + s;
    fw_entries_add(e, row, N);
    fw_entries_add(e, T, row);
    for (int r = 0; r < point->pair->states; r++) fw_entries_add(e, row, dae->z_at + point->first_z + r);
  }
}

static void all_entries(const void *user, fw_entries *e) {
  const source *from = user;
  const fw_dae *dae = from->dae;
  const fw_sparse *K = dae->system->K;
  int64_t n = dae->n;
  for (int64_t i = 0; i < dae->size; i++) fw_entries_add(e, i, i);
  for (int64_t i = 0; i < n; i++) fw_entries_add(e, i, n + i);
  for (int64_t j = 0; j < K->n; j++)
    for (int64_t k = K->p[j]; k < K->p[j + 1]; k++) {
      int64_t i = K->i[k];
      if (i < n && j < n) {
        fw_entries_add(e, n + i, j);
        fw_entries_add(e, n + i, n + j);
      } else if (i < n) { /* G^T in the momentum rows, G in the joint rows for q and v */
        fw_entries_add(e, n + i, dae->lambda_at + j - n);
      } else if (j < n) {
        fw_entries_add(e, dae->lambda_at + i - n, j);
        fw_entries_add(e, dae->lambda_at + i - n, n + j);
      }
    }
  for (int c = 0; c < dae->model->contact_count; c++) contact_entries(from, e, c);
  for (int i = 0; i < dae->shared.count; i++)
    for (int j = 0; j < dae->shared.count; j++) fw_entries_add(e, dae->shared.at[i], dae->shared.at[j]);
}

static fw_status fill_pattern(fw_context *ctx, fw_dae *dae) {
  source from = {.dae = dae};
  int anchors = 0;
  for (int s = 0; s < dae->model->surface_count; s++)
    if (dae->model->surfaces[s]->anchor_count > anchors) anchors = dae->model->surfaces[s]->anchor_count;
  FW_TRY(fw_alloc(ctx, 2 * FW_NODE_DOFS + FW_NODE_DOFS * (size_t)anchors, sizeof *from.dofs, &from.dofs));
  fw_status status = fw_sparse_create(ctx, dae->size, all_entries, &from, &dae->jacobian);
  free(from.dofs);
  return status;
}

/* Positions of the structure's entries in the momentum rows, so that they are not searched again. */
static fw_status dae_positions(fw_context *ctx, fw_dae *dae) {
  const fw_sparse *K = dae->system->K;
  size_t entries = (size_t)K->p[K->n];
  FW_TRY(fw_alloc(ctx, entries, sizeof *dae->structure_q, &dae->structure_q));
  FW_TRY(fw_alloc(ctx, entries, sizeof *dae->structure_v, &dae->structure_v));
  for (int64_t j = 0; j < K->n; j++)
    for (int64_t k = K->p[j]; k < K->p[j + 1]; k++) {
      bool inside = K->i[k] < dae->n && j < dae->n;
      dae->structure_q[k] = inside ? fw_sparse_position(dae->jacobian, dae->n + K->i[k], j) : -1;
      dae->structure_v[k] = inside ? fw_sparse_position(dae->jacobian, dae->n + K->i[k], dae->n + j) : -1;
    }
  return FW_OK;
}

fw_status fw_dae_pattern(fw_context *ctx, fw_dae *dae) {
  fw_sparse_destroy(&dae->jacobian);
  free(dae->structure_q);
  free(dae->structure_v);
  dae->structure_q = dae->structure_v = NULL;
  FW_TRY(fill_pattern(ctx, dae));
  return dae_positions(ctx, dae);
}
