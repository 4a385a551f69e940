/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/alpha.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/load.h"
#include "solver/closure.h"
#include "solver/ida/events.h"
#include "solver/initial.h"

enum { HALVINGS_MOST = 12, EVENTS_MOST = 100 };
static const fw_rest rest = {.speed = 1e-9, .height = 0.0};
/* Of a step: an event this near to its beginning or end is there. Much shorter parts would ask more digits of hard
 * contact, whose force is a gap divided by dt^2, than a double has. */
static const double least_fraction = 1e-3;

struct fw_alpha {
  fw_system *system;
  const fw_model *model;
  fw_stepper *stepper;
  fw_state *old, *new_state;
  double omega, alpha_m, alpha_f, beta, gamma;
  double *algorithmic;            /* the integrator's own acceleration; old->a is the true one */
  double *force_old, *force_new;  /* loads [size] */
  double *inner_old, *inner_new;  /* f_int [size] */
  double *rhs, *v_free, *history; /* [size] */
  fw_energy energy;
  bool general, locate;
  bool *released;            /* [contact_count] points whose impact comes at the end of the step */
  int *events;               /* [FW_DAE_ROOTS x contact_count] what happens at the end of a divided step */
  fw_step_statistics before; /* of steppers that are gone */
};

/* ---- creation ---------------------------------------------------------------------------- */

static void loads_at(const fw_alpha *a, double time, double *force) {
  memset(force, 0, (size_t)a->system->size * sizeof *force);
  fw_loads_force(a->model, a->old->load_factors, time, a->omega, force);
}

static double stored_in_contact(const fw_model *model, const fw_state *state) {
  double sum = 0.0;
  for (int p = 0; p < model->pair_count; p++) {
    if (fw_normal_is_rigid(&model->pairs[p]->normal)) continue;
    for (int i = 0; i < model->pairs[p]->count; i++) {
      fw_normal_out law;
      fw_normal_force(&model->pairs[p]->normal, state->touch[model->pairs[p]->first_contact + i].gap, 0.0, &law);
      sum += law.energy;
    }
  }
  return sum;
}

static double half_product(const fw_sparse *A, const double *x, int n, double *work) {
  memset(work, 0, (size_t)A->n * sizeof *work);
  fw_sparse_multiply(A, 0.5, x, work);
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += work[i] * x[i];
  return sum;
}

static fw_status alpha_begin(fw_context *ctx, fw_alpha *a) {
  loads_at(a, a->old->time, a->force_old);
  FW_TRY(fw_initial_acceleration(ctx, a->system, a->force_old, a->old));
  memcpy(a->algorithmic, a->old->a, (size_t)a->model->dof_count * sizeof *a->algorithmic);
  FW_TRY(fw_system_force(ctx, a->system, a->old->q, a->old->lambda, a->old->time, a->inner_old, true));
  a->energy.kinetic = half_product(a->system->M, a->old->v, a->model->dof_count, a->history);
  a->energy.strain = fw_system_energy(a->system, a->old->q);
  a->energy.contact_stored = stored_in_contact(a->model, a->old);
  return FW_OK;
}

fw_status fw_alpha_create(fw_context *ctx, fw_system *system, const fw_state *state, double omega,
                          const fw_alpha_options *options, fw_alpha **alpha) {
  fw_status status = FW_OK;
  fw_alpha *a = NULL;
  size_t size = (size_t)system->size;
  double rho = options->rho;
  FW_TRY(fw_alloc(ctx, 1, sizeof *a, &a));
  a->locate = options->locate;
  a->general = options->general;
  a->system = system;
  a->model = system->model;
  a->omega = omega;
  a->alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
  a->alpha_f = rho / (rho + 1.0);
  a->gamma = 0.5 + a->alpha_f - a->alpha_m;
  a->beta = 0.25 * (1.0 + a->alpha_f - a->alpha_m) * (1.0 + a->alpha_f - a->alpha_m);
  double **vectors[] = {&a->algorithmic, &a->force_old, &a->force_new, &a->inner_old,
                        &a->inner_new,   &a->rhs,       &a->v_free,    &a->history};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    FW_TRY_DONE(fw_alloc(ctx, size, sizeof(double), vectors[i]));
  FW_TRY_DONE(fw_alloc(ctx, FW_DAE_ROOTS * (size_t)system->model->contact_count, sizeof *a->events, &a->events));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->model->contact_count, sizeof *a->released, &a->released));
  FW_TRY_DONE(fw_state_copy(ctx, state, &a->old));
  FW_TRY_DONE(fw_state_copy(ctx, state, &a->new_state));
  FW_TRY_DONE(fw_stepper_create(ctx, system, options->general, &a->stepper));
  FW_TRY_DONE(alpha_begin(ctx, a));
