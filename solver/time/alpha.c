/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generalised-alpha (Chung and Hulbert 1993, ASME J. Appl. Mech. 60; the form of Arnold and Bruels 2007, Multibody Syst.
 * Dyn. 18): M q'' + C q' + f_int = f holds at the end of each step for q'', algorithmic accelerations a lag behind,
 *
 *   (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) q''1 + alpha_f q''0
 *   q1 = q0 + h v0 + h^2 ((1/2 - beta) a0 + beta a1),   v1 = v0 + h ((1 - gamma) a0 + gamma a1)
 *
 *   alpha_m = (2 rho - 1)/(rho + 1),  alpha_f = rho/(rho + 1),  gamma = 1/2 + alpha_f - alpha_m,
 *   beta = (1 + alpha_f - alpha_m)^2/4
 *
 * rho the spectral radius at infinite frequency. With a1 and v1 by q1 a step is one set of equations for q1 and the
 * contact forces (step.h); with impulses beta differs (alpha_impulse.c). */
#include "solver/time/alpha.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/load.h"
#include "elements/element.h"
#include "solver/time/alpha_parts.h"
#include "solver/time/ida/dae.h"
#include "solver/time/settle.h"

enum { HALVINGS_MOST = 12, EVENTS_MOST = 100 };

/* ---- creation ---------------------------------------------------------------------------- */

void fw_alpha_loads(const fw_alpha *a, double time, double *force) {
  memset(force, 0, (size_t)a->system->size * sizeof *force);
  fw_loads_force(a->model, a->old->load_factors, time, a->omega, force);
}

fw_status fw_alpha_begin(fw_context *ctx, fw_alpha *a) {
  size_t n = (size_t)a->model->dof_count;
  fw_alpha_loads(a, a->old->time, a->force_old);
  if (a->massive)
    FW_TRY(fw_alpha_settle(ctx, a));
  else
    FW_TRY(fw_initial_acceleration(ctx, a->system, a->force_old, a->old));
  memcpy(a->smooth_old, a->old->a, n * sizeof *a->smooth_old);
  if (a->impulsive) FW_TRY(fw_alpha_impulse_part(ctx, a));
  FW_TRY(fw_system_force(ctx, a->system, a->old->q, a->old->lambda, a->old->time, a->inner_old, true));
  if (a->impulsive) fw_alpha_impulse_rejoin(a);
  memcpy(a->algorithmic, a->smooth_old, n * sizeof *a->algorithmic);
  fw_alpha_drag_begin(a);
  return FW_OK;
}

static void set_coefficients(fw_alpha *a, const fw_alpha_options *options) {
  double rho = options->rho;
  if (options->hht) { /* rho = (1 - alpha)/(1 + alpha), alpha from 0 to 1/3 */
    a->alpha_m = 0.0;
    a->alpha_f = (1.0 - rho) / (1.0 + rho);
  } else {
    a->alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    a->alpha_f = rho / (rho + 1.0);
  }
  a->gamma = 0.5 + a->alpha_f - a->alpha_m;
  a->beta = 0.25 * (1.0 + a->alpha_f - a->alpha_m) * (1.0 + a->alpha_f - a->alpha_m);
}

static bool has_hard_contact(const fw_model *model) {
  for (int p = 0; p < model->pair_count; p++)
    if (fw_normal_is_rigid(&model->pairs[p]->normal)) return true;
  return false;
}

static fw_status create_stepper(fw_context *ctx, fw_alpha *a) {
  FW_TRY(fw_stepper_create(ctx, a->system, a->general, &a->stepper));
  if (a->balance > 0.0) fw_stepper_set_balance(a->stepper, a->balance);
  return FW_OK;
}

