/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two equations of a point between events, for N and for T, by what it does (g: gap, s: slip, k: stabilisation):
 *
 *   compliant contact   N - N(g, g') = 0
 *   hard, open          N = 0
 *   hard, closed        g'' + 2 k g' + k^2 g = 0       as joints are held: index one, and no drift
 *   free, or open       T = 0
 *   rigid, sticks       s'' + 2 k s' + k^2 s = 0       s since it stuck
 *   rigid, slides       T - slip(v, N) = 0
 *   law with rates      T - T(z, v, N) = 0,  z' - rate(z, v, N) = 0
 *   law with steps      T - step(s, v, N; z of the last accepted step) = 0
 *
 * g'' and s'' have the curvature of their directions in them: g'' = g_q . v' + v . g_qq v. Which line holds changes at
 * roots of the event functions only (events.c), so that within a step all are smooth. */
#include "solver/time/ida/contact_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/friction/derived.h"
#include "solver/time/ida/held.h"

/* ---- contact kinematics and laws --------------------------------------------------------- */

static double quadratic(const fw_kinematic *kin, const double *second, const double *v) {
  double sum = 0.0;
  for (int i = 0; kin->curved && i < kin->count; i++)
    for (int j = 0; j < kin->count; j++) sum += v[kin->dof[i]] * second[i * kin->count + j] * v[kin->dof[j]];
  return sum;
}

static fw_status kinematics(fw_dae *dae, int c, const double *q, const double *v) {
  fw_dae_point *point = &dae->points[c];
  fw_status status = fw_pair_kinematics(dae->model, point->pair, point->follower, dae->committed->q,
                                        &dae->committed->touch[c], q, &point->kin);
  if (status != FW_OK && status != FW_RECOVER_CONTACT) return status;
  point->gap_rate = fw_kinematic_along(&point->kin, point->kin.gap_q, v);
  point->slip_rate = fw_kinematic_along(&point->kin, point->kin.slip_q, v);
  return FW_OK;
}

static fw_status detect(fw_dae *dae, int c, const double *y) { return kinematics(dae, c, y, y + dae->n); }

fw_status fw_dae_kinematics(fw_dae *dae, const double *y) {
  for (int c = 0; c < dae->model->contact_count; c++) FW_TRY(detect(dae, c, y));
  return FW_OK;
}

static void write_touch(const fw_dae_point *point, fw_touch *touch) {
  touch->gap = point->kin.gap;
  touch->gap_velocity = point->gap_rate;
  touch->slip_velocity = point->slip_rate;
  touch->segment = point->kin.segment;
  touch->xi = point->kin.xi;
}

fw_status fw_dae_observe(fw_dae *dae, fw_state *state) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    FW_TRY(kinematics(dae, c, state->q, state->v));
    write_touch(&dae->points[c], &state->touch[c]);
  }
  return FW_OK;
}
/* Friction force of a law in motion with its derivatives, by rate or step face. */
typedef struct fw_law_force {
  double T, T_v, T_N, T_u;
} fw_law_force;

static fw_law_force step_force(fw_dae *dae, int c, double t, double N) {
  fw_dae_point *point = &dae->points[c];
  const fw_touch *old = &dae->committed->touch[c];
  size_t n = (size_t)point->pair->states;
  double *T_x = dae->work, *T_z = T_x + FW_STEP_INPUTS, *z_x = T_z + n, *z_z = z_x + n * FW_STEP_INPUTS;
  double dt = fmax(t - dae->committed->time, 0.0);
  fw_step_in in = {
      {point->kin.slip, dt > 0.0 ? old->slip_velocity : 0.0, dt > 0.0 ? point->slip_rate : 0.0, old->N, fmax(N, 0.0)},
      dt};
  fw_step_out out = {.z = dae->z_trial + fw_dae_first_state(point), .z_x = z_x, .z_z = z_z, .T_x = T_x, .T_z = T_z};
  fw_friction_wait(&point->pair->friction, &in, fw_dae_states(point, dae->committed), &out);
  return (fw_law_force){.T = out.T, .T_v = T_x[FW_STEP_V1], .T_N = T_x[FW_STEP_N1], .T_u = T_x[FW_STEP_DU]};
}

