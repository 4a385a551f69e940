/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/ida.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/totals.h"
#include "core/load.h"
#include "solver/time/ida/engine.h"
#include "solver/time/ida/events.h"
#include "solver/time/ida/held.h"

enum { EVENTS_MOST = 2000 }; /* of a contact point between two looks */
/* So many steps that come no further than this part of the way between two looks lead nowhere: a law may have no
 * solution there that BDF formulas can follow. */
enum { CRAWL_STEPS = 20000 };
static const double CRAWL = 1e-6;

struct fw_ida {
  const fw_engine_ops *ops;
  void *engine;
  fw_dae *dae;
  fw_state *committed, *next;
  fw_ida_options options;
  double *y, *y_dot;               /* [dae->size] */
  double *begin;                   /* q at the beginning [dae->n] */
  double powers[FW_POWERS];        /* integrals since the last restart */
  int *found;                      /* roots */
  fw_ida_sensitivity *sensitivity; /* NULL: none */
  fw_dae_point *before;            /* contact points before an event */
  fw_ida_event on_event;
  void *event_user;
  fw_integrator_look look; /* NULL: nobody */
  void *look_user;
  fw_energy energy;
  double work[FW_POWERS]; /* and before it */
  fw_impact_loss impact_losses;
  double contact_start;
  double mechanical_start; /* kinetic and strain energy at the last restart, */
  double taken;            /* and what the BDF had taken until then */
  fw_ida_statistics count;
  long counted[FW_COUNTS]; /* the engine's counters before the last restart */
};

/* ---- creation ---------------------------------------------------------------------------- */

static double stored_in_contact(const fw_ida *ida) {
  double sum = 0.0;
  for (int c = 0; c < ida->dae->model->contact_count; c++) {
    const fw_pair *pair = ida->dae->points[c].pair;
    if (fw_normal_is_rigid(&pair->normal)) continue;
    fw_normal_out law;
    fw_normal_force(&pair->normal, ida->committed->touch[c].gap, 0.0, &law);
    sum += law.energy;
  }
  return sum;
}

static double kinetic_energy(const fw_ida *ida) {
  const double *v = ida->committed->v;
  const fw_sparse *M = ida->dae->system->M;
  double kinetic = 0.0;
  for (int64_t j = 0; j < ida->dae->n; j++)
    for (int64_t k = M->p[j]; k < M->p[j + 1]; k++)
      if (M->i[k] < ida->dae->n) kinetic += 0.5 * v[M->i[k]] * M->x[k] * v[j];
  return kinetic;
}

/* What BDF formulas take is what inertia and inner forces were given, integrated by the same formulas as every other
 * work, and is neither kinetic nor strain energy. */
static void update_energy(fw_ida *ida) {
  const double *now = ida->powers;
  ida->energy.kinetic = kinetic_energy(ida);
  ida->energy.strain = fw_system_energy(ida->dae->system, ida->committed->q);
  ida->energy.numerical =
      ida->taken + now[FW_POWER_STORED] - (ida->energy.kinetic + ida->energy.strain - ida->mechanical_start);
  ida->energy.contact_stored = stored_in_contact(ida);
  ida->energy.loads = ida->work[FW_POWER_LOADS] + now[FW_POWER_LOADS];
  ida->energy.damping = ida->work[FW_POWER_DAMPING] + now[FW_POWER_DAMPING];
  ida->energy.flow = ida->work[FW_POWER_FLOW] + now[FW_POWER_FLOW];
  ida->energy.film = ida->work[FW_POWER_FILM] + now[FW_POWER_FILM];
  ida->energy.friction = ida->work[FW_POWER_FRICTION] + now[FW_POWER_FRICTION] + ida->impact_losses.friction;
  ida->energy.contact_damping = ida->work[FW_POWER_CONTACT] + now[FW_POWER_CONTACT] -
                                (ida->energy.contact_stored - ida->contact_start) + ida->impact_losses.normal;
}

/* From here on the BDF begins anew; what it took until now is known. */
static void restart_energy(fw_ida *ida) {
  ida->taken = ida->energy.numerical;
  ida->mechanical_start = kinetic_energy(ida) + fw_system_energy(ida->dae->system, ida->committed->q);
}

/* Begins from the committed state, whose forces and accelerations fit. */
static fw_status start_engine(fw_context *ctx, fw_ida *ida) {
  if (fw_shared_needs_pattern(ida->dae)) FW_TRY(fw_dae_pattern(ctx, ida->dae));
  fw_dae_pack(ida->dae, ida->committed, ida->y, ida->y_dot);
  fw_dae_state_rates(ida->dae, ida->y, ida->y_dot);
  return ida->ops->create(ctx, ida->dae, &ida->options, ida->committed->time, ida->y, ida->y_dot, &ida->engine);
}

