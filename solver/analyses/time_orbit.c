/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/time_orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/friction/setting.h"
#include "core/unknown.h"

extern const fw_analysis_ops fw_analysis_transient;

static const double ROUNDING = 1e-10; /* relative changes below this tell nothing */

fw_status fw_time_orbit_args(fw_context *ctx, fw_args *args) {
  static const char *const settings[] = {"balance=1e-12"};
  return fw_setting_args(ctx, "transient", fw_analysis_transient.entry.params, settings, 1, args);
}

fw_status fw_orbit_recorder_init(fw_context *ctx, const fw_model *model, const fw_time_orbit_options *options,
                                 int periods, fw_orbit *orbit, fw_orbit_recorder *r) {
  size_t sensors = (size_t)model->sensor_count;
  *r = (fw_orbit_recorder){.model = model, .options = options, .periods = periods, .orbit = orbit};
  *orbit = (fw_orbit){.frequency = options->frequency, .normal_least = INFINITY, .periodic = true};
  FW_TRY(fw_alloc(ctx, sensors * (size_t)(options->H + 1), sizeof *orbit->sensors, &orbit->sensors));
  FW_TRY(fw_alloc(ctx, (size_t)model->pair_count, sizeof *orbit->pairs, &orbit->pairs));
  FW_TRY(fw_alloc(ctx, sensors, sizeof *r->rest, &r->rest));
  FW_TRY(fw_figures_create(ctx, model, 1 / options->frequency, 0, &r->figures));
  for (int i = 0; i < model->sensor_count; i++) r->rest[i] = fw_state_reading(options->rest, &model->sensors[i]);
  return FW_OK;
}

void fw_orbit_recorder_clear(fw_orbit_recorder *r) {
  free(r->rest);
  fw_figures_destroy(&r->figures);
}

/* ---- a block of periods -------------------------------------------------------------------- */

void fw_orbit_recorder_begin(fw_orbit_recorder *r, const fw_state *state, const fw_energy *energy) {
  r->steps = 0;
  fw_orbit *o = r->orbit;
  memset(o->sensors, 0, (size_t)r->model->sensor_count * (size_t)(r->options->H + 1) * sizeof *o->sensors);
  fw_figures_begin(r->figures, state->touch);
  r->begin = *energy;
  o->kinetic = 0;
  memset(r->first, 0, sizeof r->first);
}

double fw_orbit_recorder_reading(const fw_orbit_recorder *r, const fw_state *state, int i) {
  const fw_sensor *sensor = &r->model->sensors[i];
  bool drifts = r->options->drift && sensor->quantity == FW_DISPLACEMENT;
  double drifted = drifts ? fw_functional_value(&sensor->shape, r->options->drift) * state->time : 0;
  return fw_state_reading(state, sensor) - drifted - r->rest[i];
}

/* Samples at equal distances over whole periods: the sums are as exact as the motion is periodic. */
static void add_sensors(fw_orbit_recorder *r, const fw_state *state, int period, int step) {
  int H = r->options->H, steps = r->options->steps;
  for (int i = 0; i < r->model->sensor_count; i++) {
    double value = fw_orbit_recorder_reading(r, state, i);
    for (int k = 0; k <= H; k++) {
      double complex part = (k ? 2 : 1) * value * cexp(-I * (2 * M_PI * k * step / steps)) / steps;
      r->orbit->sensors[i * (H + 1) + k] += part / r->periods;
      if (i == r->options->sensor && k == 1) r->first[period] += part;
    }
  }
}

/* Power (of omega times the kinetic energy) that is none: a damping ratio of 5e-6. Without losses there is only what the
 * steps lose, and their sum is as large as each of them. */
static const double LOSSLESS = 1e-5;

