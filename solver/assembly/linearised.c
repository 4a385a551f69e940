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
      if (point->placed && point->closed)
        closed->count++;
      else
        fw_linear_contact_clear(point);
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

/* Rows of the friction states of steady sliding; the multiplier of a held gap, just before them, is N. */
static int state_rows(const fw_linear_contact *point, int64_t row, fw_entries *entries) {
  int states = point->steady ? point->steady->rates : 0;
  for (int s = 0; s < states; s++) {
    held_row(&point->kin, row + s, entries);
    for (int z = 0; z < states; z++) fw_entries_add(entries, row + s, row + z);
    if (point->holds_gap) fw_entries_add(entries, row + s, row - 1);
  }
  return states;
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
    row += state_rows(point, row, entries);
  }
}

static int rows_of(const fw_linear_contact *point) {
  return point->holds_gap + point->holds_slip + (point->steady ? point->steady->rates : 0);
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

static void add_at(fw_sparse *A, int64_t row, int64_t column, double value) {
  A->x[fw_sparse_position(A, row, column)] += value;
}

static void add_row(const fw_kinematic *kin, const double *column, const double *weight, int64_t row, fw_sparse *K) {
  for (int i = 0; i < kin->count; i++) {
    add_at(K, row, kin->dof[i], weight[i]);
    add_at(K, kin->dof[i], row, column[i]);
  }
}

/* factor a b^T over the point's freedoms. */
static void add_product(const fw_kinematic *kin, double factor, const double *a, const double *b, fw_sparse *A) {
  for (int i = 0; i < kin->count && factor != 0.0; i++)
    for (int j = 0; j < kin->count; j++) add_at(A, kin->dof[i], kin->dof[j], factor * a[i] * b[j]);
}

/* dT = T_z dz, and dz' = zdot_z dz + zdot_v ds' + zdot_N dN with dN = -k_n dg - c_n dg', or minus the multiplier of a
 * gap that is held. */
static int add_states(const fw_linear_contact *c, const double *turned, int64_t row, fw_linearised *l) {
  const fw_kinematic *kin = &c->kin;
  const fw_steady *steady = c->steady;
  int states = steady ? steady->rates : 0;
  for (int s = 0; s < states; s++) {
    add_at(l->C, row + s, row + s, 1.0);
    for (int z = 0; z < states; z++) add_at(l->K, row + s, row + z, -steady->zdot_z[s * states + z]);
    if (c->holds_gap) add_at(l->K, row + s, row - 1, steady->zdot_N[s]);
    for (int i = 0; i < kin->count; i++) {
      add_at(l->K, kin->dof[i], row + s, steady->T_z[s] * kin->slip_q[i]);
      add_at(l->K, row + s, kin->dof[i], steady->zdot_N[s] * c->k_n * kin->gap_q[i] - steady->zdot_v[s] * turned[i]);
      add_at(l->C, row + s, kin->dof[i],
             steady->zdot_N[s] * c->c_n * kin->gap_q[i] - steady->zdot_v[s] * kin->slip_q[i]);
    }
  }
  return states;
}

static void add_turning(const fw_linear_contact *point, fw_sparse *K) {
  const fw_kinematic *kin = &point->kin;
  double turning[FW_CONTACT_DOFS * FW_CONTACT_DOFS] = {0};
  fw_linear_contact_turning(kin, point->N, point->T, turning);
  for (int k = 0; kin->curved && k < kin->count * kin->count; k++)
    add_at(K, kin->dof[k / kin->count], kin->dof[k % kin->count], turning[k]);
}

static void add_closed(const fw_closed *closed, const double *v, fw_linearised *l) {
  int64_t row = closed->system->size;
  for (int c = 0; c < closed->count; c++) {
    const fw_linear_contact *point = &closed->points[c];
    const fw_kinematic *kin = &point->kin;
    double acts[FW_CONTACT_DOFS], feels[FW_CONTACT_DOFS], turned[FW_CONTACT_DOFS] = {0};
    fw_linear_contact_directions(point, acts, feels);
    if (point->slides != 0.0) fw_linear_contact_turned(point, v, turned);
    add_product(kin, point->k_n, acts, feels, l->K);
    add_product(kin, point->k_t, kin->slip_q, kin->slip_q, l->K);
    add_product(kin, point->c_t, kin->slip_q, turned, l->K);
    add_turning(point, l->K);
    add_product(kin, point->c_n, acts, feels, l->C);
    add_product(kin, point->c_t, kin->slip_q, kin->slip_q, l->C);
    if (point->holds_gap) add_row(kin, acts, feels, row++, l->K);
    if (point->holds_slip) add_row(kin, kin->slip_q, kin->slip_q, row++, l->K);
    row += add_states(point, turned, row, l);
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
  for (int c = 0; c < closed.count; c++) l->held += rows_of(&closed.points[c]);
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
  add_closed(&closed, state->v, l);
done:
  for (int c = 0; c < closed.count; c++) fw_linear_contact_clear(&closed.points[c]);
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
