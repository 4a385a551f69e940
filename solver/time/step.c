/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/totals.h"
#include "core/unknown.h"
#include "solver/assembly/constraints.h"
#include "solver/linalg/line_search.h"
#include "solver/time/step_parts.h"

enum { ITERATIONS_MOST = 40 };
static const double enough = 1e-9; /* out-of-balance force against the largest force */
static const double slow = 0.1;    /* what a kept matrix may leave of the residual in an iteration */

/* ---- creation ---------------------------------------------------------------------------- */

static fw_status stepper_allocate(fw_context *ctx, fw_stepper *s) {
  size_t size = (size_t)s->system->size;
  FW_TRY(fw_sparse_like(ctx, s->system->K, &s->A));
  if (s->model->constraint_count == 0)
    FW_TRY(fw_factor_create_definite(ctx, s->A, &s->factor));
  else
    FW_TRY(fw_factor_create(ctx, s->A, &s->factor));
  FW_TRY(fw_alloc(ctx, size, sizeof *s->r, &s->r));
  FW_TRY(fw_alloc(ctx, size, sizeof *s->increment, &s->increment));
  FW_TRY(fw_alloc(ctx, size, sizeof *s->f_int, &s->f_int));
  FW_TRY(fw_alloc(ctx, size, sizeof *s->from, &s->from));
  return fw_step_contact_create(ctx, s);
}

fw_status fw_stepper_create(fw_context *ctx, fw_system *system, bool force_general, fw_stepper **stepper) {
  fw_stepper *s = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *s, &s));
  s->system = system;
  s->model = system->model;
  s->general = force_general;
  s->scale = fw_constraints_scale(system->model);
  s->balance = enough;
  s->kkt.unheld.dof = -1;
  fw_status status = stepper_allocate(ctx, s);
  if (status != FW_OK) fw_stepper_destroy(&s);
  *stepper = s;
  return status;
}

void fw_stepper_destroy(fw_stepper **stepper) {
  if (!stepper || !*stepper) return;
  fw_stepper *s = *stepper;
  fw_kkt_clear(s);
  fw_step_contact_clear(s);
  fw_factor_destroy(&s->factor);
  fw_sparse_destroy(&s->A);
  free(s->from);
  free(s->r);
  free(s->increment);
  free(s->f_int);
  free(s);
  *stepper = NULL;
}

void fw_stepper_set_balance(fw_stepper *stepper, double balance) { stepper->balance = balance; }

const fw_step_statistics *fw_stepper_statistics(const fw_stepper *stepper) { return &stepper->statistics; }

bool fw_stepper_keeps_matrix(const fw_stepper *stepper) { return stepper->system->linear && !stepper->general; }

bool fw_stepper_factors_once(const fw_stepper *stepper) { return fw_stepper_keeps_matrix(stepper) && !stepper->curved; }

/* ---- the linearised structure ------------------------------------------------------------ */

static fw_status factor(fw_context *ctx, fw_stepper *s) {
  int64_t column = -1;
  s->statistics.factorisations++;
  fw_step_forget_columns(s);
  fw_flexible_forget(&s->flexible);
  fw_status status = fw_factor_compute(ctx, s->factor, s->A, &column);
  if (status == FW_OK) s->statistics.factor_memory = fw_factor_memory(s->factor);
  if (status != FW_ERR_SINGULAR) return status;
  FW_TRY(fw_constraints_redundant(ctx, s->model, NULL, 0.0));
  char where[160];
  fw_system_describe(s->system, column, where, sizeof where);
  return fw_fail(ctx, status, "nothing holds %s: the structure is a mechanism", where);
}

/* A = c_M M + c_C C + K. */
static void effective_matrix(fw_stepper *s, const fw_step_job *job) {
  const fw_system *system = s->system;
  fw_sparse_combine(system->M, job->mass, system->C, job->damping, s->A);
  for (int64_t k = 0; k < s->A->p[s->A->n]; k++) s->A->x[k] += system->K->x[k];
}

