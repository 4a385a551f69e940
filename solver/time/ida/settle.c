/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forces, accelerations and modes that fit each other at one moment. */
#include "solver/time/ida/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/time/ida/contact_rows.h"
#include "solver/time/ida/held.h"
#include "solver/time/ida/mobility.h"
#include "solver/time/ida/vary.h"
#include "solver/time/local_contact.h"

static void write_statuses(const fw_dae *dae, fw_state *state) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_dae_point *point = &dae->points[c];
    fw_touch *touch = &state->touch[c];
    if (!fw_normal_is_rigid(&point->pair->normal)) {
      fw_normal_out law;
      fw_normal_force(&point->pair->normal, touch->gap, touch->gap_velocity, &law);
      touch->N = law.N;
    }
    bool open = fw_normal_is_rigid(&point->pair->normal) ? !point->closed : touch->N <= 0.0;
    bool law_slips = point->mode == FW_TANGENT_LAW && touch->status == FW_SLIP;
    touch->status = open ? FW_OPEN : point->mode == FW_TANGENT_SLIP || law_slips ? FW_SLIP : FW_STICK;
    if (open) touch->T = 0.0;
    if (open && fw_normal_is_rigid(&point->pair->normal)) touch->N = 0.0;
  }
}

/* The contact conditions at one moment: which points take part, and how accelerations answer to their forces. */
typedef struct fw_settling {
  fw_mobility mobility;
  fw_local_problem problem;
  fw_touch *now;         /* of the points that take part, velocities of those at rest 0 */
  int *who;              /* and which they are */
  double *y, *y_dot, *F; /* [dae->size] at rest of forces: what accelerations must undo */
  double *free;          /* [mobility.size] accelerations and joint multipliers without contact forces */
  double *z;             /* scratch: friction states */
} fw_settling;

static void settling_clear(fw_settling *s) {
  void *blocks[] = {s->y, s->y_dot, s->F, s->free, s->z, s->now, s->who};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
  fw_local_clear(&s->problem);
  fw_mobility_clear(&s->mobility);
}

static fw_status settling_prepare(fw_context *ctx, fw_dae *dae, const fw_state *state, fw_settling *s) {
  size_t size = (size_t)dae->size, points = (size_t)dae->model->contact_count;
  FW_TRY(fw_mobility_create(ctx, dae, state, &s->mobility));
  FW_TRY(fw_local_reserve(ctx, &s->problem, dae->model->contact_count));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->now, &s->now));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->who, &s->who));
  FW_TRY(fw_alloc(ctx, size, sizeof(double), &s->y));
  FW_TRY(fw_alloc(ctx, size, sizeof(double), &s->y_dot));
  FW_TRY(fw_alloc(ctx, size, sizeof(double), &s->F));
  FW_TRY(fw_alloc(ctx, (size_t)dae->model->z_count + 1, sizeof(double), &s->z));
  return fw_alloc(ctx, (size_t)s->mobility.size, sizeof(double), &s->free);
}

/* The residual without accelerations and contact forces: momentum and joint rows hold what is missing. */
static fw_status free_accelerations(fw_context *ctx, fw_dae *dae, const fw_state *state, fw_settling *s) {
  fw_dae_pack(dae, state, s->y, s->y_dot);
  memset(s->y + dae->contact_at, 0, (size_t)(dae->size - dae->contact_at) * sizeof *s->y);
  memset(s->y_dot + dae->n, 0, (size_t)dae->n * sizeof *s->y_dot);
  FW_TRY(fw_dae_residual(ctx, dae, state->time, s->y, s->y_dot, s->F));
  for (int64_t i = 0; i < dae->n; i++) s->free[i] = -s->F[dae->n + i];
  for (int64_t i = dae->n; i < s->mobility.size; i++) s->free[i] = -s->F[dae->lambda_at + i - dae->n];
  return fw_factor_solve(ctx, s->mobility.factor, s->free, 1);
}

/* Velocity by which friction is judged: 0 of a point that is at rest, else at least a trace of it. */
static double sliding_velocity(const fw_dae_point *point, const fw_touch *touch) {
  if (point->mode == FW_TANGENT_STICK) return 0.0;
  if (point->mode != FW_TANGENT_SLIP) return touch->slip_velocity;
  return fw_dae_sliding(point, touch->slip_velocity);
}

static void add_point(const fw_dae *dae, const fw_state *state, int c, fw_settling *s) {
  fw_local_problem *p = &s->problem;
  const fw_dae_point *point = &dae->points[c];
  int i = p->count++;
  double gap, slip;
  s->who[i] = c;
  s->now[i] = state->touch[c];
  s->now[i].slip_velocity = sliding_velocity(point, &state->touch[c]);
  s->now[i].status = FW_STICK;
  p->points[i] =
      (fw_local){.pair = point->pair, .old = &s->now[i], .z_old = fw_dae_states(point, state), .moment = true};
  p->z[i] = s->z;
  p->N[i] = state->touch[c].N;
  p->T[i] = state->touch[c].T;
  fw_contact_drift(dae, c, state->v, &gap, &slip);
  p->free[2 * i] = gap + fw_kinematic_along(&point->kin, point->kin.gap_q, s->free);
  p->free[2 * i + 1] = slip + fw_kinematic_along(&point->kin, point->kin.slip_q, s->free);
}