fw_status fw_alpha_create(fw_context *ctx, fw_system *system, const fw_state *state, double omega,
                          const fw_alpha_options *options, fw_alpha **alpha) {
  fw_status status = FW_OK;
  fw_alpha *a = NULL;
  size_t size = (size_t)system->size;
  FW_TRY(fw_system_thin(ctx, system));
  FW_TRY(fw_alloc(ctx, 1, sizeof *a, &a));
  a->locate = options->locate;
  a->general = options->general;
  a->tolerance = options->tolerance;
  a->balance = options->balance;
  a->level = 0;
  a->system = system;
  a->model = system->model;
  a->omega = omega;
  set_coefficients(a, options);
  double **vectors[] = {&a->algorithmic, &a->smooth_old, &a->smooth_new, &a->force_old, &a->force_new,
                        &a->inner_old,   &a->inner_new,  &a->rhs,        &a->v_free,    &a->history};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    FW_TRY_DONE(fw_alloc(ctx, size, sizeof(double), vectors[i]));
  double **drags[] = {&a->drag_old, &a->drag_new}, **films[] = {&a->film_at, &a->film_old, &a->film_new};
  for (int i = 0; i < 2 && system->turning; i++) FW_TRY_DONE(fw_alloc(ctx, size, sizeof(double), drags[i]));
  for (int i = 0; i < 3 && fw_model_has_film(a->model); i++) FW_TRY_DONE(fw_alloc(ctx, size, sizeof(double), films[i]));
  if (system->K_flow) FW_TRY_DONE(fw_alloc(ctx, size, sizeof(double), &a->flow_mean));
  FW_TRY_DONE(fw_alloc(ctx, FW_DAE_ROOTS * (size_t)system->model->contact_count, sizeof *a->events, &a->events));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->model->contact_count, sizeof *a->released, &a->released));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->model->contact_count, sizeof *a->clinging, &a->clinging));
  FW_TRY_DONE(fw_state_copy(ctx, state, &a->old));
  FW_TRY_DONE(fw_state_copy(ctx, state, &a->new_state));
  FW_TRY_DONE(create_stepper(ctx, a));
  FW_TRY_DONE(fw_alpha_impulse_create(ctx, a));
  a->impulsive = !a->locate && has_hard_contact(a->model) && a->massive;
  a->locate = !a->impulsive; /* a freedom without mass knows no impulse */
  if (a->impulsive)
    a->beta = 0.5 * a->gamma;
  else
    fw_alpha_impulse_clear(a);
  FW_TRY_DONE(fw_alpha_begin(ctx, a));
  fw_alpha_energy_begin(a);
done:
  if (status != FW_OK) fw_alpha_destroy(&a);
  *alpha = a;
  return status;
}

void fw_alpha_destroy(fw_alpha **alpha) {
  if (!alpha || !*alpha) return;
  fw_alpha *a = *alpha;
  fw_alpha_impulse_clear(a);
  fw_stepper_destroy(&a->stepper);
  fw_state_destroy(&a->old);
  fw_state_destroy(&a->new_state);
  free(a->events);
  free(a->released);
  free(a->clinging);
  double *vectors[] = {a->algorithmic, a->smooth_old, a->smooth_new, a->force_old, a->force_new, a->inner_old,
                       a->inner_new,   a->rhs,        a->v_free,     a->history,   a->drag_old,  a->drag_new,
                       a->film_at,     a->film_old,   a->film_new,   a->flow_mean};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) free(vectors[i]);
  free(a);
  *alpha = NULL;
}

const fw_state *fw_alpha_state(const fw_alpha *alpha) { return alpha->old; }
const fw_energy *fw_alpha_energy(const fw_alpha *alpha) { return &alpha->energy; }
bool fw_alpha_factors_once(const fw_alpha *alpha) { return fw_stepper_keeps_matrix(alpha->stepper); }

const char *fw_alpha_hard_contact(const fw_alpha *alpha) {
  return alpha->impulsive ? "impulses" : has_hard_contact(alpha->model) ? "located" : NULL;
}

fw_step_statistics fw_alpha_count(const fw_alpha *alpha) {
  const fw_step_statistics *now = fw_stepper_statistics(alpha->stepper), *before = &alpha->before;
  return (fw_step_statistics){.steps = before->steps + now->steps,
                              .iterations = before->iterations + now->iterations,
                              .factorisations = before->factorisations + now->factorisations,
                              .failures = before->failures + now->failures,
                              .factor_memory = now->factor_memory};
}

