/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of generalised-alpha divided at events. */
#include <math.h>
#include <string.h>

#include "solver/time/alpha_parts.h"
#include "solver/time/ida/events.h"

/* Accelerations of gap and slip at the beginning of the step; 0 where a point has lost its target. */
static void relative_acceleration(const fw_alpha *a, const fw_pair *pair, int i, double *gap, double *slip) {
  fw_kinematic kin;
  *gap = *slip = 0.0;
  if (fw_pair_kinematics(a->model, pair, i, a->old->q, &a->old->touch[pair->first_contact + i], a->old->q, &kin) !=
      FW_OK)
    return;
  *gap = fw_kinematic_along(&kin, kin.gap_q, a->old->a);
  *slip = fw_kinematic_along(&kin, kin.slip_q, a->old->a);
}

/* Where in the tried step the slip velocity vanishes if the contact goes on slipping as it did. */
static double stopping_fraction(const fw_alpha *a, const fw_pair *pair, int i, double dt) {
  double gap_acceleration, acceleration;
  relative_acceleration(a, pair, i, &gap_acceleration, &acceleration);
  double at = -a->old->touch[pair->first_contact + i].slip_velocity / (acceleration * dt);
  return at > 0.0 && at < 1.0 ? at : 1.0;
}

/* Fraction of the tried step at which a point that closes does so, from g + v t + a t^2/2 = 0; at once if it is inside
 * and goes on, at its turn if it does not come out. */
static double closing_fraction(const fw_alpha *a, const fw_pair *pair, int i, double dt) {
  const fw_touch *old = &a->old->touch[pair->first_contact + i];
  double g = old->gap, v = old->gap_velocity, t = 0.0;
  if (g <= 0.0 && v <= 0.0) return 0.0;
  double acceleration, slip_acceleration;
  relative_acceleration(a, pair, i, &acceleration, &slip_acceleration);
  double root = v * v - 2.0 * acceleration * g;
  if (v < 0.0)
    t = 2.0 * g / (sqrt(fmax(root, 0.0)) - v);
  else if (acceleration < 0.0)
    t = (v + sqrt(fmax(root, 0.0))) / -acceleration;
  return t > 0.0 && t < dt ? t / dt : 1.0;
}

/* How the moment, `length` from the beginning of the step, at which a point closes or stops changes: from
 * g + v t + a t^2/2 = 0, and v + a t = 0 of its slip. */
static void vary_moment_of(const fw_alpha *a, const fw_pair *pair, int i, double length, bool closes) {
  fw_variation *x = a->variation;
  const fw_touch *old = &a->old->touch[pair->first_contact + i];
  double gap, slip;
  fw_kinematic kin;
  if (fw_pair_kinematics(a->model, pair, i, a->old->q, old, a->old->q, &kin) != FW_OK) return;
  relative_acceleration(a, pair, i, &gap, &slip);
  const double *direction = closes ? kin.gap_q : kin.slip_q;
  double speed = old->gap_velocity + gap * length;
  if (closes) x->gentlest = fmin(x->gentlest, fabs(speed));
  for (int k = 0; k < x->count; k++) {
    double q = fw_kinematic_along(&kin, direction, fw_variation_of(x->q, x->n, k));
    double v = fw_kinematic_along(&kin, direction, fw_variation_of(x->v, x->n, k));
    double by = fw_kinematic_along(&kin, direction, fw_variation_of(x->a, x->n, k));
    x->part[k] = closes ? -(q + length * (v + 0.5 * length * by)) / speed : -(v + length * by) / slip;
    if (!isfinite(x->part[k])) x->part[k] = 0.0;
  }
}

/* The first of the points that do something at the end of a divided step gives the moment. */
static void vary_moment(const fw_alpha *a, double length) {
  for (int p = 0; p < a->model->pair_count; p++)
    for (int i = 0; i < a->model->pairs[p]->count; i++) {
      const int *found = a->events + FW_DAE_ROOTS * (a->model->pairs[p]->first_contact + i);
      if (!found[FW_ROOT_NORMAL] && !found[FW_ROOT_REVERSAL]) continue;
      vary_moment_of(a, a->model->pairs[p], i, length, found[FW_ROOT_NORMAL] != 0);
      return;
    }
}

