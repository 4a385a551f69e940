/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency response by shooting: the curve of fixed points of the period map. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reading.h"
#include "core/unknown.h"
#include "solver/analyses/frf/parts.h"
#include "solver/analyses/multiplier_table.h"
#include "solver/analyses/orbit_table.h"
#include "solver/analyses/shot_orbit.h"

static const double NEWTON = 1e-8; /* last step */
static const double GRAZES = 0.05; /* of the fastest freedom: an impact that slow */
static const double FOUND = 1e-9;  /* of a resonance: relative width of its bracket, and phase left (rad) */
enum { ATTEMPTS = 20 };            /* at a resonance */
enum { POINTS_PER_POINT = 30 };    /* the curve may take this many points per point of the grid */

typedef fw_frf_shooter shooter;

/* ---- one motion -------------------------------------------------------------------------------- */

/* Figures of the motion that begins with y. */
static fw_status measure(shooter *c, const double *y, fw_orbit *orbit) {
  FW_TRY(fw_shot_orbit_measure(c->job, &c->s, &c->in.options, y, orbit));
  orbit->level = c->out->options.level;
  return FW_OK;
}

/* ---- resonances -------------------------------------------------------------------------------- */

/* What vanishes where the phase is as wished, or opposite. */
static double out_of_phase(const fw_response_options *options, const fw_orbit *orbit) {
  return cimag(fw_response_compliance(options, orbit) * cexp(-I * options->phase));
}

/* The motion at a frequency between the last two points. */
static fw_status motion_at(shooter *c, double omega, fw_orbit *orbit) {
  int n = c->s.map.n;
  fw_newton newton;
  double part = (omega - c->last[n]) / (c->y[n] - c->last[n]);
  for (int k = 0; k < n; k++) c->trial[k] = c->last[k] + part * (c->y[k] - c->last[k]);
  c->trial[n] = omega;
  FW_TRY(fw_shooting_solve(&c->s, NEWTON, &newton, c->trial));
  return measure(c, c->trial, orbit);
}

/* By the rule of false position, the end that stays counting less each time (Illinois). */
static fw_status find_resonance(shooter *c, const fw_orbit *a, const fw_orbit *b, fw_orbit *found) {
  const fw_response_options *options = &c->out->options;
  double low = 2 * M_PI * a->frequency, high = 2 * M_PI * b->frequency;
  double at_low = out_of_phase(options, a), at_high = out_of_phase(options, b),
         size = fmax(fabs(at_low), fabs(at_high));
  *found = (fw_orbit){0};
  for (int i = 0; i < ATTEMPTS; i++) {
    fw_orbit next;
    double omega = low + at_low / (at_low - at_high) * (high - low);
    FW_TRY(motion_at(c, omega, &next));
    fw_orbit_clear(found);
    *found = next;
    double now = out_of_phase(options, found);
    if (fabs(now) < FOUND * size || fabs(high - low) < FOUND * high) break;
    bool same = (now > 0) == (at_low > 0);
    *(same ? &low : &high) = omega;
    *(same ? &at_low : &at_high) = now;
    *(same ? &at_high : &at_low) *= 0.5;
  }
  return fw_shot_orbit_judge(&c->s, c->trial, NULL, 0, found);
}

static fw_status look_for_resonance(shooter *c) {
  fw_response *out = c->out;
  double part;
  if (out->count < 2) return FW_OK;
  const fw_orbit *a = &out->orbits[out->count - 2], *b = &out->orbits[out->count - 1];
  if (fw_response_passes(&out->options, a, b, &part) == 0) return FW_OK;
  fw_orbit orbit;
  fw_status status = find_resonance(c, a, b, &orbit);
  if (status == FW_OK)
    status = fw_orbit_append(c->job->ctx, &out->resonances, &out->resonance_count, &out->resonance_room, &orbit);
  if (status != FW_OK) fw_orbit_clear(&orbit);
  return status > 0 ? FW_OK : status; /* not found to the last digit: the curve goes on */
}