done:
  if (status != FW_OK) fw_alpha_destroy(&a);
  *alpha = a;
  return status;
}

void fw_alpha_destroy(fw_alpha **alpha) {
  if (!alpha || !*alpha) return;
  fw_alpha *a = *alpha;
  fw_stepper_destroy(&a->stepper);
  fw_state_destroy(&a->old);
  fw_state_destroy(&a->new_state);
  free(a->events);
  free(a->released);
  double *vectors[] = {a->algorithmic, a->force_old, a->force_new, a->inner_old,
                       a->inner_new,   a->rhs,       a->v_free,    a->history};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) free(vectors[i]);
  free(a);
  *alpha = NULL;
}

const fw_state *fw_alpha_state(const fw_alpha *alpha) { return alpha->old; }
const fw_energy *fw_alpha_energy(const fw_alpha *alpha) { return &alpha->energy; }
bool fw_alpha_factors_once(const fw_alpha *alpha) { return fw_stepper_factors_once(alpha->stepper); }

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
  FW_TRY(fw_archive_numbers(archive, alpha->force_old, size));
  FW_TRY(fw_archive_numbers(archive, alpha->inner_old, size));
  FW_TRY(fw_archive_numbers(archive, (double *)&alpha->energy, sizeof alpha->energy / sizeof(double)));
  FW_TRY(fw_archive_longs(archive, (long *)&alpha->before, sizeof alpha->before / sizeof(long)));
  fw_stepper_destroy(&alpha->stepper); /* pivots and hints depend on what it met before */
  return fw_stepper_create(ctx, alpha->system, alpha->general, &alpha->stepper);
}

/* ---- one step ---------------------------------------------------------------------------- */

/* With a1 = (q1 - q0 - dt v0)/(beta dt^2) - (1/(2 beta) - 1) a0 for the algorithmic accelerations, the true
 * one is ((1 - alpha_m) a1 + alpha_m a0 - alpha_f a_true0)/(1 - alpha_f) = mass (q1 - q0) + history. */
static fw_step_job step_job(fw_alpha *a, double dt) {
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
                     .released = a->released};
  loads_at(a, job.time, a->force_new);
  for (int i = 0; i < a->model->dof_count; i++) /* where damping that turns will stand, to second order */
    a->history[i] = old->q[i] + dt * (old->v[i] + 0.5 * dt * old->a[i]);
  fw_system_turn(a->system, a->history);
  memcpy(a->rhs, a->force_new, (size_t)a->system->size * sizeof *a->rhs);
  for (int i = 0; i < a->model->dof_count; i++) {
    double a0 = a->algorithmic[i], v0 = old->v[i];
    a->v_free[i] = (1.0 - a->gamma / a->beta) * v0 + dt * (1.0 - 0.5 * a->gamma / a->beta) * a0;
    a->history[i] = -weight * (v0 / (a->beta * dt) + (0.5 / a->beta - 1.0) * a0) +
                    (a->alpha_m * a0 - a->alpha_f * old->a[i]) / (1.0 - a->alpha_f);
  }
  for (int64_t j = 0; j < a->model->dof_count; j++) {
    double inertia = job.mass * old->q[j] - a->history[j], drag = job.damping * old->q[j] - a->v_free[j];
    for (int64_t k = a->system->M->p[j]; k < a->system->M->p[j + 1]; k++)
      a->rhs[a->system->M->i[k]] += a->system->M->x[k] * inertia + a->system->C->x[k] * drag;
  }
  return job;
}

