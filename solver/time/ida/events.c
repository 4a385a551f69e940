/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a point does next, by the event function that has reached zero:
 *
 *   N         closed  -> open                       states of its laws are those of a fresh contact
 *   gap       open    -> closed, after the impact   (impact.c), or open again if it rebounds
 *   limit     stick   -> slip                       in the direction of the limit
 *   velocity  slip    -> stick                      slip counts from there
 *             law with steps: goes on               its states learn of the reversal
 *   drop      elastic stick gives way               its force falls to that of sliding
 *
 * Then settle.c finds modes and forces that fit together again: an event at one point may be one at others. */
#include "solver/time/ida/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/friction/derived.h"
#include "solver/time/ida/vary.h"

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

static void reset_states(const fw_dae *dae, const fw_dae_point *point, fw_state *state) {
  fw_friction_reset(&point->pair->friction, fw_dae_states(point, state));
  fw_vary_reset(dae, point);
}

/* Laws with a step face learn of a reversal by a step of no length: what they do where v passes zero they do now. */
static void turn_states(fw_dae *dae, const fw_dae_point *point, const fw_touch *touch, fw_state *state) {
  const double least = 1e-100, N = fmax(touch->N, 0.0);
  double *z = fw_dae_states(point, state);
  fw_step_in in = {{0.0, point->direction * least, -point->direction * least, N, N}, 1e-15};
  fw_friction_step(&point->pair->friction, &in, z, &(fw_step_out){.z = dae->z_trial});
  memcpy(z, dae->z_trial, (size_t)point->pair->states * sizeof *z);
}

/* Modes as the events ask; returns whether points close, which they are and are not closed yet. */
static bool apply_modes(fw_dae *dae, const int *found, fw_state *state, bool *closing) {
  bool any_closing = false;
  for (int c = 0; c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    fw_touch *touch = &state->touch[c];
    const int *root = found + FW_DAE_ROOTS * c;
    if (root[FW_ROOT_NORMAL] && point->closed) {
      fw_dae_open(point);
      reset_states(dae, point, state);
    } else if (root[FW_ROOT_NORMAL] && touch->gap_velocity <= 0.0) {
      closing[c] = any_closing = true;
      reset_states(dae, point, state);
    }
    if ((root[FW_ROOT_LIMIT_PLUS] || root[FW_ROOT_LIMIT_MINUS]) && point->mode == FW_TANGENT_STICK) {
      point->mode = FW_TANGENT_SLIP;
      point->direction = root[FW_ROOT_LIMIT_PLUS] ? 1.0 : -1.0;
    }
    if (root[FW_ROOT_REVERSAL] && point->mode == FW_TANGENT_SLIP) {
      point->mode = FW_TANGENT_STICK;
      point->slip_base = 0.0;
    }
    if (root[FW_ROOT_REVERSAL] && point->mode == FW_TANGENT_LAW && point->first_z < 0)
      turn_states(dae, point, touch, state);
    if (root[FW_ROOT_DROP]) fw_friction_release(&point->pair->friction, fw_dae_states(point, state));
  }
  return any_closing;
}

static fw_status strike_and_settle(fw_context *ctx, fw_dae *dae, const bool *closing, const fw_rest *rest,
                                   fw_state *state, fw_impact_loss *lost) {
  bool *thrown = NULL, rests = false;
  FW_TRY(fw_alloc(ctx, (size_t)dae->model->contact_count, sizeof *thrown, &thrown));
  fw_status status = fw_impact_apply(ctx, dae, closing, rest, state, thrown, lost);
  for (int c = 0; status == FW_OK && c < dae->model->contact_count; c++)
    if (thrown[c]) reset_states(dae, &dae->points[c], state);
  if (status == FW_OK) status = fw_events_settle(ctx, dae, state);
  if (status == FW_OK) status = fw_impact_rest(ctx, dae, thrown, rest, state, &rests, lost);
  if (status == FW_OK && rests) status = fw_events_settle(ctx, dae, state);
  free(thrown);
  return status;
}

fw_status fw_events_apply(fw_context *ctx, fw_dae *dae, const int *found, const fw_rest *rest, fw_state *state,
                          fw_impact_loss *lost) {
  bool *closing = NULL;
  FW_TRY(fw_alloc(ctx, (size_t)dae->model->contact_count, sizeof *closing, &closing));
  fw_status status = apply_modes(dae, found, state, closing) ? strike_and_settle(ctx, dae, closing, rest, state, lost)
                                                             : fw_events_settle(ctx, dae, state);
  free(closing);
  return status;
}

/* At the surface, as far as positions can be told. */
static bool touches(const fw_dae_point *point) {
  double place = fmax(fabs(point->kin.place[0]), fabs(point->kin.place[1]));
  return fabs(point->kin.gap) <= 1e-12 * fmax(place, 1.0);
}

fw_status fw_events_begin(fw_context *ctx, fw_dae *dae, const fw_rest *rest, fw_state *state, fw_impact_loss *lost) {
  int *found = NULL;
  FW_TRY(fw_alloc(ctx, FW_DAE_ROOTS * (size_t)dae->model->contact_count, sizeof *found, &found));
  fw_status status = fw_dae_observe(dae, state);
  for (int c = 0; status == FW_OK && c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    bool lands = fw_normal_is_rigid(&point->pair->normal) && !point->closed && touches(point);
    if (!lands || state->touch[c].gap_velocity > rest->speed) continue;
    if (state->touch[c].gap_velocity < -rest->speed)
      found[FW_DAE_ROOTS * c + FW_ROOT_NORMAL] = 1;
    else
      fw_impact_close(point, &state->touch[c]);
  }
  if (status == FW_OK) status = fw_events_apply(ctx, dae, found, rest, state, lost);
  free(found);
  return status;
}