/* ---- the curve --------------------------------------------------------------------------------- */

static void note_progress(shooter *c) {
  const fw_response_options *options = &c->out->options;
  double passed = (c->out->reached - options->f_from) / (options->f_to - options->f_from);
  c->fraction = fmax(c->fraction, fmin(fmax(passed, 0), 1));
  fw_progress(c->job->ctx, c->job->id, c->fraction);
}

static fw_status collect(void *user, fw_continuation *curve, const double *y, const double *tangent) {
  shooter *c = user;
  fw_response *out = c->out;
  size_t bytes = ((size_t)curve->n + 1) * sizeof *y;
  fw_orbit orbit;
  (void)tangent;
  FW_TRY(measure(c, y, &orbit));
  fw_status status = fw_shot_orbit_judge(&c->s, y, &c->multipliers, orbit.frequency, &orbit);
  if (status == FW_OK) status = fw_orbit_append(c->job->ctx, &out->orbits, &out->count, &out->room, &orbit);
  if (status != FW_OK) fw_orbit_clear(&orbit);
  FW_TRY(status);
  FW_TRY(c->accept(c->user, c, &out->orbits[out->count - 1]));
  memcpy(c->last, c->y, bytes);
  memcpy(c->y, y, bytes);
  FW_TRY(look_for_resonance(c));
  double range = curve->scale[curve->n];
  fw_shooting_scale(&c->s, y);
  curve->scale[curve->n] = range;
  out->reached = y[curve->n] / (2 * M_PI);
  c->s.sequence = 0;
  note_progress(c);
  return FW_OK;
}

/* Where a curve ends, and what may have ended it. */
static void note_end(shooter *c) {
  fw_response *out = c->out;
  double fastest = 0;
  char grazes[160] = "";
  for (int i = 0; i < c->s.map.variation.n; i++) fastest = fmax(fastest, fabs(c->y[c->s.map.variation.n + i]));
  if (c->s.map.gentlest < GRAZES * fastest)
    snprintf(grazes, sizeof grazes, ": a contact grazes its target there, with %s",
             fw_say(c->s.map.gentlest, "m/s").text);
  if (out->note[0]) return;
  snprintf(out->note, sizeof out->note, "the curve of motions of period %d is lost at %.6g Hz%s", c->s.map.periods,
           out->reached, grazes);
  out->whole = false;
}

static void note_return(shooter *c) {
  c->out->whole = false;
  if (!c->out->note[0])
    snprintf(c->out->note, sizeof c->out->note, "the curve of motions turns back and leaves the range at %.6g Hz",
             c->out->reached);
}

/* The first motion at or beyond y's frequency, from time integration at one value of the grid after the other. */
static fw_status begin_at(shooter *c, const fw_arc_length *sweep, double *y) {
  int n = c->s.map.n, most = fw_args_integer(c->job->args, "periods-most") / c->s.map.periods, passed;
  double sign = sweep->to > sweep->from ? 1 : -1;
  double *kept = c->trial;
  fw_status status = FW_RECOVER_DIVERGED;
  memcpy(kept, y, (size_t)n * sizeof *y);
  for (double omega = y[n]; status > 0 && (sweep->to - omega) * sign > -1e-9 * sweep->step;
       omega += sign * sweep->step) {
    memcpy(y, kept, (size_t)n * sizeof *y);
    y[n] = omega;
    status = fw_shooting_find(&c->s, NEWTON, most, &passed, y);
    if (status > 0 && !c->out->note[0])
      snprintf(c->out->note, sizeof c->out->note,
               "no motion of period %d is found from %d periods of time integration at %.6g Hz", c->s.map.periods,
               passed, omega / (2 * M_PI));
  }
  return status;
}

static bool arrived(const fw_arc_length *sweep) {
  double sign = sweep->to > sweep->from ? 1 : -1;
  return (sweep->reached - sweep->to) * sign > -1e-9 * sweep->step;
}

