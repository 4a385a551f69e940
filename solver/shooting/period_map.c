/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/shooting/period_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

fw_status fw_period_map_init(fw_context *ctx, fw_system *system, const fw_state *state, const fw_map_options *options,
                             fw_period_map *map) {
  *map = (fw_period_map){.ctx = ctx,
                         .system = system,
                         .integrator = options->integrator,
                         .steps = options->steps,
                         .periods = options->periods,
                         .other = options->other,
                         .paced = options->paced,
                         .drive = options->drive,
                         .sensor = options->sensor,
                         .value = options->other == FW_MAP_EPMC ? 0 : 1,
                         .gentlest = INFINITY};
  size_t loads = (size_t)system->model->load_count;
  FW_TRY(fw_alpha_create(ctx, system, state, 1.0, &options->integrator, &map->alpha));
  map->n = fw_alpha_numbers(map->alpha);
  map->columns = options->large ? 1 : map->n;
  int count = map->columns + (map->other == FW_MAP_OMEGA ? 1 : 2);
  FW_TRY(fw_variation_init(ctx, system->model, count, &map->variation));
  map->variation.drive = map->drive;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *map->harmonic_by, &map->harmonic_by));
  FW_TRY(fw_alloc(ctx, 2 * loads, sizeof *map->factors, &map->factors));
  memcpy(map->factors, state->load_factors, loads * sizeof *map->factors);
  FW_TRY(fw_alloc(ctx, (size_t)map->n, sizeof *map->peak, &map->peak));
  return fw_alloc(ctx, (size_t)map->n, sizeof *map->column, &map->column);
}

void fw_period_map_clear(fw_period_map *map) {
  fw_alpha_destroy(&map->alpha);
  fw_variation_clear(&map->variation);
  free(map->column);
  free(map->peak);
  free(map->factors);
  free(map->harmonic_by);
  *map = (fw_period_map){0};
}

/* The statuses of all points, each time they change or events are met. */
static void note_sequence(fw_period_map *map, uint64_t *last) {
  const fw_state *state = fw_alpha_state(map->alpha);
  uint64_t now = FW_HASH_START;
  for (int c = 0; c < state->model->contact_count; c++) now = fw_hash_integer(now, (long)state->touch[c].status);
  now = fw_hash_integer(now, (long)(fw_alpha_events(map->alpha) - map->events));
  if (now == *last) return;
  *last = now;
  map->switches++;
  map->sequence = fw_hash(map->sequence, &now, sizeof now);
}

static double period_of(const fw_period_map *map, double omega) { return 2 * M_PI * map->periods / omega; }

double fw_period_map_drift(const fw_period_map *map, int i) { return map->drift ? map->value * map->drift[i] : 0; }

static void set_level(fw_period_map *map) {
  int loads = fw_alpha_state(map->alpha)->model->load_count;
  for (int i = 0; i < loads; i++) map->factors[loads + i] = map->factors[i] + map->value * map->drive[i];
  fw_alpha_drive(map->alpha, map->factors + loads);
}

/* From the numbers at the beginning of a period. */
static fw_status begin_period(fw_period_map *map, const double *begin, double omega) {
  if (map->other == FW_MAP_PACE) map->paced->hurry = map->value - 1;
  if (map->other == FW_MAP_LEVEL) set_level(map);
  if (map->other == FW_MAP_EPMC) FW_TRY(fw_system_set_epmc(map->ctx, map->system, map->value));
  map->omega = omega;
  return fw_alpha_set(map->ctx, map->alpha, begin, 0, omega);
}

/* The sensor's displacement at the end of a step, equally distant over the period. */
static void add_harmonic(fw_period_map *map, int step, bool changes) {
  double complex part = 2.0 / (map->steps * map->periods) * cexp(-I * (2 * M_PI * step / map->steps));
  map->harmonic += part * fw_functional_value(&map->sensor->shape, fw_alpha_state(map->alpha)->q);
  const fw_variation *x = &map->variation;
  for (int k = 0; changes && k < x->count; k++)
    map->harmonic_by[k] += part * fw_functional_value(&map->sensor->shape, fw_variation_of(x->q, x->n, k));
}

static void begin_harmonic(fw_period_map *map) {
  map->harmonic = 0;
  for (int k = 0; k < map->variation.count; k++) map->harmonic_by[k] = 0;
}

static void note_peaks(fw_period_map *map) {
  const fw_state *state = fw_alpha_state(map->alpha);
  double *peak = map->peak;
  for (int i = 0; i < state->model->z_count; i++, peak++) *peak = fmax(*peak, fabs(state->z[i]));
  for (int c = 0; c < state->model->contact_count; c++, peak += 2) {
    peak[0] = fmax(peak[0], fabs(state->touch[c].N));
    peak[1] = fmax(peak[1], fabs(state->touch[c].T));
  }
}

