/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/aft/aft.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/hb/aft/aft_parts.h"
#include "solver/hb/aft/dlft.h"
#include "solver/hb/aft/period_map.h"

fw_status fw_aft_init(fw_context *ctx, const fw_fourier *fourier, int states, fw_aft *aft) {
  *aft = (fw_aft){.fourier = fourier, .states = states};
  size_t n = (size_t)fourier->samples, c = (size_t)fourier->size, s = (size_t)states;
  double **samples[] = {&aft->u,     &aft->v,      &aft->gap,   &aft->gap_rate, &aft->N,      &aft->N_elastic, &aft->T,
                        &aft->N_gap, &aft->N_rate, &aft->T_law, &aft->pressed,  &aft->lifted, &aft->margin};
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) FW_TRY(fw_alloc(ctx, n, sizeof(double), samples[i]));
  FW_TRY(fw_alloc(ctx, fw_switching_room(fourier->size), sizeof(double), &aft->pieces));
  FW_TRY(fw_alloc(ctx, c, sizeof(double), &aft->T_c));
  FW_TRY(fw_alloc(ctx, c, sizeof(double), &aft->N_c));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &aft->T_u));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &aft->T_w));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &aft->N_w));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &aft->T_t));
  FW_TRY(fw_alloc(ctx, n, sizeof(bool), &aft->slides));
  FW_TRY(fw_alloc(ctx, n * c, sizeof(double), &aft->N_x));
  FW_TRY(fw_alloc(ctx, n * 2 * c, sizeof(double), &aft->T_x));
  FW_TRY(fw_alloc(ctx, 2 * c * c, sizeof(double), &aft->T_xc));
  FW_TRY(fw_alloc(ctx, n * s, sizeof(double), &aft->T_z));
  FW_TRY(fw_alloc(ctx, c * s, sizeof(double), &aft->T_zc));
  FW_TRY(fw_alloc(ctx, s * 2 * c, sizeof(double), &aft->dz));
  FW_TRY(fw_alloc(ctx, s * 2 * c, sizeof(double), &aft->dz_next));
  FW_TRY(fw_alloc(ctx, s * 2 * c, sizeof(double), &aft->kept));
  FW_TRY(fw_alloc(ctx, 2 * s * s, sizeof(double), &aft->map));
  FW_TRY(fw_alloc(ctx, fw_period_map_room(s), sizeof(double), &aft->map_room));
  FW_TRY(fw_alloc(ctx, s * (FW_STEP_INPUTS + s + 2) + FW_STEP_INPUTS, sizeof(double), &aft->step));
  FW_TRY(fw_alloc(ctx, s, sizeof(double), &aft->z));
  FW_TRY(fw_alloc(ctx, n * s, sizeof(double), &aft->z_samples));
  FW_TRY(fw_alloc(ctx, 3 * s, sizeof(double), &aft->z_try));
  return FW_OK;
}

void fw_aft_clear(fw_aft *aft) {
  double *all[] = {aft->u,     aft->v,    aft->gap,     aft->gap_rate, aft->N,      aft->N_elastic, aft->T,
                   aft->N_gap, aft->T_c,  aft->N_c,     aft->T_u,      aft->T_w,    aft->N_w,       aft->N_x,
                   aft->T_x,   aft->T_z,  aft->T_zc,    aft->dz,       aft->map,    aft->map_room,  aft->dz_next,
                   aft->kept,  aft->step, aft->z,       aft->z_try,    aft->N_rate, aft->T_xc,      aft->z_samples,
                   aft->T_law, aft->T_t,  aft->pressed, aft->lifted};
  free(aft->slides);
  free(aft->pieces);
  free(aft->margin);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  *aft = (fw_aft){0};
}

/* ---- normal force ------------------------------------------------------------------------- */

fw_aft_normal_out fw_aft_normal_at(const fw_aft_point *point, double w, double rate, double n) {
  fw_aft_normal_out at = {.gap = point->gap0 + w, .gap_rate = rate};
  fw_normal_out out;
  switch (point->kind) {
    case FW_AFT_CONSTANT:
      return (fw_aft_normal_out){.gap = point->gap0, .N = point->N0, .elastic = point->N0, .pressed = point->N0};
    case FW_AFT_CLOSED:
      at = (fw_aft_normal_out){.N = point->N0 + w, .N_gap = 1};
      at.elastic = at.pressed = at.N;
      return at;
    case FW_AFT_OPENING:
      at.pressed = point->N0 + n - point->gap_penalty * (point->clearance + w);
      at.N = at.elastic = fmax(at.pressed, 0);
      at.N_gap = at.pressed > 0;
      return at;
    case FW_AFT_LAW:
      fw_normal_force(point->normal, at.gap, rate, &out);
      at.pressed = -at.gap;
      at.N = out.N;
      at.elastic = out.elastic;
      at.N_gap = out.N_gap;
      at.N_rate = out.N_rate;
  }
  return at;
}

