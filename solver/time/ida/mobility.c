/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/mobility.h"

#include <stdlib.h>

static void fill_directions(const fw_dae *dae, fw_mobility *r) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_kinematic *kin = &dae->points[c].kin;
    double *gap = r->columns + 2 * c * r->size, *slip = gap + r->size;
    for (int i = 0; i < kin->count; i++) {
      gap[kin->dof[i]] = kin->gap_q[i];
      slip[kin->dof[i]] = kin->slip_q[i];
    }
  }
}

static void fill_compliance(const fw_dae *dae, fw_mobility *r) {
  int n = 2 * dae->model->contact_count;
  for (int row = 0; row < n; row++) {
    const fw_kinematic *kin = &dae->points[row / 2].kin;
    const double *direction = row % 2 ? kin->slip_q : kin->gap_q;
    for (int column = 0; column < n; column++)
      r->D[row * n + column] = fw_kinematic_along(kin, direction, r->columns + column * r->size);
  }
}

fw_status fw_mobility_create(fw_context *ctx, fw_dae *dae, const fw_state *state, fw_mobility *mobility) {
  fw_status status = FW_OK;
  fw_system *system = dae->system;
  fw_sparse *A = NULL;
  size_t directions = 2 * (size_t)dae->model->contact_count;
  *mobility = (fw_mobility){.size = system->size};
  if (!system->linear) /* joints' G stands in K */
    FW_TRY_DONE(fw_system_force(ctx, system, state->q, state->lambda, state->time, dae->inner, true));
  FW_TRY_DONE(fw_sparse_like(ctx, system->K, &A));
  fw_sparse_saddle(system->M, system->K, dae->n, A);
  FW_TRY_DONE(fw_factor_create(ctx, A, &mobility->factor));
  int64_t column = -1;
  status = fw_factor_compute(ctx, mobility->factor, A, &column);
  if (status == FW_ERR_SINGULAR) {
    char where[160];
    fw_system_describe(system, column, where, sizeof where);
    status = fw_fail(ctx, status, "%s has no mass: integrate with solver=\"alpha\", or use consistent mass", where);
  }
  FW_TRY_DONE(status);
  FW_TRY_DONE(fw_alloc(ctx, directions * (size_t)mobility->size, sizeof(double), &mobility->columns));
  FW_TRY_DONE(fw_alloc(ctx, directions * directions, sizeof(double), &mobility->D));
  fill_directions(dae, mobility);
  if (directions) FW_TRY_DONE(fw_factor_solve(ctx, mobility->factor, mobility->columns, (int)directions));
  fill_compliance(dae, mobility);
done:
  fw_sparse_destroy(&A);
  return status;
}

void fw_mobility_clear(fw_mobility *mobility) {
  fw_factor_destroy(&mobility->factor);
  free(mobility->columns);
  free(mobility->D);
  *mobility = (fw_mobility){0};
}