fw_status fw_step_out_of_balance(fw_context *ctx, fw_stepper *s, const fw_step_job *job, const fw_state *state,
                                 bool tangent) {
  FW_TRY(fw_system_force(ctx, s->system, state->q, state->lambda, job->time, s->f_int, tangent));
  for (int64_t i = 0; i < s->system->size; i++) s->r[i] = job->rhs[i] - s->f_int[i];
  const fw_products *x = &s->system->products;
  if (job->mass != 0.0) fw_sparse_multiply_sum(x->M, -job->mass, x->C, -job->damping, state->q, s->r);
  return FW_OK;
}

/* ---- the step ---------------------------------------------------------------------------- */

double fw_step_largest(const double *vector, int64_t n) {
  double most = 0.0;
  for (int64_t i = 0; i < n; i++) {
    double size = fabs(vector[i]);
    if (!(size <= DBL_MAX)) return INFINITY;
    if (size > most) most = size;
  }
  return most;
}

static void move(fw_stepper *s, fw_state *state) {
  for (int i = 0; i < s->model->dof_count; i++) state->q[i] += s->increment[i];
  for (int i = 0; i < s->model->constraint_count; i++) state->lambda[i] += s->increment[s->model->dof_count + i];
}

/* A trial of the line search: the structure at from + fraction * increment. */
typedef struct fw_trial {
  fw_context *ctx;
  fw_stepper *s;
  const fw_step_job *job;
  fw_state *state;
} fw_trial;

static double along_increment(const fw_stepper *s) {
  double sum = 0.0;
  for (int64_t i = 0; i < s->system->size; i++) sum += s->increment[i] * s->r[i];
  return sum;
}

static fw_status try_fraction(void *user, double fraction, double *slope) {
  const fw_trial *t = user;
  const fw_stepper *s = t->s;
  int n = s->model->dof_count;
  for (int i = 0; i < n; i++) t->state->q[i] = s->from[i] + fraction * s->increment[i];
  for (int i = 0; i < s->model->constraint_count; i++)
    t->state->lambda[i] = s->from[n + i] + fraction * s->increment[n + i];
  FW_TRY(fw_step_out_of_balance(t->ctx, t->s, t->job, t->state, false));
  *slope = along_increment(s);
  return FW_OK;
}

static fw_status move_searching(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  int n = s->model->dof_count;
  memcpy(s->from, state->q, (size_t)n * sizeof *s->from);
  memcpy(s->from + n, state->lambda, (size_t)s->model->constraint_count * sizeof *s->from);
  return fw_line_search(try_fraction, &(fw_trial){ctx, s, job, state}, along_increment(s));
}

static bool has_factor(const fw_stepper *s, const fw_step_job *job) {
  return s->factored && s->mass == job->mass && s->damping == job->damping &&
         s->epmc_damping == s->system->epmc_damping;
}

static void keep_factor(fw_stepper *s, const fw_step_job *job) {
  s->factored = true;
  s->mass = job->mass;
  s->damping = job->damping;
  s->epmc_damping = s->system->epmc_damping;
}

/* What is out of balance after an iteration. */
typedef struct imbalance {
  double out;       /* largest force */
  double reference; /* what it is judged against */
  bool joined;      /* joints are closed */
} imbalance;

static imbalance balance(fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  int n = s->model->dof_count;
  imbalance b = {.reference = fmax(fw_step_largest(job->rhs, n), fw_step_largest(s->f_int, n))};
  memcpy(s->increment, s->r, (size_t)s->system->size * sizeof *s->r);
  b.reference = fmax(b.reference, fw_step_add_forces(s, job, state));
  b.out = fw_step_largest(s->r, n);
  b.joined = fw_step_largest(s->r + n, s->model->constraint_count) <=
             FW_STEP_JOINTS * fmax(s->scale, fw_step_largest(state->q, n));
  memcpy(s->r, s->increment, (size_t)s->system->size * sizeof *s->r);
  return b;
}

static fw_status tell(const fw_step_job *job, const imbalance *b) {
  if (!isfinite(b->out)) return job->iterated(job->user, fw_unknown(), 0.0); /* told by the motion itself */
  return job->iterated(job->user, b->reference > 0.0 ? b->out / b->reference : 0.0, 0.0);
}