/* changes: the variation goes along. */
static fw_status go_round(fw_period_map *map, double omega, bool changes, fw_period_look look, void *user,
                          double *end) {
  int all = map->steps * map->periods;
  double dt = period_of(map, omega) / all;
  uint64_t last = 0;
  map->sequence = FW_HASH_START;
  map->events = fw_alpha_events(map->alpha);
  map->switches = -1;
  map->runs++;
  note_sequence(map, &last);
  begin_harmonic(map);
  memset(map->peak, 0, (size_t)map->n * sizeof *map->peak);
  if (look) look(user, fw_alpha_state(map->alpha), fw_alpha_energy(map->alpha));
  for (int i = 0; i < all; i++) {
    FW_TRY(fw_interrupted(map->ctx));
    FW_TRY(fw_alpha_advance(map->ctx, map->alpha, dt));
    note_sequence(map, &last);
    note_peaks(map);
    if (map->sensor) add_harmonic(map, i + 1, changes);
    if (look) look(user, fw_alpha_state(map->alpha), fw_alpha_energy(map->alpha));
  }
  fw_alpha_get(map->alpha, end);
  for (int i = 0; i < map->n; i++) end[i] -= fw_period_map_drift(map, i) * period_of(map, omega);
  for (int i = 0; i < map->n; i++)
    if (!isfinite(end[i])) return FW_RECOVER_NAN;
  return FW_OK;
}

/* A step that fails at a trial state ends the trial, not the analysis, and says nothing. */
static fw_status as_trial(fw_context *ctx, size_t mark, fw_status status) {
  if (status != FW_ERR_ANALYSIS) return status;
  fw_context_forget(ctx, mark);
  return FW_RECOVER_DIVERGED;
}

fw_status fw_period_map_run(fw_period_map *map, const double *begin, double omega, fw_period_look look, void *user,
                            double *end) {
  size_t mark = fw_context_mark(map->ctx);
  fw_alpha_follow(map->alpha, NULL);
  fw_status status = begin_period(map, begin, omega);
  return as_trial(map->ctx, mark, status == FW_OK ? go_round(map, omega, false, look, user, end) : status);
}

/* The unit changes of a state, or this one (NULL: none); that of omega, with which the steps change; that of the other
 * parameter. */
static void set_changes(fw_period_map *map, double omega, const double *direction) {
  fw_variation *x = &map->variation;
  for (int k = 0; k < x->count; k++) {
    memset(map->column, 0, (size_t)map->n * sizeof *map->column);
    if (k < map->columns && map->columns == map->n) map->column[k] = 1;
    fw_alpha_set_change(map->alpha, k, k == 0 && direction ? direction : map->column);
    bool by_omega = k == map->columns, by_other = k > map->columns;
    x->omega[k] = by_omega;
    x->pace[k] = by_other && map->other == FW_MAP_PACE;
    x->level[k] = by_other && map->other == FW_MAP_LEVEL;
    x->epmc[k] = by_other && map->other == FW_MAP_EPMC;
    x->whole[k] = by_omega ? -period_of(map, omega) / (omega * map->steps * map->periods) : 0;
    x->time[k] = x->part[k] = 0;
  }
  x->gentlest = INFINITY;
}

fw_status fw_period_map_differentiate(fw_period_map *map, const double *begin, double omega, double *end,
                                      double *derivative) {
  size_t n = (size_t)map->n, mark = fw_context_mark(map->ctx);
  FW_TRY(begin_period(map, begin, omega));
  fw_alpha_follow(map->alpha, &map->variation);
  set_changes(map, omega, NULL);
  fw_status status = go_round(map, omega, true, NULL, NULL, end);
  for (size_t k = 0; derivative && k < n; k++) fw_alpha_get_change(map->alpha, (int)k, derivative + k * n);
  map->gentlest = map->variation.gentlest;
  fw_alpha_follow(map->alpha, NULL);
  return as_trial(map->ctx, mark, status);
}

fw_status fw_period_map_carry(fw_period_map *map, const double *begin, double omega, const double *x, double *out) {
  int count = map->variation.count;
  size_t mark = fw_context_mark(map->ctx);
  FW_TRY(begin_period(map, begin, omega));
  map->variation.count = 1;
  fw_alpha_follow(map->alpha, &map->variation);
  set_changes(map, omega, x);
  fw_status status = go_round(map, omega, true, NULL, NULL, map->column);
  fw_alpha_get_change(map->alpha, 0, out);
  fw_alpha_follow(map->alpha, NULL);
  map->variation.count = count;
  return as_trial(map->ctx, mark, status);
}

void fw_period_map_by(fw_period_map *map, fw_map_parameter parameter, double *out) {
  double period = period_of(map, map->omega);
  fw_alpha_follow(map->alpha, &map->variation);
  fw_alpha_get_change(map->alpha, map->columns + (parameter != FW_MAP_OMEGA), out);
  fw_alpha_follow(map->alpha, NULL);
  for (int i = 0; map->drift && i < map->n; i++)
    out[i] += parameter == FW_MAP_OMEGA ? fw_period_map_drift(map, i) * period / map->omega : -map->drift[i] * period;
}
