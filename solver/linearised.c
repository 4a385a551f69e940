/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/linearised.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"

/* One contact direction: held rigidly, or with a stiffness. */
typedef struct fw_hold {
  int count;
  int dof[FW_CONTACT_DOFS];
  double weight[FW_CONTACT_DOFS];
  bool rigid;
  double stiffness;
} fw_hold;

static void add_hold(fw_hold *holds, int *count, const fw_kinematic *kin, const double *weight, bool rigid,
                     double stiffness) {
  fw_hold *hold = &holds[(*count)++];
  hold->count = kin->count;
  memcpy(hold->dof, kin->dof, sizeof hold->dof);
  memcpy(hold->weight, weight, sizeof hold->weight);
  hold->rigid = rigid;
  hold->stiffness = stiffness;
}

/* Tangential stiffness of a stuck contact: each law's reaction to a small slip from its present state. */
static fw_status stick_stiffness(fw_context *ctx, const fw_pair *pair, const double *z, double N, double *stiffness) {
  size_t n = (size_t)pair->states;
  double *memory = NULL;
  FW_TRY(fw_alloc(ctx, n + n * FW_STEP_INPUTS + n * n + FW_STEP_INPUTS + n, sizeof *memory, &memory));
  fw_step_out out = {.z = memory, .z_x = memory + n, .z_z = memory + n + n * FW_STEP_INPUTS};
  out.T_x = out.z_z + n * n;
  out.T_z = out.T_x + FW_STEP_INPUTS;
  fw_step_in in = {{0.0, 0.0, 0.0, N, N}, 0.0};
  *stiffness = 0.0;
  for (int k = 0, at = 0; k < pair->friction_count; at += pair->friction[k].states, k++) {
    fw_friction_step(&pair->friction[k], &in, z + at, &out);
    *stiffness += out.T_x[FW_STEP_DU];
  }
  free(memory);
  return FW_OK;
}

bool fw_linearised_closed(const fw_touch *touch, const fw_kinematic *kin) {
  return touch->status != FW_OPEN || kin->gap <= 1e-12;
}

static fw_status find_holds(fw_context *ctx, const fw_model *model, const fw_state *state, fw_contact_view view,
                            fw_hold *holds, int *count) {
  *count = 0;
  for (int p = 0; view != FW_VIEW_OPEN && p < model->pair_count; p++) {
    const fw_pair *pair = model->pairs[p];
    for (int i = 0; i < pair->count; i++) {
      const fw_touch *touch = &state->touch[pair->first_contact + i];
      fw_kinematic kin;
      fw_status status = fw_pair_kinematics(model, pair, i, state->q, touch, state->q, &kin);
      if (status == FW_RECOVER_CONTACT) continue;
      FW_TRY(status);
      if (!fw_linearised_closed(touch, &kin)) continue;
      bool hard = fw_normal_is_rigid(&pair->normal);
      fw_normal_out normal = {0};
      if (!hard) fw_normal_force(&pair->normal, fmin(kin.gap, -DBL_MIN), 0.0, &normal);
      add_hold(holds, count, &kin, kin.gap_q, hard, -normal.N_gap);
      bool stuck = view == FW_VIEW_STICK || (view == FW_VIEW_AS_IS && touch->status == FW_STICK);
      if (!stuck || pair->friction_count == 0) continue;
      bool rigid = fw_friction_is_rigid(&pair->friction[0]);
      double stiffness = 0.0;
      if (!rigid) FW_TRY(stick_stiffness(ctx, pair, state->z + pair->first_z + i * pair->states, touch->N, &stiffness));
      add_hold(holds, count, &kin, kin.slip_q, rigid, stiffness);
    }
  }
  return FW_OK;
}

typedef struct fw_holds {
  const fw_system *system;
  const fw_hold *holds;
  int count;
} fw_holds;

/* The system's pattern, plus the cliques of stiffnesses and the rows of rigid holds. */
static void held_entries(const void *user, fw_entries *entries) {
  const fw_holds *self = user;
  int64_t row = self->system->size;
  fw_sparse_entries(self->system->K, entries);
  for (int h = 0; h < self->count; h++) {
    const fw_hold *hold = &self->holds[h];
    if (!hold->rigid) {
      fw_entries_clique(entries, hold->dof, hold->count);
      continue;
    }
    for (int i = 0; i < hold->count; i++) {
      fw_entries_add(entries, row, hold->dof[i]);
      fw_entries_add(entries, hold->dof[i], row);
    }
    fw_entries_add(entries, row, row);
    row++;
  }
}

/* `from` on the pattern of `to`, which has all its entries. */
static void copy_values(const fw_sparse *from, fw_sparse *to) {
  if (from->shared == to->shared) {
    memcpy(to->x, from->x, (size_t)from->p[from->n] * sizeof *to->x);
    return;
  }
  for (int64_t j = 0; j < from->n; j++)
    for (int64_t k = from->p[j]; k < from->p[j + 1]; k++) to->x[fw_sparse_position(to, from->i[k], j)] = from->x[k];
}

static void add_holds(const fw_hold *holds, int count, int64_t first, fw_sparse *K) {
  for (int h = 0; h < count; h++) {
    const fw_hold *hold = &holds[h];
    for (int i = 0; i < hold->count; i++) {
      if (hold->rigid) {
        K->x[fw_sparse_position(K, first, hold->dof[i])] += hold->weight[i];
        K->x[fw_sparse_position(K, hold->dof[i], first)] += hold->weight[i];
      }
      for (int j = 0; !hold->rigid && j < hold->count; j++)
        K->x[fw_sparse_position(K, hold->dof[i], hold->dof[j])] += hold->stiffness * hold->weight[i] * hold->weight[j];
    }
    first += hold->rigid;
  }
}

fw_status fw_linearise(fw_context *ctx, fw_system *system, const fw_state *state, fw_contact_view view,
                       fw_linearised **linearised) {
  fw_status status = FW_OK;
  fw_linearised *l = NULL;
  fw_hold *holds = NULL;
  double *f = NULL;
  int count = 0;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof *l, &l));
  FW_TRY_DONE(fw_alloc(ctx, 2 * (size_t)system->model->contact_count, sizeof *holds, &holds));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *f, &f));
  FW_TRY_DONE(fw_system_force(ctx, system, state->q, state->lambda, state->time, f, true));
  FW_TRY_DONE(find_holds(ctx, system->model, state, view, holds, &count));
  for (int h = 0; h < count; h++) l->held += holds[h].rigid;
  if (count == 0)
    FW_TRY_DONE(fw_sparse_like(ctx, system->K, &l->K));
  else
    FW_TRY_DONE(fw_sparse_create(ctx, system->size + l->held, held_entries, &(fw_holds){system, holds, count}, &l->K));
  FW_TRY_DONE(fw_sparse_like(ctx, l->K, &l->M));
  FW_TRY_DONE(fw_sparse_like(ctx, l->K, &l->C));
  copy_values(system->K, l->K);
  copy_values(system->M, l->M);
  fw_system_turn(system, state->q);
  copy_values(system->C, l->C);
  add_holds(holds, count, system->size, l->K);
done:
  free(holds);
  free(f);
  if (status != FW_OK) fw_linearised_destroy(&l);
  *linearised = l;
  return status;
}

void fw_linearised_destroy(fw_linearised **linearised) {
  if (!linearised || !*linearised) return;
  fw_sparse_destroy(&(*linearised)->K);
  fw_sparse_destroy(&(*linearised)->M);
  fw_sparse_destroy(&(*linearised)->C);
  free(*linearised);
  *linearised = NULL;
}
