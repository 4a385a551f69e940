/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/enforce/local.h"

#include <float.h>
#include <math.h>
#include <string.h>

size_t fw_local_work(const fw_pair *pair) {
  size_t n = (size_t)pair->states;
  return n * FW_STEP_INPUTS + n * n + FW_STEP_INPUTS + n;
}

/* Hard: 0 <= N, gap >= floor, N (gap - floor) = 0 as N - max(0, N - c (gap - floor)). Compliant: N - N(gap, rate). */
static void normal_residual(const fw_local *local, double N, const fw_local_motion *x, fw_local_residual *out) {
  const fw_normal *normal = &local->pair->normal;
  if (fw_normal_is_rigid(normal)) {
    double above = x->gap - local->floor;
    bool closed = N - local->scale_n * above > 0.0;
    out->r_n = closed ? local->scale_n * above : N;
    out->n_N = closed ? 0.0 : 1.0;
    out->n_gap = closed ? local->scale_n : 0.0;
    out->status = closed ? FW_STICK : FW_OPEN;
    return;
  }
  if (local->moment) {
    out->r_n = N - local->old->N;
    out->n_N = 1.0;
    out->status = local->old->N > 0.0 ? FW_STICK : FW_OPEN;
    return;
  }
  bool moving = local->dt > 0.0;
  double gain = x->gap - local->old->gap;
  fw_normal_out law;
  fw_normal_force(normal, x->gap, moving ? local->rate_factor * gain + local->gap_rate_free : 0.0, &law);
  out->r_n = N - law.N;
  out->n_N = 1.0;
  out->n_gap = -law.N_gap - (moving ? local->rate_factor * law.N_rate : 0.0);
  out->status = law.N > 0.0 ? FW_STICK : FW_OPEN;
}

static double slip_rate(const fw_local *local, const fw_local_motion *x) {
  return local->dt > 0.0 ? local->rate_factor * x->slip + local->slip_rate_free : 0.0;
}

static void slip_residual(const fw_local *local, const fw_limit_out *side, double T, fw_local_residual *out) {
  out->r_t = T - side->slip;
  out->t_T = 1.0;
  out->t_N = -side->slip_N;
  out->t_slip = -side->slip_v * local->rate_factor;
  out->status = FW_SLIP;
}

/* Set-valued law: T within its stick limits; beyond them T is the slip force. In motion it is the velocity at the
 * end of the step that vanishes or gives the direction: judged by the slip over the step, friction would
 * turn half a step late on average. A contact that was slipping sticks again only at the kinetic force, so that
 * a static peak is met from rest alone. */
static void rigid_residual(const fw_local *local, const fw_friction *law, double N, double T, const fw_local_motion *x,
                           fw_local_residual *out) {
  bool moving = local->dt > 0.0;
  double v = slip_rate(local, x), measure = moving ? v / local->rate_factor : x->slip;
  fw_limit_out plus = fw_friction_limit(law, fmax(v, DBL_MIN), N, local->z_old);
  fw_limit_out minus = fw_friction_limit(law, fmin(v, -DBL_MIN), N, local->z_old);
  bool slipped = local->old->status == FW_SLIP;
  double upper = slipped && local->old->slip_velocity > 0.0 ? plus.slip : plus.stick_plus;
  double lower = slipped && local->old->slip_velocity < 0.0 ? minus.slip : -minus.stick_minus;
  double trial = T + local->scale_t * measure;
  if (trial > upper && !local->clings) {
    slip_residual(local, &plus, T, out);
  } else if (trial < lower && !local->clings) {
    slip_residual(local, &minus, T, out);
  } else {
    out->r_t = -local->scale_t * measure;
    out->t_slip = -local->scale_t;
    out->status = FW_STICK;
  }
}

/* Rigid friction in motion, at one moment: its velocity is given, whatever the acceleration. */
static void sliding_residual(const fw_local *local, const fw_friction *law, double N, double T,
                             fw_local_residual *out) {
  fw_limit_out side = fw_friction_limit(law, local->old->slip_velocity, N, local->z_old);
  slip_residual(local, &side, T, out);
  out->t_slip = 0.0;
}

