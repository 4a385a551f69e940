/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sparsity pattern for all modes of all contact points. */
#include <stdlib.h>

#include "contact/detect/surface.h"
#include "solver/ida/dae.h"

typedef struct fw_entries {
  int64_t *rows, *columns;
  size_t count, room;
} fw_entries;

static fw_status add_entry(fw_context *ctx, fw_entries *e, int64_t row, int64_t column) {
  if (e->count == e->room) {
    size_t room = e->room ? 2 * e->room : 1024;
    int64_t *rows = realloc(e->rows, room * sizeof *rows);
    if (rows) e->rows = rows;
    int64_t *columns = rows ? realloc(e->columns, room * sizeof *columns) : NULL;
    if (columns) e->columns = columns;
    if (!rows || !columns) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
    e->room = room;
  }
  e->rows[e->count] = row;
  e->columns[e->count++] = column;
  return FW_OK;
}

/* Every freedom a contact point may ever see: its follower's and those that carry its target, or of its joint's other
 * end. */
static fw_status point_dofs(fw_context *ctx, const fw_model *model, const fw_dae_point *point, int **dofs, int *count) {
  const fw_surface *target = point->pair->target;
  const fw_joint *joint = point->pair->joint;
  FW_TRY(fw_alloc(ctx, 6 + 3 * (size_t)(target ? target->anchor_count : 0), sizeof **dofs, dofs));
  *count = 0;
  for (int k = 0; k < FW_NODE_DOFS; k++) {
    int dof = model->nodes[point->pair->followers[point->follower].at.node].dof[k];
    if (dof >= 0) (*dofs)[(*count)++] = dof;
  }
  for (int k = 0; joint && joint->b.node >= 0 && k < FW_NODE_DOFS; k++) {
    int dof = model->nodes[joint->b.node].dof[k];
    if (dof >= 0) (*dofs)[(*count)++] = dof;
  }
  for (int a = 0; target && a < target->anchor_count; a++)
    for (int k = 0; target->anchors[a].node >= 0 && k < FW_NODE_DOFS; k++) {
      int dof = model->nodes[target->anchors[a].node].dof[k];
      if (dof >= 0) (*dofs)[(*count)++] = dof;
    }
  return FW_OK;
}

static fw_status contact_pattern(fw_context *ctx, fw_dae *dae, fw_entries *e, int c) {
  fw_dae_point *point = &dae->points[c];
  int *dofs = NULL, count = 0;
  int64_t n = dae->n, N = dae->contact_at + 2 * c, T = N + 1;
  FW_TRY(point_dofs(ctx, dae->model, point, &dofs, &count));
  fw_status status = FW_OK;
  for (int i = 0; i < count; i++) {
    for (int64_t row = N; row <= T; row++) {
      FW_TRY_DONE(add_entry(ctx, e, row, dofs[i]));
      FW_TRY_DONE(add_entry(ctx, e, row, n + dofs[i]));
      FW_TRY_DONE(add_entry(ctx, e, n + dofs[i], row));
    }
    for (int j = 0; j < count; j++) FW_TRY_DONE(add_entry(ctx, e, n + dofs[i], dofs[j]));
    for (int s = 0; point->first_z >= 0 && s < point->pair->states; s++) {
      FW_TRY_DONE(add_entry(ctx, e, dae->z_at + point->first_z + s, dofs[i]));
      FW_TRY_DONE(add_entry(ctx, e, dae->z_at + point->first_z + s, n + dofs[i]));
    }
  }
  for (int64_t row = N; row <= T; row++)
    for (int64_t column = N; column <= T; column++) FW_TRY_DONE(add_entry(ctx, e, row, column));
  for (int s = 0; point->first_z >= 0 && s < point->pair->states; s++) {
    int64_t row = dae->z_at + point->first_z + s;
    FW_TRY_DONE(add_entry(ctx, e, row, N));
    FW_TRY_DONE(add_entry(ctx, e, T, row));
    for (int r = 0; r < point->pair->states; r++) FW_TRY_DONE(add_entry(ctx, e, row, dae->z_at + point->first_z + r));
  }
done:
  free(dofs);
  return status;
}

static fw_status fill_pattern(fw_context *ctx, fw_dae *dae) {
  fw_status status = FW_OK;
  fw_entries e = {0};
  const fw_sparse *K = dae->system->K;
  int64_t n = dae->n;
  for (int64_t i = 0; i < dae->size; i++) FW_TRY_DONE(add_entry(ctx, &e, i, i));
  for (int64_t i = 0; i < n; i++) FW_TRY_DONE(add_entry(ctx, &e, i, n + i));
  for (int64_t j = 0; j < K->n; j++)
    for (int64_t k = K->p[j]; k < K->p[j + 1]; k++) {
      int64_t i = K->i[k];
      if (i < n && j < n) {
        FW_TRY_DONE(add_entry(ctx, &e, n + i, j));
        FW_TRY_DONE(add_entry(ctx, &e, n + i, n + j));
      } else if (i < n) { /* G^T in the momentum rows, G in the joint rows for q and v */
        FW_TRY_DONE(add_entry(ctx, &e, n + i, dae->lambda_at + j - n));
      } else if (j < n) {
        FW_TRY_DONE(add_entry(ctx, &e, dae->lambda_at + i - n, j));
        FW_TRY_DONE(add_entry(ctx, &e, dae->lambda_at + i - n, n + j));
      }
    }
  for (int c = 0; c < dae->model->contact_count; c++) FW_TRY_DONE(contact_pattern(ctx, dae, &e, c));
  FW_TRY_DONE(fw_sparse_from_pairs(ctx, dae->size, e.rows, e.columns, e.count, &dae->jacobian));
done:
  free(e.rows);
  free(e.columns);
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
  FW_TRY(fill_pattern(ctx, dae));
  return dae_positions(ctx, dae);
}
