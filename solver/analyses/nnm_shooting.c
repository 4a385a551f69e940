/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A nonlinear normal mode by shooting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/reading.h"
#include "solver/analyses/multiplier_table.h"
#include "solver/analyses/nnm_parts.h"
#include "solver/analyses/orbit_table.h"
#include "solver/analyses/shot_orbit.h"
#include "solver/shooting/mode_curve.h"

enum { HARMONICS = 10 };        /* of the sensors */
enum { POINTS_PER_POINT = 30 }; /* the curve may take this many points per point of the grid */

typedef struct course {
  fw_job *job;
  const fw_nnm_options *wanted;
  fw_mode_curve curve;
  fw_nnm *out;
  fw_args transient; /* its defaults */
  fw_system *system;
  fw_state *rest;
  fw_time_orbit_options options;
  fw_orbit_table table;
  fw_sheet multipliers;
  fw_linear_range range;
  bool retraces; /* the curve has ended there */
} course;

/* Where a contact begins to graze, nothing lies ahead of a curve of motions that it does not reach, whose derivatives are
 * unbounded beyond, and the curve may turn back onto itself: a motion lies between two of those before. */
static bool retraces(const fw_nnm *b, double amplitude, double frequency) {
  static const double same = 1e-6;
  if (b->count < 2 || amplitude >= b->amplitudes[b->count - 1]) return false;
  for (int i = b->count - 2; i >= 0; i--) {
    double low = b->amplitudes[i], high = b->amplitudes[i + 1], from = b->orbits[i].frequency;
    if (amplitude < low || amplitude > high) continue;
    double part = (amplitude - low) / (high - low);
    return fabs(from + part * (b->orbits[i + 1].frequency - from) - frequency) < same * from;
  }
  return false;
}

/* ---- one motion -------------------------------------------------------------------------------- */

/* Phases as in harmonic balance, where the first harmonic of the response is real: a quarter of a period later. */
static void turn(const fw_model *model, fw_orbit *orbit) {
  for (int i = 0; i < model->sensor_count; i++)
    for (int k = 1; k <= HARMONICS; k++) orbit->sensors[i * (HARMONICS + 1) + k] *= cexp(I * M_PI_2 * k);
}

static fw_status collect(void *user, fw_continuation *curve, const double *y, const double *tangent) {
  course *c = user;
  fw_shooting *s = &c->curve.s;
  fw_nnm *out = c->out;
  int n = s->map.n;
  double amplitude = exp(y[n + 2]), zeta = y[n + 1] / (2 * y[n]);
  fw_orbit orbit;
  (void)curve;
  s->map.value = y[n + 1];
  FW_TRY(fw_shot_orbit_measure(c->job, s, &c->options, y, &orbit));
  turn(c->job->model, &orbit);
  c->retraces = retraces(out, amplitude, orbit.frequency);
  if (c->retraces) {
    fw_orbit_clear(&orbit);
    return FW_RECOVER_DIVERGED;
  }
  fw_mode_curve_along(&c->curve, y, tangent);
  fw_status status = fw_shot_orbit_judge(s, y, &c->multipliers, amplitude, &orbit);
  if (status == FW_OK) status = fw_nnm_append(c->job->ctx, out, amplitude, zeta, 0, &orbit);
  if (status != FW_OK) fw_orbit_clear(&orbit);
  FW_TRY(status);
  const double own[] = {amplitude, zeta, orbit.along, s->map.switches, s->families};
  FW_TRY(fw_orbit_table_row(&c->table, own, &orbit));
  s->sequence = 0;
  fw_shooting_scale(s, y);
  return FW_OK;
}

/* ---- the curve --------------------------------------------------------------------------------- */

static void note_end(course *c, const fw_arc_length *sweep, const double *y) {
  fw_nnm *out = c->out;
  if (c->retraces)
    snprintf(out->note, sizeof out->note,
             "the curve turns back onto itself at amplitude %s: a contact grazes its target",
             fw_say(out->amplitudes[out->count - 1], "m").text);
  else if (sweep->returned)
    snprintf(out->note, sizeof out->note, "the curve turned back to its first amplitude");
  else if (out->status > 0)
    snprintf(out->note, sizeof out->note, "the curve was lost at amplitude %s, %.6g Hz after %d points",
             fw_say(exp(sweep->reached), "m").text, y[c->curve.s.map.n] / (2 * M_PI), sweep->points);
}