fw_status fw_alpha_archive(fw_context *ctx, fw_alpha *alpha, fw_archive *archive) {
  size_t size = (size_t)alpha->system->size;
  alpha->before = fw_alpha_count(alpha);
  FW_TRY(fw_archive_state(archive, alpha->old));
  FW_TRY(fw_archive_numbers(archive, alpha->algorithmic, size));
  FW_TRY(fw_archive_numbers(archive, alpha->smooth_old, size));
  FW_TRY(fw_archive_numbers(archive, alpha->force_old, size));
  FW_TRY(fw_archive_numbers(archive, alpha->inner_old, size));
  if (alpha->drag_old) FW_TRY(fw_archive_numbers(archive, alpha->drag_old, size));
  if (alpha->film_at) FW_TRY(fw_archive_numbers(archive, alpha->film_old, size));
  FW_TRY(fw_archive_numbers(archive, (double *)&alpha->energy, sizeof alpha->energy / sizeof(double)));
  FW_TRY(fw_archive_longs(archive, &alpha->level, 1));
  FW_TRY(fw_archive_numbers(archive, &alpha->kinetic_most, 1));
  FW_TRY(fw_archive_longs(archive, (long *)&alpha->before, sizeof alpha->before / sizeof(long)));
  fw_stepper_destroy(&alpha->stepper); /* pivots and hints depend on what it met before */
  return create_stepper(ctx, alpha);
}

/* ---- one step ---------------------------------------------------------------------------- */

/* With a1 = (q1 - q0 - dt v0)/(beta dt^2) - (1/(2 beta) - 1) a0 for the algorithmic accelerations, the true
 * one is ((1 - alpha_m) a1 + alpha_m a0 - alpha_f a_true0)/(1 - alpha_f) = mass (q1 - q0) + history. */
static fw_step_job step_job(fw_alpha *a, const double *where, double dt) {
  const fw_state *old = a->old;
  double weight = (1.0 - a->alpha_m) / (1.0 - a->alpha_f);
  fw_step_job job = {.old = old,
                     .mass = weight / (a->beta * dt * dt),
                     .damping = a->gamma / (a->beta * dt),
                     .rhs = a->rhs,
                     .time = old->time + dt,
                     .dt = dt,
                     .rate_factor = a->gamma / (a->beta * dt),
                     .v_free = a->v_free,
                     .released = a->released,
                     .clinging = a->clinging};
  if (a->impulsive) fw_alpha_impulse_job(a, &job);
  fw_alpha_loads(a, job.time, a->force_new);
  for (int i = 0; i < a->model->dof_count; i++) /* where damping that depends on q will be, to second order */
    a->history[i] = where ? where[i] : old->q[i] + dt * (old->v[i] + 0.5 * dt * old->a[i]);
  fw_system_turn(a->system, a->history);
  memcpy(a->rhs, a->force_new, (size_t)a->system->size * sizeof *a->rhs);
  for (int i = 0; i < a->model->dof_count; i++) {
    double a0 = a->algorithmic[i], v0 = old->v[i];
    a->v_free[i] = (1.0 - a->gamma / a->beta) * v0 + dt * (1.0 - 0.5 * a->gamma / a->beta) * a0;
    a->history[i] = -weight * (v0 / (a->beta * dt) + (0.5 / a->beta - 1.0) * a0) +
                    (a->alpha_m * a0 - a->alpha_f * a->smooth_old[i]) / (1.0 - a->alpha_f);
  }
  const fw_sparse *M = a->system->products.M, *C = a->system->products.C;
  for (int64_t j = 0; j < a->model->dof_count; j++) {
    double inertia = job.mass * old->q[j] - a->history[j], drag = job.damping * old->q[j] - a->v_free[j];
    for (int64_t k = M->p[j]; k < M->p[j + 1]; k++) a->rhs[M->i[k]] += M->x[k] * inertia + C->x[k] * drag;
  }
  return job;
}

