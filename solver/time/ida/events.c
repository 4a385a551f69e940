/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/friction/derived.h"
#include "solver/time/ida/impact.h"

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

static void reset_states(const fw_dae_point *point, fw_state *state) {
  double *z = fw_dae_states(point, state);
  for (int k = 0, at = 0; k < point->pair->friction_count; at += point->pair->friction[k].states, k++)
    fw_friction_reset(&point->pair->friction[k], z + at);
}

/* Laws with a step face learn of a reversal by a step of no length: what they do where v passes zero they do now. */
static void turn_states(fw_dae *dae, const fw_dae_point *point, const fw_touch *touch, fw_state *state) {
  const double least = 1e-100, N = fmax(touch->N, 0.0);
  double *z = fw_dae_states(point, state);
  fw_step_in in = {{0.0, point->direction * least, -point->direction * least, N, N}, 1e-15};
  for (int k = 0, at = 0; k < point->pair->friction_count; at += point->pair->friction[k].states, k++) {
    const fw_friction *law = &point->pair->friction[k];
    fw_friction_step(law, &in, z + at, &(fw_step_out){.z = dae->z_trial});
    memcpy(z + at, dae->z_trial, (size_t)law->states * sizeof *z);
  }
}

static void release_stick(const fw_dae_point *point, fw_state *state) {
  double *z = fw_dae_states(point, state);
  for (int k = 0; k < point->pair->friction_count; z += point->pair->friction[k++].states)
    if (point->pair->friction[k].drops) fw_stick_release(&point->pair->friction[k], z);
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
    } else if (root[0] && touch->gap_velocity <= 0.0) {
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
    if (root[3] && point->mode == FW_TANGENT_LAW && point->first_z < 0) turn_states(dae, point, touch, state);
    if (root[4]) release_stick(point, state);
  }
  if (any_closing) status = fw_impact_apply(ctx, dae, closing, rest, state, lost);
  free(closing);
  if (status == FW_OK) status = fw_events_settle(ctx, dae, state);
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
      found[FW_DAE_ROOTS * c] = 1;
    else
      fw_impact_close(point, &state->touch[c]);
  }
  if (status == FW_OK) status = fw_events_apply(ctx, dae, found, rest, state, lost);
  free(found);
  return status;
}
