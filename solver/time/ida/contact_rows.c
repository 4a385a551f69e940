/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/contact_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/friction/derived.h"

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
  point->gap_rate = fw_dae_along(&point->kin, point->kin.gap_q, v);
  point->slip_rate = fw_dae_along(&point->kin, point->kin.slip_q, v);
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
  fw_law_force force = {0};
  size_t most = (size_t)point->pair->states;
  double *T_x = dae->work, *T_z = T_x + FW_STEP_INPUTS, *z_x = T_z + most, *z_z = z_x + most * FW_STEP_INPUTS;
  double dt = fmax(t - dae->committed->time, 0.0);
  fw_step_in in = {
      {point->kin.slip, dt > 0.0 ? old->slip_velocity : 0.0, dt > 0.0 ? point->slip_rate : 0.0, old->N, fmax(N, 0.0)},
      dt};
  for (int k = 0, at = 0; k < point->pair->friction_count; at += point->pair->friction[k].states, k++) {
    fw_step_out out = {
        .z = dae->z_trial + fw_dae_first_state(point) + at, .z_x = z_x, .z_z = z_z, .T_x = T_x, .T_z = T_z};
    const double *z_old = fw_dae_states(point, dae->committed) + at;
    if (point->pair->friction[k].drops && N > 0.0)
      fw_stick_wait(&point->pair->friction[k], &in, z_old, &out);
    else
      fw_friction_step(&point->pair->friction[k], &in, z_old, &out);
    force.T += out.T;
    force.T_u += T_x[FW_STEP_DU];
    force.T_v += T_x[FW_STEP_V1];
    force.T_N += T_x[FW_STEP_N1];
  }
  return force;
}

/* Rate face of one law: its derivative blocks, in scratch, and its part of the force. */
typedef struct fw_rate_block {
  int states;
  double *zdot, *zdot_z, *zdot_v, *zdot_N, *T_z;
} fw_rate_block;

static fw_rate_block rate_block(fw_dae *dae, const fw_friction *law, double v, double N, const double *z,
                                fw_law_force *force) {
  size_t s = (size_t)law->states;
  fw_rate_block block = {law->states,   dae->work,         dae->work + 4 * s,
                         dae->work + s, dae->work + 2 * s, dae->work + 3 * s};
  fw_rate_in in = {v, fmax(N, 0.0)};
  fw_rate_out out = {
      .zdot = block.zdot, .zdot_z = block.zdot_z, .zdot_v = block.zdot_v, .zdot_N = block.zdot_N, .T_z = block.T_z};
  fw_friction_rate(law, &in, z, &out);
  force->T += out.T;
  force->T_v += out.T_v;
  force->T_N += out.T_N;
  return block;
}

static fw_limit_out slip_limit(const fw_dae_point *point, const double *z, double N) {
  const fw_friction *law = &point->pair->friction[0];
  fw_limit_out limit;
  law->ops->limit(law->constants, fw_dae_sliding(point, point->slip_rate), fmax(N, 0.0), z, &limit);
  if (point->direction * point->slip_rate < point->least && point->least > DBL_MIN) limit.slip_v = 0.0;
  return limit;
}

void fw_dae_state_rates(fw_dae *dae, const double *y, double *y_dot) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_dae_point *point = &dae->points[c];
    if (point->first_z < 0 || point->mode != FW_TANGENT_LAW) continue;
    for (int k = 0, at = 0; k < point->pair->friction_count; at += point->pair->friction[k].states, k++) {
      int64_t z = dae->z_at + point->first_z + at;
      fw_law_force force = {0};
      fw_rate_block block =
          rate_block(dae, &point->pair->friction[k], point->slip_rate, y[dae->contact_at + 2 * c], y + z, &force);
      memcpy(y_dot + z, block.zdot, (size_t)block.states * sizeof *y_dot);
    }
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
  return fw_dae_held(dae, fw_dae_along(kin, kin->gap_q, v_dot) + quadratic(kin, kin->gap_qq, v), point->gap_rate,
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
      return fw_dae_held(dae, fw_dae_along(kin, kin->slip_q, y_dot + dae->n) + quadratic(kin, kin->slip_qq, y + dae->n),
                         point->slip_rate, point->slip_base + kin->slip);
    case FW_TANGENT_SLIP: {
      fw_limit_out limit = slip_limit(point, fw_dae_states(point, dae->committed), N);
      point->slope = limit.slip_N;
      return T - limit.slip;
    }
    case FW_TANGENT_LAW:
      break;
  }
  fw_law_force force = {0};
  if (point->first_z < 0) {
    force = step_force(dae, c, t, N);
    point->slope = force.T_N;
    return T - force.T;
  }
  for (int k = 0, at = 0; k < point->pair->friction_count; at += point->pair->friction[k].states, k++) {
    fw_rate_block block = rate_block(dae, &point->pair->friction[k], point->slip_rate, N, z + at, &force);
    for (int s = 0; s < block.states; s++) F[dae->z_at + point->first_z + at + s] = z_dot[at + s] - block.zdot[s];
  }
  point->slope = force.T_N;
  return T - force.T;
}