static double dot_gain(const double *f0, const double *f1, const fw_state *old, const fw_state *now) {
  double sum = 0.0;
  for (int i = 0; i < old->model->dof_count; i++) sum += 0.5 * (f0[i] + f1[i]) * (now->q[i] - old->q[i]);
  return sum;
}

/* Work of prescribed motions over the step: power lambda . phi_t at both ends. */
static double work_of_motions(fw_alpha *a) {
  const fw_state *ends[] = {a->old, a->new_state};
  double sum = 0.0, dt = a->new_state->time - a->old->time;
  for (int k = 0; k < 2 && a->model->constraint_count; k++) {
    fw_closure_find(a->model, ends[k]->q, NULL, ends[k]->time, &(fw_closure){.phi_t = a->history});
    for (int i = 0; i < a->model->constraint_count; i++) sum += 0.5 * dt * a->history[i] * ends[k]->lambda[i];
  }
  return sum;
}

/* What the mass and damping matrices do in a step, in one pass over their pattern: work of the mean inertia and damping
 * forces over the displacement, and the kinetic energy at the end. */
typedef struct fw_matrix_work {
  double inertia, damping, kinetic;
} fw_matrix_work;

static fw_matrix_work matrix_work(const fw_system *system, const fw_state *old, const fw_state *now) {
  const fw_sparse *M = system->M, *C = system->C;
  fw_matrix_work work = {0};
  for (int64_t j = 0; j < system->model->dof_count; j++) {
    double inertia = 0.0, damping = 0.0, momentum = 0.0;
    for (int64_t k = M->p[j]; k < M->p[j + 1]; k++) {
      int64_t i = M->i[k];
      double gain = now->q[i] - old->q[i];
      inertia += M->x[k] * gain;
      damping += C->x[k] * gain;
      momentum += M->x[k] * now->v[i];
    }
    work.inertia += 0.5 * inertia * (old->a[j] + now->a[j]);
    work.damping += 0.5 * damping * (old->v[j] + now->v[j]);
    work.kinetic += 0.5 * momentum * now->v[j];
  }
  return work;
}

/* Strain energy at the end of the step; of a linear structure f(0) q + 1/2 q K q = 1/2 q (f(0) + f(q)). */
static double strain_energy(const fw_alpha *a) {
  const fw_system *system = a->system;
  if (!system->linear) return fw_system_energy(system, a->new_state->q);
  double sum = 0.0;
  for (int i = 0; i < a->model->dof_count; i++) sum += 0.5 * a->new_state->q[i] * (system->f_zero[i] + a->inner_new[i]);
  return sum;
}

/* Every term by trapezoidal work over the step; stored energies exactly at its end. */
static void account(fw_alpha *a) {
  const fw_state *old = a->old, *now = a->new_state;
  fw_energy *e = &a->energy;
  fw_matrix_work work = matrix_work(a->system, old, now);
  double moved = work_of_motions(a); /* it stands in `inner` below with the opposite sign */
  e->loads += dot_gain(a->force_old, a->force_new, old, now) + moved;
  e->damping += work.damping;
  double inertia = work.inertia, inner = dot_gain(a->inner_old, a->inner_new, old, now);
  double kinetic = work.kinetic, strain = strain_energy(a);
  e->numerical += inertia - (kinetic - e->kinetic) + inner + moved - (strain - e->strain);
  double normal = 0.0, stored = stored_in_contact(a->model, now);
  e->friction = 0.0;
  for (int c = 0; c < a->model->contact_count; c++) {
    normal -= 0.5 * (old->touch[c].N + now->touch[c].N) * (now->touch[c].gap - old->touch[c].gap);
    e->friction += now->touch[c].dissipated;
  }
  e->contact_damping += normal - (stored - e->contact_stored);
  e->contact_stored = stored;
  e->kinetic = kinetic;
  e->strain = strain;
}

static void swap(double **x, double **y) {
  double *keep = *x;
  *x = *y;
  *y = keep;
}

