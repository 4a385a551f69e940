/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/far_modes.h"

#include <stdlib.h>

#include "solver/hb/variation.h"

fw_status fw_far_modes(fw_context *ctx, const fw_vibration *v, const fw_response *r, const fw_orbit *orbit,
                       fw_stability *stability) {
  fw_status status = FW_OK;
  fw_balance balance = {0};
  double *residual = NULL;
  int samples = FW_FAR_MODES * FW_SAMPLES_A_CYCLE;
  *stability = (fw_stability){0};
  if (samples < r->wish.samples) samples = r->wish.samples;
  FW_TRY_DONE(fw_balance_init(ctx, &v->given, r->wish.H, samples, r->wish.opening, &balance));
  balance.level = r->wish.level;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)balance.n, sizeof *residual, &residual));
  status = fw_balance_residual(&balance, orbit->y, residual, NULL, NULL);
  if (status > 0) {
    stability->why = "friction does not come back to its state";
    status = FW_OK;
  } else if (status == FW_OK) {
    status = fw_stability_find(ctx, &balance, orbit->y, stability);
  }
done:
  free(residual);
  fw_balance_clear(&balance);
  return status;
}
