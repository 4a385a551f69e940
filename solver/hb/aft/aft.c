/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/aft/aft.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/hb/aft/aft_parts.h"
#include "solver/hb/aft/dlft.h"
#include "solver/hb/aft/period_map.h"
#include "solver/hb/aft/switching.h"

fw_status fw_cycle_init(fw_context *ctx, const fw_fourier *fourier, int states, fw_cycle *cycle) {
  *cycle = (fw_cycle){.fourier = fourier, .states = states};
  size_t n = (size_t)fourier->samples, c = (size_t)fourier->size, s = (size_t)states;
  double **samples[] = {&cycle->u,         &cycle->v,      &cycle->gap,   &cycle->gap_rate, &cycle->N,
                        &cycle->N_elastic, &cycle->T,      &cycle->N_gap, &cycle->N_rate,   &cycle->T_law,
                        &cycle->pressed,   &cycle->lifted, &cycle->margin};
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) FW_TRY(fw_alloc(ctx, n, sizeof(double), samples[i]));
  FW_TRY(fw_alloc(ctx, fw_arcs_room(fourier->size), sizeof(double), &cycle->arcs));
  FW_TRY(fw_alloc(ctx, c, sizeof(double), &cycle->T_c));
  FW_TRY(fw_alloc(ctx, c, sizeof(double), &cycle->N_c));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &cycle->T_u));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &cycle->T_w));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &cycle->N_w));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &cycle->T_t));
  FW_TRY(fw_alloc(ctx, n, sizeof(bool), &cycle->slides));
  FW_TRY(fw_alloc(ctx, n * c, sizeof(double), &cycle->N_x));
  FW_TRY(fw_alloc(ctx, n * 2 * c, sizeof(double), &cycle->T_x));
  FW_TRY(fw_alloc(ctx, 2 * c * c, sizeof(double), &cycle->T_xc));
  FW_TRY(fw_alloc(ctx, n * s, sizeof(double), &cycle->T_z));
  FW_TRY(fw_alloc(ctx, c * s, sizeof(double), &cycle->T_zc));
  FW_TRY(fw_alloc(ctx, s * 2 * c, sizeof(double), &cycle->dz));
  FW_TRY(fw_alloc(ctx, s * 2 * c, sizeof(double), &cycle->dz_next));
  FW_TRY(fw_alloc(ctx, s * 2 * c, sizeof(double), &cycle->kept));
  FW_TRY(fw_alloc(ctx, 2 * s * s, sizeof(double), &cycle->map));
  FW_TRY(fw_alloc(ctx, fw_period_map_room(s), sizeof(double), &cycle->map_room));
  FW_TRY(fw_alloc(ctx, s * (FW_STEP_INPUTS + s + 2) + FW_STEP_INPUTS, sizeof(double), &cycle->step));
  FW_TRY(fw_alloc(ctx, s, sizeof(double), &cycle->z));
  FW_TRY(fw_alloc(ctx, n * s, sizeof(double), &cycle->z_samples));
  FW_TRY(fw_alloc(ctx, 3 * s, sizeof(double), &cycle->z_try));
  return FW_OK;
}

void fw_cycle_clear(fw_cycle *cycle) {
  double *all[] = {cycle->u,       cycle->v,        cycle->gap,     cycle->gap_rate,  cycle->N,     cycle->N_elastic,
                   cycle->T,       cycle->N_gap,    cycle->T_c,     cycle->N_c,       cycle->T_u,   cycle->T_w,
                   cycle->N_w,     cycle->N_x,      cycle->T_x,     cycle->T_z,       cycle->T_zc,  cycle->dz,
                   cycle->map,     cycle->map_room, cycle->dz_next, cycle->kept,      cycle->step,  cycle->z,
                   cycle->z_try,   cycle->N_rate,   cycle->T_xc,    cycle->z_samples, cycle->T_law, cycle->T_t,
                   cycle->pressed, cycle->lifted};
  free(cycle->slides);
  free(cycle->arcs);
  free(cycle->margin);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  *cycle = (fw_cycle){0};
}

/* ---- normal force ------------------------------------------------------------------------- */