static fw_status follow(course *c, double *y) {
  const fw_nnm_options *wanted = c->wanted;
  fw_continuation *curve = &c->curve.s.curve;
  fw_arc_length sweep = {.from = log(wanted->a_from),
                         .to = log(wanted->a_to),
                         .tolerance = wanted->tolerance,
                         .most = POINTS_PER_POINT * wanted->points,
                         .user = c,
                         .accept = collect};
  sweep.step = fabs(sweep.to - sweep.from) / (wanted->points - 1);
  fw_shooting_scale(&c->curve.s, y);
  curve->scale[curve->n] = 2; /* of ln a, as in harmonic balance */
  c->out->status = fw_arc_length_run(c->job->ctx, curve, &sweep, y);
  c->out->iterations = sweep.iterations;
  note_end(c, &sweep, y);
  return c->out->status < 0 ? c->out->status : FW_OK;
}

static fw_status run_curve(course *c) {
  double *y = NULL;
  int n = c->curve.s.map.n;
  FW_TRY(fw_alloc(c->job->ctx, (size_t)n + 3, sizeof *y, &y));
  fw_status status = fw_mode_curve_begin(&c->curve, c->wanted->a_from, y);
  c->out->stuck = y[n] / (2 * M_PI);
  if (status == FW_OK) status = follow(c, y);
  free(y);
  return status;
}

/* ---- the analysis ------------------------------------------------------------------------------ */

static fw_status open_tables(course *c) {
  const fw_sensor *sensor = c->curve.options.sensor;
  const fw_column own[] = {{"amplitude", fw_sensor_unit_of(sensor, FW_DISPLACEMENT)},
                           {"damping", ""},
                           {"along", ""},
                           {"switches", ""},
                           {"families", ""}};
  FW_TRY(fw_orbit_table_open(c->job, "nnm", own, sizeof own / sizeof *own, HARMONICS, FW_ORBIT_STABILITY, &c->table));
  return fw_multiplier_table_open(c->job, "multipliers", own[0], &c->multipliers);
}

static fw_status begin(course *c) {
  fw_job *job = c->job;
  FW_TRY(fw_time_orbit_args(job->ctx, &c->transient));
  FW_TRY(fw_system_create(job->ctx, job->model, &c->system));
  FW_TRY(fw_job_begin_vibration(job, &c->rest));
  c->rest->time = 0;
  c->options = (fw_time_orbit_options){.H = HARMONICS,
                                       .steps = fw_args_integer(job->args, "steps"),
                                       .sensor = c->wanted->sensor,
                                       .rest = c->rest,
                                       .range = &c->range};
  const fw_mode_options how = {.integrator = fw_alpha_options_of(job->model, &c->transient),
                               .steps = c->options.steps,
                               .mode = c->wanted->mode,
                               .sensor = &job->model->sensors[c->wanted->sensor]};
  FW_TRY(fw_mode_curve_init(job->ctx, c->system, c->rest, &how, &c->curve));
  return open_tables(c);
}

static fw_status summarise(course *c) {
  fw_nnm_options told = *c->wanted;
  told.H = HARMONICS;
  told.stability = true;
  FW_TRY(fw_nnm_summarise(c->job, &told, c->out));
  FW_TRY(fw_record_set_number(c->job->summary, c->options.steps, "steps"));
  return fw_linear_range_judge(&c->range, c->job);
}

fw_status fw_nnm_shooting(fw_job *job, const fw_nnm_options *options, fw_nnm *out) {
  course c = {.job = job, .wanted = options, .out = out};
  fw_status status = begin(&c);
  if (status == FW_OK) status = run_curve(&c);
  if (status == FW_OK || (status == FW_ERR_INTERRUPTED && out->count)) {
    fw_status told = summarise(&c);
    status = status == FW_OK ? told : status;
  }
  fw_orbit_table_close(&c.table);
  fw_sheet_close(&c.multipliers);
  fw_mode_curve_clear(&c.curve);
  fw_state_destroy(&c.rest);
  fw_system_destroy(&c.system);
  fw_args_clear(&c.transient);
  return status;
}