/* Solves a step of dt into new_state; nothing is accepted yet. */
static fw_status alpha_try(fw_context *ctx, fw_alpha *a, double dt) {
  fw_step_job job = step_job(a, dt);
  fw_state_assign(a->new_state, a->old);
  if (!fw_stepper_factors_once(a->stepper)) /* extrapolated guess for the iteration */
    for (int i = 0; i < a->model->dof_count; i++)
      a->new_state->q[i] += dt * a->old->v[i] + 0.5 * dt * dt * a->old->a[i];
  FW_TRY(fw_stepper_solve(ctx, a->stepper, &job, a->new_state));
  fw_stepper_commit(&job, a->new_state);
  for (int i = 0; i < a->model->dof_count; i++)
    a->new_state->a[i] = job.mass * (a->new_state->q[i] - a->old->q[i]) + a->history[i];
  return fw_system_force(ctx, a->system, a->new_state->q, a->new_state->lambda, job.time, a->inner_new, false);
}

static void alpha_accept(fw_alpha *a) {
  for (int i = 0; i < a->model->dof_count; i++) {
    double a0 = a->algorithmic[i];
    a->algorithmic[i] =
        ((1.0 - a->alpha_f) * a->new_state->a[i] + a->alpha_f * a->old->a[i] - a->alpha_m * a0) / (1.0 - a->alpha_m);
  }
  account(a);
  fw_state *state = a->old;
  a->old = a->new_state;
  a->new_state = state;
  swap(&a->force_old, &a->force_new);
  swap(&a->inner_old, &a->inner_new);
}

/* ---- located events ---------------------------------------------------------------------- */

/* Where in the tried step the slip velocity vanishes if the contact goes on slipping as it did. */
static double stopping_fraction(const fw_alpha *a, const fw_pair *pair, int i, double dt) {
  const fw_touch *old = &a->old->touch[pair->first_contact + i];
  fw_kinematic kin;
  if (fw_pair_kinematics(a->model, pair, i, a->old->q, old, a->old->q, &kin) != FW_OK) return 1.0;
  double acceleration = 0.0;
  for (int k = 0; k < kin.count; k++) acceleration += kin.slip_q[k] * a->old->a[kin.dof[k]];
  double at = -old->slip_velocity / (acceleration * dt);
  return at > 0.0 && at < 1.0 ? at : 1.0;
}

/* Fraction of the tried step at which a point that closes does so. */
static double closing_fraction(const fw_alpha *a, const fw_touch *old) {
  double way = -old->gap_velocity * (a->new_state->time - a->old->time);
  return way > old->gap && old->gap > 0.0 ? old->gap / way : 1.0;
}

static bool stops_slipping(const fw_pair *pair, const fw_touch *old, const fw_touch *now) {
  return fw_pair_is_rigid(pair) && old->status == FW_SLIP && old->slip_velocity != 0.0 && now->status != FW_OPEN &&
         (now->status == FW_STICK || old->slip_velocity * now->slip_velocity < 0.0);
}

/* Looks for hard contact that closed in the tried step, and, where events are located, for rigid friction that stopped
 * slipping. Returns the fraction of the step at which it happens (1: at the end) and notes who does what; points that
 * close at the end of the step all do so together. */
static double find_events(fw_alpha *a, bool *any) {
  double first = 1.0, step = a->new_state->time - a->old->time;
  *any = false;
  memset(a->events, 0, FW_DAE_ROOTS * (size_t)a->model->contact_count * sizeof *a->events);
  for (int p = 0; p < a->model->pair_count; p++) {
    const fw_pair *pair = a->model->pairs[p];
    for (int i = 0; fw_normal_is_rigid(&pair->normal) && i < pair->count; i++) {
      int c = pair->first_contact + i;
      const fw_touch *old = &a->old->touch[c], *now = &a->new_state->touch[c];
      bool closes = old->status == FW_OPEN && now->status != FW_OPEN;
      bool stops = a->locate && stops_slipping(pair, old, now);
      if (!closes && !stops) continue;
      double at = !a->locate ? 1.0
                  : closes   ? closing_fraction(a, old)
                             : fmin(stopping_fraction(a, pair, i, step), 1.0 - 1e-9);
      if (at > first) continue;
      if (at < first) memset(a->events, 0, FW_DAE_ROOTS * (size_t)a->model->contact_count * sizeof *a->events);
      first = at;
      *any = true;
      a->events[FW_DAE_ROOTS * c + (closes ? 0 : 3)] = 1;
    }
  }
  return first;
}