/* What a step that was solved at once leaves. */
static fw_status tell_balance(fw_context *ctx, fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  FW_TRY(fw_step_out_of_balance(ctx, s, job, state, false));
  const imbalance b = balance(s, job, state);
  return tell(job, &b);
}

fw_status fw_step_factor_linear(fw_context *ctx, fw_stepper *s, const fw_step_job *job) {
  if (has_factor(s, job)) return FW_OK;
  effective_matrix(s, job);
  FW_TRY(factor(ctx, s));
  keep_factor(s, job);
  return FW_OK;
}

/* Linear structure, constant directions: q = A^-1 rhs + columns * forces, exactly. */
static fw_status solve_linear(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  FW_TRY(fw_step_factor_linear(ctx, s, job));
  memcpy(s->increment, job->rhs, (size_t)s->system->size * sizeof *s->increment);
  FW_TRY(fw_factor_solve(ctx, s->factor, s->increment, 1));
  for (int i = 0; i < s->model->dof_count; i++) s->increment[i] -= job->old->q[i];
  memcpy(state->q, job->old->q, (size_t)s->model->dof_count * sizeof *state->q);
  s->statistics.iterations++;
  FW_TRY(fw_step_solve_contact(ctx, s, job, state));
  move(s, state);
  FW_TRY(fw_step_record(s, job, state));
  return job->iterated ? tell_balance(ctx, s, job, state) : FW_OK;
}

/* A preload on a slender structure is almost all carried by contact: the free increment and what the forces take back
 * are large and nearly cancel. One refinement against the whole out-of-balance force restores the digits lost. (With a
 * matrix kept from before the next iteration does it.) */
static fw_status refine(fw_context *ctx, fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  double *missing = s->r;
  fw_step_add_forces(s, job, state);
  fw_sparse_multiply(s->A, -1.0, s->increment, missing);
  FW_TRY(fw_factor_solve(ctx, s->factor, missing, 1));
  for (int64_t i = 0; i < s->system->size; i++) s->increment[i] += missing[i];
  return FW_OK;
}

/* What rounding leaves of the internal force: a stiff direction, such as a slender beam's axial one, may not let the
 * residual come down to the tolerance. */
double fw_step_round_off(const fw_stepper *s, const fw_state *state) {
  double stiffest = 0.0;
  for (int64_t i = 0; i < s->model->dof_count; i++)
    stiffest = fmax(stiffest, fabs(s->system->K->x[fw_sparse_position(s->system->K, i, i)]));
  return 1e-14 * stiffest * fw_step_largest(state->q, s->model->dof_count);
}

/* A step in time, whose matrix is mostly inertia, may be solved with that of an earlier one. Not where joints or
 * contact directions turn. */
static bool may_keep(const fw_stepper *s, const fw_step_job *job) {
  return job->mass != 0.0 && !s->general && !s->curved && s->model->constraint_count == 0;
}

/* Newton's step from a residual that is known, with the contact forces that go with it. */
static fw_status iterate(fw_context *ctx, fw_stepper *s, const fw_step_job *job, bool fresh, fw_state *state) {
  if (fresh) {
    effective_matrix(s, job);
    fw_step_add_curvature(s, job, state);
    FW_TRY(factor(ctx, s));
    if (may_keep(s, job)) keep_factor(s, job);
  }
  memcpy(s->increment, s->r, (size_t)s->system->size * sizeof *s->r);
  FW_TRY(fw_factor_solve(ctx, s->factor, s->increment, 1));
  FW_TRY(fw_step_solve_contact(ctx, s, job, state));
  if (fresh && s->model->contact_count > 0) FW_TRY(refine(ctx, s, job, state));
  s->statistics.iterations++;
  if (job->line_search && s->model->contact_count == 0) return move_searching(ctx, s, job, state);
  move(s, state);
  return FW_OK;
}

bool fw_step_balanced(const fw_stepper *s, const fw_state *state, double out, double last, double reference) {
  bool stalls = out > 0.5 * last;
  return out <= s->balance * reference || (stalls && out <= fmax(enough * reference, fw_step_round_off(s, state)));
}