static void swap(double **x, double **y) {
  double *keep = *x;
  *x = *y;
  *y = keep;
}

static fw_status inner_force(fw_context *ctx, fw_alpha *a, double time) {
  bool split = a->impulsive && a->model->constraint_count > 0; /* the joints' forces have changed since */
  const double *known = split ? NULL : fw_stepper_inner(a->stepper);
  if (!known) return fw_system_force(ctx, a->system, a->new_state->q, a->new_state->lambda, time, a->inner_new, false);
  memcpy(a->inner_new, known, (size_t)a->system->size * sizeof *known);
  return FW_OK;
}

/* Solves the step with what damping depends on q at `where`; NULL: where the motion leads. */
static fw_status solve_step(fw_context *ctx, fw_alpha *a, const double *where, double dt, fw_step_job *job) {
  fw_state *now = a->new_state;
  size_t n = (size_t)a->model->dof_count;
  *job = step_job(a, where, dt);
  fw_state_assign(now, a->old);
  if (!fw_stepper_factors_once(a->stepper)) /* extrapolated guess for the iteration */
    for (size_t i = 0; i < n; i++) now->q[i] += dt * a->old->v[i] + 0.5 * dt * dt * a->old->a[i];
  return fw_stepper_solve(ctx, a->stepper, job, now);
}

/* How far two places of the structure are apart, over the way to the first. */
static double apart(const fw_alpha *a, const double *first, const double *second) {
  double most = 0.0, way = 0.0;
  for (int i = 0; i < a->model->dof_count; i++) {
    most = fmax(most, fabs(first[i] - second[i]));
    way = fmax(way, fabs(first[i] - a->old->q[i]));
  }
  return way > 0.0 ? most / way : 0.0;
}

/* A film near a wall changes within a step: its damping is that where the step ends, by repetition; as good as it gets
 * where it does not settle. */
static fw_status settle_films(fw_context *ctx, fw_alpha *a, double dt, fw_step_job *job) {
  enum { PASSES_MOST = 12 };
  size_t bytes = (size_t)a->model->dof_count * sizeof(double);
  for (int pass = 0; pass < PASSES_MOST; pass++) {
    memcpy(a->film_at, a->new_state->q, bytes);
    FW_TRY(solve_step(ctx, a, a->film_at, dt, job));
    if (apart(a, a->new_state->q, a->film_at) < 1e-10) return FW_OK;
  }
  return FW_OK;
}

fw_status fw_alpha_try(fw_context *ctx, fw_alpha *a, double dt) {
  if (a->impulsive) FW_TRY(fw_alpha_impulse_factor(ctx, a));
  fw_step_job job;
  fw_state *now = a->new_state;
  size_t n = (size_t)a->model->dof_count;
  FW_TRY(solve_step(ctx, a, NULL, dt, &job));
  if (a->film_at) FW_TRY(settle_films(ctx, a, dt, &job));
  a->job = job;
  fw_stepper_commit(&job, now);
  for (size_t i = 0; i < n; i++) a->smooth_new[i] = job.mass * (now->q[i] - a->old->q[i]) + a->history[i];
  if (a->impulsive) fw_alpha_impulse_split(a);
  FW_TRY(inner_force(ctx, a, job.time));
  memcpy(now->a, a->smooth_new, n * sizeof *now->a);
  if (a->impulsive) fw_alpha_impulse_join(a);
  return FW_OK;
}

static double algorithmic_new(const fw_alpha *a, int i) {
  return ((1.0 - a->alpha_f) * a->smooth_new[i] + a->alpha_f * a->smooth_old[i] - a->alpha_m * a->algorithmic[i]) /
         (1.0 - a->alpha_m);
}

