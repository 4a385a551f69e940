/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/linearised.h"

#include <math.h>
#include <stdlib.h>

#include "solver/linalg/eigen.h"
#include "solver/linalg/eigen_quadratic.h"

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

/* Where forces without potential act, by complex eigenvalues. */
static fw_status growth_of_pairs(fw_context *ctx, const fw_linearised *linear, double *growth) {
  fw_quadratic_pairs pairs;
  int64_t loose;
  double most = 0.0;
  fw_status status = fw_eigen_quadratic(ctx, linear->K, linear->C, linear->M, MODES, &pairs, &loose);
  for (int i = 0; i < pairs.count; i++) most = fmax(most, hypot(pairs.growth[i], pairs.omega[i]));
  for (int i = 0; i < pairs.count; i++)
    if (pairs.growth[i] > fmax(*growth, ROUNDING * most)) *growth = pairs.growth[i];
  fw_quadratic_pairs_clear(&pairs);
  return status;
}

fw_status fw_growth_find(fw_context *ctx, fw_system *system, const fw_state *state, double *growth) {
  int n = system->model->dof_count, found = 0, wanted = n < MODES ? n : MODES;
  double values[MODES] = {0}, *vectors = NULL;
  fw_linearised *linear = NULL;
  fw_status status = FW_OK;
  *growth = 0.0;
  FW_TRY_DONE(fw_linearise(ctx, system, state, FW_VIEW_AS_IS, &linear));
  if (system->K_flow) {
    FW_TRY_DONE(growth_of_pairs(ctx, linear, growth));
    goto done;
  }
  FW_TRY_DONE(fw_alloc(ctx, (size_t)wanted * (size_t)n, sizeof *vectors, &vectors));
  FW_TRY_DONE(fw_eigen_lowest(ctx, linear->K, linear->M, n, wanted, values, vectors, &found));
  *growth = growth_of(values, found);
done:
  fw_linearised_destroy(&linear);
  free(vectors);
  return status;
}
