/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/linearised.h"

#include <math.h>
#include <stdlib.h>

#include "solver/linalg/eigen.h"

enum { MODES = 4 };
static const double ROUNDING = 1e-9; /* of the largest eigenvalue found */

static double growth_of(const double *values, int count) {
  double most = 0.0, lowest = 0.0;
  for (int i = 0; i < count; i++) {
    most = fmax(most, fabs(values[i]));
    lowest = fmin(lowest, values[i]);
  }
  return lowest < -ROUNDING * most ? sqrt(-lowest) : 0.0;
}

fw_status fw_growth_find(fw_context *ctx, fw_system *system, const fw_state *state, double *growth) {
  int n = system->model->dof_count, found = 0, wanted = n < MODES ? n : MODES;
  double values[MODES] = {0}, *vectors = NULL;
  fw_linearised *linear = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_linearise(ctx, system, state, FW_VIEW_AS_IS, &linear));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)wanted * (size_t)n, sizeof *vectors, &vectors));
  FW_TRY_DONE(fw_eigen_lowest(ctx, linear->K, linear->M, n, wanted, values, vectors, &found));
  *growth = growth_of(values, found);
done:
  fw_linearised_destroy(&linear);
  free(vectors);
  return status;
}
