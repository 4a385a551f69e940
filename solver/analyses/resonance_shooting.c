/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resonance against drive level by shooting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/analyses/multiplier_table.h"
#include "solver/analyses/orbit_table.h"
#include "solver/analyses/resonance_parts.h"
#include "solver/analyses/shot_orbit.h"
#include "solver/shooting/phase_curve.h"

static const double NEWTON = 1e-8; /* last step */
enum { HARMONICS = 10 };           /* of the sensors */
enum { SEARCH = 100 };             /* points between f-max and f-min */
enum { POINTS_PER_POINT = 30 };    /* the curve may take this many points per point of the grid */

typedef struct course {
  fw_job *job;
  fw_phase_curve curve;
  fw_resonance_curve *out;
  fw_args transient; /* its defaults */
  fw_system *system;
  fw_state *rest;
  double *drive; /* [load_count] at level 1 */
  fw_time_orbit_options options;
  fw_orbit_table table;
  fw_sheet multipliers;
  fw_linear_range range;
} course;

/* ---- one resonance ----------------------------------------------------------------------------- */

static fw_status collect(void *user, fw_continuation *curve, const double *y, const double *tangent) {
  course *c = user;
  fw_shooting *s = &c->curve.s;
  fw_resonance_curve *out = c->out;
  fw_orbit orbit;
  (void)tangent;
  s->map.value = y[curve->n];
  FW_TRY(fw_shot_orbit_measure(c->job, s, &c->options, y, &orbit));
  orbit.level = y[curve->n];
  fw_status status = fw_shot_orbit_judge(s, y, &c->multipliers, orbit.level, &orbit);
  if (status == FW_OK) status = fw_orbit_append(c->job->ctx, &out->orbits, &out->count, &out->room, &orbit);
  if (status != FW_OK) fw_orbit_clear(&orbit);
  FW_TRY(status);
  const double own[] = {orbit.level, fw_orbit_damping(&orbit), s->map.switches, s->families};
  FW_TRY(fw_orbit_table_row(&c->table, own, &orbit));
  s->sequence = 0;
  return fw_phase_curve_scale(&c->curve, y);
}

/* ---- the curve --------------------------------------------------------------------------------- */

static fw_status find_first(course *c, double *y) {
  const fw_args *args = c->job->args;
  const fw_phase_search search = {.level = fw_args_number(args, "level-min"),
                                  .from = 2 * M_PI * fw_args_number(args, "f-max"),
                                  .to = 2 * M_PI * fw_args_number(args, "f-min"),
                                  .points = SEARCH,
                                  .tolerance = NEWTON,
                                  .most = fw_args_integer(args, "periods-most")};
  fw_status status = fw_phase_curve_find(&c->curve, &search, y);
  if (status <= 0) return status;
  char lost[64] = "";
  if (c->curve.lost > 0) snprintf(lost, sizeof lost, ": the response is lost at %.6g Hz", c->curve.lost / (2 * M_PI));
  return fw_fail(c->job->ctx, FW_ERR_ANALYSIS, "no resonance at level %g between %g and %g Hz%s", search.level,
                 search.to / (2 * M_PI), search.from / (2 * M_PI), lost);
}

static void note_end(course *c, const fw_arc_length *sweep, const double *y) {
  fw_resonance_curve *out = c->out;
  if (sweep->returned)
    snprintf(out->note, sizeof out->note, "the curve turned back to its first level: no resonance beyond its maximum");
  else if (out->status > 0)
    snprintf(out->note, sizeof out->note, "the curve was lost at level %.6g, %.6g Hz after %d points", sweep->reached,
             y[c->curve.s.map.n] / (2 * M_PI), sweep->points);
}

