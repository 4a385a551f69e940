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
  fw_limit_out plus, minus;
  law->ops->limit(law->constants, fmax(v, DBL_MIN), N, local->z_old, &plus);
  law->ops->limit(law->constants, fmin(v, -DBL_MIN), N, local->z_old, &minus);
  bool slipped = local->old->status == FW_SLIP;
  double upper = slipped && local->old->slip_velocity > 0.0 ? plus.slip : plus.stick_plus;
  double lower = slipped && local->old->slip_velocity < 0.0 ? minus.slip : -minus.stick_minus;
  double trial = T + local->scale_t * measure;
  if (trial > upper) {
    slip_residual(local, &plus, T, out);
  } else if (trial < lower) {
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
  fw_limit_out side;
  law->ops->limit(law->constants, local->old->slip_velocity, N, local->z_old, &side);
  slip_residual(local, &side, T, out);
  out->t_slip = 0.0;
}

/* Laws at one moment, summed: by their rates at the present velocity, or by a step that nothing moves in (elastic
 * stick, whose force drops where it gives way, knows by its velocity that it slides). */
static void moment_residual(const fw_local *local, double N, double T, double *work, double *z_new,
                            fw_local_residual *out) {
  const fw_pair *pair = local->pair;
  bool rates = fw_pair_has_rates(pair);
  double T_x[FW_STEP_INPUTS];
  out->r_t = T;
  out->t_T = 1.0;
  for (int k = 0, at = 0; k < pair->friction_count; at += pair->friction[k].states, k++) {
    const fw_friction *law = &pair->friction[k];
    size_t n = (size_t)law->states;
    if (rates) {
      fw_rate_out rate = {
          .zdot = z_new + at, .zdot_v = work, .zdot_N = work + n, .T_z = work + 2 * n, .zdot_z = work + 3 * n};
      fw_friction_rate(law, &(fw_rate_in){local->old->slip_velocity, N}, local->z_old + at, &rate);
      out->r_t -= rate.T;
      out->t_N -= rate.T_N;
    } else {
      fw_step_out step = {.z = z_new + at, .z_x = work, .z_z = work + n * FW_STEP_INPUTS, .T_x = T_x};
      step.T_z = step.z_z + n * n;
      double v = fw_friction_is_elastic(law) ? local->old->slip_velocity : 0.0;
      fw_friction_step(law, &(fw_step_in){{0.0, v, v, N, N}, v != 0.0 ? 1e-15 : 0.0}, local->z_old + at, &step);
      out->r_t -= step.T;
      out->t_N -= T_x[FW_STEP_N1];
    }
  }
}

/* Laws with a step face, summed. */
static void compliant_residual(const fw_local *local, double N, double T, const fw_local_motion *x, double *work,
                               double *z_new, fw_local_residual *out) {
  const fw_pair *pair = local->pair;
  size_t n = (size_t)pair->states;
  fw_step_out step = {.z_x = work, .z_z = work + n * FW_STEP_INPUTS};
  step.T_x = step.z_z + n * n;
  step.T_z = step.T_x + FW_STEP_INPUTS;
  bool moving = local->dt > 0.0;
  double N_old = local->mean ? N : local->old->N, v_old = moving ? local->old->slip_velocity : 0.0;
  fw_step_in in = {{x->slip, v_old, slip_rate(local, x), N_old, N}, local->dt};
  out->r_t = T;
  out->t_T = 1.0;
  for (int k = 0, at = 0; k < pair->friction_count; at += pair->friction[k].states, k++) {
    step.z = z_new + at;
    fw_friction_step(&pair->friction[k], &in, local->z_old + at, &step);
    out->r_t -= step.T;
    out->t_slip -= step.T_x[FW_STEP_DU] + (moving ? local->rate_factor * step.T_x[FW_STEP_V1] : 0.0);
    out->t_N -= step.T_x[FW_STEP_N1] + (local->mean ? step.T_x[FW_STEP_N0] : 0.0);
  }
}

static void reset_states(const fw_pair *pair, double *z) {
  for (int k = 0, at = 0; k < pair->friction_count; at += pair->friction[k].states, k++)
    fw_friction_reset(&pair->friction[k], z + at);
}

void fw_local_evaluate(const fw_local *local, double N, double T, const fw_local_motion *motion, double *work,
                       double *z_new, fw_local_residual *out) {
  const fw_pair *pair = local->pair;
  memset(out, 0, sizeof *out);
  normal_residual(local, N, motion, out);
  if (out->status == FW_OPEN || pair->friction_count == 0) {
    reset_states(pair, z_new);
    out->r_t = T;
    out->t_T = 1.0;
    return;
  }
  double pressed = fmax(N, 0.0); /* an iterate may pull for a moment; the laws never see it */
  bool rigid = fw_friction_is_rigid(&pair->friction[0]);
  if (rigid && local->moment && local->old->slip_velocity != 0.0)
    sliding_residual(local, &pair->friction[0], pressed, T, out);
  else if (!rigid && local->moment)
    moment_residual(local, pressed, T, work, z_new, out);
  else if (rigid)
    rigid_residual(local, &pair->friction[0], pressed, T, motion, out);
  else
    compliant_residual(local, pressed, T, motion, work, z_new, out);
  if (N < 0.0) out->t_N = 0.0;
}
