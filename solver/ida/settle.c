/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forces, accelerations and modes that fit each other at one moment. */
#include "solver/ida/events.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/ida/mobility.h"

enum { NEWTON_MOST = 30 };

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
    touch->status = open ? FW_OPEN : point->mode == FW_TANGENT_SLIP ? FW_SLIP : FW_STICK;
    if (open) touch->T = 0.0;
    if (open && fw_normal_is_rigid(&point->pair->normal)) touch->N = 0.0;
  }
}

/* Friction force of a point that is not held, for its present v and states, and its derivative by N. */
static double friction_force(const fw_dae_point *point, const fw_touch *touch, double N, fw_state *state, double *work,
                             double *slope) {
  const fw_pair *pair = point->pair;
  double *z = fw_dae_states(point, state), sum = 0.0;
  *slope = 0.0;
  if (point->mode == FW_TANGENT_FREE || touch->status == FW_OPEN) return 0.0;
  if (point->mode == FW_TANGENT_SLIP) {
    fw_limit_out limit;
    double v = point->direction * fmax(point->direction * touch->slip_velocity, 1e-300);
    pair->friction[0].ops->limit(pair->friction[0].constants, v, N, z, &limit);
    *slope = limit.slip_N;
    return limit.slip;
  }
  for (int k = 0, at = 0; k < pair->friction_count; at += pair->friction[k].states, k++) {
    size_t n = (size_t)pair->friction[k].states;
    if (point->first_z >= 0) {
      fw_rate_out out = {
          .zdot = work, .zdot_z = work + 4 * n, .zdot_v = work + n, .zdot_N = work + 2 * n, .T_z = work + 3 * n};
      fw_friction_rate(&pair->friction[k], &(fw_rate_in){touch->slip_velocity, N}, z + at, &out);
      sum += out.T;
      *slope += out.T_N;
    } else {
      double *T_x = work + n * n + n * (FW_STEP_INPUTS + 2);
      fw_step_out out = {
          .z = work, .T_z = work + n, .z_x = work + 2 * n, .z_z = work + n * (FW_STEP_INPUTS + 2), .T_x = T_x};
      double v = fw_friction_is_elastic(&pair->friction[k]) ? touch->slip_velocity : 0.0;
      fw_step_in in = {{0.0, v, v, N, N}, 1e-15};
      fw_friction_step(&pair->friction[k], v != 0.0 ? &in : &(fw_step_in){{0.0, 0.0, 0.0, N, N}, 0.0}, z + at, &out);
      sum += out.T;
      *slope += T_x[FW_STEP_N1];
    }
  }
  return sum;
}

typedef struct fw_settling {
  fw_mobility mobility;
  double *y, *y_dot, *F; /* [dae->size] at rest of forces: what accelerations must undo */
  double *free;          /* [mobility.size] accelerations and joint multipliers without contact forces */
  double *x, *r, *J;     /* N, T of each point; their equations */
  lapack_int *pivots;
} fw_settling;

static void settling_clear(fw_settling *s) {
  void *blocks[] = {s->y, s->y_dot, s->F, s->free, s->x, s->r, s->J, s->pivots};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
  fw_mobility_clear(&s->mobility);
}

static fw_status settling_prepare(fw_context *ctx, fw_dae *dae, const fw_state *state, fw_settling *s) {
  size_t size = (size_t)dae->size, n = 2 * (size_t)dae->model->contact_count;
  FW_TRY(fw_mobility_create(ctx, dae, state, &s->mobility));
  FW_TRY(fw_alloc(ctx, size, sizeof(double), &s->y));
  FW_TRY(fw_alloc(ctx, size, sizeof(double), &s->y_dot));
  FW_TRY(fw_alloc(ctx, size, sizeof(double), &s->F));
  FW_TRY(fw_alloc(ctx, (size_t)s->mobility.size, sizeof(double), &s->free));
  FW_TRY(fw_alloc(ctx, n, sizeof(double), &s->x));
  FW_TRY(fw_alloc(ctx, n, sizeof(double), &s->r));
  FW_TRY(fw_alloc(ctx, n * n, sizeof(double), &s->J));
  return fw_alloc(ctx, n, sizeof *s->pivots, &s->pivots);
}

/* The residual without accelerations and contact forces: momentum, joint and held rows hold what is missing. */
static fw_status free_accelerations(fw_context *ctx, fw_dae *dae, const fw_state *state, fw_settling *s) {
  fw_dae_pack(dae, state, s->y, s->y_dot);
  memset(s->y + dae->contact_at, 0, (size_t)(dae->size - dae->contact_at) * sizeof *s->y);
  memset(s->y_dot + dae->n, 0, (size_t)dae->n * sizeof *s->y_dot);
  FW_TRY(fw_dae_residual(ctx, dae, state->time, s->y, s->y_dot, s->F));
  for (int64_t i = 0; i < dae->n; i++) s->free[i] = -s->F[dae->n + i];
  for (int64_t i = dae->n; i < s->mobility.size; i++) s->free[i] = -s->F[dae->lambda_at + i - dae->n];
  return fw_factor_solve(ctx, s->mobility.factor, s->free, 1);
}

