/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/ida/events.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/totals.h"
#include "solver/ida/mobility.h"
#include "solver/local_contact.h"

enum { NEWTON_MOST = 30 };

static bool rigid_friction(const fw_pair *pair) {
  return pair->friction_count > 0 && fw_friction_is_rigid(&pair->friction[0]);
}

static double *states_of(const fw_dae_point *point, fw_state *state) {
  return state->z + point->pair->first_z + point->follower * point->pair->states;
}

static double along(const fw_kinematic *kin, const double *direction, const double *vector) {
  double sum = 0.0;
  for (int i = 0; i < kin->count; i++) sum += direction[i] * vector[kin->dof[i]];
  return sum;
}

/* ---- settling ---------------------------------------------------------------------------- */

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
  double *z = states_of(point, state), sum = 0.0;
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
      fw_friction_step(&pair->friction[k], &(fw_step_in){{0.0, 0.0, 0.0, N, N}, 0.0}, z + at, &out);
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
      law->ops->limit(law->constants, 0.0, fmax(touch->N, 0.0), states_of(point, state), &limit);
      double slack = 1e-12 * (limit.stick_plus + limit.stick_minus);
      if (touch->T <= limit.stick_plus + slack && touch->T >= -limit.stick_minus - slack) continue;
      point->mode = FW_TANGENT_SLIP;
      point->direction = touch->T > 0.0 ? 1.0 : -1.0;
      changed = true;
    }
  }
  return changed;
}

fw_status fw_events_check(fw_context *ctx, const fw_dae *dae, double time) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_dae_point *point = &dae->points[c];
    if (!fw_normal_is_rigid(&point->pair->normal) || !point->closed) continue;
    if (point->lift - point->slope * point->tilt > 0.0 || !(point->lift > 0.0)) continue;
    return fw_fail(ctx, FW_ERR_ANALYSIS,
                   "t = %.9g s, pair %s: a hard contact cannot carry dT/dN = %.3g there, its limit is %.3g (Painleve's "
                   "paradox: friction turns the follower into its target faster than N pushes it out). Give the "
                   "follower its moment of inertia, take larger elements around it or a compliant normal law, or "
                   "integrate with solver=\"alpha\"",
                   time, point->pair->id, fabs(point->slope), fabs(point->lift / point->tilt));
  }
  return FW_OK;
}

/* Which way each law in motion goes from here: with its velocity, or with its acceleration out of rest. */
static void set_directions(fw_dae *dae, const fw_state *state) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    if (point->mode != FW_TANGENT_LAW) continue;
    double v = state->touch[c].slip_velocity, a = along(&point->kin, point->kin.slip_q, state->a);
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

/* ---- impacts ----------------------------------------------------------------------------- */

typedef struct fw_impact {
  fw_mobility mobility;
  fw_local_problem problem;
  fw_pair *pairs;   /* copies without compliant friction */
  fw_touch *before; /* none pressed yet */
  double *z;
} fw_impact;

static void impact_clear(fw_impact *impact) {
  fw_local_problem *p = &impact->problem;
  void *blocks[] = {p->points, p->free, p->D,      p->N,          p->T,           p->gap,
                    p->slip,   p->z,    p->status, impact->pairs, impact->before, impact->z};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
  fw_mobility_clear(&impact->mobility);
}

