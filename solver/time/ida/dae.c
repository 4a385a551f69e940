/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/dae.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/load.h"
#include "solver/time/ida/contact_rows.h"
#include "solver/time/ida/held.h"

/* ---- creation ---------------------------------------------------------------------------- */

static void start_modes(fw_dae *dae, const fw_state *state) {
  const fw_model *model = dae->model;
  dae->z_count = 0;
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++) {
      const fw_pair *pair = model->pairs[p];
      const fw_touch *touch = &state->touch[pair->first_contact + i];
      fw_dae_point *point = &dae->points[pair->first_contact + i];
      bool rate = fw_pair_has_rates(pair);
      bool at_rest = touch->status != FW_SLIP || fabs(touch->slip_velocity) <= FW_DAE_REST;
      *point = (fw_dae_point){.pair = pair, .follower = i, .first_z = rate ? dae->z_count : -1, .least = DBL_MIN};
      point->closed = !fw_normal_is_rigid(&pair->normal) || touch->status != FW_OPEN;
      point->mode = !point->closed || !fw_pair_rubs(pair) ? FW_TANGENT_FREE
                    : !fw_pair_is_rigid(pair)             ? FW_TANGENT_LAW
                    : at_rest                             ? FW_TANGENT_STICK
                                                          : FW_TANGENT_SLIP;
      point->direction = touch->slip_velocity < 0.0 ? -1.0 : 1.0;
      dae->z_count += rate ? pair->states : 0;
    }
}

fw_status fw_dae_create(fw_context *ctx, fw_system *system, const fw_state *committed, double omega,
                        double stabilisation, fw_dae **dae) {
  fw_status status = FW_OK;
  fw_dae *d = NULL;
  const fw_model *model = system->model;
  size_t most = 0;
  FW_TRY(fw_system_thin(ctx, system));
  FW_TRY(fw_alloc(ctx, 1, sizeof *d, &d));
  d->system = system;
  d->model = model;
  d->n = model->dof_count;
  d->omega = omega;
  d->stabilisation = stabilisation;
  d->committed = committed;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->contact_count, sizeof *d->points, &d->points));
  start_modes(d, committed);
  d->z_at = 2 * d->n;
  d->contact_at = d->z_at + d->z_count;
  d->lambda_at = d->contact_at + 2 * model->contact_count;
  d->size = d->lambda_at + model->constraint_count;
  for (int p = 0; p < model->pair_count; p++)
    most = (size_t)model->pairs[p]->states > most ? (size_t)model->pairs[p]->states : most;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *d->force, &d->force));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *d->inner, &d->inner));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->z_count, sizeof *d->z_trial, &d->z_trial));
  FW_TRY_DONE(fw_alloc(ctx, most * most + most * (FW_STEP_INPUTS + 4) + FW_STEP_INPUTS, sizeof *d->work, &d->work));
  FW_TRY_DONE(fw_dae_pattern(ctx, d));
done:
  if (status != FW_OK) fw_dae_destroy(&d);
  *dae = d;
  return status;
}

void fw_dae_set_least_speed(fw_dae *dae, double speed) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    if (!fw_pair_is_rigid(point->pair)) continue;
    const fw_friction *law = &point->pair->friction;
    fw_limit_out limit = fw_friction_limit(law, DBL_MIN, 1.0, fw_dae_states(point, dae->committed));
    if (fabs(limit.slip_v) * speed > 1e30) point->least = speed;
  }
}

void fw_dae_destroy(fw_dae **dae) {
  if (!dae || !*dae) return;
  fw_dae *d = *dae;
  fw_sparse_destroy(&d->jacobian);
  fw_shared_clear(&d->shared);
  fw_shared_clear(&d->jam);
  free(d->points);
  free(d->force);
  free(d->inner);
  free(d->z_trial);
  free(d->work);
  free(d->structure_q);
  free(d->structure_v);
  free(d);
  *dae = NULL;
}

/* ---- residual ---------------------------------------------------------------------------- */