fw_status fw_contact_residual(fw_dae *dae, int c, double t, const double *y, const double *y_dot, double *F) {
  int64_t n = dae->n, N_at = dae->contact_at + 2 * c;
  double *momentum = F + n, N = y[N_at], T = y[N_at + 1];
  FW_TRY(detect(dae, c, y));
  const fw_kinematic *kin = &dae->points[c].kin;
  for (int i = 0; i < kin->count; i++) momentum[kin->dof[i]] -= kin->gap_q[i] * N - kin->slip_q[i] * T;
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

static void law_jacobian(fw_dae *dae, int c, double t, double cj, const double *y) {
  fw_dae_point *point = &dae->points[c];
  const fw_kinematic *kin = &point->kin;
  int64_t N_at = dae->contact_at + 2 * c, row = N_at + 1;
  double N = y[N_at];
  fw_law_force force = {0};
  if (point->first_z < 0) {
    force = step_force(dae, c, t, N);
    put_along(dae, row, 0, kin, kin->slip_q, -force.T_u);
  }
  for (int k = 0, at = 0; point->first_z >= 0 && k < point->pair->friction_count;
       at += point->pair->friction[k].states, k++) {
    int64_t z = dae->z_at + point->first_z + at;
    fw_rate_block block = rate_block(dae, &point->pair->friction[k], point->slip_rate, N, y + z, &force);
    for (int s = 0; s < block.states; s++) {
      fw_dae_put(dae, z + s, z + s, cj);
      for (int r = 0; r < block.states; r++) fw_dae_put(dae, z + s, z + r, -block.zdot_z[s * block.states + r]);
      fw_dae_put(dae, z + s, N_at, -block.zdot_N[s]);
      put_rate(dae, z + s, kin, kin->slip_q, kin->slip_qq, y + dae->n, -block.zdot_v[s]);
      fw_dae_put(dae, row, z + s, -block.T_z[s]);
    }
  }
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
  const double *z = fw_dae_states(point, state);
  bool torn = false;
  for (int k = 0; may_drop(point) && k < point->pair->friction_count; z += point->pair->friction[k++].states)
    torn = torn || (point->pair->friction[k].drops && touch->N > 0.0 &&
                    fw_stick_torn(&point->pair->friction[k], z, touch->slip_velocity, touch->N));
  return torn;
}

/* What is left of elastic stick (m); infinite where no force drops at its end. */
static double stick_room(const fw_dae *dae, const fw_dae_point *point) {
  const double *z = fw_dae_states(point, dae->committed);
  double room = INFINITY, du = point->kin.slip;
  if (!may_drop(point)) return room;
  for (int k = 0; k < point->pair->friction_count; z += point->pair->friction[k++].states)
    if (point->pair->friction[k].drops) room = fmin(room, fw_stick_room(&point->pair->friction[k], z, du));
  return room;
}

fw_status fw_dae_roots(fw_dae *dae, double t, const double *y, double *roots) {
  (void)t;
  for (int c = 0; c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    double *root = roots + FW_DAE_ROOTS * c, N = y[dae->contact_at + 2 * c], T = y[dae->contact_at + 2 * c + 1];
    FW_TRY(detect(dae, c, y));
    for (int k = 0; k < FW_DAE_ROOTS; k++) root[k] = 1.0;
    if (fw_normal_is_rigid(&point->pair->normal)) root[0] = point->closed ? N : point->kin.gap;
    if (point->mode == FW_TANGENT_STICK) {
      fw_limit_out limit;
      point->pair->friction[0].ops->limit(point->pair->friction[0].constants, 0.0, fmax(N, 0.0),
                                          fw_dae_states(point, dae->committed), &limit);
      root[1] = limit.stick_plus - T;
      root[2] = T + limit.stick_minus;
    }
    bool reverses = point->mode == FW_TANGENT_SLIP || (point->mode == FW_TANGENT_LAW && point->first_z < 0);
    if (reverses) root[3] = point->direction * point->slip_rate;
    double room = stick_room(dae, point);
    if (isfinite(room)) root[4] = room;
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