/* Friction at one moment: by its rates at the present velocity, or by a step in which nothing moves. */
static void moment_residual(const fw_local *local, double N, double T, double *work, double *z_new,
                            fw_local_residual *out) {
  const fw_friction *friction = &local->pair->friction;
  size_t n = (size_t)friction->states;
  double v = local->old->slip_velocity;
  out->t_T = 1.0;
  if (fw_friction_has_rate(friction)) {
    fw_rate_out rate = {.zdot = z_new, .zdot_v = work, .zdot_N = work + n, .T_z = work + 2 * n, .zdot_z = work + 3 * n};
    fw_friction_rate(friction, &(fw_rate_in){v, N}, local->z_old, &rate);
    out->r_t = T - rate.T;
    out->t_N = -rate.T_N;
  } else {
    fw_step_out step = {.z = z_new, .z_x = work, .z_z = work + n * FW_STEP_INPUTS};
    step.T_x = step.z_z + n * n;
    step.T_z = step.T_x + FW_STEP_INPUTS;
    fw_friction_moment(friction, &(fw_step_in){{0.0, v, v, N, N}, 0.0}, local->z_old, &step);
    out->r_t = T - step.T;
    out->t_N = -step.T_x[FW_STEP_N1];
  }
}

/* Friction that is not rigid, by its step face. */
static void compliant_residual(const fw_local *local, double N, double T, const fw_local_motion *x, double *work,
                               double *z_new, fw_local_residual *out) {
  size_t n = (size_t)local->pair->states;
  fw_step_out step = {.z = z_new, .z_x = work, .z_z = work + n * FW_STEP_INPUTS};
  step.T_x = step.z_z + n * n;
  step.T_z = step.T_x + FW_STEP_INPUTS;
  bool moving = local->dt > 0.0;
  double N_old = local->mean ? N : local->old->N, v_old = moving ? local->old->slip_velocity : 0.0;
  fw_step_in in = {{x->slip, v_old, slip_rate(local, x), N_old, N}, local->dt};
  fw_friction_step(&local->pair->friction, &in, local->z_old, &step);
  out->r_t = T - step.T;
  out->t_T = 1.0;
  out->t_slip = -step.T_x[FW_STEP_DU] - (moving ? local->rate_factor * step.T_x[FW_STEP_V1] : 0.0);
  out->t_N = -step.T_x[FW_STEP_N1] - (local->mean ? step.T_x[FW_STEP_N0] : 0.0);
}

void fw_local_evaluate(const fw_local *local, double N, double T, const fw_local_motion *motion, double *work,
                       double *z_new, fw_local_residual *out) {
  const fw_pair *pair = local->pair;
  memset(out, 0, sizeof *out);
  normal_residual(local, N, motion, out);
  if (out->status == FW_OPEN || !fw_pair_rubs(pair)) {
    fw_friction_reset(&pair->friction, z_new);
    out->r_t = T;
    out->t_T = 1.0;
    return;
  }
  double pressed = fmax(N, 0.0); /* an iterate may pull for a moment; the laws never see it */
  bool rigid = fw_pair_is_rigid(pair);
  if (rigid && local->moment && local->old->slip_velocity != 0.0)
    sliding_residual(local, &pair->friction, pressed, T, out);
  else if (!rigid && local->moment)
    moment_residual(local, pressed, T, work, z_new, out);
  else if (rigid)
    rigid_residual(local, &pair->friction, pressed, T, motion, out);
  else
    compliant_residual(local, pressed, T, motion, work, z_new, out);
  if (N < 0.0) out->t_N = 0.0;
}

/* ---- what a step begins with ------------------------------------------------------------- */

/* Central difference over this part of a step: laws tell no derivative with respect to its length, which counts only
 * where the moment of an event moves. */
static const double PART = 1e-6;

/* T and z of one law over a step of another length, inputs kept. */
static double step_of(const fw_friction *law, fw_step_in in, double dt, const double *z_old, double *z) {
  fw_step_out out = {.z = z};
  in.dt = dt;
  fw_friction_step(law, &in, z_old, &out);
  return out.T;
}

static double by_length(const fw_friction *law, const fw_step_in *in, const double *z_old, double *work, double *z_dt) {
  double *more = work, *less = work + law->states, width = 2.0 * PART * in->dt;
  if (!(in->dt > 0.0)) return 0.0;
  double T = step_of(law, *in, in->dt * (1.0 + PART), z_old, more);
  T -= step_of(law, *in, in->dt * (1.0 - PART), z_old, less);
  for (int i = 0; i < law->states; i++) z_dt[i] = (more[i] - less[i]) / width;
  return T / width;
}

static void negate(int n, double *x) {
  for (int i = 0; i < n; i++) x[i] = -x[i];
}

/* A diagonal [n] in the place of a matrix [n x n] spread out. */
static void spread(int n, double *matrix) {
  for (int i = n - 1; i > 0; i--) {
    matrix[i * (n + 1)] = matrix[i];
    matrix[i] = 0.0;
  }
}