fw_status fw_dae_residual(fw_context *ctx, fw_dae *dae, double t, const double *y, const double *y_dot, double *F) {
  const fw_model *model = dae->model;
  int64_t n = dae->n;
  const double *v = y + n, *v_dot = y_dot + n;
  memset(dae->force, 0, (size_t)dae->system->size * sizeof *dae->force);
  fw_loads_force(model, dae->committed->load_factors, t, dae->omega, dae->force);
  FW_TRY(fw_system_force(ctx, dae->system, y, y + dae->lambda_at, t, dae->inner, false));
  fw_system_turn(dae->system, y);
  double *momentum = F + n;
  for (int64_t i = 0; i < n; i++) {
    F[i] = y_dot[i] - v[i];
    momentum[i] = dae->inner[i] - dae->force[i];
  }
  const fw_sparse *M = dae->system->products.M, *C = dae->system->products.C;
  for (int64_t j = 0; j < n; j++)
    for (int64_t k = M->p[j]; k < M->p[j + 1]; k++)
      if (M->i[k] < n) momentum[M->i[k]] += M->x[k] * v_dot[j] + C->x[k] * v[j];
  for (int c = 0; c < model->contact_count; c++) FW_TRY(fw_contact_residual(dae, c, t, y, y_dot, F));
  fw_shared_residual(dae, y, F);
  fw_constraints_residual(dae, t, y, y_dot, F);
  for (int64_t i = 0; i < dae->size; i++)
    if (!isfinite(F[i])) return FW_RECOVER_NAN;
  return FW_OK;
}

/* ---- Jacobian ---------------------------------------------------------------------------- */

static void structure_jacobian(fw_dae *dae, double cj) {
  const fw_system *system = dae->system;
  for (int64_t j = 0; j < system->K->n; j++)
    for (int64_t at = system->K->p[j]; at < system->K->p[j + 1]; at++) {
      int64_t i = system->K->i[at];
      if (i < dae->n && j < dae->n) {
        dae->jacobian->x[dae->structure_q[at]] += system->K->x[at];
        dae->jacobian->x[dae->structure_v[at]] += cj * system->M->x[at] + system->C->x[at];
      } else if (i < dae->n) {
        fw_dae_put(dae, dae->n + i, dae->lambda_at + j - dae->n, system->K->x[at]);
      }
    }
}

fw_status fw_dae_jacobian(fw_context *ctx, fw_dae *dae, double t, double c, const double *y, const double *y_dot) {
  memset(dae->jacobian->x, 0, (size_t)dae->jacobian->p[dae->size] * sizeof(double));
  if (!dae->system->linear) FW_TRY(fw_system_force(ctx, dae->system, y, y + dae->lambda_at, t, dae->inner, true));
  for (int64_t i = 0; i < dae->n; i++) {
    fw_dae_put(dae, i, i, c);
    fw_dae_put(dae, i, dae->n + i, -1.0);
  }
  fw_system_turn(dae->system, y);
  structure_jacobian(dae, c);
  fw_constraints_jacobian(dae, t, c, y, y_dot);
  for (int p = 0; p < dae->model->contact_count; p++) FW_TRY(fw_contact_jacobian(dae, p, t, c, y, y_dot));
  fw_shared_jacobian(dae);
  return FW_OK;
}

/* ---- states ------------------------------------------------------------------------------ */

void fw_dae_pack(const fw_dae *dae, const fw_state *state, double *y, double *y_dot) {
  int64_t n = dae->n;
  memset(y_dot, 0, (size_t)dae->size * sizeof *y_dot);
  memcpy(y, state->q, (size_t)n * sizeof *y);
  memcpy(y + n, state->v, (size_t)n * sizeof *y);
  memcpy(y_dot, state->v, (size_t)n * sizeof *y);
  memcpy(y_dot + n, state->a, (size_t)n * sizeof *y);
  memcpy(y + dae->lambda_at, state->lambda, (size_t)dae->model->constraint_count * sizeof *y);
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_dae_point *point = &dae->points[c];
    y[dae->contact_at + 2 * c] = state->touch[c].N;
    y[dae->contact_at + 2 * c + 1] = state->touch[c].T;
    if (point->first_z >= 0)
      memcpy(y + dae->z_at + point->first_z, fw_dae_states(point, state), (size_t)point->pair->states * sizeof *y);
  }
}

fw_status fw_dae_unpack(fw_dae *dae, double t, const double *y, const double *y_dot, fw_state *state) {
  int64_t n = dae->n;
  state->time = t;
  memcpy(state->q, y, (size_t)n * sizeof *y);
  memcpy(state->v, y + n, (size_t)n * sizeof *y);
  memcpy(state->a, y_dot + n, (size_t)n * sizeof *y);
  memcpy(state->lambda, y + dae->lambda_at, (size_t)dae->model->constraint_count * sizeof *y);
  for (int c = 0; c < dae->model->contact_count; c++)
    FW_TRY(fw_contact_unpack(dae, c, t, y, &state->touch[c], fw_dae_states(&dae->points[c], state)));
  return FW_OK;
}