/* Between events every force must fit: without them there is nothing to go on with. */
static fw_status must_fit(fw_context *ctx, const fw_ida *ida, fw_status status) {
  if (status != FW_RECOVER_DIVERGED) return status;
  FW_TRY(fw_events_check(ctx, ida->dae, ida->committed->time));
  return fw_fail(ctx, FW_ERR_ANALYSIS, "no contact forces fit the motion at t = %.9g s", ida->committed->time);
}

static fw_rest rest_of(const fw_ida *ida) {
  return (fw_rest){.speed = ida->options.velocity, .height = ida->options.displacement};
}

fw_status fw_ida_create(fw_context *ctx, fw_system *system, const fw_state *state, double omega,
                        const fw_ida_options *options, fw_ida **ida) {
  fw_status status = FW_OK;
  fw_ida *i = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *i, &i));
  i->options = *options;
  i->ops = options->explicit_form ? &fw_engine_cvodes : &fw_engine_idas;
  FW_TRY_DONE(fw_state_copy(ctx, state, &i->committed));
  FW_TRY_DONE(fw_state_copy(ctx, state, &i->next));
  /* pull held directions back by a critically damped motion ten times faster than the mobility */
  FW_TRY_DONE(fw_dae_create(ctx, system, i->committed, omega, 10.0 * options->rate, &i->dae));
  FW_TRY_DONE(fw_alloc(ctx, FW_DAE_ROOTS * (size_t)system->model->contact_count, sizeof *i->found, &i->found));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->model->contact_count, sizeof *i->before, &i->before));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)i->dae->size, sizeof *i->y, &i->y));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)i->dae->size, sizeof *i->y_dot, &i->y_dot));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)i->dae->n, sizeof *i->begin, &i->begin));
  memcpy(i->begin, state->q, (size_t)i->dae->n * sizeof *i->begin);
  fw_dae_set_least_speed(i->dae, options->velocity);
  fw_rest rest = rest_of(i);
  FW_TRY_DONE(must_fit(ctx, i, fw_events_begin(ctx, i->dae, &rest, i->committed, &(fw_impact_loss){0})));
  FW_TRY_DONE(start_engine(ctx, i));
  i->contact_start = stored_in_contact(i);
  restart_energy(i);
  update_energy(i);
done:
  if (status != FW_OK) fw_ida_destroy(&i);
  *ida = i;
  return status;
}

void fw_ida_destroy(fw_ida **ida) {
  if (!ida || !*ida) return;
  fw_ida *i = *ida;
  if (i->engine) i->ops->destroy(i->engine);
  free(i->y);
  free(i->y_dot);
  free(i->begin);
  fw_dae_destroy(&i->dae);
  fw_state_destroy(&i->committed);
  fw_state_destroy(&i->next);
  fw_sensitivity_destroy(&i->sensitivity);
  free(i->found);
  free(i->before);
  free(i);
  *ida = NULL;
}

const fw_state *fw_ida_state(const fw_ida *ida) { return ida->committed; }
const fw_energy *fw_ida_energy(const fw_ida *ida) { return &ida->energy; }

fw_status fw_ida_differentiate(fw_context *ctx, fw_ida *ida, const fw_neighbour *neighbours, int count) {
  FW_TRY(fw_sensitivity_create(ctx, ida->dae, neighbours, count, &ida->sensitivity));
  return ida->ops->differentiate(ctx, ida->engine, ida->sensitivity);
}

void fw_ida_tangent(const fw_ida *ida, int neighbour, const double **s, const double **s_dot) {
  *s = ida->sensitivity->of[neighbour].y;
  *s_dot = ida->sensitivity->of[neighbour].y_dot;
}

/* ---- integration ------------------------------------------------------------------------- */

fw_ida_statistics fw_ida_count(const fw_ida *ida) {
  fw_ida_statistics count = ida->count;
  long now[FW_COUNTS] = {0};
  int order;
  ida->ops->count(ida->engine, now, &order, &count.last_step);
  count.steps = ida->counted[FW_COUNT_STEPS] + now[FW_COUNT_STEPS];
  count.residuals = ida->counted[FW_COUNT_RESIDUALS] + now[FW_COUNT_RESIDUALS];
  count.jacobians = ida->counted[FW_COUNT_JACOBIANS] + now[FW_COUNT_JACOBIANS];
  count.error_failures = ida->counted[FW_COUNT_ERRORS] + now[FW_COUNT_ERRORS];
  count.newton_failures = ida->counted[FW_COUNT_NEWTON] + now[FW_COUNT_NEWTON];
  return count;
}