/* Forces jump at an event: the integration begins anew with accelerations that fit. */
static fw_status apply_events(fw_context *ctx, fw_alpha *a) {
  fw_dae *dae = NULL;
  fw_impact_loss lost = {0};
  FW_TRY(fw_dae_create(ctx, a->system, a->old, a->omega, 0.0, &dae));
  fw_status status = fw_dae_observe(dae, a->old);
  if (status == FW_OK) status = fw_events_apply(ctx, dae, a->events, &rest, a->old, &lost);
  fw_dae_destroy(&dae);
  for (int c = 0; c < a->model->contact_count; c++) /* the rest of the old direction is round-off */
    if (a->events[FW_DAE_ROOTS * c + 3]) a->old->touch[c].slip_velocity = 0.0;
  a->energy.contact_damping += lost.normal;
  a->energy.friction += lost.friction;
  a->energy.kinetic = half_product(a->system->M, a->old->v, a->model->dof_count, a->history);
  memcpy(a->algorithmic, a->old->a, (size_t)a->model->dof_count * sizeof *a->algorithmic);
  return status;
}

/* Steps of dt in which points closed fly on without force to the moment of impact: a constraint that stops them within
 * the step would leave its impulse in the accelerations, from which the next steps take energy. */
static fw_status fly_on(fw_context *ctx, fw_alpha *a, double dt) {
  for (int c = 0; c < a->model->contact_count; c++) a->released[c] = a->events[FW_DAE_ROOTS * c] != 0;
  fw_status status = alpha_try(ctx, a, dt);
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
    bool by_steps = pair->friction_count > 0 && !fw_pair_is_rigid(pair) && !fw_pair_has_rates(pair);
    for (int i = 0; by_steps && i < pair->count; i++) {
      double at = stopping_fraction(a, pair, i, dt);
      if (a->old->touch[pair->first_contact + i].status == FW_OPEN || !(at < first)) continue;
      memset(a->events, 0, FW_DAE_ROOTS * (size_t)a->model->contact_count * sizeof *a->events);
      a->events[FW_DAE_ROOTS * (pair->first_contact + i) + 3] = 1;
      first = at;
      *any = true;
    }
  }
  return first;
}

/* Advances by at most dt of a step of `whole`; *done is how far it came. */
static fw_status alpha_step(fw_context *ctx, fw_alpha *a, double whole, double dt, double *done) {
  bool event;
  *done = dt;
  fw_status status = alpha_try(ctx, a, dt);
  if (status < 0) return status;
  double fraction = status == FW_OK ? find_events(a, &event) : find_turns(a, dt, &event);
  if (status != FW_OK && !event) return status;
  if (!event) {
    alpha_accept(a);
    return FW_OK;
  }
  if (fraction * dt < least_fraction * whole) {
    *done = 0.0;
  } else {
    if (fraction < 1.0 - least_fraction) *done = fraction * dt;
    FW_TRY(fly_on(ctx, a, *done));
    alpha_accept(a);
  }
  return apply_events(ctx, a);
}

fw_status fw_alpha_advance(fw_context *ctx, fw_alpha *alpha, double dt) {
  double done = 0.0, step = dt, part = 0.0;
  int halvings = 0, idle = 0;
  while (done < dt * (1.0 - 1e-12)) {
    fw_status status = alpha_step(ctx, alpha, dt, fmin(step, dt - done), &part);
    if (status > 0 && ++halvings <= HALVINGS_MOST) {
      step *= 0.5;
      continue;
    }
    if (status > 0)
      return fw_fail(ctx, FW_ERR_ANALYSIS, "step fails at t = %.9g s even with dt = %.3g s: %s", alpha->old->time, step,
                     fw_status_text(status));
    FW_TRY(status);
    idle = part > 0.0 ? 0 : idle + 1;
    if (idle > EVENTS_MOST)
      return fw_fail(ctx, FW_ERR_ANALYSIS, "contact chatters at t = %.9g s: events without progress", alpha->old->time);
    done += part;
  }
  return FW_OK;
}
