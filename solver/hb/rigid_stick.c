/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/rigid_stick.h"

#include <math.h>
#include <string.h>

static const double HOME = 1e-6; /* the small multiple of u, beside du/dtau */

/* The law's sliding force on the side of the trial force; a speed of the other sign counts as none. */
static fw_limit_out limit_on_side(const fw_friction *law, double trial, double v, double N) {
  fw_limit_out limit;
  double on_side = trial >= 0 ? fmax(v, 0) : fmin(v, -1e-300);
  law->ops->limit(law->constants, on_side, N, NULL, &limit);
  if (on_side != v) limit.slip_v = 0;
  return limit;
}

void fw_rigid_stick(fw_cycle *cycle, const fw_cycle_point *point, const double *tried, bool derivatives) {
  const fw_fourier *fourier = cycle->fourier;
  int size = fourier->size;
  double *t = cycle->T_law;
  fw_fourier_sample(fourier, tried, t);
  for (int j = 0; j < fourier->samples; j++) {
    const double *basis = fourier->basis + (size_t)j * (size_t)size, *rate = fourier->rate + (size_t)j * (size_t)size;
    double N = fmax(cycle->N[j], 0);
    double trial = t[j] + point->hold * (cycle->v[j] / cycle->omega + HOME * cycle->u[j]);
    fw_limit_out limit = limit_on_side(point->laws, trial, cycle->v[j], N);
    cycle->slides[j] = fabs(trial) >= fabs(limit.slip);
    cycle->T[j] = cycle->slides[j] ? limit.slip : trial;
    if (!derivatives) continue;
    double *row = cycle->T_x + (size_t)j * (size_t)(2 * size);
    const double *N_row = cycle->N_x + (size_t)j * (size_t)size;
    for (int c = 0; c < size; c++) {
      row[c] = cycle->slides[j] ? limit.slip_v * cycle->omega * rate[c] : point->hold * (rate[c] + HOME * basis[c]);
      row[size + c] = cycle->slides[j] && cycle->N[j] > 0 ? limit.slip_N * N_row[c] : 0;
    }
  }
  if (!derivatives) return;
  memset(cycle->T_t, 0, (size_t)(size * size) * sizeof(double));
  for (int j = 0; j < fourier->samples; j++) {
    if (cycle->slides[j]) continue;
    const double *basis = fourier->basis + (size_t)j * (size_t)size;
    for (int r = 0; r < size; r++)
      for (int c = 0; c < size; c++) cycle->T_t[r * size + c] += (r ? 2 : 1) * basis[r] * basis[c] / fourier->samples;
  }
}