/* Whether compliant friction slid in a step, at whose end it touches; what did not move does as before. */
static fw_touch_status regime(const fw_pair *pair, const fw_touch *old, const fw_touch *touch) {
  if (touch->slip != 0.0) return fw_pair_regime(pair, touch->N, touch->T - old->T, touch->slip);
  return old->status == FW_OPEN ? FW_STICK : old->status;
}

/* Makes an accepted step the committed state: totals grow by what the step gained. */
static fw_status commit(fw_ida *ida, double t) {
  fw_dae *dae = ida->dae;
  fw_state *next = ida->next;
  FW_TRY(fw_dae_unpack(dae, t, ida->y, ida->y_dot, next));
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_touch *old = &ida->committed->touch[c];
    fw_touch *touch = &next->touch[c];
    fw_dae_point *point = &dae->points[c];
    double gain = touch->slip;
    if (point->mode == FW_TANGENT_STICK) {
      point->slip_base += gain;
      ida->count.violation = fmax(ida->count.violation, fabs(point->slip_base));
    }
    if (point->closed && fw_normal_is_rigid(&point->pair->normal))
      ida->count.violation = fmax(ida->count.violation, fabs(touch->gap));
    if (point->mode == FW_TANGENT_LAW && touch->status != FW_OPEN) touch->status = regime(point->pair, old, touch);
    fw_touch_accrue(point->pair, old, t - ida->committed->time, false, touch);
  }
  for (int64_t i = 0; i < dae->n; i++) ida->count.moved = fmax(ida->count.moved, fabs(next->q[i] - ida->begin[i]));
  fw_state_assign(ida->committed, next);
  return FW_OK;
}

/* Adds what the engine counted and integrated since the last restart to the totals. */
static void fold_totals(fw_ida *ida) {
  long now[FW_COUNTS] = {0};
  int order;
  double last_step;
  ida->ops->count(ida->engine, now, &order, &last_step);
  for (int k = 0; k < FW_COUNTS; k++) ida->counted[k] += now[k];
  for (int k = 0; k < FW_POWERS; k++) ida->work[k] += ida->powers[k];
  memset(ida->powers, 0, sizeof ida->powers);
}

/* Another pattern asks for another engine. */
static fw_status replace_engine(fw_context *ctx, fw_ida *ida) {
  void *before = ida->engine;
  fw_status status = start_engine(ctx, ida);
  if (status != FW_OK)
    ida->engine = before;
  else
    ida->ops->destroy(before);
  return status;
}

static fw_status restart(fw_context *ctx, fw_ida *ida) {
  fold_totals(ida);
  restart_energy(ida);
  ida->count.restarts++;
  if (fw_shared_needs_pattern(ida->dae)) return replace_engine(ctx, ida);
  fw_dae_pack(ida->dae, ida->committed, ida->y, ida->y_dot);
  fw_dae_state_rates(ida->dae, ida->y, ida->y_dot);
  return ida->ops->restart(ctx, ida->engine, ida->committed->time, ida->y, ida->y_dot);
}

/* Slip against its own friction, stick beyond its limits and penetration, where a function passed zero between looks:
 * events like any other. */
static bool find_missed(fw_ida *ida) {
  bool any = false;
  double least = ida->options.displacement, slow = ida->options.velocity;
  memset(ida->found, 0, FW_DAE_ROOTS * (size_t)ida->dae->model->contact_count * sizeof *ida->found);
  for (int c = 0; c < ida->dae->model->contact_count; c++) {
    const fw_dae_point *point = &ida->dae->points[c];
    const fw_touch *touch = &ida->committed->touch[c];
    bool hard = fw_normal_is_rigid(&point->pair->normal);
    bool wrong = point->mode == FW_TANGENT_SLIP && point->direction * touch->slip_velocity < -slow;
    bool inside = hard && !point->closed && touch->gap < -least && touch->gap_velocity < 0.0;
    bool torn = fw_dae_is_torn(ida->dae, c, ida->committed);
    int way = 0;
    bool overloaded = fw_dae_is_overloaded(ida->dae, c, ida->committed, &way);
    if (overloaded) ida->found[FW_DAE_ROOTS * c + (way > 0 ? FW_ROOT_LIMIT_PLUS : FW_ROOT_LIMIT_MINUS)] = -1;
    if (wrong) ida->found[FW_DAE_ROOTS * c + FW_ROOT_REVERSAL] = -1;
    if (torn) ida->found[FW_DAE_ROOTS * c + FW_ROOT_DROP] = -1;
    if (inside) ida->found[FW_DAE_ROOTS * c + FW_ROOT_NORMAL] = -1;
    any = any || wrong || inside || torn || overloaded;
  }
  return any;
}

