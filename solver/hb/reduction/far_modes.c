/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/reduction/far_modes.h"

#include <stdlib.h>

#include "solver/hb/monodromy.h"

fw_status fw_far_modes(fw_context *ctx, const fw_vibration *v, const fw_response *r, const fw_orbit *orbit,
                       fw_floquet *stability) {
  fw_status status = FW_OK;
  fw_solver solver = {0};
  double *residual = NULL;
  fw_response_options options = r->options;
  *stability = (fw_floquet){0};
  if (options.samples < FW_FAR_MODES * FW_SAMPLES_A_CYCLE) options.samples = FW_FAR_MODES * FW_SAMPLES_A_CYCLE;
  FW_TRY_DONE(fw_solver_init(ctx, v, &options, &solver));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)solver.balance.n, sizeof *residual, &residual));
  status = fw_balance_residual(&solver.balance, orbit->y, residual, NULL, NULL);
  if (status > 0) {
    stability->why = "friction does not come back to its state";
    status = FW_OK;
  } else if (status == FW_OK) {
    status = fw_floquet_find(ctx, &solver.balance, orbit->y, stability);
  }
done:
  free(residual);
  fw_solver_clear(&solver);
  return status;
}
