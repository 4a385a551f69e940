/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/enforce/penalty.h"
#include "solver/assembly/constraints.h"
#include "solver/time/step_parts.h"

/* Constraints that say the same share their force as if each yielded by so much of the structure behind it; the next
 * iteration takes back what they gave way. */
static double yielding(const fw_kkt *w) { return fmax(1e-8, 100.0 * w->anchor); }

/* ---- room -------------------------------------------------------------------------------- */

static size_t law_room(const fw_model *model) {
  size_t most = 0;
  for (int p = 0; p < model->pair_count; p++) {
    size_t room = fw_local_work(model->pairs[p]);
    most = room > most ? room : most;
  }
  return most;
}

fw_status fw_kkt_create(fw_context *ctx, fw_stepper *s) {
  fw_kkt *w = &s->kkt;
  size_t points = (size_t)s->model->contact_count;
  if (w->diagonal) return FW_OK;
  FW_TRY(fw_alloc(ctx, points, sizeof *w->point, &w->point));
  FW_TRY(fw_alloc(ctx, points, sizeof *w->local, &w->local));
  FW_TRY(fw_alloc(ctx, points, sizeof *w->conditions, &w->conditions));
  FW_TRY(fw_alloc(ctx, 2 * points, sizeof *w->fresh, &w->fresh));
  w->swings = w->fresh + points;
  FW_TRY(fw_alloc(ctx, 7 * points, sizeof *w->N, &w->N));
  w->T = w->N + points;
  w->dN = w->T + points;
  w->dT = w->dN + points;
  w->law_T = w->dT + points;
  w->slip = w->law_T + points;
  w->change = w->slip + points;
  FW_TRY(fw_alloc(ctx, (size_t)s->system->size + 2 * points, sizeof *w->step, &w->step));
  FW_TRY(fw_alloc(ctx, law_room(s->model), sizeof *w->work, &w->work));
  return fw_alloc(ctx, (size_t)s->model->dof_count, sizeof *w->diagonal, &w->diagonal);
}

void fw_kkt_clear(fw_stepper *s) {
  fw_kkt *w = &s->kkt;
  void *blocks[] = {w->point, w->local, w->conditions, w->fresh, w->N, w->step, w->work, w->diagonal};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
  fw_sparse_destroy(&w->A);
  fw_factor_destroy(&w->factor);
  *w = (fw_kkt){0};
}

/* ---- pattern ----------------------------------------------------------------------------- */

static void point_entries(const fw_kinematic *kin, int64_t row, fw_entries *entries) {
  fw_entries_clique(entries, kin->dof, kin->count);
  for (int i = 0; i < kin->count; i++)
    for (int k = 0; k < 2; k++) {
      fw_entries_add(entries, row + k, kin->dof[i]);
      fw_entries_add(entries, kin->dof[i], row + k);
    }
  for (int k = 0; k < 4; k++) fw_entries_add(entries, row + k / 2, row + k % 2);
}

static void whole_entries(const void *user, fw_entries *entries) {
  const fw_stepper *s = user;
  fw_sparse_entries(s->system->K, entries);
  for (int i = 0; i < s->kkt.count; i++)
    point_entries(&s->kin[s->kkt.point[i]], s->system->size + 2 * (int64_t)i, entries);
}

static bool has_point(const fw_sparse *A, const fw_kinematic *kin, int64_t row) {
  if (fw_sparse_position(A, row, row) < 0) return false;
  for (int i = 0; i < kin->count; i++)
    for (int j = 0; j < kin->count; j++)
      if (fw_sparse_position(A, kin->dof[i], row) < 0 || fw_sparse_position(A, kin->dof[i], kin->dof[j]) < 0)
        return false;
  return true;
}

/* A matrix with room for the points of the list: that of the last iteration where it has. */
static fw_status take_matrix(fw_context *ctx, fw_stepper *s) {
  fw_kkt *w = &s->kkt;
  int64_t size = s->system->size + 2 * (int64_t)w->count;
  bool fits = w->A && w->A->n == size;
  for (int i = 0; fits && i < w->count; i++)
    fits = has_point(w->A, &s->kin[w->point[i]], s->system->size + 2 * (int64_t)i);
  if (fits) return FW_OK;
  fw_sparse_destroy(&w->A);
  fw_factor_destroy(&w->factor);
  FW_TRY(fw_sparse_create(ctx, size, whole_entries, s, &w->A));
  return fw_factor_create(ctx, w->A, &w->factor);
}

/* ---- values ------------------------------------------------------------------------------ */

static void add(fw_sparse *A, int64_t row, int64_t column, double value) {
  A->x[fw_sparse_position(A, row, column)] += value;
}

/* -(c_M M + K); a column of the whole begins with the rows of the structure's. */
static void fill_structure(fw_stepper *s, const fw_step_job *job) {
  const fw_sparse *K = s->system->K, *M = s->system->M;
  fw_sparse *A = s->kkt.A;
  memset(A->x, 0, (size_t)A->p[A->n] * sizeof *A->x);
  for (int64_t j = 0; j < K->n; j++)
    for (int64_t k = K->p[j], at = A->p[j]; k < K->p[j + 1]; k++) {
      while (A->i[at] < K->i[k]) at++;
      A->x[at] = -(K->x[k] + job->mass * M->x[k]);
    }
}