/* Rate face, its arrays in scratch. */
static fw_rate_out rate_force(fw_dae *dae, const fw_dae_point *point, double N, const double *z) {
  size_t n = (size_t)point->pair->states;
  double *work = dae->work;
  fw_rate_out out = {
      .zdot = work, .zdot_v = work + n, .zdot_N = work + 2 * n, .T_z = work + 3 * n, .zdot_z = work + 4 * n};
  fw_friction_rate(&point->pair->friction, &(fw_rate_in){point->slip_rate, fmax(N, 0.0)}, z, &out);
  return out;
}

static fw_limit_out slip_limit(const fw_dae_point *point, const double *z, double N) {
  fw_limit_out limit =
      fw_friction_limit(&point->pair->friction, fw_dae_sliding(point, point->slip_rate), fmax(N, 0.0), z);
  if (point->direction * point->slip_rate < point->least && point->least > DBL_MIN) limit.slip_v = 0.0;
  return limit;
}

/* Of rigid stick: how much it holds. */
static fw_limit_out rest_limit(const fw_dae *dae, const fw_dae_point *point, double N) {
  return fw_friction_limit(&point->pair->friction, 0.0, fmax(N, 0.0), fw_dae_states(point, dae->committed));
}

void fw_dae_state_rates(fw_dae *dae, const double *y, double *y_dot) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_dae_point *point = &dae->points[c];
    if (point->first_z < 0 || point->mode != FW_TANGENT_LAW) continue;
    int64_t z = dae->z_at + point->first_z;
    fw_rate_out rate = rate_force(dae, point, y[dae->contact_at + 2 * c], y + z);
    memcpy(y_dot + z, rate.zdot, (size_t)point->pair->states * sizeof *y_dot);
  }
}

void fw_contact_drift(const fw_dae *dae, int c, const double *v, double *gap, double *slip) {
  const fw_dae_point *point = &dae->points[c];
  const fw_kinematic *kin = &point->kin;
  *gap = fw_dae_held(dae, quadratic(kin, kin->gap_qq, v), point->gap_rate, kin->gap);
  *slip = fw_dae_held(dae, quadratic(kin, kin->slip_qq, v), point->slip_rate, point->slip_base + kin->slip);
}

/* ---- residual ---------------------------------------------------------------------------- */

static double normal_residual(const fw_dae *dae, const fw_dae_point *point, double N, const double *v,
                              const double *v_dot) {
  const fw_kinematic *kin = &point->kin;
  if (!fw_normal_is_rigid(&point->pair->normal)) {
    fw_normal_out law;
    fw_normal_force(&point->pair->normal, kin->gap, point->gap_rate, &law);
    return N - law.N;
  }
  if (!point->closed) return N;
  return fw_dae_held(dae, fw_kinematic_along(kin, kin->gap_q, v_dot) + quadratic(kin, kin->gap_qq, v), point->gap_rate,
                     kin->gap);
}

static double tangent_residual(fw_dae *dae, int c, double t, double N, double T, const double *y, const double *y_dot,
                               double *F) {
  fw_dae_point *point = &dae->points[c];
  const fw_kinematic *kin = &point->kin;
  const double *z = y + dae->z_at + point->first_z, *z_dot = y_dot + dae->z_at + point->first_z;
  if (point->first_z >= 0 && point->mode != FW_TANGENT_LAW)
    for (int s = 0; s < point->pair->states; s++) F[dae->z_at + point->first_z + s] = z_dot[s];
  point->slope = 0.0;
  switch (point->mode) {
    case FW_TANGENT_FREE:
      return T;
    case FW_TANGENT_STICK:
      return fw_dae_held(
          dae, fw_kinematic_along(kin, kin->slip_q, y_dot + dae->n) + quadratic(kin, kin->slip_qq, y + dae->n),
          point->slip_rate, point->slip_base + kin->slip);
    case FW_TANGENT_SLIP: {
      fw_limit_out limit = slip_limit(point, fw_dae_states(point, dae->committed), N);
      point->slope = limit.slip_N;
      return T - limit.slip;
    }
    case FW_TANGENT_LAW:
      break;
  }
  if (point->first_z < 0) {
    fw_law_force force = step_force(dae, c, t, N);
    point->slope = force.T_N;
    return T - force.T;
  }
  fw_rate_out rate = rate_force(dae, point, N, z);
  for (int s = 0; s < point->pair->states; s++) F[dae->z_at + point->first_z + s] = z_dot[s] - rate.zdot[s];
  point->slope = rate.T_N;
  return T - rate.T;
}