/* The first motion from y: near it at its own frequency, or else from time integration. */
static fw_status begin(shooter *c, const fw_arc_length *sweep, bool near, double *y) {
  size_t bytes = ((size_t)c->s.map.n + 1) * sizeof *y;
  memcpy(c->last, y, bytes);
  if (near && fw_shooting_solve_near(&c->s, NEWTON, y) == FW_OK) return FW_OK;
  memcpy(y, c->last, bytes);
  return begin_at(c, sweep, y);
}

/* Piece after piece: where one is lost the next begins at the next value of the grid, from time integration. */
static fw_status follow(shooter *c, fw_arc_length *sweep, bool near, double *y) {
  fw_status status = begin(c, sweep, near, y);
  int n = c->s.map.n;
  double sign = sweep->to > sweep->from ? 1 : -1;
  c->out->whole = status == FW_OK && !c->out->note[0];
  while (status == FW_OK) {
    c->s.curve.scale[n] = fabs(c->out->options.f_to - c->out->options.f_from) * 2 * M_PI;
    status = fw_arc_length_run(c->job->ctx, &c->s.curve, sweep, y);
    c->out->iterations += sweep->iterations;
    c->out->rejected += sweep->rejected;
    if (status == FW_OK && !arrived(sweep)) note_return(c);
    if (status <= 0) break;
    note_end(c);
    memcpy(y, c->y, (size_t)n * sizeof *y);
    y[n] = sweep->from + sign * sweep->step * (floor((sweep->reached - sweep->from) * sign / sweep->step + 1e-6) + 1);
    if (arrived(sweep) || (y[n] - sweep->to) * sign > 1e-9 * sweep->step) return FW_OK;
    status = begin_at(c, sweep, y);
  }
  return status > 0 ? FW_OK : status;
}

/* Values of the grid that the curve lands on are those of the whole range, wherever it begins. */
static fw_arc_length sweep_between(shooter *c, double from, double to) {
  const fw_response_options *options = &c->out->options;
  double range = 2 * M_PI * (options->f_to - options->f_from), step = range / (options->points - 1);
  double passed = floor(2 * M_PI * (from - options->f_from) / step + 1e-6);
  return (fw_arc_length){.from = 2 * M_PI * options->f_from + passed * step,
                         .to = 2 * M_PI * to,
                         .step = fabs(step),
                         .tolerance = NEWTON,
                         .most = POINTS_PER_POINT * options->points,
                         .user = c,
                         .accept = collect};
}

fw_status fw_frf_shooter_run(fw_frf_shooter *c, double from, double to, const fw_state *near, fw_response *out) {
  size_t m = (size_t)c->s.map.n + 1;
  double *y = NULL;
  FW_TRY(fw_alloc(c->job->ctx, 4 * m, sizeof *y, &y));
  c->out = out;
  c->y = y + m;
  c->last = y + 2 * m;
  c->trial = y + 3 * m;
  out->reached = from;
  memcpy(y, c->s.rest, (m - 1) * sizeof *y);
  fw_status status = near ? fw_shooting_numbers(&c->s, c->in.system, near, y) : FW_OK;
  y[m - 1] = 2 * M_PI * from;
  fw_arc_length sweep = sweep_between(c, from, to);
  if (status == FW_OK) status = follow(c, &sweep, near != NULL, y);
  free(y);
  c->y = c->last = c->trial = NULL;
  return status;
}

/* ---- one motion alone -------------------------------------------------------------------------- */

fw_status fw_frf_shooter_at(fw_frf_shooter *c, double frequency, const fw_state *near, fw_orbit *orbit) {
  double *y = NULL;
  FW_TRY(fw_alloc(c->job->ctx, (size_t)c->s.map.n + 1, sizeof *y, &y));
  fw_status status = fw_shooting_numbers(&c->s, c->in.system, near, y);
  y[c->s.map.n] = 2 * M_PI * frequency;
  if (status == FW_OK) status = fw_shooting_solve_near(&c->s, NEWTON, y);
  if (status == FW_OK) status = fw_shot_orbit_measure(c->job, &c->s, &c->in.options, y, orbit);
  if (status == FW_OK) {
    orbit->level = c->level.level;
    status = fw_shot_orbit_judge(&c->s, y, NULL, 0, orbit);
    if (status != FW_OK) fw_orbit_clear(orbit);
  }
  free(y);
  return status;
}

