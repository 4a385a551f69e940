/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/linearised.h"

#include <stdlib.h>
#include <string.h>

/* The closed contact points of a state. */
typedef struct fw_closed {
  const fw_system *system;
  fw_linear_contact *points;
  int count;
} fw_closed;

static fw_status find_closed(fw_context *ctx, const fw_state *state, fw_contact_view view, fw_closed *closed) {
  const fw_model *model = closed->system->model;
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++) {
      fw_linear_contact *point = &closed->points[closed->count];
      FW_TRY(fw_linear_contact_find(ctx, model, state, view, model->pairs[p], i, point));
      closed->count += point->placed && point->closed;
    }
  return FW_OK;
}

static void held_row(const fw_kinematic *kin, int64_t row, fw_entries *entries) {
  for (int i = 0; i < kin->count; i++) {
    fw_entries_add(entries, row, kin->dof[i]);
    fw_entries_add(entries, kin->dof[i], row);
  }
  fw_entries_add(entries, row, row);
}

/* The system's pattern, plus the cliques of contact points and the rows of rigid holds. */
static void held_entries(const void *user, fw_entries *entries) {
  const fw_closed *closed = user;
  int64_t row = closed->system->size;
  fw_sparse_entries(closed->system->K, entries);
  for (int c = 0; c < closed->count; c++) {
    const fw_linear_contact *point = &closed->points[c];
    fw_entries_clique(entries, point->kin.dof, point->kin.count);
    if (point->holds_gap) held_row(&point->kin, row++, entries);
    if (point->holds_slip) held_row(&point->kin, row++, entries);
  }
}

/* `from` on the pattern of `to`, which has all its entries. */
static void copy_values(const fw_sparse *from, fw_sparse *to) {
  if (from->shared == to->shared) {
    memcpy(to->x, from->x, (size_t)from->p[from->n] * sizeof *to->x);
    return;
  }
  for (int64_t j = 0; j < from->n; j++)
    for (int64_t k = from->p[j]; k < from->p[j + 1]; k++) to->x[fw_sparse_position(to, from->i[k], j)] = from->x[k];
}

static void add_row(const fw_kinematic *kin, const double *weight, int64_t row, fw_sparse *K) {
  for (int i = 0; i < kin->count; i++) {
    K->x[fw_sparse_position(K, row, kin->dof[i])] += weight[i];
    K->x[fw_sparse_position(K, kin->dof[i], row)] += weight[i];
  }
}

/* n d d^T + t s_q s_q^T + turning, d the direction of the normal force. */
static void add_point(const fw_kinematic *kin, const double *d, double n, double t, const double *turning,
                      fw_sparse *A) {
  for (int i = 0; i < kin->count; i++)
    for (int j = 0; j < kin->count; j++)
      A->x[fw_sparse_position(A, kin->dof[i], kin->dof[j])] +=
          n * d[i] * d[j] + t * kin->slip_q[i] * kin->slip_q[j] + turning[i * kin->count + j];
}

static void add_closed(const fw_closed *closed, fw_linearised *l) {
  static const double none[FW_CONTACT_DOFS * FW_CONTACT_DOFS] = {0};
  int64_t row = closed->system->size;
  for (int c = 0; c < closed->count; c++) {
    const fw_linear_contact *point = &closed->points[c];
    const fw_kinematic *kin = &point->kin;
    double direction[FW_CONTACT_DOFS], turning[FW_CONTACT_DOFS * FW_CONTACT_DOFS] = {0};
    fw_linear_contact_direction(point, direction);
    fw_linear_contact_turning(kin, point->N, point->T, turning);
    add_point(kin, direction, point->k_n, point->k_t, turning, l->K);
    add_point(kin, direction, point->c_n, point->c_t, none, l->C);
    if (point->holds_gap) add_row(kin, direction, row++, l->K);
    if (point->holds_slip) add_row(kin, kin->slip_q, row++, l->K);
  }
}

fw_status fw_linearise(fw_context *ctx, fw_system *system, const fw_state *state, fw_contact_view view,
                       fw_linearised **linearised) {
  fw_status status = FW_OK;
  fw_linearised *l = NULL;
  fw_closed closed = {.system = system};
  double *f = NULL;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof *l, &l));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->model->contact_count, sizeof *closed.points, &closed.points));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *f, &f));
  FW_TRY_DONE(fw_system_force(ctx, system, state->q, state->lambda, state->time, f, true));
  FW_TRY_DONE(find_closed(ctx, state, view, &closed));
  for (int c = 0; c < closed.count; c++) l->held += closed.points[c].holds_gap + closed.points[c].holds_slip;
  if (closed.count == 0)
    FW_TRY_DONE(fw_sparse_like(ctx, system->K, &l->K));
  else
    FW_TRY_DONE(fw_sparse_create(ctx, system->size + l->held, held_entries, &closed, &l->K));
  FW_TRY_DONE(fw_sparse_like(ctx, l->K, &l->M));
  FW_TRY_DONE(fw_sparse_like(ctx, l->K, &l->C));
  copy_values(system->K, l->K);
  copy_values(system->M, l->M);
  fw_system_turn(system, state->q);
  copy_values(system->C, l->C);
  add_closed(&closed, l);
done:
  free(closed.points);
  free(f);
  if (status != FW_OK) fw_linearised_destroy(&l);
  *linearised = l;
  return status;
}

void fw_linearised_destroy(fw_linearised **linearised) {
  if (!linearised || !*linearised) return;
  fw_sparse_destroy(&(*linearised)->K);
  fw_sparse_destroy(&(*linearised)->M);
  fw_sparse_destroy(&(*linearised)->C);
  free(*linearised);
  *linearised = NULL;
}
