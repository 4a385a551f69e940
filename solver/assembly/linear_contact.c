/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/assembly/linear_contact.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

bool fw_linear_contact_closed(const fw_touch *touch, const fw_kinematic *kin) {
  return touch->status != FW_OPEN || kin->gap <= 1e-12;
}

/* A compliant law's own force at this gap, not the one the state remembers: it may have none yet. What touches without
 * force has the stiffness of the law where it begins to press. */
static void press(const fw_pair *pair, const fw_touch *touch, fw_linear_contact *c) {
  c->holds_gap = fw_normal_is_rigid(&pair->normal);
  if (c->holds_gap) {
    c->N = touch->status == FW_OPEN ? 0.0 : touch->N;
    return;
  }
  fw_normal_out out;
  fw_normal_force(&pair->normal, fmin(c->kin.gap, -DBL_MIN), 0.0, &out);
  c->N = out.N;
  c->k_n = -out.N_gap;
  c->c_n = -out.N_rate;
}

/* How friction follows the normal force at rest, from its present state. */
static fw_status follow_normal(fw_context *ctx, const fw_pair *pair, const double *z, fw_linear_contact *c) {
  size_t n = (size_t)pair->states;
  double *memory = NULL, T_x[FW_STEP_INPUTS];
  FW_TRY(fw_alloc(ctx, n * (n + FW_STEP_INPUTS + 2), sizeof *memory, &memory));
  fw_step_out out = {.z = memory, .T_z = memory + n, .z_x = memory + 2 * n, .T_x = T_x};
  out.z_z = out.z_x + n * FW_STEP_INPUTS;
  fw_friction_step(&pair->friction, &(fw_step_in){.x = {0.0, 0.0, 0.0, c->N, c->N}}, z, &out);
  c->T_N = T_x[FW_STEP_N0] + T_x[FW_STEP_N1];
  free(memory);
  return FW_OK;
}

/* A small slip to and fro meets the stiffness of a fresh contact, whatever force friction carries. */
static fw_status stick(fw_context *ctx, const fw_pair *pair, const double *z, fw_linear_contact *c) {
  c->holds_slip = fw_pair_is_rigid(pair);
  if (c->holds_slip) return FW_OK;
  c->k_t = fw_friction_stick_stiffness(&pair->friction, c->N);
  c->c_t = fw_friction_stick_damping(&pair->friction, c->N);
  return c->T != 0.0 ? follow_normal(ctx, pair, z, c) : FW_OK;
}

/* Friction as it is in steady sliding at the state's velocities. */
static fw_status slide(fw_context *ctx, const fw_pair *pair, const fw_state *state, fw_linear_contact *c) {
  fw_steady steady;
  c->slides = fw_kinematic_along(&c->kin, c->kin.slip_q, state->v);
  if (c->slides == 0.0 || !fw_pair_rubs(pair)) return FW_OK;
  fw_status status = fw_friction_steady(ctx, &pair->friction, c->slides, c->N, &steady);
  if (status == FW_OK && steady.rates > 0) status = fw_alloc(ctx, 1, sizeof *c->steady, &c->steady);
  c->T = steady.T;
  c->c_t = steady.T_v;
  c->T_N = steady.T_N;
  if (status == FW_OK && steady.rates > 0)
    *c->steady = steady;
  else
    fw_steady_clear(&steady);
  return status;
}

void fw_linear_contact_clear(fw_linear_contact *c) {
  if (c->steady) fw_steady_clear(c->steady);
  free(c->steady);
  c->steady = NULL;
}

fw_status fw_linear_contact_find(fw_context *ctx, const fw_model *model, const fw_state *state, fw_contact_view view,
                                 const fw_pair *pair, int i, fw_linear_contact *c) {
  const fw_touch *touch = &state->touch[pair->first_contact + i];
  c->closed = c->holds_gap = c->holds_slip = false;
  c->N = c->T = c->k_n = c->c_n = c->k_t = c->c_t = c->T_N = c->slides = 0.0;
  c->steady = NULL;
  fw_status status = fw_pair_kinematics(model, pair, i, state->q, touch, state->q, &c->kin);
  c->placed = status == FW_OK;
  if (status == FW_RECOVER_CONTACT) return FW_OK;
  FW_TRY(status);
  c->closed = view != FW_VIEW_OPEN && fw_linear_contact_closed(touch, &c->kin);
  if (!c->closed) return FW_OK;
  c->T = touch->status == FW_OPEN ? 0.0 : touch->T;
  press(pair, touch, c);
  if (view == FW_VIEW_SLIDE) FW_TRY(slide(ctx, pair, state, c));
  if (c->slides != 0.0) return FW_OK;
  bool rests = (view == FW_VIEW_AS_IS || view == FW_VIEW_SLIDE) && touch->status == FW_OPEN &&
               c->N > 0.0; /* pressed, without a history */
  bool stuck = view == FW_VIEW_STICK || rests || (view != FW_VIEW_SLIP && touch->status == FW_STICK);
  if (stuck) FW_TRY(stick(ctx, pair, state->z + pair->first_z + i * pair->states, c));
  if (view == FW_VIEW_CONSTRAINTS) c->T_N = 0.0;
  return FW_OK;
}

void fw_linear_contact_directions(const fw_linear_contact *c, double acts[FW_CONTACT_DOFS],
                                  double feels[FW_CONTACT_DOFS]) {
  bool slides = c->slides != 0.0;
  for (int k = 0; k < c->kin.count; k++) {
    acts[k] = c->kin.gap_q[k] - (slides ? 1.0 : 0.5) * c->T_N * c->kin.slip_q[k];
    feels[k] = slides ? c->kin.gap_q[k] : acts[k];
  }
}

void fw_linear_contact_turned(const fw_linear_contact *c, const double *v, double slope[FW_CONTACT_DOFS]) {
  for (int j = 0; j < c->kin.count; j++) {
    slope[j] = 0.0;
    for (int i = 0; c->kin.curved && i < c->kin.count; i++)
      slope[j] += v[c->kin.dof[i]] * c->kin.slip_qq[i * c->kin.count + j];
  }
}

void fw_linear_contact_turning(const fw_kinematic *kin, double N, double T, double *K) {
  for (int k = 0; kin->curved && k < kin->count * kin->count; k++) K[k] += T * kin->slip_qq[k] - N * kin->gap_qq[k];
}