/* ---- life -------------------------------------------------------------------------------------- */

fw_status fw_frf_shooter_init(fw_job *job, const fw_response_options *options, int H, fw_frf_shooter *c) {
  *c = (fw_frf_shooter){.job = job, .level = *options};
  FW_TRY(fw_frf_integration_init(job, &c->in));
  c->in.options.range = &c->range;
  c->in.options.H = H;
  FW_TRY(fw_job_begin_vibration(job, &c->state));
  FW_TRY(fw_job_loads(job, options->level, c->state->load_factors));
  fw_shooting_options how = {.map = {.integrator = fw_alpha_options_of(job->model, &c->in.args),
                                     .steps = c->in.options.steps,
                                     .periods = fw_args_integer(job->args, "period")}};
  return fw_shooting_init(job->ctx, c->in.system, c->state, &how, &c->s);
}

void fw_frf_shooter_clear(fw_frf_shooter *c) {
  fw_sheet_close(&c->multipliers);
  fw_shooting_clear(&c->s);
  fw_state_destroy(&c->state);
  fw_frf_integration_clear(&c->in);
}

fw_status fw_frf_shooter_table(fw_frf_shooter *c, bool both) {
  char name[64];
  snprintf(name, sizeof name, "multipliers-%g%s", c->level.level, fw_frf_direction(&c->level, both));
  return fw_multiplier_table_open(c->job, name, (fw_column){"frequency", "Hz"}, &c->multipliers);
}

/* ---- the response ------------------------------------------------------------------------------ */

static fw_status open_table(fw_job *job, const fw_response_options *options, bool both, fw_orbit_table *table) {
  static const fw_column own[] = {{"switches", ""}, {"families", ""}, {"unknowns", ""}};
  char name[64];
  snprintf(name, sizeof name, "frf-%g%s", options->level, fw_frf_direction(options, both));
  return fw_orbit_table_open(job, name, own, 3, FW_TIME_HARMONICS,
                             FW_ORBIT_RESPONSE | FW_ORBIT_GAIN | FW_ORBIT_STABILITY, table);
}

static fw_status write_row(void *user, const fw_frf_shooter *c, const fw_orbit *orbit) {
  const double own[] = {c->s.map.switches, c->s.families, c->s.map.n};
  return fw_orbit_table_row(user, own, orbit);
}

fw_status fw_frf_shooting(fw_job *job, const fw_response_options *options, bool both, fw_response *out) {
  fw_status status = FW_OK;
  fw_frf_shooter c;
  fw_orbit_table table = {0};
  double begin = fw_thread_seconds();
  *out = (fw_response){.options = *options, .peak = -1, .bandwidth = fw_unknown(), .truncation = fw_unknown()};
  out->options.H = FW_TIME_HARMONICS;
  out->options.stability = true;
  out->steps = fw_args_integer(job->args, "steps");
  out->reached = options->f_from;
  FW_TRY_DONE(fw_frf_shooter_init(job, &out->options, FW_TIME_HARMONICS, &c));
  FW_TRY_DONE(open_table(job, options, both, &table));
  FW_TRY_DONE(fw_frf_shooter_table(&c, both));
  c.user = &table;
  c.accept = write_row;
  status = fw_frf_shooter_run(&c, options->f_from, options->f_to, NULL, out);
  fw_response_find_peak(out);
  if (status == FW_OK) status = fw_linear_range_judge(&c.range, job);
done:
  out->integrated = c.s.map.runs;
  out->seconds = fw_thread_seconds() - begin;
  fw_orbit_table_close(&table);
  fw_frf_shooter_clear(&c);
  return status;
}