void fw_ida_on_event(fw_ida *ida, fw_ida_event fn, void *user) {
  ida->on_event = fn;
  ida->event_user = user;
}

void fw_ida_watch(fw_ida *ida, fw_integrator_look look, void *user) {
  ida->look = look;
  ida->look_user = user;
}

static void tell_state(const fw_ida *ida) {
  if (ida->look) ida->look(ida->look_user, ida->committed);
}

/* What became of a point at an event; 0: nothing. */
static int change_of(const fw_dae_point *before, const fw_dae_point *now, const int *found) {
  if (before->closed != now->closed) return now->closed ? FW_CLOSES : FW_OPENS;
  if (!now->closed) return found[FW_ROOT_NORMAL] ? FW_BOUNCES : 0;
  if (before->mode != now->mode) return now->mode == FW_TANGENT_STICK ? FW_STICKS : FW_SLIPS;
  return before->direction != now->direction ? FW_TURNS : 0;
}

static fw_status tell_changes(fw_ida *ida) {
  for (int c = 0; ida->on_event && c < ida->dae->model->contact_count; c++) {
    int change = change_of(&ida->before[c], &ida->dae->points[c], ida->found + FW_DAE_ROOTS * c);
    if (change) FW_TRY(ida->on_event(ida->event_user, (fw_ida_change)change, c, ida->committed));
  }
  return FW_OK;
}

static fw_status handle_events(fw_context *ctx, fw_ida *ida) {
  if (ida->sensitivity)
    return fw_fail(ctx, FW_ERR_ANALYSIS,
                   "t = %.9g s: a hard contact opens or closes; derivatives by parameters jump there and are not "
                   "followed further (give the support a compliant normal law)",
                   ida->committed->time);
  update_energy(ida); /* impacts change it */
  ida->count.events++;
  memcpy(ida->before, ida->dae->points, (size_t)ida->dae->model->contact_count * sizeof *ida->before);
  fw_rest rest = rest_of(ida);
  FW_TRY(must_fit(ctx, ida, fw_events_apply(ctx, ida->dae, ida->found, &rest, ida->committed, &ida->impact_losses)));
  tell_state(ida);
  FW_TRY(tell_changes(ida));
  return restart(ctx, ida);
}

static fw_status archive_point(fw_archive *archive, fw_dae_point *point) {
  long mode = point->mode;
  double *numbers[] = {&point->direction, &point->slip_base, &point->slope, &point->lift, &point->tilt};
  FW_TRY(fw_archive_flag(archive, &point->closed));
  FW_TRY(fw_archive_flag(archive, &point->jammed));
  FW_TRY(fw_archive_longs(archive, &mode, 1));
  point->mode = (fw_tangent_mode)mode;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) FW_TRY(fw_archive_numbers(archive, numbers[i], 1));
  return FW_OK;
}

static fw_status archive_count(fw_archive *archive, fw_ida *ida) {
  fw_ida_statistics *count = &ida->count;
  FW_TRY(fw_archive_longs(archive, ida->counted, sizeof ida->counted / sizeof *ida->counted));
  FW_TRY(fw_archive_longs(archive, &count->events, 1));
  FW_TRY(fw_archive_longs(archive, &count->restarts, 1));
  FW_TRY(fw_archive_longs(archive, count->of_order, FW_IDA_ORDERS + 1));
  FW_TRY(fw_archive_numbers(archive, &count->moved, 1));
  return fw_archive_numbers(archive, &count->violation, 1);
}

fw_status fw_ida_archive(fw_context *ctx, fw_ida *ida, fw_archive *archive) {
  fold_totals(ida);
  FW_TRY(fw_archive_state(archive, ida->committed));
  for (int c = 0; c < ida->dae->model->contact_count; c++) FW_TRY(archive_point(archive, &ida->dae->points[c]));
  FW_TRY(fw_archive_numbers(archive, (double *)&ida->energy, sizeof ida->energy / sizeof(double)));
  FW_TRY(fw_archive_numbers(archive, ida->work, FW_POWERS));
  FW_TRY(fw_archive_numbers(archive, &ida->impact_losses.normal, 1));
  FW_TRY(fw_archive_numbers(archive, &ida->impact_losses.friction, 1));
  FW_TRY(fw_archive_numbers(archive, &ida->contact_start, 1));
  FW_TRY(archive_count(archive, ida));
  restart_energy(ida);
  ida->ops->destroy(ida->engine); /* pivots and step sizes depend on what it met before */
  ida->engine = NULL;
  FW_TRY(fw_dae_observe(ida->dae, ida->committed));
  FW_TRY(must_fit(ctx, ida, fw_events_settle(ctx, ida->dae, ida->committed)));
  return start_engine(ctx, ida);
}