static fw_status impact_prepare(fw_context *ctx, fw_dae *dae, const fw_state *state, int count, fw_impact *impact) {
  fw_local_problem *p = &impact->problem;
  size_t n = (size_t)count;
  FW_TRY(fw_mobility_create(ctx, dae, state, &impact->mobility));
  p->count = count;
  FW_TRY(fw_alloc(ctx, n, sizeof *p->points, &p->points));
  FW_TRY(fw_alloc(ctx, 2 * n, sizeof *p->free, &p->free));
  FW_TRY(fw_alloc(ctx, 4 * n * n, sizeof *p->D, &p->D));
  FW_TRY(fw_alloc(ctx, n, sizeof *p->N, &p->N));
  FW_TRY(fw_alloc(ctx, n, sizeof *p->T, &p->T));
  FW_TRY(fw_alloc(ctx, n, sizeof *p->gap, &p->gap));
  FW_TRY(fw_alloc(ctx, n, sizeof *p->slip, &p->slip));
  FW_TRY(fw_alloc(ctx, n, sizeof *p->z, &p->z));
  FW_TRY(fw_alloc(ctx, n, sizeof *p->status, &p->status));
  FW_TRY(fw_alloc(ctx, n, sizeof *impact->pairs, &impact->pairs));
  FW_TRY(fw_alloc(ctx, n, sizeof *impact->before, &impact->before));
  return fw_alloc(ctx, (size_t)dae->model->z_count + 1, sizeof *impact->z, &impact->z);
}

/* Takes the velocities after an impact into a touch, and what the impulses did. */
static void strike(const fw_dae_point *point, double P_n, double P_t, const double *v, fw_touch *touch,
                   fw_impact_loss *lost) {
  double gap_before = touch->gap_velocity, slip_before = touch->slip_velocity, rubbed = touch->dissipated;
  touch->gap_velocity = along(&point->kin, point->kin.gap_q, v);
  touch->slip_velocity = along(&point->kin, point->kin.slip_q, v);
  fw_touch_strike(P_n, P_t, slip_before, touch);
  lost->normal -= 0.5 * P_n * (gap_before + touch->gap_velocity);
  lost->friction += touch->dissipated - rubbed;
}

/* Newton's law with friction: the rebound v_n + e v_n(before) and the tangential velocity take the place of gap
 * and slip in the contact conditions, impulses that of forces. */
static fw_status impact_solve(fw_context *ctx, fw_dae *dae, const int *who, const bool *impacting, int count,
                              fw_state *state, fw_impact_loss *lost) {
  fw_impact impact = {0};
  fw_local_problem *p = &impact.problem;
  fw_status status = FW_OK;
  FW_TRY_DONE(impact_prepare(ctx, dae, state, count, &impact));
  const fw_mobility *mobility = &impact.mobility;
  int all = 2 * dae->model->contact_count;
  for (int i = 0; i < count; i++) {
    const fw_dae_point *point = &dae->points[who[i]];
    impact.pairs[i] = *point->pair;
    if (!rigid_friction(point->pair)) impact.pairs[i].friction_count = 0;
    p->points[i] = (fw_local){.pair = &impact.pairs[i], .old = &impact.before[i], .z_old = states_of(point, state)};
    p->z[i] = impact.z;
    double v_n = along(&point->kin, point->kin.gap_q, state->v);
    p->free[2 * i] = v_n * (1.0 + (impacting[i] ? point->pair->normal.restitution : 0.0));
    p->free[2 * i + 1] = along(&point->kin, point->kin.slip_q, state->v);
  }
  for (int i = 0; i < 2 * count; i++)
    for (int j = 0; j < 2 * count; j++)
      p->D[i * 2 * count + j] = mobility->D[(2 * who[i / 2] + i % 2) * all + 2 * who[j / 2] + j % 2];
  FW_TRY_DONE(fw_local_solve(ctx, p));
  for (int j = 0; j < 2 * count; j++) {
    double impulse = j % 2 ? -p->T[j / 2] : p->N[j / 2];
    const double *column = mobility->columns + (2 * who[j / 2] + j % 2) * mobility->size;
    for (int64_t k = 0; k < dae->n; k++) state->v[k] += impulse * column[k];
  }
  for (int i = 0; i < count; i++) strike(&dae->points[who[i]], p->N[i], p->T[i], state->v, &state->touch[who[i]], lost);
done:
  impact_clear(&impact);
  return status;
}