static fw_status follow(course *c, double *y) {
  const fw_args *args = c->job->args;
  fw_continuation *curve = &c->curve.s.curve;
  int points = fw_args_integer(args, "points");
  fw_arc_length sweep = {.from = fw_args_number(args, "level-min"),
                         .to = fw_args_number(args, "level-max"),
                         .tolerance = NEWTON,
                         .most = POINTS_PER_POINT * points,
                         .user = c,
                         .accept = collect};
  sweep.step = fabs(sweep.to - sweep.from) / (points - 1);
  curve->scale[curve->n] = fabs(sweep.to - sweep.from);
  c->out->status = fw_arc_length_run(c->job->ctx, curve, &sweep, y);
  note_end(c, &sweep, y);
  return c->out->status < 0 ? c->out->status : FW_OK;
}

static fw_status run_curve(course *c) {
  double *y = NULL;
  FW_TRY(fw_alloc(c->job->ctx, (size_t)c->curve.s.map.n + 2, sizeof *y, &y));
  fw_status status = find_first(c, y);
  if (status == FW_OK) status = follow(c, y);
  free(y);
  return status;
}

/* ---- the analysis ------------------------------------------------------------------------------ */

static fw_status open_tables(course *c) {
  static const fw_column own[] = {{"level", ""}, {"damping", ""}, {"switches", ""}, {"families", ""}};
  FW_TRY(fw_orbit_table_open(c->job, "locus", own, sizeof own / sizeof *own, HARMONICS, FW_ORBIT_STABILITY, &c->table));
  return fw_multiplier_table_open(c->job, "multipliers", (fw_column){"level", ""}, &c->multipliers);
}

static fw_status begin(course *c) {
  fw_job *job = c->job;
  int sensor = fw_model_sensor(job->model, fw_args_text(job->args, "response"));
  FW_TRY(fw_time_orbit_args(job->ctx, &c->transient));
  FW_TRY(fw_system_create(job->ctx, job->model, &c->system));
  FW_TRY(fw_job_begin_vibration(job, &c->rest));
  c->rest->time = 0;
  FW_TRY(fw_alloc(job->ctx, (size_t)job->model->load_count, sizeof *c->drive, &c->drive));
  FW_TRY(fw_job_loads(job, 1, c->drive));
  c->options = (fw_time_orbit_options){.H = HARMONICS,
                                       .steps = fw_args_integer(job->args, "steps"),
                                       .sensor = sensor,
                                       .rest = c->rest,
                                       .range = &c->range};
  fw_phase_options how = {.integrator = fw_alpha_options_of(job->model, &c->transient),
                          .steps = c->options.steps,
                          .sensor = &job->model->sensors[sensor],
                          .phase = fw_args_number(job->args, "phase") * M_PI / 180,
                          .drive = c->drive};
  FW_TRY(fw_job_drive(job, &how.force));
  FW_TRY(fw_phase_curve_init(job->ctx, c->system, c->rest, &how, &c->curve));
  return open_tables(c);
}

static fw_status summarise(course *c) {
  const fw_response_options told = {.sensor = c->options.sensor, .H = HARMONICS, .stability = true};
  FW_TRY(fw_resonance_summarise(c->job, &told, c->out));
  FW_TRY(fw_record_set_number(c->job->summary, c->options.steps, "steps"));
  return fw_linear_range_judge(&c->range, c->job);
}

fw_status fw_resonance_shooting(fw_job *job, fw_resonance_curve *out) {
  course c = {.job = job, .out = out};
  fw_status status = begin(&c);
  if (status == FW_OK) status = run_curve(&c);
  if (status == FW_OK || (status == FW_ERR_INTERRUPTED && out->count)) {
    fw_status told = summarise(&c);
    status = status == FW_OK ? told : status;
  }
  fw_orbit_table_close(&c.table);
  fw_sheet_close(&c.multipliers);
  fw_phase_curve_clear(&c.curve);
  fw_state_destroy(&c.rest);
  fw_system_destroy(&c.system);
  fw_args_clear(&c.transient);
  free(c.drive);
  return status;
}