/* N at every sample and its derivatives with respect to w and dw/dt. */
static void normal_samples(fw_aft *aft, const fw_aft_point *point, const fw_aft_in *in) {
  bool moves = point->kind != FW_AFT_CONSTANT, tried = point->kind == FW_AFT_OPENING;
  aft->sense = !moves ? 0 : point->kind == FW_AFT_LAW ? -1 : 1;
  if (moves) fw_fourier_sample(aft->fourier, in->w, aft->gap);
  if (moves) fw_fourier_sample_rate(aft->fourier, in->w, aft->gap_rate);
  if (tried) fw_fourier_sample(aft->fourier, in->n, aft->N);
  for (int j = 0; j < aft->fourier->samples; j++) {
    fw_aft_normal_out at = fw_aft_normal_at(point, moves ? aft->gap[j] : 0, moves ? aft->omega * aft->gap_rate[j] : 0,
                                            tried ? aft->N[j] : 0);
    aft->gap[j] = at.gap;
    aft->gap_rate[j] = at.gap_rate;
    aft->N[j] = at.N;
    aft->N_elastic[j] = at.elastic;
    aft->pressed[j] = at.pressed;
    aft->N_gap[j] = at.N_gap;
    aft->N_rate[j] = at.N_rate;
  }
}

/* N_x: derivative of every sample of N with respect to the coefficients w (FW_AFT_OPENING: n). */
static void normal_derivatives(fw_aft *aft) {
  int size = aft->fourier->size;
  for (int j = 0; j < aft->fourier->samples; j++) {
    const double *basis = aft->fourier->basis + (size_t)j * (size_t)size;
    const double *rate = aft->fourier->rate + (size_t)j * (size_t)size;
    double *row = aft->N_x + (size_t)j * (size_t)size;
    for (int c = 0; c < size; c++) row[c] = aft->N_gap[j] * basis[c] + aft->N_rate[j] * aft->omega * rate[c];
  }
}

static int most_pressed(const fw_aft *aft) {
  int most = 0;
  for (int j = 1; j < aft->fourier->samples; j++)
    if (aft->N[j] > aft->N[most]) most = j;
  return most;
}

/* T_u and T_w += projections of the samples' derivatives. */
static void project_derivatives(fw_aft *aft) {
  double *work = aft->T_xc;
  int size = aft->fourier->size, columns = 2 * size;
  fw_fourier_project(aft->fourier, aft->T_x, columns, work);
  for (int r = 0; r < size; r++)
    for (int c = 0; c < size; c++) {
      aft->T_u[r * size + c] += work[r * columns + c];
      aft->T_w[r * size + c] += work[r * columns + size + c];
    }
}

fw_status fw_aft_run(fw_aft *aft, const fw_aft_point *point, const fw_aft_in *in, bool derivatives) {
  int n = aft->fourier->samples, size = aft->fourier->size;
  size_t square = (size_t)(size * size) * sizeof(double);
  aft->omega = in->omega;
  aft->slip = in->u;
  aft->periodic = true;
  fw_fourier_sample(aft->fourier, in->u, aft->u);
  fw_fourier_sample_rate(aft->fourier, in->u, aft->v);
  for (int j = 0; j < n; j++) aft->v[j] *= in->omega;
  normal_samples(aft, point, in);
  aft->most = most_pressed(aft);
  aft->firm = fw_aft_is_firm(aft);
  memset(aft->T, 0, (size_t)n * sizeof(double));
  if (derivatives) {
    normal_derivatives(aft);
    memset(aft->T_u, 0, square);
    memset(aft->T_w, 0, square);
    if (point->stick_penalty > 0) memset(aft->T_x, 0, (size_t)(2 * size * n) * sizeof(double));
  }
  if (point->stick_penalty > 0)
    fw_dlft_stick(aft, point, in->t, derivatives);
  else
    fw_aft_add_friction(aft, point, derivatives);
  fw_fourier_project(aft->fourier, aft->T, 1, aft->T_c);
  fw_fourier_project(aft->fourier, aft->N, 1, aft->N_c);
  if (derivatives) {
    project_derivatives(aft);
    if (point->kind == FW_AFT_OPENING || point->kind == FW_AFT_LAW)
      fw_fourier_project(aft->fourier, aft->N_x, size, aft->N_w);
  }
  if (point->exact && (point->stick_penalty > 0 || point->kind == FW_AFT_OPENING))
    fw_switching_project(aft, point, in, derivatives);
  for (int c = 0; c < size; c++)
    if (!isfinite(aft->T_c[c]) || !isfinite(aft->N_c[c])) return FW_RECOVER_NAN;
  return FW_OK;
}