/* One row of the point's two equations and its derivatives. Held: acceleration 0; else force minus law. */
static void settle_row(fw_dae *dae, fw_state *state, fw_settling *s, int row) {
  int n = 2 * dae->model->contact_count, c = row / 2;
  const fw_dae_point *point = &dae->points[c];
  const fw_touch *touch = &state->touch[c];
  bool tangential = row % 2, hard = fw_normal_is_rigid(&point->pair->normal);
  bool held = tangential ? point->mode == FW_TANGENT_STICK : hard && point->closed;
  double *J = s->J + row * n;
  memset(J, 0, (size_t)n * sizeof *J);
  if (held) {
    const fw_kinematic *kin = &point->kin;
    const double *direction = tangential ? kin->slip_q : kin->gap_q;
    s->r[row] = s->F[dae->contact_at + row];
    for (int i = 0; i < kin->count; i++) s->r[row] += direction[i] * s->free[kin->dof[i]];
    for (int j = 0; j < n; j++) {
      J[j] = (j % 2 ? -1.0 : 1.0) * s->mobility.D[row * n + j];
      s->r[row] += J[j] * s->x[j];
    }
  } else if (tangential) {
    double slope, T = friction_force(point, touch, fmax(s->x[2 * c], 0.0), state, dae->work, &slope);
    s->r[row] = s->x[row] - T;
    J[row] = 1.0;
    J[row - 1] = s->x[2 * c] > 0.0 ? -slope : 0.0;
  } else {
    s->r[row] = s->x[row] - (hard ? 0.0 : touch->N);
    J[row] = 1.0;
  }
}

/* N, T and accelerations that fit the modes: Newton on the contact forces, to which accelerations are linear. */
static fw_status settle_forces(fw_context *ctx, fw_dae *dae, fw_state *state) {
  fw_status status = FW_OK;
  fw_settling s = {0};
  lapack_int n = 2 * dae->model->contact_count;
  FW_TRY_DONE(settling_prepare(ctx, dae, state, &s));
  FW_TRY_DONE(free_accelerations(ctx, dae, state, &s));
  for (int c = 0; c < dae->model->contact_count; c++) {
    s.x[2 * c] = state->touch[c].N;
    s.x[2 * c + 1] = state->touch[c].T;
  }
  for (int iteration = 0; n > 0 && iteration < NEWTON_MOST; iteration++) {
    double change = 0.0, size = 0.0;
    for (lapack_int row = 0; row < n; row++) settle_row(dae, state, &s, row);
    if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, s.J, n, s.pivots, s.r, 1) != 0) {
      status = fw_fail(ctx, FW_ERR_ANALYSIS, "contact forces are not determined at t = %.9g s", state->time);
      goto done;
    }
    for (lapack_int row = 0; row < n; row++) {
      s.x[row] -= s.r[row];
      change = fmax(change, fabs(s.r[row]));
      size = fmax(size, fabs(s.x[row]));
    }
    if (change <= 1e-13 * size) break;
  }
  for (lapack_int row = 0; row < n; row++)
    for (int64_t k = 0; k < s.mobility.size; k++)
      s.free[k] += (row % 2 ? -s.x[row] : s.x[row]) * s.mobility.columns[row * s.mobility.size + k];
  memcpy(state->a, s.free, (size_t)dae->n * sizeof *state->a);
  memcpy(state->lambda, s.free + dae->n, (size_t)dae->model->constraint_count * sizeof *state->lambda);
  for (int c = 0; c < dae->model->contact_count; c++) {
    state->touch[c].N = s.x[2 * c];
    state->touch[c].T = s.x[2 * c + 1];
    dae->points[c].lift = s.mobility.D[2 * c * n + 2 * c];
    dae->points[c].tilt = s.mobility.D[2 * c * n + 2 * c + 1];
  }
done:
  settling_clear(&s);
  return status;
}

/* Corrects the modes that the settled forces contradict; true if one changed. A point that rests at its target
 * must not be pressed into it. */
static bool correct_modes(fw_dae *dae, fw_state *state) {
  bool changed = false;
  for (int c = 0; c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    fw_touch *touch = &state->touch[c];
    bool hard = fw_normal_is_rigid(&point->pair->normal);
    if (hard && point->closed && touch->N < 0.0) {
      point->closed = false;
      point->mode = FW_TANGENT_FREE;
      changed = true;
    } else if (point->mode == FW_TANGENT_STICK) {
      fw_limit_out limit;
      const fw_friction *law = &point->pair->friction[0];
      law->ops->limit(law->constants, 0.0, fmax(touch->N, 0.0), fw_dae_states(point, state), &limit);
      double slack = 1e-12 * (limit.stick_plus + limit.stick_minus);
      if (touch->T <= limit.stick_plus + slack && touch->T >= -limit.stick_minus - slack) continue;
      point->mode = FW_TANGENT_SLIP;
      point->direction = touch->T > 0.0 ? 1.0 : -1.0;
      changed = true;
    }
  }
  return changed;
}

/* Which way each law in motion goes from here: with its velocity, or with its acceleration out of rest. */
static void set_directions(fw_dae *dae, const fw_state *state) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    if (point->mode != FW_TANGENT_LAW) continue;
    double v = state->touch[c].slip_velocity, a = fw_dae_along(&point->kin, point->kin.slip_q, state->a);
    bool rest = fabs(v) < 1e-9 || v * point->direction <= 0.0;
    point->direction = (rest ? a : v) < 0.0 ? -1.0 : 1.0;
  }
}

fw_status fw_events_settle(fw_context *ctx, fw_dae *dae, fw_state *state) {
  for (int round = 0; round < 10 + 4 * dae->model->contact_count; round++) {
    write_statuses(dae, state);
    FW_TRY(settle_forces(ctx, dae, state));
    if (!correct_modes(dae, state)) break;
  }
  write_statuses(dae, state);
  set_directions(dae, state);
  return FW_OK;
}