static bool stops_slipping(const fw_pair *pair, const fw_touch *old, const fw_touch *now) {
  return fw_pair_is_rigid(pair) && old->status == FW_SLIP && old->slip_velocity != 0.0 && now->status != FW_OPEN &&
         (now->status == FW_STICK || old->slip_velocity * now->slip_velocity < 0.0);
}

/* Fraction of the tried step at which a point of hard contact closes or, where events are located, its rigid friction
 * stops slipping; 1: at the end, 2: neither. */
static double event_fraction(const fw_alpha *a, const fw_pair *pair, int i, bool *closes) {
  double step = a->new_state->time - a->old->time;
  const fw_touch *old = &a->old->touch[pair->first_contact + i], *now = &a->new_state->touch[pair->first_contact + i];
  *closes = old->status == FW_OPEN && now->status != FW_OPEN;
  if (!fw_normal_is_rigid(&pair->normal)) return 2.0;
  if (*closes) return a->locate ? closing_fraction(a, pair, i, step) : 1.0;
  if (a->locate && stops_slipping(pair, old, now)) return fmin(stopping_fraction(a, pair, i, step), 1.0 - 1e-9);
  return 2.0;
}

/* Looks for the first events in the tried step. Returns the fraction of the step at which they happen (1: at the end)
 * and notes who does what. Points that close at the end of the step all do so together, and so do those that stop
 * within the least part of a step: what the first leaves of the others' velocities is too little to tell which way they
 * go. */
static double find_events(fw_alpha *a, double whole, bool *any) {
  double first = 2.0, together = FW_ALPHA_LEAST * whole / (a->new_state->time - a->old->time);
  bool closes;
  for (int p = 0; p < a->model->pair_count; p++)
    for (int i = 0; i < a->model->pairs[p]->count; i++)
      first = fmin(first, event_fraction(a, a->model->pairs[p], i, &closes));
  *any = first < 2.0;
  if (!*any) return 1.0;
  memset(a->events, 0, FW_DAE_ROOTS * (size_t)a->model->contact_count * sizeof *a->events);
  for (int p = 0; p < a->model->pair_count; p++)
    for (int i = 0; i < a->model->pairs[p]->count; i++) {
      double at = event_fraction(a, a->model->pairs[p], i, &closes);
      if (at <= first + (closes ? 0.0 : fmin(together, 1.0 - first)))
        a->events[FW_DAE_ROOTS * (a->model->pairs[p]->first_contact + i) +
                  (closes ? FW_ROOT_NORMAL : FW_ROOT_REVERSAL)] = 1;
    }
  return first;
}

/* Rebounds that would be back within this time count as rest. */
static fw_rest rest_within(double time) { return (fw_rest){.speed = 1e-9, .time = time}; }

fw_status fw_alpha_settle(fw_context *ctx, fw_alpha *a) {
  const fw_rest rest = rest_within(0.0);
  fw_dae *dae = NULL;
  FW_TRY(fw_dae_create(ctx, a->system, a->old, a->omega, 0.0, &dae));
  fw_status status = fw_events_begin(ctx, dae, &rest, a->old, &(fw_impact_loss){0});
  fw_dae_destroy(&dae);
  return status == FW_RECOVER_DIVERGED ? FW_OK : status; /* Painleve: the stiffness in the steps will answer */
}

/* Forces jump at an event: the integration begins anew with accelerations that fit. A rebound that would be back within
 * the step is rest: it is as low as the step's own error. */
