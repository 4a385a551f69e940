/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/aft/dlft.h"

#include <math.h>
#include <string.h>

static const double HOME = 1e-6; /* the small multiple of u, beside du/dtau */

/* The law's sliding force on the side of the trial force; a speed of the other sign counts as none. */
static fw_limit_out limit_on_side(const fw_friction *law, double trial, double v, double N) {
  double on_side = fw_friction_side(trial >= 0 ? 1 : -1, v);
  fw_limit_out limit = fw_friction_limit(law, on_side, N, NULL);
  if (on_side != v) limit.slip_v = 0;
  return limit;
}

fw_stick_out fw_dlft_stick_at(const fw_aft_point *point, double t, double u, double v, double omega, double N) {
  double trial = t + point->stick_penalty * (v / omega + HOME * u);
  fw_limit_out limit = limit_on_side(point->friction, trial, v, fmax(N, 0));
  double margin = fabs(limit.slip) - fabs(trial);
  fw_stick_out sticks = {
      .T = trial, .by_u = HOME * point->stick_penalty, .by_v = point->stick_penalty / omega, .by_t = 1};
  fw_stick_out slides = {.T = limit.slip, .slides = true, .by_v = limit.slip_v, .by_N = N > 0 ? limit.slip_N : 0};
  fw_stick_out out = margin > 0 ? sticks : slides;
  out.margin = margin;
  return out;
}

void fw_dlft_stick(fw_aft *aft, const fw_aft_point *point, const double *tried, bool derivatives) {
  const fw_fourier *fourier = aft->fourier;
  int size = fourier->size;
  double *t = aft->T_law, omega = aft->omega;
  fw_fourier_sample(fourier, tried, t);
  for (int j = 0; j < fourier->samples; j++) {
    const double *basis = fourier->basis + (size_t)j * (size_t)size, *rate = fourier->rate + (size_t)j * (size_t)size;
    fw_stick_out out = fw_dlft_stick_at(point, t[j], aft->u[j], aft->v[j], omega, aft->N[j]);
    aft->slides[j] = out.slides;
    aft->margin[j] = out.margin;
    aft->T[j] = out.T;
    if (!derivatives) continue;
    double *row = aft->T_x + (size_t)j * (size_t)(2 * size);
    const double *N_row = aft->N_x + (size_t)j * (size_t)size;
    for (int c = 0; c < size; c++) {
      row[c] = out.by_u * basis[c] + out.by_v * omega * rate[c];
      row[size + c] = out.by_N * N_row[c];
    }
  }
  if (!derivatives) return;
  memset(aft->T_t, 0, (size_t)(size * size) * sizeof(double));
  for (int j = 0; j < fourier->samples; j++) {
    if (aft->slides[j]) continue;
    const double *basis = fourier->basis + (size_t)j * (size_t)size;
    for (int r = 0; r < size; r++)
      for (int c = 0; c < size; c++) aft->T_t[r * size + c] += (r ? 2 : 1) * basis[r] * basis[c] / fourier->samples;
  }
}
