/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/shooting/cycle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/assembly/constraints.h"

enum { WINDOW = 10 };                /* periods as expected in which the motion must come back */
enum { FIRST = 5 };                  /* of them before the first attempt */
static const double AWAY = 0.3;      /* of its range: it has left where it was, */
static const double BACK = 0.05;     /* and is there again */
static const double RESTS = 1e-6;    /* of the speeds at first, or of the drift: what is left of them */
static const double VANISHED = 1e-2; /* of the speed where Newton's method began: it has come to rest instead */

/* ---- life -------------------------------------------------------------------------------------- */

/* w (x - pin), in scaled unknowns where it was pinned. */
static double pinned(void *user, const double *y, double *gradient) {
  const fw_cycle *c = user;
  int n = c->s.map.n;
  double sum = 0;
  for (int i = 0; i < n; i++) sum += c->weight[i] * (y[i] - c->pin[i]);
  for (int i = 0; gradient && i < n; i++) gradient[i] = c->weight[i];
  return sum;
}

/* A state at time 0 on the model with a pace: what the joints have moved by until its own time is taken off. */
static fw_status begin_state(fw_context *ctx, fw_cycle *c, const fw_state *from, double *drift, fw_state **state) {
  FW_TRY(fw_state_copy(ctx, from, state));
  (*state)->model = &c->model;
  FW_TRY(fw_drift_find(ctx, c->system, *state, drift));
  for (int i = 0; i < c->model.dof_count; i++) (*state)->q[i] -= drift[i] * (*state)->time;
  (*state)->time = 0;
  return fw_constraints_reach(ctx, c->system, NULL, NULL, *state);
}

fw_status fw_cycle_init(fw_context *ctx, const fw_model *model, const fw_state *from, const fw_alpha_options *options,
                        int steps, fw_cycle *c) {
  fw_status status = FW_OK;
  fw_state *state = NULL;
  double *drift = NULL;
  *c = (fw_cycle){.model = *model};
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->dof_count, sizeof *drift, &drift));
  FW_TRY_DONE(fw_system_create(ctx, &c->model, &c->system));
  FW_TRY_DONE(begin_state(ctx, c, from, drift, &state));
  fw_shooting_options how = {
      .map = {.integrator = *options, .steps = steps, .periods = 1, .other = FW_MAP_PACE, .paced = &c->model},
      .conditions = {{c, pinned}}};
  FW_TRY_DONE(fw_shooting_init(ctx, c->system, state, &how, &c->s));
  size_t n = (size_t)c->s.map.n;
  FW_TRY_DONE(fw_alloc(ctx, n, sizeof *c->drift, &c->drift));
  FW_TRY_DONE(fw_alloc(ctx, n, sizeof *c->pin, &c->pin));
  FW_TRY_DONE(fw_alloc(ctx, n, sizeof *c->weight, &c->weight));
  memcpy(c->drift, drift, (size_t)model->dof_count * sizeof *drift);
  c->s.map.drift = c->drift;
done:
  free(drift);
  fw_state_destroy(&state);
  return status;
}

void fw_cycle_clear(fw_cycle *c) {
  fw_shooting_clear(&c->s);
  fw_system_destroy(&c->system);
  free(c->drift);
  free(c->pin);
  free(c->weight);
  *c = (fw_cycle){0};
}

const double *fw_cycle_begin(const fw_cycle *c) { return c->s.rest; }

/* ---- the pin ----------------------------------------------------------------------------------- */

double fw_cycle_speed(const fw_cycle *c, const double *y) {
  int n = c->model.dof_count;
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(y[n + i] - y[c->s.map.n + 1] * c->drift[i]));
  return most;
}

/* Rate of number i along the motion: of displacements and velocities, less the drift; the others do not count. */
static double rate_of(const fw_cycle *c, const double *y, int i) {
  int n = c->model.dof_count;
  return i < n ? y[n + i] - y[c->s.map.n + 1] * c->drift[i] : i < 2 * n ? y[n + i] : 0;
}

void fw_cycle_pin(fw_cycle *c, const double *y) {
  int n = c->s.map.n;
  double sum = 0;
  c->s.map.value = y[n + 1];
  fw_shooting_scale(&c->s, y);
  memcpy(c->pin, y, (size_t)n * sizeof *c->pin);
  for (int i = 0; i < n; i++) sum += pow(rate_of(c, y, i) / c->s.curve.scale[i], 2);
  for (int i = 0; i < n; i++) c->weight[i] = sum > 0 ? rate_of(c, y, i) / (pow(c->s.curve.scale[i], 2) * sqrt(sum)) : 0;
}

/* ---- the first cycle --------------------------------------------------------------------------- */

/* The numbers at the ends of all steps, without drift. */
typedef struct trace {
  fw_cycle *cycle;
  double *numbers; /* [room x n] */
  int count, room;
  double *least, *most; /* [2 dof_count] of displacements and velocities */
} trace;

static void note(void *user, const fw_state *state, const fw_energy *energy) {
  trace *t = user;
  const fw_cycle *c = t->cycle;
  size_t n = (size_t)c->s.map.n;
  (void)energy;
  if (t->count == t->room || (state->time == 0 && t->count > 0)) return; /* a period begins where the last ended */
  double *at = t->numbers + (size_t)t->count * n;
  fw_alpha_get(c->s.map.alpha, at);
  for (int i = 0; i < c->model.dof_count; i++) at[i] -= fw_period_map_drift(&c->s.map, i) * state->time;
  for (int i = 0; i < 2 * c->model.dof_count; i++) {
    t->least[i] = t->count ? fmin(t->least[i], at[i]) : at[i];
    t->most[i] = t->count ? fmax(t->most[i], at[i]) : at[i];
  }
  t->count++;
}