fw_status fw_alpha_accept(fw_context *ctx, fw_alpha *a) {
  if (a->variation) FW_TRY(fw_alpha_vary(ctx, a));
  for (int i = 0; i < a->model->dof_count; i++) a->algorithmic[i] = algorithmic_new(a, i);
  fw_alpha_account(a);
  fw_state *state = a->old;
  a->old = a->new_state;
  a->new_state = state;
  swap(&a->smooth_old, &a->smooth_new);
  swap(&a->force_old, &a->force_new);
  swap(&a->inner_old, &a->inner_new);
  swap(&a->drag_old, &a->drag_new);
  swap(&a->film_old, &a->film_new);
  return FW_OK;
}

/* ---- equal steps --------------------------------------------------------------------------- */

/* Advances by at most dt of a step of `whole`; *done is how far it came. */
static fw_status alpha_step(fw_context *ctx, fw_alpha *a, double whole, double dt, double *done) {
  if (!a->impulsive) return fw_alpha_step_located(ctx, a, whole, dt, done);
  FW_TRY(fw_alpha_try(ctx, a, dt));
  *done = dt;
  return fw_alpha_accept(ctx, a);
}

/* "; hard contact presses in A, B", before the step: pairs that may hold a body so that it cannot move on. */
static void name_pressed(const fw_alpha *a, char *text, size_t room) {
  size_t at = 0;
  text[0] = '\0';
  for (int p = 0; p < a->model->pair_count && at < room; p++) {
    const fw_pair *pair = a->model->pairs[p];
    double N = 0.0;
    for (int c = 0; c < pair->count; c++) N = fmax(N, a->old->touch[pair->first_contact + c].N);
    if (!fw_normal_is_rigid(&pair->normal) || N <= 0.0) continue;
    int n = snprintf(text + at, room - at, "%s %s", at ? "," : "; hard contact presses in", pair->id);
    if (n > 0) at += (size_t)n;
  }
}

static fw_status fail_step(fw_context *ctx, const fw_alpha *a, double step, fw_status status) {
  char pressed[240];
  name_pressed(a, pressed, sizeof pressed);
  return fw_fail(ctx, FW_ERR_ANALYSIS, "step fails at t = %.9g s even with dt = %.3g s: %s%s", a->old->time, step,
                 fw_status_text(status), pressed);
}

/* How the length of the next part changes: the last part of a step of dt takes what is left of it. */
static void begin_part(const fw_alpha *a, double dt, double step, double left, const double *begin) {
  fw_variation *x = a->variation;
  for (int k = 0; x && k < x->count; k++)
    x->part[k] = step < left ? x->whole[k] * step / dt : x->whole[k] - (x->time[k] - begin[k]);
}

static fw_status advance_parts(fw_context *ctx, fw_alpha *alpha, double dt, const double *begin) {
  double done = 0.0, step = dt, part = 0.0;
  int halvings = 0, idle = 0;
  while (done < dt * (1.0 - 1e-12)) {
    begin_part(alpha, dt, step, dt - done, begin);
    fw_status status = alpha_step(ctx, alpha, dt, fmin(step, dt - done), &part);
    if (status > 0 && ++halvings <= HALVINGS_MOST) {
      step *= 0.5;
      continue;
    }
    if (status > 0) return fail_step(ctx, alpha, step, status);
    FW_TRY(status);
    idle = part > 0.0 ? 0 : idle + 1;
    if (idle > EVENTS_MOST)
      return fw_fail(ctx, FW_ERR_ANALYSIS, "contact chatters at t = %.9g s: events without progress", alpha->old->time);
    done += part;
  }
  return FW_OK;
}

/* In smaller parts where a step fails. */
static fw_status advance_fixed(fw_context *ctx, fw_alpha *alpha, double dt) {
  const fw_variation *x = alpha->variation;
  double *begin = NULL;
  if (x) FW_TRY(fw_alloc(ctx, (size_t)x->count, sizeof *begin, &begin));
  if (x) memcpy(begin, x->time, (size_t)x->count * sizeof *begin);
  fw_status status = advance_parts(ctx, alpha, dt, begin);
  free(begin);
  return status;
}

/* ---- adaptive steps ------------------------------------------------------------------------ */

