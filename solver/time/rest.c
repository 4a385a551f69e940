/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/settle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/load.h"
#include "solver/time/step.h"

static const double BALANCED = 1e-10; /* of the largest load */

static double largest(const double *x, int64_t n) {
  double most = 0.0;
  for (int64_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* Finds the reactions at the state as it is; what they leave of the loads would accelerate it. They are not found with
 * freedoms that have no mass: these do not stay. */
static fw_status stays(fw_context *ctx, fw_system *system, const double *f, fw_state *state, bool *stays) {
  double *left = NULL;
  FW_TRY(fw_alloc(ctx, (size_t)system->size, sizeof *left, &left));
  state->a[0] = NAN;
  fw_status status = fw_initial_acceleration(ctx, system, f, state);
  if (status == FW_OK && isfinite(state->a[0])) {
    fw_sparse_multiply(system->M, 1.0, state->a, left);
    *stays = largest(left, system->size) <= BALANCED * largest(f, system->size);
  }
  free(left);
  return status;
}

static fw_status move(fw_context *ctx, fw_system *system, const double *f, fw_state *state) {
  fw_status status = FW_OK;
  fw_stepper *stepper = NULL;
  fw_state *old = NULL;
  FW_TRY_DONE(fw_state_copy(ctx, state, &old));
  FW_TRY_DONE(fw_stepper_create(ctx, system, false, &stepper));
  fw_step_job job = {.old = old, .rhs = f, .time = state->time};
  status = fw_stepper_solve(ctx, stepper, &job, state);
  if (status > 0 && system->model->contact_count == 0) {
    job.line_search = true;
    fw_state_assign(state, old);
    status = fw_stepper_solve(ctx, stepper, &job, state);
  }
  if (status > 0)
    status = fw_fail(ctx, FW_ERR_ANALYSIS,
                     "no equilibrium under the loads was found in one step (%s): let a static analysis find it and "
                     "start from that",
                     fw_status_text(status));
  if (status == FW_OK) fw_stepper_commit(&job, state);
done:
  fw_stepper_destroy(&stepper);
  fw_state_destroy(&old);
  return status;
}

fw_status fw_rest_reach(fw_context *ctx, fw_system *system, fw_state *state) {
  double *f = NULL;
  bool at_rest = false;
  fw_state *tried = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *f, &f));
  fw_loads_force(system->model, state->load_factors, 0.0, 0.0, f);
  FW_TRY_DONE(fw_state_copy(ctx, state, &tried));
  FW_TRY_DONE(stays(ctx, system, f, tried, &at_rest));
  if (at_rest)
    fw_state_assign(state, tried);
  else { /* the joints' first forces make stiff what only hangs */
    memcpy(state->lambda, tried->lambda, (size_t)system->model->constraint_count * sizeof *state->lambda);
    FW_TRY_DONE(move(ctx, system, f, state));
  }
  memset(state->a, 0, (size_t)system->model->dof_count * sizeof *state->a);
done:
  free(f);
  fw_state_destroy(&tried);
  return status;
}
