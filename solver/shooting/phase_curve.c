/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/shooting/phase_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_PER_POINT = 30 }; /* a curve may take this many points per point of the grid */

/* Im(turn X_1) over its size, with its gradient over y. */
static double out_of_phase(void *user, const double *y, double *gradient) {
  fw_phase_curve *c = user;
  (void)y;
  if (gradient) fw_shooting_read(&c->s, 0, -I * c->turn / c->size, gradient);
  return cimag(c->turn * c->s.map.harmonic) / c->size;
}

static double complex turn_of(const fw_phase_options *options) {
  return cexp(-I * options->phase) * cabs(options->force) / options->force;
}

fw_status fw_phase_curve_init(fw_context *ctx, fw_system *system, const fw_state *rest, const fw_phase_options *options,
                              fw_phase_curve *c) {
  *c = (fw_phase_curve){.options = *options, .system = system, .rest = rest, .turn = turn_of(options), .size = 1};
  const fw_shooting_options how = {.map = {.integrator = options->integrator,
                                           .steps = options->steps,
                                           .periods = 1,
                                           .other = FW_MAP_LEVEL,
                                           .drive = options->drive,
                                           .sensor = options->sensor},
                                   .conditions = {{c, out_of_phase}}};
  return fw_shooting_init(ctx, system, rest, &how, &c->s);
}

void fw_phase_curve_clear(fw_phase_curve *c) { fw_shooting_clear(&c->s); }

fw_status fw_phase_curve_scale(fw_phase_curve *c, const double *y) {
  c->s.map.value = y[c->s.map.n + 1];
  FW_TRY(fw_period_map_run(&c->s.map, y, y[c->s.map.n], NULL, NULL, c->s.end));
  c->size = cabs(c->s.map.harmonic);
  fw_shooting_scale(&c->s, y);
  return c->size > 0 ? FW_OK : FW_RECOVER_DIVERGED;
}

/* ---- the first ----------------------------------------------------------------------------------- */

/* The response at one level, looked through for its first resonance. */
typedef struct sweep {
  const fw_phase_curve *of;
  fw_shooting s;
  double *last, *between; /* [n + 1] the point before, and the resonance */
  double complex before;  /* turn X_1 there; 0: it is the first */
  bool found;
} sweep;

/* Between two points whose first harmonics pass the wished phase: where it does so along the line through them. */
static void note_passing(sweep *w, const double *y, double complex now) {
  int n = w->s.map.n;
  double part = cimag(w->before) / (cimag(w->before) - cimag(now));
  double along = creal(w->before) + part * (creal(now) - creal(w->before));
  bool passes = cabs(w->before) > 0 && (cimag(w->before) > 0) != (cimag(now) > 0);
  w->found = passes && along > 0;
  for (int i = 0; w->found && i <= n; i++) w->between[i] = w->last[i] + part * (y[i] - w->last[i]);
}

/* The curve ends where the resonance is passed. */
static fw_status watch(void *user, fw_continuation *curve, const double *y, const double *tangent) {
  sweep *w = user;
  int n = w->s.map.n;
  (void)tangent;
  FW_TRY(fw_period_map_run(&w->s.map, y, y[n], NULL, NULL, w->s.end));
  double complex now = w->of->turn * w->s.map.harmonic;
  note_passing(w, y, now);
  w->before = now;
  memcpy(w->last, y, ((size_t)n + 1) * sizeof *y);
  double range = curve->scale[n];
  fw_shooting_scale(&w->s, y);
  curve->scale[n] = range;
  w->s.sequence = 0;
  return w->found ? FW_RECOVER_DIVERGED : FW_OK;
}

static fw_status sweep_begin(const fw_phase_curve *c, double level, fw_state *rest, sweep *w) {
  fw_context *ctx = c->s.map.ctx;
  const fw_phase_options *o = &c->options;
  const fw_shooting_options how = {
      .map = {.integrator = o->integrator, .steps = o->steps, .periods = 1, .sensor = o->sensor}};
  for (int i = 0; i < rest->model->load_count; i++) rest->load_factors[i] += level * o->drive[i];
  FW_TRY(fw_shooting_init(ctx, c->system, rest, &how, &w->s));
  FW_TRY(fw_alloc(ctx, (size_t)w->s.map.n + 1, sizeof *w->last, &w->last));
  return fw_alloc(ctx, (size_t)w->s.map.n + 1, sizeof *w->between, &w->between);
}

/* The first motion at y's frequency or beyond, on the grid. */
static fw_status begin_at(const fw_phase_search *search, double step, sweep *w, double *y) {
  int n = w->s.map.n, passed;
  fw_status status = FW_RECOVER_DIVERGED;
  for (double omega = y[n]; status > 0 && (search->to - omega) * step >= 0; omega += step) {
    y[n] = omega;
    status = fw_shooting_find(&w->s, search->tolerance, search->most, &passed, y);
  }
  return status;
}

/* Piece after piece: where the curve is lost the next begins at the next value of the grid, from time integration. */
static fw_status look_through(fw_phase_curve *c, const fw_phase_search *search, sweep *w, double *y) {
  int n = w->s.map.n;
  double step = (search->to - search->from) / (search->points - 1);
  fw_arc_length along = {.from = search->from,
                         .to = search->to,
                         .step = fabs(step),
                         .tolerance = search->tolerance,
                         .most = POINTS_PER_POINT * search->points,
                         .user = w,
                         .accept = watch};
  memcpy(y, w->s.rest, (size_t)n * sizeof *y);
  y[n] = search->from;
  while (!w->found && (search->to - y[n]) * step >= 0) {
    FW_TRY(begin_at(search, step, w, y));
    w->before = 0;
    w->s.curve.scale[n] = fabs(search->to - search->from);
    fw_status status = fw_arc_length_run(c->s.map.ctx, &w->s.curve, &along, y);
    if (status <= 0 && !w->found) return status < 0 ? status : FW_RECOVER_DIVERGED;
    if (!w->found) c->lost = along.reached;
    memcpy(y, w->last, (size_t)n * sizeof *y);
    y[n] = search->from + step * (floor((along.reached - search->from) / step + 1e-6) + 1);
  }
  return w->found ? FW_OK : FW_RECOVER_DIVERGED;
}

fw_status fw_phase_curve_find(fw_phase_curve *c, const fw_phase_search *search, double *y) {
  fw_status status = FW_OK;
  int n = c->s.map.n;
  sweep w = {.of = c};
  fw_state *rest = NULL;
  fw_newton newton;
  FW_TRY_DONE(fw_state_copy(c->s.map.ctx, c->rest, &rest));
  FW_TRY_DONE(sweep_begin(c, search->level, rest, &w));
  FW_TRY_DONE(look_through(c, search, &w, y));
  memcpy(y, w.between, ((size_t)n + 1) * sizeof *y);
  y[n + 1] = search->level;
  FW_TRY_DONE(fw_phase_curve_scale(c, y));
  status = fw_shooting_solve(&c->s, search->tolerance, &newton, y);
done:
  fw_shooting_clear(&w.s);
  free(w.last);
  free(w.between);
  fw_state_destroy(&rest);
  return status;
}