/* Points that touch, with the accelerations their forces cause: those of hard contact that are closed, and those that
 * a compliant law presses. */
static void set_problem(const fw_dae *dae, const fw_state *state, fw_settling *s) {
  fw_local_problem *p = &s->problem;
  int all = 2 * dae->model->contact_count;
  p->count = 0;
  p->from_stuck = true;
  for (int c = 0; c < dae->model->contact_count; c++)
    if (state->touch[c].status != FW_OPEN) add_point(dae, state, c, s);
  int n = 2 * p->count;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      p->D[i * n + j] = s->mobility.D[(2 * s->who[i / 2] + i % 2) * all + 2 * s->who[j / 2] + j % 2];
}

/* The state's accelerations and multipliers under the forces found. */
static void take_accelerations(const fw_dae *dae, fw_settling *s, fw_state *state) {
  const fw_local_problem *p = &s->problem;
  for (int j = 0; j < 2 * p->count; j++) {
    double force = j % 2 ? -p->T[j / 2] : p->N[j / 2];
    const double *column = s->mobility.columns + (2 * s->who[j / 2] + j % 2) * s->mobility.size;
    for (int64_t k = 0; k < s->mobility.size; k++) s->free[k] += force * column[k];
  }
  memcpy(state->a, s->free, (size_t)dae->n * sizeof *state->a);
  memcpy(state->lambda, s->free + dae->n, (size_t)dae->model->constraint_count * sizeof *state->lambda);
}

/* What a point does from here on: hard contact that is not pressed opens, unless it is not even parting; friction at
 * rest goes on sticking or begins to slip the way its force opposes. */
static void take_mode(const fw_local_problem *p, int i, fw_dae_point *point) {
  bool hard = fw_normal_is_rigid(&point->pair->normal);
  double noise = 1e-12 * fabs(p->free[2 * i]);
  if (hard && p->status[i] == FW_OPEN && p->motion[i].gap > noise) {
    point->closed = false;
    point->mode = FW_TANGENT_FREE;
  } else if (point->mode == FW_TANGENT_STICK && p->status[i] == FW_SLIP) {
    point->mode = FW_TANGENT_SLIP;
    point->direction = p->T[i] < 0.0 ? -1.0 : 1.0;
  }
}

static void take_forces(fw_dae *dae, const fw_settling *s, fw_state *state) {
  const fw_local_problem *p = &s->problem;
  int n = 2 * dae->model->contact_count;
  for (int c = 0; c < dae->model->contact_count; c++) {
    dae->points[c].lift = s->mobility.D[2 * c * n + 2 * c];
    dae->points[c].tilt = s->mobility.D[2 * c * n + 2 * c + 1];
    state->touch[c].N = state->touch[c].T = 0.0;
  }
  for (int i = 0; i < p->count; i++) {
    state->touch[s->who[i]].N = p->N[i];
    state->touch[s->who[i]].T = p->T[i];
    take_mode(p, i, &dae->points[s->who[i]]);
  }
}

/* Which way each law in motion goes from here: with its velocity, or with its acceleration out of rest. */
static void set_directions(fw_dae *dae, const fw_state *state) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    if (point->mode != FW_TANGENT_LAW) continue;
    double v = state->touch[c].slip_velocity, a = fw_kinematic_along(&point->kin, point->kin.slip_q, state->a);
    bool rest = fabs(v) < 1e-9 || v * point->direction <= 0.0;
    point->direction = (rest ? a : v) < 0.0 ? -1.0 : 1.0;
  }
}

/* What was jammed may stick now that something has happened. */
static void release_jams(fw_dae *dae) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    if (point->jammed && point->mode == FW_TANGENT_SLIP) {
      point->mode = FW_TANGENT_STICK;
      point->slip_base = 0.0;
    }
    point->jammed = false;
  }
}

fw_status fw_events_settle(fw_context *ctx, fw_dae *dae, fw_state *state) {
  fw_status status = FW_OK;
  fw_settling s = {0};
  release_jams(dae);
  write_statuses(dae, state);
  FW_TRY_DONE(settling_prepare(ctx, dae, state, &s));
  FW_TRY_DONE(free_accelerations(ctx, dae, state, &s));
  set_problem(dae, state, &s);
  FW_TRY_DONE(fw_local_solve(ctx, &s.problem));
  if (dae->variation) FW_TRY_DONE(fw_vary_settling(ctx, dae, &s.mobility, s.who, state, &s.problem));
  take_accelerations(dae, &s, state);
  take_forces(dae, &s, state);
  write_statuses(dae, state);
  set_directions(dae, state);
  status = fw_held_find_shared(ctx, dae, &s.mobility);
done:
  settling_clear(&s);
  return status;
}