fw_cycle_normal_out fw_cycle_normal_at(const fw_cycle_point *point, double w, double rate, double n) {
  fw_cycle_normal_out at = {.gap = point->gap0 + w, .gap_rate = rate};
  fw_normal_out out;
  switch (point->kind) {
    case FW_CYCLE_CONSTANT:
      return (fw_cycle_normal_out){.gap = point->gap0, .N = point->N0, .elastic = point->N0, .pressed = point->N0};
    case FW_CYCLE_CLOSED:
      at = (fw_cycle_normal_out){.N = point->N0 + w, .N_gap = 1};
      at.elastic = at.pressed = at.N;
      return at;
    case FW_CYCLE_OPENING:
      at.pressed = point->N0 + n - point->press * (point->clearance + w);
      at.N = at.elastic = fmax(at.pressed, 0);
      at.N_gap = at.pressed > 0;
      return at;
    case FW_CYCLE_LAW:
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
static void normal_samples(fw_cycle *cycle, const fw_cycle_point *point, const fw_cycle_in *in) {
  bool moves = point->kind != FW_CYCLE_CONSTANT, tried = point->kind == FW_CYCLE_OPENING;
  cycle->sense = !moves ? 0 : point->kind == FW_CYCLE_LAW ? -1 : 1;
  if (moves) fw_fourier_sample(cycle->fourier, in->w, cycle->gap);
  if (moves) fw_fourier_sample_rate(cycle->fourier, in->w, cycle->gap_rate);
  if (tried) fw_fourier_sample(cycle->fourier, in->n, cycle->N);
  for (int j = 0; j < cycle->fourier->samples; j++) {
    fw_cycle_normal_out at = fw_cycle_normal_at(point, moves ? cycle->gap[j] : 0,
                                                moves ? cycle->omega * cycle->gap_rate[j] : 0, tried ? cycle->N[j] : 0);
    cycle->gap[j] = at.gap;
    cycle->gap_rate[j] = at.gap_rate;
    cycle->N[j] = at.N;
    cycle->N_elastic[j] = at.elastic;
    cycle->pressed[j] = at.pressed;
    cycle->N_gap[j] = at.N_gap;
    cycle->N_rate[j] = at.N_rate;
  }
}

/* N_x: derivative of every sample of N with respect to the coefficients w (FW_CYCLE_OPENING: n). */
static void normal_derivatives(fw_cycle *cycle) {
  int size = cycle->fourier->size;
  for (int j = 0; j < cycle->fourier->samples; j++) {
    const double *basis = cycle->fourier->basis + (size_t)j * (size_t)size;
    const double *rate = cycle->fourier->rate + (size_t)j * (size_t)size;
    double *row = cycle->N_x + (size_t)j * (size_t)size;
    for (int c = 0; c < size; c++) row[c] = cycle->N_gap[j] * basis[c] + cycle->N_rate[j] * cycle->omega * rate[c];
  }
}

static int most_pressed(const fw_cycle *cycle) {
  int most = 0;
  for (int j = 1; j < cycle->fourier->samples; j++)
    if (cycle->N[j] > cycle->N[most]) most = j;
  return most;
}

/* T_u and T_w += projections of the samples' derivatives. */
static void project_derivatives(fw_cycle *cycle) {
  double *work = cycle->T_xc;
  int size = cycle->fourier->size, columns = 2 * size;
  fw_fourier_project(cycle->fourier, cycle->T_x, columns, work);
  for (int r = 0; r < size; r++)
    for (int c = 0; c < size; c++) {
      cycle->T_u[r * size + c] += work[r * columns + c];
      cycle->T_w[r * size + c] += work[r * columns + size + c];
    }
}

fw_status fw_cycle_run(fw_cycle *cycle, const fw_cycle_point *point, const fw_cycle_in *in, bool derivatives) {
  int n = cycle->fourier->samples, size = cycle->fourier->size;
  size_t square = (size_t)(size * size) * sizeof(double);
  cycle->omega = in->omega;
  cycle->periodic = true;
  fw_fourier_sample(cycle->fourier, in->u, cycle->u);
  fw_fourier_sample_rate(cycle->fourier, in->u, cycle->v);
  for (int j = 0; j < n; j++) cycle->v[j] *= in->omega;
  normal_samples(cycle, point, in);
  cycle->most = most_pressed(cycle);
  cycle->firm = fw_cycle_is_firm(cycle);
  memset(cycle->T, 0, (size_t)n * sizeof(double));
  if (derivatives) {
    normal_derivatives(cycle);
    memset(cycle->T_u, 0, square);
    memset(cycle->T_w, 0, square);
    if (point->law_count != 1 || point->hold > 0) memset(cycle->T_x, 0, (size_t)(2 * size * n) * sizeof(double));
  }
  const double *z0 = point->z0;
  double *begin = cycle->z;
  if (point->hold > 0) fw_rigid_stick(cycle, point, in->t, derivatives);
  for (int l = 0; l < point->law_count && !(point->hold > 0); l++) {
    fw_cycle_add_law(cycle, point, &point->laws[l], z0, begin, derivatives);
    z0 += point->laws[l].states;
    begin += point->laws[l].states;
  }
  fw_fourier_project(cycle->fourier, cycle->T, 1, cycle->T_c);
  fw_fourier_project(cycle->fourier, cycle->N, 1, cycle->N_c);
  if (derivatives) {
    project_derivatives(cycle);
    if (point->kind == FW_CYCLE_OPENING || point->kind == FW_CYCLE_LAW)
      fw_fourier_project(cycle->fourier, cycle->N_x, size, cycle->N_w);
  }
  if (point->exact && (point->hold > 0 || point->kind == FW_CYCLE_OPENING))
    fw_arcs_project(cycle, point, in, derivatives);
  for (int c = 0; c < size; c++)
    if (!isfinite(cycle->T_c[c]) || !isfinite(cycle->N_c[c])) return FW_RECOVER_NAN;
  return FW_OK;
}