/* The freedoms' own place holds them as little as rounding allows where nothing else does. */
static void hold_freedoms(fw_stepper *s, const bool *turning) {
  const fw_kkt *w = &s->kkt;
  for (int i = 0; i < s->model->dof_count; i++) {
    double least = 1e-3 * w->stiffest[turning[i]];
    add(w->A, i, i, -w->anchor * fmax(w->diagonal[i], least));
  }
}

static void fill_curvature(fw_sparse *A, const fw_kinematic *kin, const fw_touch *touch) {
  for (int i = 0; kin->curved && i < kin->count; i++)
    for (int j = 0; j < kin->count; j++) {
      int k = i * kin->count + j;
      add(A, kin->dof[i], kin->dof[j], touch->N * kin->gap_qq[k] - touch->T * kin->slip_qq[k]);
    }
}

static bool rubs(const fw_kkt *w, int contact) {
  return w->conditions[contact].status != FW_OPEN && fw_pair_rubs(w->local[contact].pair);
}

/* Elastic stick may go to and fro between its limits in Newton's steps: its tangent there, 0, tells nothing of what is
 * between; the secant over the step does. */
static double slope_by_slip(fw_kkt *w, const fw_kinematic *kin, const fw_touch *touch, int c) {
  static const double much = 0.1;
  const fw_local_residual *on = &w->conditions[c];
  double law_T = touch->T - on->r_t, change = law_T - w->law_T[c], slipped = kin->slip - w->slip[c];
  bool changed = fabs(change) > much * fmax(fabs(law_T), fabs(w->law_T[c]));
  w->swings[c] = w->swings[c] || (changed && change * w->change[c] < 0.0);
  w->change[c] = change;
  if (!w->swings[c] || !changed || !(change * slipped > 0.0)) return on->t_slip;
  return fmin(on->t_slip, -change / slipped);
}

/* What was not closed carried nothing and has no friction to follow yet; while points still close and open the forces
 * at them are far from what they will be, and friction that follows these makes them close and open the more. */
bool fw_kkt_holds(const fw_kkt *w, int contact) { return w->fresh[contact] || (w->holding && rubs(w, contact)); }

/* Directions turn by N times their curvature, of use where N is nearly known. */
static void fill_point(fw_stepper *s, const fw_state *state, int i) {
  fw_kkt *w = &s->kkt;
  int c = w->point[i];
  const fw_kinematic *kin = &s->kin[c];
  fw_local_residual on = w->conditions[c];
  int64_t row = s->system->size + 2 * (int64_t)i;
  if (rubs(w, c) && !fw_pair_is_rigid(w->local[c].pair)) on.t_slip = slope_by_slip(w, kin, &state->touch[c], c);
  if (fw_kkt_holds(w, c)) on.t_N = on.t_T = 0.0, on.t_slip = -w->local[c].scale_t;
  for (int k = 0; k < kin->count; k++) {
    add(w->A, kin->dof[k], row, kin->gap_q[k]);
    add(w->A, kin->dof[k], row + 1, -kin->slip_q[k]);
    add(w->A, row, kin->dof[k], on.n_gap * kin->gap_q[k]);
    add(w->A, row + 1, kin->dof[k], on.t_slip * kin->slip_q[k]);
  }
  add(w->A, row, row, on.n_N + (on.n_N == 0.0 ? yielding(w) : 0.0));
  add(w->A, row + 1, row, on.t_N);
  add(w->A, row + 1, row + 1, on.t_T + (on.t_T == 0.0 ? yielding(w) : 0.0));
  if (w->settled) fill_curvature(w->A, kin, &state->touch[c]);
}

static fw_status mark_rotations(fw_context *ctx, const fw_model *model, bool **turning) {
  FW_TRY(fw_alloc(ctx, (size_t)model->dof_count, sizeof **turning, turning));
  for (int n = 0; n < model->node_count; n++)
    for (int k = 0; k < fw_node_dofs(&model->nodes[n]); k++)
      if (fw_dof_turns(k) && model->nodes[n].dof[k] >= 0) (*turning)[model->nodes[n].dof[k]] = true;
  return FW_OK;
}

static fw_status fill_and_factor(fw_context *ctx, fw_stepper *s, const fw_step_job *job, const fw_state *state,
                                 const bool *turning) {
  fw_kkt *w = &s->kkt;
  fill_structure(s, job);
  if (w->anchor > 0.0) hold_freedoms(s, turning);
  for (int i = 0; i < w->count; i++) fill_point(s, state, i);
  s->statistics.factorisations++;
  return fw_factor_compute(ctx, w->factor, w->A, NULL);
}

fw_status fw_kkt_factor(fw_context *ctx, fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  static const double least = 1e-10, most = 1e-5;
  bool *turning = NULL;
  fw_kkt *w = &s->kkt;
  FW_TRY(take_matrix(ctx, s));
  FW_TRY(mark_rotations(ctx, s->model, &turning));
  fw_status status = fill_and_factor(ctx, s, job, state, turning);
  while (status == FW_ERR_SINGULAR && w->anchor < most) {
    w->anchor = fmax(least, 100.0 * w->anchor);
    status = fill_and_factor(ctx, s, job, state, turning);
  }
  free(turning);
  if (status == FW_OK) s->statistics.factor_memory = fw_factor_memory(w->factor);
  if (status != FW_ERR_SINGULAR) return status;
  FW_TRY(fw_constraints_redundant(ctx, s->model, NULL, 0.0));
  return FW_RECOVER_DIVERGED; /* friction jams at this iterate; a shorter load step goes round it */
}
