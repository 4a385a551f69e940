/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hard contact at the velocity level, after the nonsmooth generalised-alpha method (Chen, Acary, Virlez and Bruels
 * 2013, Int. J. Numer. Meth. Eng. 96(8)). The motion is split into a smooth part a, which loads, structure and
 * compliant contact drive, and jumps W, which the impulses of hard contact cause:
 *
 *   v1 = v0 + dt ((1 - gamma) a0 + gamma a1) + W,                   M W + G^T mu = dt (W_n N - W_t T),  G W = 0
 *   q1 = q0 + dt v0 + dt^2 ((1/2 - beta) a0 + beta a1) + 1/2 dt W
 *
 * With beta = gamma/2 displacement and velocity of both parts go together, q1 - q0 = dt/2 (v0 + v1): a step is solved
 * as without jumps, with forces of hard contact weighted by
 *
 *   (1 - alpha_m)/(2 beta (1 - alpha_f)),
 *
 * and the impact law v_n1 = -e v_n0 is a condition on q1. (Any other beta feeds energy in on fine meshes.) An impact
 * leaves nothing in the accelerations from which later steps could take energy, and a contact that stays closed does
 * not drift. */
#include <stdlib.h>

#include "solver/time/alpha_parts.h"

void fw_alpha_impulse_clear(fw_alpha *a) {
  fw_factor_destroy(&a->mass_factor);
  fw_sparse_destroy(&a->mass);
}

/* [M G^T; G 0]; the joints' G stands in K. */
static fw_status factor_mass(fw_context *ctx, fw_alpha *a) {
  fw_sparse_saddle(a->system->M, a->system->K, a->model->dof_count, a->mass);
  return fw_factor_compute(ctx, a->mass_factor, a->mass, NULL);
}

fw_status fw_alpha_impulse_create(fw_context *ctx, fw_alpha *a) {
  FW_TRY(fw_sparse_like(ctx, a->system->K, &a->mass));
  if (a->model->constraint_count == 0)
    FW_TRY(fw_factor_create_definite(ctx, a->mass, &a->mass_factor));
  else
    FW_TRY(fw_factor_create(ctx, a->mass, &a->mass_factor));
  fw_status status = factor_mass(ctx, a);
  a->massive = status == FW_OK;
  return status == FW_ERR_SINGULAR ? FW_OK : status;
}

fw_status fw_alpha_impulse_factor(fw_context *ctx, fw_alpha *a) {
  return a->model->constraint_count > 0 ? factor_mass(ctx, a) : FW_OK;
}

/* Of mean forces in the balance at the end of a step. */
static double gain(const fw_alpha *a) { return 0.5 * (1.0 - a->alpha_m) / ((1.0 - a->alpha_f) * a->beta); }

void fw_alpha_impulse_job(const fw_alpha *a, fw_step_job *job) {
  job->impulse_gain = gain(a);
  job->mass_factor = a->mass_factor;
}

void fw_alpha_impulse_split(fw_alpha *a) {
  const double *jump = fw_stepper_jump(a->stepper);
  int n = a->model->dof_count;
  for (int i = 0; i < n; i++) a->smooth_new[i] -= gain(a) * jump[i];
  for (int i = 0; i < a->model->constraint_count; i++) a->new_state->lambda[i] -= gain(a) * jump[n + i];
}

void fw_alpha_impulse_join(fw_alpha *a) {
  const double *jump = fw_stepper_jump(a->stepper);
  int n = a->model->dof_count;
  for (int i = 0; i < n; i++) a->new_state->a[i] += jump[i];
  for (int i = 0; i < a->model->constraint_count; i++) a->new_state->lambda[i] += jump[n + i];
}

fw_status fw_alpha_impulse_part(fw_context *ctx, fw_alpha *a) {
  double *jump = a->history;
  FW_TRY(fw_alpha_impulse_factor(ctx, a));
  FW_TRY(fw_stepper_observe(a->stepper, a->old));
  fw_stepper_hard_force(a->stepper, a->old, jump);
  FW_TRY(fw_factor_solve(ctx, a->mass_factor, jump, 1));
  for (int i = 0; i < a->model->dof_count; i++) a->smooth_old[i] -= jump[i];
  for (int i = 0; i < a->model->constraint_count; i++) a->old->lambda[i] -= jump[a->model->dof_count + i];
  return FW_OK;
}

void fw_alpha_impulse_rejoin(fw_alpha *a) {
  for (int i = 0; i < a->model->constraint_count; i++) a->old->lambda[i] += a->history[a->model->dof_count + i];
}