fw_status fw_contact_residual(fw_dae *dae, int c, double t, const double *y, const double *y_dot, double *F) {
  int64_t n = dae->n, N_at = dae->contact_at + 2 * c;
  double N = y[N_at], T = y[N_at + 1];
  FW_TRY(detect(dae, c, y));
  const fw_kinematic *kin = &dae->points[c].kin;
  fw_kinematic_push(kin, -N, -T, F + n);
  F[N_at] = normal_residual(dae, &dae->points[c], N, y + n, y_dot + n);
  F[N_at + 1] = tangent_residual(dae, c, t, N, T, y, y_dot, F);
  return FW_OK;
}

fw_status fw_dae_contact_forces(fw_dae *dae, double t, double *y, const double *y_dot, double *F) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    double *N = &y[dae->contact_at + 2 * c], *T = N + 1;
    FW_TRY(detect(dae, c, y));
    *N = -normal_residual(dae, &dae->points[c], 0.0, y + dae->n, y_dot + dae->n);
    *T = -tangent_residual(dae, c, t, *N, 0.0, y, y_dot, F);
  }
  return FW_OK;
}

/* ---- Jacobian ---------------------------------------------------------------------------- */

/* A held direction g with second derivatives H: (c + 2 k) g + 2 H v by v, k^2 g + H (a + 2 k v) by q; third
 * derivatives are left out. */
static void put_held(fw_dae *dae, int64_t row, double c, const fw_kinematic *kin, const double *direction,
                     const double *second, const double *v, const double *a) {
  double k = dae->stabilisation;
  for (int i = 0; i < kin->count; i++) {
    double by_v = (c + 2.0 * k) * direction[i], by_q = k * k * direction[i];
    for (int j = 0; kin->curved && j < kin->count; j++) {
      by_v += 2.0 * second[i * kin->count + j] * v[kin->dof[j]];
      by_q += second[i * kin->count + j] * (a[kin->dof[j]] + 2.0 * k * v[kin->dof[j]]);
    }
    fw_dae_put(dae, row, dae->n + kin->dof[i], by_v);
    fw_dae_put(dae, row, kin->dof[i], by_q);
  }
}

/* `factor` times the rate of a direction: the direction by v, H v by q. */
static void put_rate(fw_dae *dae, int64_t row, const fw_kinematic *kin, const double *direction, const double *second,
                     const double *v, double factor) {
  for (int i = 0; i < kin->count; i++) {
    double by_q = 0.0;
    for (int j = 0; kin->curved && j < kin->count; j++) by_q += second[i * kin->count + j] * v[kin->dof[j]];
    fw_dae_put(dae, row, dae->n + kin->dof[i], factor * direction[i]);
    if (kin->curved) fw_dae_put(dae, row, kin->dof[i], factor * by_q);
  }
}

static void put_along(fw_dae *dae, int64_t row, int64_t block, const fw_kinematic *kin, const double *direction,
                      double factor) {
  for (int i = 0; i < kin->count; i++) fw_dae_put(dae, row, block + kin->dof[i], factor * direction[i]);
}

static void normal_jacobian(fw_dae *dae, int c, double cj, const double *y, const double *y_dot) {
  const fw_dae_point *point = &dae->points[c];
  const fw_kinematic *kin = &point->kin;
  int64_t row = dae->contact_at + 2 * c;
  if (!fw_normal_is_rigid(&point->pair->normal)) {
    fw_normal_out law;
    fw_normal_force(&point->pair->normal, kin->gap, point->gap_rate, &law);
    fw_dae_put(dae, row, row, 1.0);
    put_along(dae, row, 0, kin, kin->gap_q, -law.N_gap);
    put_rate(dae, row, kin, kin->gap_q, kin->gap_qq, y + dae->n, -law.N_rate);
  } else if (!point->closed) {
    fw_dae_put(dae, row, row, 1.0);
  } else {
    put_held(dae, row, cj, kin, kin->gap_q, kin->gap_qq, y + dae->n, y_dot + dae->n);
  }
}

