/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/events.h"

#include <math.h>
#include <stdlib.h>

#include "contact/totals.h"
#include "solver/time/ida/held.h"
#include "solver/time/ida/mobility.h"
#include "solver/time/ida/vary.h"
#include "solver/time/local_contact.h"

typedef struct fw_impact {
  fw_mobility mobility;
  fw_local_problem problem;
  fw_pair *pairs;   /* copies without compliant friction */
  fw_touch *before; /* none pressed yet; then those that struck as they came */
  double *z;
} fw_impact;

static void impact_clear(fw_impact *impact) {
  free(impact->pairs);
  free(impact->before);
  free(impact->z);
  fw_local_clear(&impact->problem);
  fw_mobility_clear(&impact->mobility);
}

static fw_status impact_prepare(fw_context *ctx, fw_dae *dae, const fw_state *state, int count, fw_impact *impact) {
  size_t n = (size_t)count;
  FW_TRY(fw_mobility_create(ctx, dae, state, &impact->mobility));
  FW_TRY(fw_local_reserve(ctx, &impact->problem, count));
  impact->problem.count = count;
  impact->problem.from_stuck = true;
  FW_TRY(fw_alloc(ctx, n, sizeof *impact->pairs, &impact->pairs));
  FW_TRY(fw_alloc(ctx, n, sizeof *impact->before, &impact->before));
  return fw_alloc(ctx, (size_t)dae->model->z_count + 1, sizeof *impact->z, &impact->z);
}

/* What the impulses did at a point, whose velocities before them were these. */
static void strike(double P_n, double P_t, const fw_touch *before, fw_touch *touch, fw_impact_loss *lost) {
  double rubbed = touch->dissipated;
  fw_touch_strike(P_n, P_t, before->slip_velocity, touch);
  lost->normal -= 0.5 * P_n * (before->gap_velocity + touch->gap_velocity);
  lost->friction += touch->dissipated - rubbed;
}

/* Takes the velocities after an impact into every point: those that did not strike move otherwise too. */
static void take_velocities(const fw_dae *dae, fw_state *state) {
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_kinematic *kin = &dae->points[c].kin;
    state->touch[c].gap_velocity = fw_kinematic_along(kin, kin->gap_q, state->v);
    state->touch[c].slip_velocity = fw_kinematic_along(kin, kin->slip_q, state->v);
  }
}

/* Newton's impact law with friction, at all points that touch at once (Moreau 1988): with the impulses P and the
 * velocities before and after, M (v+ - v-) = W_n P_n - W_t P_t,
 *
 *   0 <= P_n,  v_n+ + e v_n- >= 0,  P_n (v_n+ + e v_n-) = 0,     P_t opposes v_t+, |P_t| <= mu P_n.
 *
 * They are the contact conditions of a step with the rebound v_n+ + e v_n- and the tangential velocity in place of gap
 * and slip, and impulses in place of forces: the same solver finds them. e counts for points that strike; those that
 * only touch take part with e = 0. */
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
    if (!fw_pair_is_rigid(point->pair)) impact.pairs[i].friction = (fw_friction){0};
    p->points[i] = (fw_local){.pair = &impact.pairs[i], .old = &impact.before[i], .z_old = fw_dae_states(point, state)};
    p->z[i] = impact.z;
    double v_n = fw_kinematic_along(&point->kin, point->kin.gap_q, state->v);
    p->free[2 * i] = v_n * (1.0 + (impacting[i] ? point->pair->normal.restitution : 0.0));
    p->free[2 * i + 1] = fw_kinematic_along(&point->kin, point->kin.slip_q, state->v);
  }
  for (int i = 0; i < 2 * count; i++)
    for (int j = 0; j < 2 * count; j++)
      p->D[i * 2 * count + j] = mobility->D[(2 * who[i / 2] + i % 2) * all + 2 * who[j / 2] + j % 2];
  FW_TRY_DONE(fw_local_solve(ctx, p));
  if (dae->variation) FW_TRY_DONE(fw_vary_impact(ctx, dae, mobility, who, impacting, p));
  for (int j = 0; j < 2 * count; j++) {
    double impulse = j % 2 ? -p->T[j / 2] : p->N[j / 2];
    const double *column = mobility->columns + (2 * who[j / 2] + j % 2) * mobility->size;
    for (int64_t k = 0; k < dae->n; k++) state->v[k] += impulse * column[k];
  }
  for (int i = 0; i < count; i++) impact.before[i] = state->touch[who[i]];
  take_velocities(dae, state);
  for (int i = 0; i < count; i++) strike(p->N[i], p->T[i], &impact.before[i], &state->touch[who[i]], lost);
done:
  impact_clear(&impact);
  return status;
}

void fw_impact_close(fw_dae_point *point, const fw_touch *touch) {
  point->closed = true;
  point->slip_base = 0.0;
  point->mode = !fw_pair_rubs(point->pair)                 ? FW_TANGENT_FREE
                : !fw_pair_is_rigid(point->pair)           ? FW_TANGENT_LAW
                : fabs(touch->slip_velocity) > FW_DAE_REST ? FW_TANGENT_SLIP
                                                           : FW_TANGENT_STICK;
  point->direction = touch->slip_velocity < 0.0 ? -1.0 : 1.0;
}

/* Rebound speed below which a point stays: it would rise no higher than `height` or be back within `time`. */
static double rest_speed(const fw_dae_point *point, const fw_rest *rest, const fw_state *state) {
  double fall = fmax(-fw_kinematic_along(&point->kin, point->kin.gap_q, state->a), 0.0);
  return fmax(rest->speed, fmax(sqrt(2.0 * rest->height * fall), 0.5 * fall * rest->time));
}

fw_status fw_impact_apply(fw_context *ctx, fw_dae *dae, const bool *closing, const fw_rest *rest, fw_state *state,
                          bool *thrown, fw_impact_loss *lost) {
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
    thrown[who[i]] = touch->gap_velocity > rest->speed;
    if (thrown[who[i]])
      fw_dae_open(point);
    else
      fw_impact_close(point, touch);
  }
done:
  free(who);
  free(impacting);
  return status;
}

/* True if a point that has been thrown off closes again: it would be back so soon that it rests. */
static bool comes_to_rest(fw_dae *dae, const bool *thrown, const fw_rest *rest, const fw_state *state) {
  bool any = false;
  for (int c = 0; c < dae->model->contact_count; c++) {
    fw_dae_point *point = &dae->points[c];
    if (!thrown[c] || state->touch[c].gap_velocity > rest_speed(point, rest, state)) continue;
    fw_impact_close(point, &state->touch[c]);
    any = true;
  }
  return any;
}

fw_status fw_impact_rest(fw_context *ctx, fw_dae *dae, const bool *thrown, const fw_rest *rest, fw_state *state,
                         bool *rests, fw_impact_loss *lost) {
  fw_mobility mobility = {0};
  *rests = comes_to_rest(dae, thrown, rest, state);
  if (!*rests) return FW_OK;
  fw_status status = fw_mobility_create(ctx, dae, state, &mobility);
  if (status == FW_OK) status = fw_held_stop(ctx, dae, &mobility, state, &lost->normal);
  if (status == FW_OK) take_velocities(dae, state);
  fw_mobility_clear(&mobility);
  return status;
}
