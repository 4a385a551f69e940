/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/assembly/constraints.h"

enum { ROUNDS_MOST = 60 };
static const double closed = 1e-12; /* of the model's size, or of the largest freedom */

/* [W G^T; G -e] with W the masses. Held freedoms keep their place; freedoms without mass get a little. The small e
 * lets equations that say the same, or that only held freedoms could fulfil, pass: whether the outcome closes
 * all joints is looked at afterwards. */
typedef struct reach {
  fw_context *ctx;
  fw_system *system;
  const fw_model *model;
  fw_sparse *A;
  fw_factor *factor;
  double *x, *f, *values; /* [size] */
  double light;           /* mass given to a freedom without */
} reach;

static double mean_mass(const fw_system *system, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += system->M->x[fw_sparse_position(system->M, i, i)];
  return sum > 0.0 ? sum / n : 1.0;
}

static void fill_matrix(reach *r, const bool *held) {
  const fw_system *system = r->system;
  int64_t n = r->model->dof_count;
  fw_sparse_saddle(system->M, system->K, n, r->A);
  for (int64_t j = 0; j < r->A->n; j++)
    for (int64_t k = r->A->p[j]; k < r->A->p[j + 1]; k++) {
      int64_t i = r->A->i[k];
      bool fixed = held && ((i < n && held[i]) || (j < n && held[j]));
      double value = r->A->x[k];
      if (i >= n && j >= n) value = i == j ? -1e-9 / r->light : 0.0;
      if (fixed) value = 0.0;
      if (i == j && i < n && (fixed || value <= 0.0)) value = r->light;
      r->A->x[k] = value;
    }
}

/* Solves for the smallest change that removes r->values; it is left in r->x. */
static fw_status solve(reach *r, const fw_state *state, const bool *held) {
  int n = r->model->dof_count;
  FW_TRY(fw_system_force(r->ctx, r->system, state->q, state->lambda, state->time, r->f, true));
  fill_matrix(r, held);
  FW_TRY(fw_factor_compute(r->ctx, r->factor, r->A, NULL));
  memset(r->x, 0, (size_t)n * sizeof *r->x);
  for (int i = 0; i < r->model->constraint_count; i++) r->x[n + i] = -r->values[i];
  FW_TRY(fw_factor_solve(r->ctx, r->factor, r->x, 1));
  for (int i = 0; held && i < n; i++)
    if (held[i]) r->x[i] = 0.0;
  return FW_OK;
}

static fw_status refuse(reach *r, int equation, const char *what, double left, const char *unit) {
  const fw_joint *joint = fw_constraints_joint(r->model, equation);
  if (!joint) return fw_fail(r->ctx, FW_ERR_DECK, "initial %s: a tie stays open by %.3g %s", what, left, unit);
  return fw_fail_at(r->ctx, FW_ERR_DECK, joint->place,
                    "initial %s: joint \"%s\" cannot be met with the values given: %.3g %s are left", what, joint->id,
                    left, unit);
}

static fw_status reach_positions(reach *r, const bool *held, fw_state *state) {
  int n = r->model->dof_count, m = r->model->constraint_count, where = 0;
  double scale = fw_constraints_scale(r->model), left = 0.0;
  for (int round = 0; round < ROUNDS_MOST; round++) {
    fw_constraints_find(r->model, state->q, NULL, state->time, &(fw_constraints){.phi = r->values});
    left = fw_constraints_worst(r->values, m, &where);
    if (left <= closed * fmax(scale, fw_constraints_worst(state->q, n, NULL))) return FW_OK;
    if (!isfinite(left) || solve(r, state, held) != FW_OK) break;
    for (int i = 0; i < n; i++) state->q[i] += r->x[i];
  }
  return refuse(r, where, "positions", left, "m or rad");
}

static fw_status reach_velocities(reach *r, const bool *held, fw_state *state) {
  int n = r->model->dof_count, m = r->model->constraint_count, where = 0;
  double left = 0.0;
  for (int round = 0; round < ROUNDS_MOST; round++) {
    fw_constraints_find(r->model, state->q, state->v, state->time, &(fw_constraints){.rate = r->values});
    left = fw_constraints_worst(r->values, m, &where);
    if (left <= closed * fmax(1.0, fw_constraints_worst(state->v, n, NULL))) return FW_OK;
    if (!isfinite(left) || solve(r, state, held) != FW_OK) break;
    for (int i = 0; i < n; i++) state->v[i] += r->x[i];
  }
  return refuse(r, where, "velocities", left, "m/s or rad/s");
}

fw_status fw_constraints_reach(fw_context *ctx, fw_system *system, const bool *held, const bool *held_rate,
                               fw_state *state) {
  fw_status status = FW_OK;
  reach r = {.ctx = ctx, .system = system, .model = system->model};
  if (system->model->constraint_count == 0) return FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *r.x, &r.x));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *r.f, &r.f));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *r.values, &r.values));
  FW_TRY_DONE(fw_sparse_like(ctx, system->K, &r.A));
  FW_TRY_DONE(fw_factor_create(ctx, r.A, &r.factor));
  r.light = 1e-3 * mean_mass(system, system->model->dof_count);
  FW_TRY_DONE(reach_positions(&r, held, state));
  FW_TRY_DONE(reach_velocities(&r, held_rate, state));
done:
  free(r.x);
  free(r.f);
  free(r.values);
  fw_sparse_destroy(&r.A);
  fw_factor_destroy(&r.factor);
  return status;
}
