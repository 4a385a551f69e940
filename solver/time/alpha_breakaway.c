/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where rigid stick gives way to a sliding force below its limit, the force drops: a step that breaks away somewhere
 * within itself would let it drop at its beginning. The step ends instead where T reaches the limit,
 *
 *   F(t) = limit(N(t)) - |T(t)| = 0,   the point held,
 *
 * found by secants, and the point slides from there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/time/alpha_parts.h"
#include "solver/time/ida/dae.h"

static const double REACHED = 1e-11; /* of the limit */
static const double DROPS = 1e-9;    /* of the limit: sliding forces less below it are none */
static const double TRACE = 1e-300;  /* velocity of what slides from rest */
enum { TRIES = 30 };

static fw_limit_out limit_of(const fw_alpha *a, const fw_pair *pair, int contact, double way, double N) {
  const double *z = a->old->z + pair->first_z + (contact - pair->first_contact) * pair->states;
  return fw_friction_limit(&pair->friction, way * TRACE, N, z);
}

static double way_of(const fw_touch *touch) { return touch->T < 0.0 ? -1.0 : 1.0; }

/* F of a point in a state; *slope: its derivative by N. */
static double room_left(const fw_alpha *a, const fw_pair *pair, int contact, const fw_touch *touch, double *slope) {
  double way = way_of(touch);
  fw_limit_out limit = limit_of(a, pair, contact, way, touch->N);
  *slope = way > 0.0 ? limit.stick_plus_N : limit.stick_minus_N;
  return (way > 0.0 ? limit.stick_plus : limit.stick_minus) - fabs(touch->T);
}

static bool drops(const fw_alpha *a, const fw_pair *pair, int contact, const fw_touch *touch) {
  double way = way_of(touch);
  fw_limit_out limit = limit_of(a, pair, contact, way, touch->N);
  double stick = way > 0.0 ? limit.stick_plus : limit.stick_minus;
  return limit.band == 0.0 && stick - fabs(limit.slip) > DROPS * stick;
}

/* Points that the tried step lets slide out of stick, with a drop: held from now on. */
static bool hold_breaking(fw_alpha *a) {
  bool any = false;
  for (int p = 0; p < a->model->pair_count; p++) {
    const fw_pair *pair = a->model->pairs[p];
    bool rigid = fw_normal_is_rigid(&pair->normal) && fw_pair_rubs(pair) && fw_pair_is_rigid(pair);
    for (int c = pair->first_contact; rigid && c < pair->first_contact + pair->count; c++) {
      const fw_touch *old = &a->old->touch[c], *now = &a->new_state->touch[c];
      a->clinging[c] = old->status == FW_STICK && now->status == FW_SLIP && drops(a, pair, c, now);
      any = any || a->clinging[c];
    }
  }
  return any;
}

/* The first of the held points to reach its limit. */
typedef struct fw_breaking {
  const fw_pair *pair;
  int contact;
  double time;
} fw_breaking;

/* On the line between two states at two moments. */
static fw_breaking first_to_break(const fw_alpha *a, const fw_state *const states[2], const double at[2]) {
  fw_breaking first = {.time = INFINITY};
  for (int p = 0; p < a->model->pair_count; p++) {
    const fw_pair *pair = a->model->pairs[p];
    for (int c = pair->first_contact; c < pair->first_contact + pair->count; c++) {
      double slope, left[2];
      if (!a->clinging[c]) continue;
      for (int k = 0; k < 2; k++) left[k] = room_left(a, pair, c, &states[k]->touch[c], &slope);
      double time = left[1] < left[0] ? at[0] + (at[1] - at[0]) * left[0] / (left[0] - left[1]) : INFINITY;
      if (time < first.time) first = (fw_breaking){pair, c, time};
    }
  }
  return first;
}

/* The length of the step in which the first held point reaches its limit; a->new_state is its end unless it is below
 * `least`. */