/* Rows of the states of a law with rates, and their columns in the row of T. */
static fw_law_force rate_jacobian(fw_dae *dae, int c, double cj, const double *y) {
  const fw_dae_point *point = &dae->points[c];
  const fw_kinematic *kin = &point->kin;
  int states = point->pair->states;
  int64_t N_at = dae->contact_at + 2 * c, z = dae->z_at + point->first_z;
  fw_rate_out rate = rate_force(dae, point, y[N_at], y + z);
  for (int s = 0; s < states; s++) {
    fw_dae_put(dae, z + s, z + s, cj);
    for (int r = 0; r < states; r++) fw_dae_put(dae, z + s, z + r, -rate.zdot_z[s * states + r]);
    fw_dae_put(dae, z + s, N_at, -rate.zdot_N[s]);
    put_rate(dae, z + s, kin, kin->slip_q, kin->slip_qq, y + dae->n, -rate.zdot_v[s]);
    fw_dae_put(dae, N_at + 1, z + s, -rate.T_z[s]);
  }
  return (fw_law_force){.T = rate.T, .T_v = rate.T_v, .T_N = rate.T_N};
}

static void law_jacobian(fw_dae *dae, int c, double t, double cj, const double *y) {
  const fw_dae_point *point = &dae->points[c];
  const fw_kinematic *kin = &point->kin;
  int64_t N_at = dae->contact_at + 2 * c, row = N_at + 1;
  bool steps = point->first_z < 0;
  fw_law_force force = steps ? step_force(dae, c, t, y[N_at]) : rate_jacobian(dae, c, cj, y);
  if (steps) put_along(dae, row, 0, kin, kin->slip_q, -force.T_u);
  fw_dae_put(dae, row, row, 1.0);
  fw_dae_put(dae, row, N_at, -force.T_N);
  put_rate(dae, row, kin, kin->slip_q, kin->slip_qq, y + dae->n, -force.T_v);
}

static void tangent_jacobian(fw_dae *dae, int c, double t, double cj, const double *y, const double *y_dot) {
  fw_dae_point *point = &dae->points[c];
  const fw_kinematic *kin = &point->kin;
  int64_t N_at = dae->contact_at + 2 * c, row = N_at + 1;
  if (point->mode == FW_TANGENT_LAW) {
    law_jacobian(dae, c, t, cj, y);
    return;
  }
  for (int s = 0; point->first_z >= 0 && s < point->pair->states; s++)
    fw_dae_put(dae, dae->z_at + point->first_z + s, dae->z_at + point->first_z + s, cj);
  if (point->mode == FW_TANGENT_STICK) {
    put_held(dae, row, cj, kin, kin->slip_q, kin->slip_qq, y + dae->n, y_dot + dae->n);
    return;
  }
  fw_dae_put(dae, row, row, 1.0);
  if (point->mode != FW_TANGENT_SLIP) return;
  fw_limit_out limit = slip_limit(point, fw_dae_states(point, dae->committed), y[N_at]);
  fw_dae_put(dae, row, N_at, -limit.slip_N);
  put_rate(dae, row, kin, kin->slip_q, kin->slip_qq, y + dae->n, -limit.slip_v);
}

fw_status fw_contact_jacobian(fw_dae *dae, int p, double t, double c, const double *y, const double *y_dot) {
  FW_TRY(detect(dae, p, y));
  const fw_kinematic *kin = &dae->points[p].kin;
  int64_t N_at = dae->contact_at + 2 * p;
  for (int i = 0; i < kin->count; i++) {
    fw_dae_put(dae, dae->n + kin->dof[i], N_at, -kin->gap_q[i]);
    fw_dae_put(dae, dae->n + kin->dof[i], N_at + 1, kin->slip_q[i]);
    for (int j = 0; kin->curved && j < kin->count; j++)
      fw_dae_put(dae, dae->n + kin->dof[i], kin->dof[j],
                 y[N_at + 1] * kin->slip_qq[i * kin->count + j] - y[N_at] * kin->gap_qq[i * kin->count + j]);
  }
  normal_jacobian(dae, p, c, y, y_dot);
  tangent_jacobian(dae, p, t, c, y, y_dot);
  return FW_OK;
}