static fw_status trace_init(fw_cycle *c, trace *t) {
  fw_context *ctx = c->s.map.ctx;
  *t = (trace){.cycle = c, .room = WINDOW * c->s.map.steps};
  FW_TRY(fw_alloc(ctx, (size_t)t->room * (size_t)c->s.map.n, sizeof *t->numbers, &t->numbers));
  FW_TRY(fw_alloc(ctx, 2 * (size_t)c->model.dof_count, sizeof *t->least, &t->least));
  return fw_alloc(ctx, 2 * (size_t)c->model.dof_count, sizeof *t->most, &t->most);
}

static void trace_clear(trace *t) {
  free(t->numbers);
  free(t->least);
  free(t->most);
}

static fw_status trace_run(trace *t, double *y) {
  fw_cycle *c = t->cycle;
  t->count = 0;
  for (int i = 0; i < WINDOW; i++) {
    FW_TRY(fw_period_map_run(&c->s.map, y, y[c->s.map.n], note, t, c->s.end));
    memcpy(y, c->s.end, (size_t)c->s.map.n * sizeof *y);
  }
  return FW_OK;
}

/* Largest range of a displacement (kind 0) or a velocity (1). */
static double range(const trace *t, int kind) {
  int n = t->cycle->model.dof_count;
  double most = 0;
  for (int i = kind * n; i < (kind + 1) * n; i++) most = fmax(most, t->most[i] - t->least[i]);
  return most;
}

/* How far a moment is from the first one, over the ranges. */
static double away(const trace *t, int moment) {
  int n = t->cycle->model.dof_count;
  const double *at = t->numbers + (size_t)moment * (size_t)t->cycle->s.map.n, *first = t->numbers;
  double most = 0;
  for (int kind = 0; kind < 2; kind++)
    for (int i = kind * n; i < (kind + 1) * n; i++) most = fmax(most, fabs(at[i] - first[i]) / range(t, kind));
  return most;
}

/* Steps after which the motion has come back nearest; 0: it has not. */
static int comes_back(const trace *t) {
  int i = 1;
  while (i < t->count && away(t, i) < AWAY) i++;
  while (i < t->count && away(t, i) > BACK) i++;
  while (i + 1 < t->count && away(t, i + 1) < away(t, i)) i++;
  return i < t->count ? i : 0;
}

/* The fastest moment of the first `period` steps. */
static int fastest(const trace *t, int period, double pace) {
  int n = t->cycle->model.dof_count, best = 0;
  double most = 0;
  for (int k = 0; k < period; k++) {
    const double *at = t->numbers + (size_t)k * (size_t)t->cycle->s.map.n;
    for (int i = 0; i < n; i++) {
      double speed = fabs(at[n + i] - pace * t->cycle->drift[i]);
      if (speed > most) most = speed, best = k;
    }
  }
  return best;
}

/* Newton's method from the trace; trial: room of a point. */
static fw_status try_trace(fw_cycle *c, const trace *t, double tolerance, const double *y, double *trial) {
  int n = c->s.map.n, period = comes_back(t);
  fw_newton newton;
  c->none = "the motion does not come back to where it was";
  if (!period) return FW_RECOVER_DIVERGED;
  memcpy(trial, t->numbers + (size_t)fastest(t, period, y[n + 1]) * (size_t)n, (size_t)n * sizeof *trial);
  trial[n] = y[n] * c->s.map.steps / period;
  trial[n + 1] = y[n + 1];
  double speed = fw_cycle_speed(c, trial);
  fw_cycle_pin(c, trial);
  c->none = "Newton's method finds none near the motion";
  FW_TRY(fw_shooting_solve(&c->s, tolerance, &newton, trial));
  c->none = "Newton's method leads to a state of rest";
  return fw_cycle_speed(c, trial) > VANISHED * speed ? FW_OK : FW_RECOVER_DIVERGED;
}

/* Whether the motion has died out; *first: its velocities when first seen. */
static bool rests(const trace *t, double pace, double *first) {
  int n = t->cycle->model.dof_count;
  double now = range(t, 1), size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(pace * t->cycle->drift[i]));
  *first = fmax(*first, now);
  return !(now > RESTS * fmax(*first, size));
}

fw_status fw_cycle_find(fw_cycle *c, double tolerance, int most, double *y) {
  trace t;
  double *trial = NULL, first = 0;
  size_t entries = (size_t)c->s.map.n + 2;
  fw_status status = trace_init(c, &t);
  if (status == FW_OK) status = fw_alloc(c->s.map.ctx, entries, sizeof *trial, &trial);
  if (status == FW_OK) status = FW_RECOVER_DIVERGED;
  for (int passed = 0, more = FIRST; status > 0 && passed < most; passed += more + WINDOW, more *= 2) {
    c->none = "time integration fails";
    status = fw_shooting_integrate(&c->s, more, y);
    if (status == FW_OK) status = trace_run(&t, y);
    if (status != FW_OK) break;
    status = rests(&t, y[entries - 1], &first) ? FW_RECOVER_DIVERGED : try_trace(c, &t, tolerance, y, trial);
    if (!rests(&t, y[entries - 1], &first)) continue;
    c->none = "the motion dies out";
    break;
  }
  if (status == FW_OK) memcpy(y, trial, entries * sizeof *y);
  free(trial);
  trace_clear(&t);
  return status;
}