fw_status fw_alpha_apply_events(fw_context *ctx, fw_alpha *a, double step) {
  const fw_rest rest = rest_within(step);
  fw_dae *dae = NULL;
  fw_impact_loss lost = {0};
  FW_TRY(fw_dae_create(ctx, a->system, a->old, a->omega, 0.0, &dae));
  dae->variation = a->variation;
  a->event_count++;
  fw_status status = fw_dae_observe(dae, a->old);
  if (status == FW_OK) status = fw_events_apply(ctx, dae, a->events, &rest, a->old, &lost);
  fw_dae_destroy(&dae);
  if (status == FW_RECOVER_DIVERGED) status = FW_OK;
  for (int c = 0; c < a->model->contact_count; c++) /* the rest of the old direction is round-off */
    if (a->events[FW_DAE_ROOTS * c + FW_ROOT_REVERSAL]) a->old->touch[c].slip_velocity = 0.0;
  a->energy.contact_damping += lost.normal;
  a->energy.friction += lost.friction;
  a->energy.kinetic = fw_alpha_kinetic(a);
  memcpy(a->algorithmic, a->old->a, (size_t)a->model->dof_count * sizeof *a->algorithmic);
  memcpy(a->smooth_old, a->old->a, (size_t)a->model->dof_count * sizeof *a->smooth_old);
  return status;
}

/* Steps of dt in which points closed fly on without force to the moment of impact: a constraint that stops them within
 * the step would leave its impulse in the accelerations, from which the next steps take energy. */
static fw_status fly_on(fw_context *ctx, fw_alpha *a, double dt) {
  for (int c = 0; c < a->model->contact_count; c++) a->released[c] = a->events[FW_DAE_ROOTS * c + FW_ROOT_NORMAL] != 0;
  fw_status status = fw_alpha_try(ctx, a, dt);
  memset(a->released, 0, (size_t)a->model->contact_count * sizeof *a->released);
  return status;
}

/* Where a law without states of its own rate jumps as slip reverses (a spring that takes over at zero force), no step
 * across the reversal has a solution: looks for the first such point in a step of dt that failed. */
static double find_turns(fw_alpha *a, double dt, bool *any) {
  double first = 1.0;
  *any = false;
  memset(a->events, 0, FW_DAE_ROOTS * (size_t)a->model->contact_count * sizeof *a->events);
  for (int p = 0; p < a->model->pair_count; p++) {
    const fw_pair *pair = a->model->pairs[p];
    bool by_steps = fw_pair_has_steps(pair);
    for (int i = 0; by_steps && i < pair->count; i++) {
      double at = stopping_fraction(a, pair, i, dt);
      if (a->old->touch[pair->first_contact + i].status == FW_OPEN || !(at < first)) continue;
      memset(a->events, 0, FW_DAE_ROOTS * (size_t)a->model->contact_count * sizeof *a->events);
      a->events[FW_DAE_ROOTS * (pair->first_contact + i) + FW_ROOT_REVERSAL] = 1;
      first = at;
      *any = true;
    }
  }
  return first;
}

fw_status fw_alpha_step_located(fw_context *ctx, fw_alpha *a, double whole, double dt, double *done) {
  bool event;
  *done = dt;
  fw_status status = fw_alpha_try(ctx, a, dt);
  if (status < 0) return status;
  double fraction = status == FW_OK ? find_events(a, whole, &event) : find_turns(a, dt, &event);
  if (status != FW_OK && !event) return status;
  if (!event) {
    FW_TRY(fw_alpha_break_away(ctx, a, whole, dt, &event, done));
    return event ? FW_OK : fw_alpha_accept(ctx, a);
  }
  if (fraction * dt < FW_ALPHA_LEAST * whole) {
    *done = 0.0;
  } else {
    if (fraction < 1.0 - FW_ALPHA_LEAST) {
      *done = fraction * dt;
      if (a->variation) vary_moment(a, *done);
    }
    FW_TRY(fly_on(ctx, a, *done));
    FW_TRY(fw_alpha_accept(ctx, a));
  }
  return fw_alpha_apply_events(ctx, a, whole);
}