/* Local error of the tried step, (beta - 1/6) dt^2 (a1 - a0) (Zienkiewicz and Xie), in the norm of the mass matrix
 * against the way that the fastest motion so far makes in `interval`. */
static double local_error(fw_alpha *a, double dt, double interval) {
  double *change = a->rhs, *product = a->history, sum = 0.0, kinetic = 0.0;
  size_t bytes = (size_t)a->system->size * sizeof(double);
  memset(product, 0, bytes);
  memset(change, 0, bytes);
  for (int i = 0; i < a->model->dof_count; i++) change[i] = algorithmic_new(a, i) - a->algorithmic[i];
  fw_sparse_multiply(a->system->M, 1.0, change, product);
  for (int i = 0; i < a->model->dof_count; i++) sum += change[i] * product[i];
  memset(product, 0, bytes);
  fw_sparse_multiply(a->system->M, 0.5, a->new_state->v, product);
  for (int i = 0; i < a->model->dof_count; i++) kinetic += a->new_state->v[i] * product[i];
  a->kinetic_most = fmax(a->kinetic_most, kinetic);
  double way = interval * sqrt(2.0 * a->kinetic_most);
  return way > 0.0 ? fabs(a->beta - 1.0 / 6.0) * dt * dt * sqrt(fmax(sum, 0.0)) / way : 0.0;
}

/* In 2^level equal parts, the level changing with the local error, which goes with dt^3. */
static fw_status advance_adaptive(fw_context *ctx, fw_alpha *a, double dt) {
  const long whole = 1L << HALVINGS_MOST;
  for (long at = 0; at < whole;) {
    long part = whole >> a->level;
    double step = dt * (double)part / (double)whole;
    fw_status status = fw_alpha_try(ctx, a, step);
    double error = status == FW_OK ? local_error(a, step, dt) / a->tolerance : INFINITY;
    if (status < 0) return status;
    if (error > 1.0 && a->level < HALVINGS_MOST) {
      a->level++;
      continue;
    }
    if (status > 0) return fail_step(ctx, a, step, status);
    FW_TRY(fw_alpha_accept(ctx, a));
    at += part;
    if (error < 1.0 / 16.0 && a->level > 0 && at % (2 * part) == 0) a->level--;
  }
  return FW_OK;
}

static fw_status advance_smooth(fw_context *ctx, fw_alpha *alpha, double dt) {
  return alpha->tolerance > 0.0 ? advance_adaptive(ctx, alpha, dt) : advance_fixed(ctx, alpha, dt);
}

/* ---- loads that jump ----------------------------------------------------------------------- */

/* Up to the jump, and anew from there with what fits the loads after it: accelerations that jump within a step would
 * come half of it too late. Parts below a thousandth of the step, of which hard contact asks too many digits, are left
 * out. */
static fw_status advance_to_jump(fw_context *ctx, fw_alpha *a, double dt, double before, double after) {
  if (before - a->old->time > FW_ALPHA_LEAST * dt) FW_TRY(advance_smooth(ctx, a, before - a->old->time));
  a->old->time = after;
  return fw_alpha_begin(ctx, a);
}

fw_status fw_alpha_advance(fw_context *ctx, fw_alpha *alpha, double dt) {
  const double end = alpha->old->time + dt, least = fmax(1e-9 * dt, 8.0 * DBL_EPSILON * fabs(end));
  double before, after, left = dt;
  while (fw_loads_jump(alpha->model, alpha->old->load_factors, alpha->old->time, end, alpha->omega, least, &before,
                       &after)) {
    FW_TRY(advance_to_jump(ctx, alpha, dt, before, after));
    left = end - after;
  }
  if (left > FW_ALPHA_LEAST * dt) return advance_smooth(ctx, alpha, left);
  alpha->old->time = end;
  return FW_OK;
}

fw_status fw_alpha_reload(fw_context *ctx, fw_alpha *alpha, const double *factors) {
  memcpy(alpha->old->load_factors, factors, (size_t)alpha->model->load_count * sizeof *factors);
  return fw_alpha_begin(ctx, alpha);
}