/* Sums become means over time. */
void fw_orbit_recorder_end(fw_orbit_recorder *r, const fw_energy *energy) {
  double span = r->periods / r->options->frequency;
  fw_orbit *o = r->orbit;
  for (int p = 0; p < r->model->pair_count; p++) fw_figures_find(r->figures, p, &o->pairs[p]);
  o->drive = (energy->loads - r->begin.loads) / span;
  o->structural = (energy->damping - r->begin.damping) / span;
  o->friction = (energy->friction - r->begin.friction) / span;
  o->normal = (energy->contact_damping - r->begin.contact_damping) / span;
  double most = fmax(fmax(fabs(o->drive), fabs(o->structural)), fabs(o->friction));
  most = fmax(most, LOSSLESS * 2 * M_PI * r->options->frequency * o->kinetic);
  o->residual = most > 0 ? fabs(o->drive - o->structural - o->friction - o->normal) / most : 0;
}

/* Largest deviation of a period's first harmonic from the block's mean, relative to that. */
static double spread(const fw_orbit_recorder *r) {
  double complex mean = 0;
  double most = 0;
  for (int i = 0; i < r->periods; i++) mean += r->first[i] / r->periods;
  for (int i = 0; i < r->periods; i++) most = fmax(most, cabs(r->first[i] - mean));
  return cabs(mean) > 0 ? most / cabs(mean) : 0;
}

void fw_orbit_recorder_step(fw_orbit_recorder *r, const fw_state *state, const fw_energy *energy) {
  int steps = r->options->steps, period = r->steps / steps;
  add_sensors(r, state, period, ++r->steps - period * steps);
  fw_figures_step(r->figures, state->touch, 1 / (r->options->frequency * steps));
  if (r->options->range) fw_linear_range_look(r->options->range, r->model, state->q);
  r->orbit->kinetic = fmax(r->orbit->kinetic, energy->kinetic);
}

static fw_status run_block(const fw_job *job, const fw_integrator_ops *ops, void *self, fw_orbit_recorder *r) {
  double dt = 1 / (r->options->frequency * r->options->steps);
  fw_orbit_recorder_begin(r, ops->state(self), ops->energy(self));
  for (int step = 0; step < r->periods * r->options->steps; step++) {
    if (step % r->options->steps == 0) FW_TRY(fw_interrupted(job->ctx));
    FW_TRY(fw_integrator_advance(job->ctx, ops, self, dt));
    fw_orbit_recorder_step(r, ops->state(self), ops->energy(self));
  }
  fw_orbit_recorder_end(r, ops->energy(self));
  return FW_OK;
}

/* ---- the motion ---------------------------------------------------------------------------- */

/* Future changes as a geometric series; those of a block are twice its spread. */
static double distance_left(double before, double now) {
  if (now < ROUNDING) return now;
  double ratio = now / before;
  return ratio < 1 ? 2 * now * ratio / (1 - ratio) : fw_unknown();
}

fw_status fw_time_orbit(const fw_job *job, fw_system *system, const fw_integrator_ops *ops,
                        const fw_time_orbit_options *options, fw_state *state, fw_orbit *orbit, fw_time_end *end) {
  fw_status status = FW_OK;
  void *self = NULL;
  fw_orbit_recorder r;
  *end = (fw_time_end){.distance = fw_unknown()};
  FW_TRY_DONE(fw_orbit_recorder_init(job->ctx, job->model, options, FW_TIME_BLOCK, orbit, &r));
  state->time = 0;
  FW_TRY_DONE(ops->create(job, system, state, 2 * M_PI * options->frequency, &self));
  for (double before = 0; end->periods < options->most;) {
    FW_TRY_DONE(run_block(job, ops, self, &r));
    double now = spread(&r);
    end->periods += FW_TIME_BLOCK;
    if (before > 0 || now < ROUNDING) end->distance = distance_left(before, now);
    before = now;
    if (end->periods >= options->least && end->distance <= options->tolerance) break;
  }
  fw_state_assign(state, ops->state(self));
  state->time = 0;
done:
  fw_orbit_recorder_clear(&r);
  if (self) ops->destroy(self);
  if (status != FW_OK) fw_orbit_clear(orbit);
  return status;
}