/* ---- events and states ------------------------------------------------------------------------------ */

static bool may_drop(const fw_dae_point *point) { return point->mode == FW_TANGENT_LAW && point->first_z < 0; }

bool fw_dae_is_torn(const fw_dae *dae, int c, const fw_state *state) {
  const fw_dae_point *point = &dae->points[c];
  const fw_touch *touch = &state->touch[c];
  return may_drop(point) &&
         fw_friction_is_torn(&point->pair->friction, fw_dae_states(point, state), touch->slip_velocity, touch->N);
}

/* By how much a jammed point's force would exceed its limit if it shared alike with those that hold its body. */
static double beyond_limit(const fw_dae *dae, int c, const double *y) {
  const fw_dae_point *point = &dae->points[c];
  int64_t N_at = dae->contact_at + 2 * c;
  fw_limit_out limit = slip_limit(point, fw_dae_states(point, dae->committed), y[N_at]);
  return point->direction * (fw_jam_shared_force(dae, N_at + 1, y) - limit.slip);
}

bool fw_dae_is_overloaded(const fw_dae *dae, int c, const fw_state *state, int *way) {
  const fw_dae_point *point = &dae->points[c];
  const fw_touch *touch = &state->touch[c];
  if (point->mode != FW_TANGENT_STICK) return false;
  fw_limit_out limit = rest_limit(dae, point, touch->N);
  double slack = 1e-6 * (fabs(touch->N) + fabs(touch->T));
  *way = touch->T > 0.0 ? 1 : -1;
  return touch->T > limit.stick_plus + slack || touch->T < -limit.stick_minus - slack;
}

fw_status fw_dae_roots(fw_dae *dae, double t, const double *y, double *roots) {
  (void)t;
  for (int c = 0; c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    double *root = roots + FW_DAE_ROOTS * c, N = y[dae->contact_at + 2 * c], T = y[dae->contact_at + 2 * c + 1];
    FW_TRY(detect(dae, c, y));
    for (int k = 0; k < FW_DAE_ROOTS; k++) root[k] = 1.0;
    if (fw_normal_is_rigid(&point->pair->normal)) root[FW_ROOT_NORMAL] = point->closed ? N : point->kin.gap;
    if (point->mode == FW_TANGENT_STICK) {
      fw_limit_out limit = rest_limit(dae, point, N);
      root[FW_ROOT_LIMIT_PLUS] = limit.stick_plus - T;
      root[FW_ROOT_LIMIT_MINUS] = T + limit.stick_minus;
    }
    bool reverses = point->mode == FW_TANGENT_SLIP || (point->mode == FW_TANGENT_LAW && point->first_z < 0);
    if (reverses) root[FW_ROOT_REVERSAL] = point->direction * point->slip_rate;
    if (point->jammed) root[FW_ROOT_REVERSAL] = beyond_limit(dae, c, y);
    if (may_drop(point) && point->pair->friction.drops)
      root[FW_ROOT_DROP] =
          fw_friction_room(&point->pair->friction, fw_dae_states(point, dae->committed), point->kin.slip);
  }
  return FW_OK;
}

fw_status fw_contact_unpack(fw_dae *dae, int c, double t, const double *y, fw_touch *touch, double *z) {
  fw_dae_point *point = &dae->points[c];
  size_t bytes = (size_t)point->pair->states * sizeof *y;
  FW_TRY(detect(dae, c, y));
  touch->N = y[dae->contact_at + 2 * c];
  touch->T = y[dae->contact_at + 2 * c + 1];
  write_touch(point, touch);
  touch->slip = point->kin.slip;
  bool open = fw_normal_is_rigid(&point->pair->normal) ? !point->closed : !(touch->N > 0.0);
  touch->status = open ? FW_OPEN : point->mode == FW_TANGENT_SLIP ? FW_SLIP : FW_STICK;
  if (point->first_z >= 0) {
    memcpy(z, y + dae->z_at + point->first_z, bytes);
  } else if (point->mode == FW_TANGENT_LAW) {
    step_force(dae, c, t, touch->N);
    memcpy(z, dae->z_trial + fw_dae_first_state(point), bytes);
  }
  return FW_OK;
}