static void close_point(fw_dae_point *point, fw_touch *touch) {
  point->closed = true;
  point->slip_base = 0.0;
  point->mode = point->pair->friction_count == 0     ? FW_TANGENT_FREE
                : !rigid_friction(point->pair)       ? FW_TANGENT_LAW
                : fabs(touch->slip_velocity) > 1e-12 ? FW_TANGENT_SLIP
                                                     : FW_TANGENT_STICK;
  point->direction = touch->slip_velocity < 0.0 ? -1.0 : 1.0;
}

/* Rebound speed below which a point stays: it would rise no higher than `height`. */
static double rest_speed(const fw_dae_point *point, const fw_rest *rest, const fw_state *state) {
  double fall = fmax(-along(&point->kin, point->kin.gap_q, state->a), 0.0);
  return fmax(rest->speed, sqrt(2.0 * rest->height * fall));
}

static fw_status impacts(fw_context *ctx, fw_dae *dae, const bool *closing, const fw_rest *rest, fw_state *state,
                         fw_impact_loss *lost) {
  fw_status status = FW_OK;
  int count = 0, *who = NULL;
  bool *impacting = NULL;
  size_t points = (size_t)dae->model->contact_count;
  FW_TRY_DONE(fw_alloc(ctx, points, sizeof *who, &who));
  FW_TRY_DONE(fw_alloc(ctx, points, sizeof *impacting, &impacting));
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_dae_point *point = &dae->points[c];
    if (!fw_normal_is_rigid(&point->pair->normal) || !(closing[c] || point->closed)) continue;
    double rebound = point->pair->normal.restitution * fabs(state->touch[c].gap_velocity);
    impacting[count] = closing[c] && rebound > rest_speed(point, rest, state);
    who[count++] = c;
  }
  FW_TRY_DONE(impact_solve(ctx, dae, who, impacting, count, state, lost));
  for (int i = 0; i < count; i++) {
    fw_dae_point *point = &dae->points[who[i]];
    fw_touch *touch = &state->touch[who[i]];
    if (closing[who[i]] && touch->gap_velocity <= rest_speed(point, rest, state)) close_point(point, touch);
  }
done:
  free(who);
  free(impacting);
  return status;
}

/* ---- applying events --------------------------------------------------------------------- */

static void reset_states(const fw_dae_point *point, fw_state *state) {
  double *z = states_of(point, state);
  for (int k = 0, at = 0; k < point->pair->friction_count; at += point->pair->friction[k].states, k++)
    fw_friction_reset(&point->pair->friction[k], z + at);
}

fw_status fw_events_apply(fw_context *ctx, fw_dae *dae, const int *found, const fw_rest *rest, fw_state *state,
                          fw_impact_loss *lost) {
  bool *closing = NULL, any_closing = false;
  fw_status status = FW_OK;
  FW_TRY(fw_alloc(ctx, (size_t)dae->model->contact_count, sizeof *closing, &closing));
  for (int c = 0; c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    fw_touch *touch = &state->touch[c];
    const int *root = found + FW_DAE_ROOTS * c;
    if (root[0] && point->closed) {
      point->closed = false;
      point->mode = FW_TANGENT_FREE;
      reset_states(point, state);
    } else if (root[0] && touch->gap_velocity < 0.0) {
      closing[c] = any_closing = true;
      reset_states(point, state);
    }
    if ((root[1] || root[2]) && point->mode == FW_TANGENT_STICK) {
      point->mode = FW_TANGENT_SLIP;
      point->direction = root[1] ? 1.0 : -1.0;
    }
    if (root[3] && point->mode == FW_TANGENT_SLIP) {
      point->mode = FW_TANGENT_STICK;
      point->slip_base = 0.0;
    }
  }
  if (any_closing) status = impacts(ctx, dae, closing, rest, state, lost);
  free(closing);
  if (status == FW_OK) status = fw_events_settle(ctx, dae, state);
  return status;
}
