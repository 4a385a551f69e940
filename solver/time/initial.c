/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/settle.h"

#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "solver/assembly/constraints.h"
#include "solver/assembly/linearised.h"

/* Adds the forces of compliant contact directions; the rigid ones the solve supplies. */
static fw_status compliant_contact(const fw_model *model, fw_state *state, double *rhs) {
  for (int p = 0; p < model->pair_count; p++) {
    const fw_pair *pair = model->pairs[p];
    bool hard = fw_normal_is_rigid(&pair->normal);
    bool stick = fw_pair_is_rigid(pair);
    for (int i = 0; i < pair->count; i++) {
      fw_touch *touch = &state->touch[pair->first_contact + i];
      if (touch->status == FW_OPEN) continue;
      fw_kinematic kin;
      FW_TRY(fw_pair_kinematics(model, pair, i, state->q, touch, state->q, &kin));
      double N = hard ? 0.0 : touch->N, T = stick && touch->status == FW_STICK ? 0.0 : touch->T;
      fw_kinematic_push(&kin, N, T, rhs);
    }
  }
  return FW_OK;
}

/* The multipliers stand in the order in which fw_linearise holds directions: gap, then slip, per point. What touches
 * without being closed yet was held too, and keeps what it has. */
static fw_status take_multipliers(const fw_model *model, const double *multipliers, fw_state *state) {
  for (int p = 0; p < model->pair_count; p++) {
    const fw_pair *pair = model->pairs[p];
    bool hard = fw_normal_is_rigid(&pair->normal);
    bool stick = fw_pair_is_rigid(pair);
    for (int i = 0; i < pair->count; i++) {
      fw_touch *touch = &state->touch[pair->first_contact + i];
      fw_kinematic kin;
      fw_status status = fw_pair_kinematics(model, pair, i, state->q, touch, state->q, &kin);
      if (status == FW_RECOVER_CONTACT) continue;
      FW_TRY(status);
      if (!fw_linear_contact_closed(touch, &kin)) continue;
      double N = hard ? -*multipliers++ : touch->N;
      if (touch->status != FW_OPEN) touch->N = N;
      if (stick && touch->status == FW_STICK) touch->T = *multipliers++;
    }
  }
  return FW_OK;
}

fw_status fw_initial_acceleration(fw_context *ctx, fw_system *system, const double *f, fw_state *state) {
  fw_status status = FW_OK;
  const fw_model *model = system->model;
  fw_linearised *linear = NULL;
  fw_sparse *A = NULL;
  fw_factor *factor = NULL;
  double *rhs = NULL, *f_int = NULL, *bend = NULL;
  FW_TRY_DONE(fw_linearise(ctx, system, state, FW_VIEW_CONSTRAINTS, &linear));
  FW_TRY_DONE(fw_sparse_like(ctx, linear->K, &A));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)A->n, sizeof *rhs, &rhs));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *f_int, &f_int));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->constraint_count + 1, sizeof *bend, &bend));
  /* without multipliers of joints: the solve supplies them */
  memset(state->lambda, 0, (size_t)model->constraint_count * sizeof *state->lambda);
  FW_TRY_DONE(fw_system_force(ctx, system, state->q, state->lambda, state->time, f_int, false));
  fw_system_turn(system, state->q);
  fw_sparse_multiply(system->C, -1.0, state->v, rhs);
  for (int i = 0; i < model->dof_count; i++) rhs[i] += f[i] - f_int[i];
  FW_TRY_DONE(compliant_contact(model, state, rhs));
  fw_constraints_find(model, state->q, state->v, state->time, &(fw_constraints){.bend = bend});
  for (int i = 0; i < model->constraint_count; i++) rhs[model->dof_count + i] = -bend[i];
  fw_sparse_saddle(linear->M, linear->K, model->dof_count, A);
  FW_TRY_DONE(fw_factor_create(ctx, A, &factor));
  status = fw_factor_compute(ctx, factor, A, NULL);
  if (status == FW_ERR_SINGULAR) {
    status = FW_OK;
    goto done;
  }
  FW_TRY_DONE(status);
  FW_TRY_DONE(fw_factor_solve(ctx, factor, rhs, 1));
  memcpy(state->a, rhs, (size_t)model->dof_count * sizeof *rhs);
  memcpy(state->lambda, rhs + model->dof_count, (size_t)model->constraint_count * sizeof *rhs);
  FW_TRY_DONE(take_multipliers(model, rhs + system->size, state));
done:
  fw_factor_destroy(&factor);
  fw_sparse_destroy(&A);
  fw_linearised_destroy(&linear);
  free(rhs);
  free(f_int);
  free(bend);
  return status;
}