static fw_status find_break(fw_context *ctx, fw_alpha *a, double least, double dt, fw_breaking *first) {
  double length = dt, slope;
  FW_TRY(fw_alpha_try(ctx, a, dt));
  *first = first_to_break(a, (const fw_state *const[]){a->old, a->new_state}, (const double[]){0.0, dt});
  if (!first->pair) return FW_RECOVER_CONTACT;
  for (int i = 0; i < TRIES; i++) {
    if (first->time < least || first->time > dt) break;
    length = first->time;
    FW_TRY(fw_alpha_try(ctx, a, length));
    const fw_touch *now = &a->new_state->touch[first->contact];
    double left = room_left(a, first->pair, first->contact, now, &slope);
    if (fabs(left) < REACHED * (left + fabs(now->T))) break;
    *first = first_to_break(a, (const fw_state *const[]){a->old, a->new_state}, (const double[]){0.0, length});
    if (!first->pair) return FW_RECOVER_CONTACT;
  }
  return FW_OK;
}

/* ---- its moment, as it changes ------------------------------------------------------------------- */

/* dF of every change at the end of the step just tried, whose length changes by `part` too; the variation is left as
 * it was. */
static fw_status change_room(fw_context *ctx, fw_alpha *a, const fw_breaking *first, double part, double *change) {
  fw_variation *x = a->variation, trial = {0};
  const fw_touch *now = &a->new_state->touch[first->contact];
  double slope, way = way_of(now);
  room_left(a, first->pair, first->contact, now, &slope);
  FW_TRY(fw_variation_init(ctx, a->model, x->count, &trial));
  fw_variation_assign(&trial, x);
  for (int k = 0; k < x->count; k++) trial.part[k] = part;
  a->variation = &trial;
  fw_status status = fw_alpha_vary(ctx, a);
  a->variation = x;
  for (int k = 0; k < x->count; k++)
    change[k] = slope * fw_variation_of(trial.N, x->contacts, k)[first->contact] -
                way * fw_variation_of(trial.T, x->contacts, k)[first->contact];
  fw_variation_clear(&trial);
  return status;
}

static fw_status vary_break(fw_context *ctx, fw_alpha *a, const fw_breaking *first) {
  fw_variation *x = a->variation;
  size_t count = (size_t)x->count;
  double *kept = NULL;
  FW_TRY(fw_alloc(ctx, 2 * count, sizeof *kept, &kept));
  fw_status status = change_room(ctx, a, first, 0.0, kept);
  if (status == FW_OK) status = change_room(ctx, a, first, 1.0, kept + count);
  for (size_t k = 0; status == FW_OK && k < count; k++) {
    double rate = kept[count + k] - kept[k];
    x->part[k] = rate != 0.0 ? -kept[k] / rate : 0.0;
  }
  free(kept);
  return status;
}

/* ---- the step ------------------------------------------------------------------------------------ */

/* What slides from here on. */
static void note_break(fw_alpha *a, const fw_breaking *first) {
  int roots = FW_DAE_ROOTS * a->model->contact_count;
  bool plus = way_of(&a->old->touch[first->contact]) > 0.0;
  memset(a->events, 0, (size_t)roots * sizeof *a->events);
  a->events[FW_DAE_ROOTS * first->contact + (plus ? FW_ROOT_LIMIT_PLUS : FW_ROOT_LIMIT_MINUS)] = 1;
}

static fw_status step_to_break(fw_context *ctx, fw_alpha *a, double whole, double dt, fw_breaking *first,
                               double *done) {
  double least = FW_ALPHA_LEAST * whole;
  FW_TRY(find_break(ctx, a, least, dt, first));
  *done = first->time < least ? 0.0 : first->time;
  if (*done == 0.0) return FW_OK;
  if (dt - first->time < least) {
    *done = dt;
    FW_TRY(fw_alpha_try(ctx, a, dt));
  } else if (a->variation) {
    FW_TRY(vary_break(ctx, a, first));
  }
  return fw_alpha_accept(ctx, a);
}

fw_status fw_alpha_break_away(fw_context *ctx, fw_alpha *a, double whole, double dt, bool *any, double *done) {
  fw_breaking first = {0};
  *any = a->locate && hold_breaking(a);
  if (!*any) return FW_OK;
  fw_status status = step_to_break(ctx, a, whole, dt, &first, done);
  memset(a->clinging, 0, (size_t)a->model->contact_count * sizeof *a->clinging);
  FW_TRY(status);
  note_break(a, &first);
  FW_TRY(fw_alpha_apply_events(ctx, a, whole));
  a->old->touch[first.contact].slip_velocity = way_of(&a->old->touch[first.contact]) * TRACE;
  return FW_OK;
}