static void count_order(fw_ida *ida) {
  long now[FW_COUNTS];
  int order = 0;
  double last_step;
  ida->ops->count(ida->engine, now, &order, &last_step);
  ida->count.of_order[order]++;
}

static fw_status chatter(fw_context *ctx, const fw_ida *ida, long events, double since) {
  return fw_fail(
      ctx, FW_ERR_ANALYSIS,
      "contact chatters at t = %.9g s: %ld events in the last %.3g s (if they are real, take a smaller step)",
      ida->committed->time, events, ida->committed->time - since);
}

/* Where to stop on the way to t: at loads that jump; *after: behind the jump, t if there is none. */
static double next_stop(const fw_ida *ida, double t, double *after) {
  const fw_state *now = ida->committed;
  double before = t, least = fmax(1e-9 * (t - now->time), 8.0 * DBL_EPSILON * fabs(t));
  *after = t;
  if (ida->sensitivity) return t;
  fw_loads_jump(ida->dae->model, now->load_factors, now->time, t, ida->dae->omega, least, &before, after);
  return before;
}

/* Behind a jump of loads all begins anew. */
static fw_status pass_jump(fw_context *ctx, fw_ida *ida, double after) {
  fw_rest rest = rest_of(ida);
  update_energy(ida);
  ida->committed->time = after;
  memcpy(ida->before, ida->dae->points, (size_t)ida->dae->model->contact_count * sizeof *ida->before);
  memset(ida->found, 0, FW_DAE_ROOTS * (size_t)ida->dae->model->contact_count * sizeof *ida->found);
  FW_TRY(must_fit(ctx, ida, fw_events_begin(ctx, ida->dae, &rest, ida->committed, &ida->impact_losses)));
  tell_state(ida);
  FW_TRY(tell_changes(ida));
  return restart(ctx, ida);
}

/* One step towards `stop` and what happens at its end. */
static fw_status step_once(fw_context *ctx, fw_ida *ida, double stop) {
  double now = ida->committed->time;
  bool event = false;
  FW_TRY(ida->ops->step(ctx, ida->engine, stop, &now, ida->y, ida->y_dot, ida->powers, &event));
  count_order(ida);
  FW_TRY(commit(ida, now));
  tell_state(ida);
  FW_TRY(fw_events_check(ctx, ida->dae, now));
  if (event)
    FW_TRY(ida->ops->roots(ctx, ida->engine, ida->found));
  else
    event = find_missed(ida);
  return event ? handle_events(ctx, ida) : FW_OK;
}

fw_status fw_ida_advance(fw_context *ctx, fw_ida *ida, double t) {
  const double since = ida->committed->time;
  const long before = ida->count.events, most = EVENTS_MOST * (long)ida->dae->model->contact_count;
  const double too_short = 1e-9 * (t - since);
  double after, stop = next_stop(ida, t, &after), come = since;
  for (long steps = 0; ida->committed->time < t; steps++) {
    FW_TRY(fw_interrupted(ctx));
    if (steps % CRAWL_STEPS == CRAWL_STEPS - 1) {
      if (ida->committed->time - come < CRAWL * (t - since))
        return fw_engine_stopped(ctx, ida->options.explicit_form ? "cvode" : "ida", ida->committed->time, true, 0);
      come = ida->committed->time;
    }
    bool at_jump = stop < t && stop - ida->committed->time <= too_short;
    if (at_jump) {
      FW_TRY(pass_jump(ctx, ida, t - after > too_short ? after : t));
      stop = next_stop(ida, t, &after);
    } else {
      FW_TRY(step_once(ctx, ida, stop));
    }
    if (ida->count.events - before > most) return chatter(ctx, ida, ida->count.events - before, since);
    if (ida->sensitivity) fw_sensitivity_commit(ida->sensitivity, ida->committed);
    update_energy(ida);
  }
  return FW_OK;
}

fw_status fw_ida_reload(fw_context *ctx, fw_ida *ida, const double *factors) {
  size_t bytes = (size_t)ida->dae->model->load_count * sizeof *factors;
  memcpy(ida->committed->load_factors, factors, bytes);
  memcpy(ida->next->load_factors, factors, bytes);
  return pass_jump(ctx, ida, ida->committed->time);
}