static fw_status solve_general(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  double last = INFINITY; /* residual of the previous iteration */
  if (!may_keep(s, job)) s->factored = false;
  for (int iteration = 0; iteration < ITERATIONS_MOST; iteration++) {
    bool fresh = !has_factor(s, job);
    FW_TRY(fw_step_detect(s, job, state->q));
    FW_TRY(fw_step_out_of_balance(ctx, s, job, state, fresh));
    if (iteration > 0) {
      imbalance b = balance(s, job, state);
      if (!isfinite(b.out)) return FW_RECOVER_NAN;
      if (job->iterated) FW_TRY(tell(job, &b));
      if (fw_step_balanced(s, state, b.out, last, b.reference) && b.joined &&
          fw_step_contact_holds(s, job, state, fw_step_largest(state->q, s->model->dof_count)))
        return fw_step_record(s, job, state);
      if (!fresh && b.out > slow * last) {
        fresh = true;
        FW_TRY(fw_step_out_of_balance(ctx, s, job, state, true));
      }
      last = b.out;
    }
    FW_TRY(iterate(ctx, s, job, fresh, state));
  }
  return FW_RECOVER_DIVERGED;
}

/* Inertia and a linear structure take the contact forces; only their directions turn. */
static bool is_flexible(const fw_stepper *s, const fw_step_job *job) {
  return fw_stepper_keeps_matrix(s) && job->mass != 0.0;
}

fw_status fw_stepper_solve(fw_context *ctx, fw_stepper *stepper, const fw_step_job *job, fw_state *new_state) {
  stepper->statistics.steps++;
  fw_status status = FW_OK;
  if (stepper->statistics.steps == 1)
    status = fw_step_detect(stepper, job, job->old->q); /* learns whether directions change */
  if (status == FW_OK && fw_stepper_factors_once(stepper)) {
    FW_TRY(fw_step_detect_begin(stepper, job));
    status = solve_linear(ctx, stepper, job, new_state);
    if (status == FW_OK && fw_stepper_factors_once(stepper)) return status;
  }
  if (status == FW_OK)
    status = is_flexible(stepper, job) ? fw_flexible_solve(ctx, stepper, job, new_state)
                                       : solve_general(ctx, stepper, job, new_state);
  if (status != FW_OK) stepper->statistics.failures++;
  return status;
}

fw_status fw_stepper_linearise(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *new_state) {
  if (!fw_stepper_factors_once(s)) {
    FW_TRY(fw_step_detect(s, job, new_state->q));
    FW_TRY(fw_step_out_of_balance(ctx, s, job, new_state, true));
    effective_matrix(s, job);
    fw_step_add_curvature(s, job, new_state);
    FW_TRY(factor(ctx, s));
    if (may_keep(s, job))
      keep_factor(s, job);
    else
      s->factored = false;
  }
  return fw_step_contact_linearise(ctx, s, job, new_state);
}

const double *fw_stepper_inner(const fw_stepper *stepper) {
  return fw_stepper_factors_once(stepper) ? NULL : stepper->f_int;
}

const double *fw_stepper_jump(const fw_stepper *stepper) { return stepper->jump; }

void fw_stepper_commit(const fw_step_job *job, fw_state *new_state) {
  const fw_model *model = new_state->model;
  new_state->time = job->time;
  for (int i = 0; job->v_free && i < model->dof_count; i++)
    new_state->v[i] = job->rate_factor * (new_state->q[i] - job->old->q[i]) + job->v_free[i];
  for (int p = 0; p < model->pair_count; p++) {
    const fw_pair *pair = model->pairs[p];
    bool laws = fw_pair_rubs(pair) && !fw_pair_is_rigid(pair);
    bool mean = job->impulse_gain > 0.0 && fw_normal_is_rigid(&pair->normal);
    for (int c = pair->first_contact; c < pair->first_contact + pair->count; c++) {
      const fw_touch *old = &job->old->touch[c];
      fw_touch *touch = &new_state->touch[c];
      if (laws && touch->status != FW_OPEN && touch->slip != 0.0)
        touch->status = fw_pair_regime(pair, touch->N, touch->T - old->T, touch->slip);
      fw_touch_accrue(pair, old, job->dt, mean, touch);
    }
  }
}