static void compliant_past(const fw_local *local, double N, const fw_local_motion *x, double *work,
                           fw_local_past *out) {
  const fw_friction *law = &local->pair->friction;
  double N_old = local->mean ? N : local->old->N, T_x[FW_STEP_INPUTS];
  fw_step_in in = {{x->slip, local->old->slip_velocity, slip_rate(local, x), N_old, N}, local->dt};
  fw_step_out step = {.z = work, .z_x = out->z_x, .z_z = out->z_z, .T_x = T_x, .T_z = out->t_z};
  fw_friction_step(law, &in, local->z_old, &step);
  if (fw_friction_uncoupled(law)) spread(law->states, out->z_z);
  negate(law->states, out->t_z);
  out->t_rate = -T_x[FW_STEP_V1];
  out->t_slip = -T_x[FW_STEP_DU];
  out->t_v0 = -T_x[FW_STEP_V0];
  out->t_N0 = local->mean ? 0.0 : -T_x[FW_STEP_N0];
  out->t_dt = -by_length(law, &in, local->z_old, work, out->z_dt);
}

/* As moment_residual. */
static void moment_past(const fw_local *local, double N, double *work, fw_local_past *out) {
  const fw_friction *friction = &local->pair->friction;
  size_t n = (size_t)friction->states;
  double v = local->old->slip_velocity, T_x[FW_STEP_INPUTS];
  if (fw_friction_has_rate(friction)) {
    fw_rate_out rate = {
        .zdot = work, .zdot_v = work + n, .zdot_N = work + 2 * n, .T_z = out->t_z, .zdot_z = work + 3 * n};
    fw_friction_rate(friction, &(fw_rate_in){v, N}, local->z_old, &rate);
    out->t_v0 = -rate.T_v;
  } else {
    fw_step_out step = {.z = work, .z_x = work + n, .z_z = work + n + n * FW_STEP_INPUTS, .T_x = T_x, .T_z = out->t_z};
    fw_friction_moment(friction, &(fw_step_in){{0.0, v, v, N, N}, 0.0}, local->z_old, &step);
  }
  negate(friction->states, out->t_z);
}

static void keep_states(const fw_pair *pair, fw_local_past *out) {
  for (int i = 0; i < pair->states; i++) out->z_z[i * (pair->states + 1)] = 1.0;
}

static void rigid_past(const fw_local *local, double N, double T, const fw_local_motion *x, fw_local_past *out) {
  fw_local_residual now = {0};
  rigid_residual(local, &local->pair->friction, N, T, x, &now);
  out->t_rate = now.t_slip / local->rate_factor;
  keep_states(local->pair, out);
}

size_t fw_local_past_work(const fw_pair *pair) {
  size_t n = (size_t)pair->states;
  return n * (n + FW_STEP_INPUTS + 3) + 1;
}

void fw_local_differentiate(const fw_local *local, double N, double T, const fw_local_motion *motion, double *work,
                            fw_local_past *out) {
  const fw_pair *pair = local->pair;
  size_t n = (size_t)pair->states;
  *out = (fw_local_past){.t_z = out->t_z, .z_x = out->z_x, .z_dt = out->z_dt, .z_z = out->z_z};
  memset(out->t_z, 0, n * sizeof *out->t_z);
  memset(out->z_dt, 0, n * sizeof *out->z_dt);
  memset(out->z_x, 0, n * FW_STEP_INPUTS * sizeof *out->z_x);
  memset(out->z_z, 0, n * n * sizeof *out->z_z);
  fw_local_residual normal = {0};
  normal_residual(local, N, motion, &normal);
  if (!fw_normal_is_rigid(&pair->normal) && !local->moment && local->dt > 0.0) {
    fw_normal_out law;
    fw_normal_force(&pair->normal, motion->gap,
                    local->rate_factor * (motion->gap - local->old->gap) + local->gap_rate_free, &law);
    out->n_rate = -law.N_rate;
  }
  if (normal.status == FW_OPEN || !fw_pair_rubs(pair)) return;
  double pressed = fmax(N, 0.0);
  bool rigid = fw_pair_is_rigid(pair);
  if (rigid && local->moment) {
    if (local->old->slip_velocity != 0.0)
      out->t_v0 = -fw_friction_limit(&pair->friction, local->old->slip_velocity, pressed, local->z_old).slip_v;
    keep_states(pair, out);
  } else if (rigid) {
    rigid_past(local, pressed, T, motion, out);
  } else if (local->moment) {
    moment_past(local, pressed, work, out);
    keep_states(pair, out);
  } else {
    compliant_past(local, pressed, motion, work, out);
  }
}
