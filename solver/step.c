/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/detect/hints.h"
#include "contact/totals.h"
#include "solver/closure.h"
#include "solver/line_search.h"

enum { ITERATIONS_MOST = 40 };
static const double residual_tolerance = 1e-9; /* out-of-balance force against the largest force */
static const double closure_tolerance = 1e-11; /* open joint against the model's size, or the largest freedom */

struct fw_stepper {
  fw_system *system;
  const fw_model *model;
  fw_sparse *A;
  fw_factor *factor;
  bool general;                  /* forced */
  bool curved;                   /* some contact direction changes with q */
  bool factored;                 /* A holds c_M M + c_C C + K of a linear structure */
  double mass, damping;          /* of the factored matrix */
  double scale;                  /* size of the model */
  double *r, *increment, *f_int; /* [size] */
  double *from;                  /* [size] where a line search begins */
  fw_kinematic *kin;             /* [contact_count], current */
  double *columns;               /* [size x 2 contact_count]: A^-1 W, gap column then slip column */
  bool *column_ready;            /* [contact_count] */
  int *active;                   /* contact points of the local problem */
  fw_hints *hints;               /* where open points look for their targets */
  fw_local_problem local;        /* arrays with room for all points */
  fw_step_statistics statistics;
};

/* ---- creation ---------------------------------------------------------------------------- */

static fw_status stepper_allocate(fw_context *ctx, fw_stepper *s) {
  size_t size = (size_t)s->system->size, points = (size_t)s->model->contact_count;
  fw_local_problem *p = &s->local;
  FW_TRY(fw_sparse_like(ctx, s->system->K, &s->A));
  if (s->model->constraint_count == 0)
    FW_TRY(fw_factor_create_definite(ctx, s->A, &s->factor));
  else
    FW_TRY(fw_factor_create(ctx, s->A, &s->factor));
  FW_TRY(fw_alloc(ctx, size, sizeof *s->r, &s->r));
  FW_TRY(fw_alloc(ctx, size, sizeof *s->increment, &s->increment));
  FW_TRY(fw_alloc(ctx, size, sizeof *s->f_int, &s->f_int));
  FW_TRY(fw_alloc(ctx, size, sizeof *s->from, &s->from));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->kin, &s->kin));
  FW_TRY(fw_alloc(ctx, size * 2 * points, sizeof *s->columns, &s->columns));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->column_ready, &s->column_ready));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->active, &s->active));
  FW_TRY(fw_hints_create(ctx, s->model, &s->hints));
  FW_TRY(fw_alloc(ctx, points, sizeof *p->points, &p->points));
  FW_TRY(fw_alloc(ctx, 2 * points, sizeof *p->free, &p->free));
  FW_TRY(fw_alloc(ctx, 4 * points * points, sizeof *p->D, &p->D));
  FW_TRY(fw_alloc(ctx, points, sizeof *p->N, &p->N));
  FW_TRY(fw_alloc(ctx, points, sizeof *p->T, &p->T));
  FW_TRY(fw_alloc(ctx, points, sizeof *p->gap, &p->gap));
  FW_TRY(fw_alloc(ctx, points, sizeof *p->slip, &p->slip));
  FW_TRY(fw_alloc(ctx, points, sizeof *p->z, &p->z));
  FW_TRY(fw_alloc(ctx, points, sizeof *p->status, &p->status));
  return FW_OK;
}

fw_status fw_stepper_create(fw_context *ctx, fw_system *system, bool force_general, fw_stepper **stepper) {
  fw_stepper *s = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *s, &s));
  s->system = system;
  s->model = system->model;
  s->general = force_general;
  s->scale = fw_closure_scale(system->model);
  fw_status status = stepper_allocate(ctx, s);
  if (status != FW_OK) fw_stepper_destroy(&s);
  *stepper = s;
  return status;
}

void fw_stepper_destroy(fw_stepper **stepper) {
  if (!stepper || !*stepper) return;
  fw_stepper *s = *stepper;
  fw_local_problem *p = &s->local;
  fw_hints_destroy(&s->hints);
  fw_factor_destroy(&s->factor);
  fw_sparse_destroy(&s->A);
  void *blocks[] = {s->from,   s->r,      s->increment, s->f_int, s->kin, s->columns, s->column_ready,
                    s->active, p->points, p->free,      p->D,     p->N,   p->T,       p->gap,
                    p->slip,   p->z,      p->status};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
  free(s);
  *stepper = NULL;
}

const fw_step_statistics *fw_stepper_statistics(const fw_stepper *stepper) { return &stepper->statistics; }

bool fw_stepper_factors_once(const fw_stepper *stepper) {
  return stepper->system->linear && !stepper->general && !stepper->curved;
}

/* ---- the linearised structure ------------------------------------------------------------ */

static fw_status factor(fw_context *ctx, fw_stepper *s) {
  int64_t column = -1;
  s->statistics.factorisations++;
  memset(s->column_ready, 0, (size_t)s->model->contact_count * sizeof *s->column_ready);
  fw_status status = fw_factor_compute(ctx, s->factor, s->A, &column);
  if (status == FW_OK) s->statistics.factor_memory = fw_factor_memory(s->factor);
  if (status != FW_ERR_SINGULAR) return status;
  FW_TRY(fw_closure_redundant(ctx, s->model, NULL, 0.0));
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

/* True if A has an entry for every pair of the point's freedoms. */
static bool pattern_covers(const fw_sparse *A, const fw_kinematic *kin) {
  for (int i = 0; i < kin->count; i++)
    for (int j = 0; j < kin->count; j++)
      if (fw_sparse_position(A, kin->dof[i], kin->dof[j]) < 0) return false;
  return true;
}

/* Curvature of the contact directions under the present forces. Between two bodies the pattern lacks entries; such a
 * point is left out as a whole (half of its curvature would be worse than none), which makes the iteration
 * converge linearly, fast as long as the step is small against the surface's radius, to the same limit. */
static void add_contact_curvature(fw_stepper *s, const fw_state *state) {
  for (int c = 0; c < s->model->contact_count; c++) {
    const fw_kinematic *kin = &s->kin[c];
    if (!kin->curved || state->touch[c].status == FW_OPEN || !pattern_covers(s->A, kin)) continue;
    for (int i = 0; i < kin->count; i++)
      for (int j = 0; j < kin->count; j++) {
        int64_t at = fw_sparse_position(s->A, kin->dof[i], kin->dof[j]);
        int k = i * kin->count + j;
        s->A->x[at] += state->touch[c].T * kin->slip_qq[k] - state->touch[c].N * kin->gap_qq[k];
      }
  }
}

/* r = rhs - c_M M q - c_C C q - f_int(q). */
static fw_status out_of_balance(fw_context *ctx, fw_stepper *s, const fw_step_job *job, const fw_state *state,
                                bool tangent) {
  FW_TRY(fw_system_force(ctx, s->system, state->q, state->lambda, job->time, s->f_int, tangent));
  for (int64_t i = 0; i < s->system->size; i++) s->r[i] = job->rhs[i] - s->f_int[i];
  if (job->mass != 0.0) fw_sparse_multiply(s->system->M, -job->mass, state->q, s->r);
  if (job->damping != 0.0) fw_sparse_multiply(s->system->C, -job->damping, state->q, s->r);
  return FW_OK;
}

/* ---- contact ----------------------------------------------------------------------------- */

static const fw_pair *pair_of(const fw_model *model, int contact, int *follower) {
  for (int p = 0; p < model->pair_count; p++) {
    const fw_pair *pair = model->pairs[p];
    if (contact >= pair->first_contact && contact < pair->first_contact + pair->count) {
      *follower = contact - pair->first_contact;
      return pair;
    }
  }
  return NULL;
}

static bool same_directions(const fw_kinematic *a, const fw_kinematic *b) {
  size_t n = (size_t)a->count;
  return a->count == b->count && !memcmp(a->dof, b->dof, n * sizeof *a->dof) &&
         !memcmp(a->gap_q, b->gap_q, n * sizeof *a->gap_q) && !memcmp(a->slip_q, b->slip_q, n * sizeof *a->slip_q);
}

/* Kinematics of all points at q; a changed direction makes its columns stale. A point off its target is
 * open: its gap is far. */
static fw_status detect(fw_stepper *s, const fw_step_job *job, const double *q) {
  for (int c = 0; c < s->model->contact_count; c++) {
    int follower = 0;
    const fw_pair *pair = pair_of(s->model, c, &follower);
    fw_kinematic kin;
    fw_status status = fw_pair_kinematics(s->model, pair, follower, job->old->q, &job->old->touch[c], q, &kin);
    if (status != FW_OK && status != FW_RECOVER_CONTACT) return status;
    if (!same_directions(&kin, &s->kin[c])) s->column_ready[c] = false;
    s->curved = s->curved || kin.curved;
    s->kin[c] = kin;
  }
  return FW_OK;
}

static double along(const fw_kinematic *kin, const double *direction, const double *vector) {
  double sum = 0.0;
  for (int i = 0; i < kin->count; i++) sum += direction[i] * vector[kin->dof[i]];
  return sum;
}

static double *columns_of(fw_stepper *s, int contact) {
  return s->columns + (size_t)contact * 2 * (size_t)s->system->size;
}

/* A^-1 times the gap and slip directions of one point. */
static fw_status fill_columns(fw_context *ctx, fw_stepper *s, int contact) {
  if (s->column_ready[contact]) return FW_OK;
  const fw_kinematic *kin = &s->kin[contact];
  double *gap = columns_of(s, contact), *slip = gap + s->system->size;
  memset(gap, 0, 2 * (size_t)s->system->size * sizeof *gap);
  for (int i = 0; i < kin->count; i++) {
    gap[kin->dof[i]] = kin->gap_q[i];
    slip[kin->dof[i]] = kin->slip_q[i];
  }
  s->column_ready[contact] = true;
  return fw_factor_solve(ctx, s->factor, gap, 2);
}

/* Points that may carry a force when the structure moves by `increment`: closed before, or closing. */
static bool is_released(const fw_step_job *job, int contact) { return job->released && job->released[contact]; }

static int find_active(fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  int count = 0;
  for (int c = 0; c < s->model->contact_count; c++) {
    if (is_released(job, c)) continue;
    double gap = s->kin[c].gap + along(&s->kin[c], s->kin[c].gap_q, s->increment);
    if (gap <= fw_local_floor(&job->old->touch[c], job->dt) || state->touch[c].N > 0.0) s->active[count++] = c;
  }
  return count;
}

static bool is_active(const fw_stepper *s, int contact) {
  for (int i = 0; i < s->local.count; i++)
    if (s->active[i] == contact) return true;
  return false;
}

static fw_status set_local_problem(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  fw_local_problem *p = &s->local;
  int n = 2 * p->count;
  for (int i = 0; i < p->count; i++) {
    int c = s->active[i], follower = 0;
    const fw_pair *pair = pair_of(s->model, c, &follower);
    const fw_kinematic *kin = &s->kin[c];
    size_t z = (size_t)pair->first_z + (size_t)follower * (size_t)pair->states;
    FW_TRY(fill_columns(ctx, s, c));
    p->points[i] = (fw_local){.pair = pair,
                              .old = &job->old->touch[c],
                              .z_old = job->old->z + z,
                              .dt = job->dt,
                              .rate_factor = job->rate_factor,
                              .gap_rate_free = job->v_free ? along(kin, kin->gap_q, job->v_free) : 0.0,
                              .slip_rate_free = job->v_free ? along(kin, kin->slip_q, job->v_free) : 0.0};
    p->z[i] = state->z + z;
    p->N[i] = state->touch[c].N;
    p->T[i] = state->touch[c].T;
    p->free[2 * i] = kin->gap + along(kin, kin->gap_q, s->increment);
    p->free[2 * i + 1] = kin->slip + along(kin, kin->slip_q, s->increment);
  }
  for (int i = 0; i < p->count; i++)
    for (int j = 0; j < n; j++) {
      const fw_kinematic *kin = &s->kin[s->active[i]];
      const double *column = columns_of(s, s->active[j / 2]) + (j % 2 ? s->system->size : 0);
      p->D[(size_t)(2 * i) * (size_t)n + (size_t)j] = along(kin, kin->gap_q, column);
      p->D[(size_t)(2 * i + 1) * (size_t)n + (size_t)j] = along(kin, kin->slip_q, column);
    }
  return FW_OK;
}

static void add_column(fw_stepper *s, const double *column, double factor) {
  for (int64_t k = 0; k < s->system->size; k++) s->increment[k] += factor * column[k];
}

/* Solves the contact problem on top of the free increment and adds what the forces do. Points found
 * penetrating afterwards join, so that the outcome does not depend on the first guess of who touches. */
static fw_status solve_contact(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  fw_local_problem *p = &s->local;
  p->count = find_active(s, job, state);
  for (int round = 0; round <= s->model->contact_count; round++) {
    FW_TRY(set_local_problem(ctx, s, job, state));
    FW_TRY(fw_local_solve(ctx, p));
    int before = p->count;
    for (int c = 0; c < s->model->contact_count; c++) {
      if (is_active(s, c) || is_released(job, c)) continue;
      const fw_kinematic *kin = &s->kin[c];
      double gap = kin->gap + along(kin, kin->gap_q, s->increment);
      for (int i = 0; i < before; i++) {
        const double *column = columns_of(s, s->active[i]);
        gap += p->N[i] * along(kin, kin->gap_q, column) - p->T[i] * along(kin, kin->gap_q, column + s->system->size);
      }
      if (gap < fw_local_floor(&job->old->touch[c], job->dt)) s->active[p->count++] = c;
    }
    if (p->count == before) break;
  }
  for (int c = 0; c < s->model->contact_count; c++) {
    fw_touch *touch = &state->touch[c];
    touch->status = FW_OPEN;
    touch->N = touch->T = 0.0;
  }
  for (int i = 0; i < p->count; i++) {
    fw_touch *touch = &state->touch[s->active[i]];
    const double *column = columns_of(s, s->active[i]);
    touch->status = p->status[i];
    touch->N = p->N[i];
    touch->T = p->T[i];
    add_column(s, column, touch->N);
    add_column(s, column + s->system->size, -touch->T);
  }
  return FW_OK;
}

/* r += W_n N - W_t T; returns the largest contact force. */
static double add_contact_forces(fw_stepper *s, const fw_state *state) {
  double largest = 0.0;
  for (int c = 0; c < s->model->contact_count; c++) {
    const fw_touch *touch = &state->touch[c];
    const fw_kinematic *kin = &s->kin[c];
    for (int i = 0; i < kin->count; i++) s->r[kin->dof[i]] += kin->gap_q[i] * touch->N - kin->slip_q[i] * touch->T;
    largest = fmax(largest, fmax(touch->N, fabs(touch->T)));
  }
  return largest;
}

/* ---- the step ---------------------------------------------------------------------------- */

static double largest(const double *vector, int64_t n) {
  double most = 0.0;
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(vector[i])) return INFINITY;
    most = fmax(most, fabs(vector[i]));
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
  FW_TRY(out_of_balance(t->ctx, t->s, t->job, t->state, false));
  *slope = along_increment(s);
  return FW_OK;
}

static fw_status move_searching(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  int n = s->model->dof_count;
  memcpy(s->from, state->q, (size_t)n * sizeof *s->from);
  memcpy(s->from + n, state->lambda, (size_t)s->model->constraint_count * sizeof *s->from);
  return fw_line_search(try_fraction, &(fw_trial){ctx, s, job, state}, along_increment(s));
}

/* Gap, slip, their rates and the place of every point at the solution. */
static fw_status record_touches(fw_stepper *s, const fw_step_job *job, fw_state *state) {
  FW_TRY(detect(s, job, state->q));
  for (int c = 0; c < s->model->contact_count; c++) {
    fw_touch *touch = &state->touch[c];
    touch->gap = s->kin[c].gap;
    touch->slip = s->kin[c].slip;
    touch->segment = s->kin[c].segment;
    touch->xi = s->kin[c].xi;
    if (!job->v_free) continue;
    const fw_kinematic *kin = &s->kin[c];
    touch->slip_velocity = job->rate_factor * kin->slip + along(kin, kin->slip_q, job->v_free);
    touch->gap_velocity = job->rate_factor * (kin->gap - job->old->touch[c].gap) + along(kin, kin->gap_q, job->v_free);
  }
  fw_hints_update(s->hints, s->model, state->q, state->touch);
  return FW_OK;
}

/* Linear structure, constant directions: q = A^-1 rhs + columns * forces, exactly. */
static fw_status solve_linear(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  if (!s->factored || s->mass != job->mass || s->damping != job->damping) {
    effective_matrix(s, job);
    FW_TRY(factor(ctx, s));
    s->factored = true;
    s->mass = job->mass;
    s->damping = job->damping;
  }
  memcpy(s->increment, job->rhs, (size_t)s->system->size * sizeof *s->increment);
  FW_TRY(fw_factor_solve(ctx, s->factor, s->increment, 1));
  for (int i = 0; i < s->model->dof_count; i++) s->increment[i] -= job->old->q[i];
  memcpy(state->q, job->old->q, (size_t)s->model->dof_count * sizeof *state->q);
  s->statistics.iterations++;
  FW_TRY(solve_contact(ctx, s, job, state));
  move(s, state);
  return record_touches(s, job, state);
}

/* True if the contact conditions, which were solved along straight directions, hold where the structure has come to:
 * nothing open penetrates and constrained gaps are closed. */
static bool contact_holds(const fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  double moved = largest(state->q, s->model->dof_count);
  for (int c = 0; c < s->model->contact_count; c++) {
    int follower = 0;
    const fw_pair *pair = pair_of(s->model, c, &follower);
    /* a millionth of the motion, and what rounding leaves of a place */
    double slack = 1e-6 * moved + 1e-12 * (fabs(s->kin[c].place[0]) + fabs(s->kin[c].place[1]));
    bool open = state->touch[c].status == FW_OPEN;
    double above = s->kin[c].gap - fw_local_floor(&job->old->touch[c], job->dt);
    if (open && !is_released(job, c) && above < -slack) return false;
    if (!open && fw_normal_is_rigid(&pair->normal) && fabs(above) > slack) return false;
  }
  return true;
}

/* A preload on a slender structure is almost all carried by contact: the free increment and what the forces take back
 * are large and nearly cancel. One refinement against the whole out-of-balance force restores the digits lost. */
static fw_status refine(fw_context *ctx, fw_stepper *s, const fw_state *state) {
  double *missing = s->r;
  add_contact_forces(s, state);
  fw_sparse_multiply(s->A, -1.0, s->increment, missing);
  FW_TRY(fw_factor_solve(ctx, s->factor, missing, 1));
  for (int64_t i = 0; i < s->system->size; i++) s->increment[i] += missing[i];
  return FW_OK;
}

/* What rounding leaves of the internal force: a stiff direction, such as a slender beam's axial one, may not let the
 * residual come down to the tolerance. */
static double round_off(const fw_stepper *s, const fw_state *state) {
  double stiffest = 0.0;
  for (int64_t i = 0; i < s->model->dof_count; i++)
    stiffest = fmax(stiffest, fabs(s->system->K->x[fw_sparse_position(s->system->K, i, i)]));
  return 1e-14 * stiffest * largest(state->q, s->model->dof_count);
}

static fw_status solve_general(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  s->factored = false;
  double last = INFINITY; /* residual of the previous iteration */
  for (int iteration = 0; iteration < ITERATIONS_MOST; iteration++) {
    FW_TRY(detect(s, job, state->q));
    FW_TRY(out_of_balance(ctx, s, job, state, true));
    double reference = fmax(largest(job->rhs, s->model->dof_count), largest(s->f_int, s->model->dof_count));
    if (iteration > 0) {
      memcpy(s->increment, s->r, (size_t)s->system->size * sizeof *s->r);
      reference = fmax(reference, add_contact_forces(s, state));
      double out = largest(s->r, s->model->dof_count);
      bool joined = largest(s->r + s->model->dof_count, s->model->constraint_count) <=
                    closure_tolerance * fmax(s->scale, largest(state->q, s->model->dof_count));
      memcpy(s->r, s->increment, (size_t)s->system->size * sizeof *s->r);
      if (!isfinite(out)) return FW_RECOVER_NAN;
      if (job->iterated) FW_TRY(job->iterated(job->user, reference > 0.0 ? out / reference : 0.0));
      bool balanced = out <= residual_tolerance * reference || (out > 0.5 * last && out <= round_off(s, state));
      if (balanced && joined && contact_holds(s, job, state)) return record_touches(s, job, state);
      last = out;
    }
    effective_matrix(s, job);
    add_contact_curvature(s, state);
    FW_TRY(factor(ctx, s));
    memcpy(s->increment, s->r, (size_t)s->system->size * sizeof *s->r);
    FW_TRY(fw_factor_solve(ctx, s->factor, s->increment, 1));
    FW_TRY(solve_contact(ctx, s, job, state));
    if (s->model->contact_count > 0) FW_TRY(refine(ctx, s, state));
    if (job->line_search && s->model->contact_count == 0)
      FW_TRY(move_searching(ctx, s, job, state));
    else
      move(s, state);
    s->statistics.iterations++;
  }
  return FW_RECOVER_DIVERGED;
}

fw_status fw_stepper_solve(fw_context *ctx, fw_stepper *stepper, const fw_step_job *job, fw_state *new_state) {
  stepper->statistics.steps++;
  fw_status status = FW_OK;
  if (stepper->statistics.steps == 1) status = detect(stepper, job, job->old->q); /* learns whether directions change */
  if (status == FW_OK && fw_stepper_factors_once(stepper)) {
    FW_TRY(detect(stepper, job, job->old->q));
    status = solve_linear(ctx, stepper, job, new_state);
    if (status == FW_OK && fw_stepper_factors_once(stepper)) return status;
  }
  if (status == FW_OK) status = solve_general(ctx, stepper, job, new_state);
  if (status != FW_OK) stepper->statistics.failures++;
  return status;
}

void fw_stepper_commit(const fw_step_job *job, fw_state *new_state) {
  const fw_model *model = new_state->model;
  new_state->time = job->time;
  for (int i = 0; job->v_free && i < model->dof_count; i++)
    new_state->v[i] = job->rate_factor * (new_state->q[i] - job->old->q[i]) + job->v_free[i];
  for (int c = 0; c < model->contact_count; c++) {
    const fw_touch *old = &job->old->touch[c];
    fw_touch *touch = &new_state->touch[c];
    int follower = 0;
    const fw_pair *pair = pair_of(model, c, &follower);
    if (touch->status != FW_OPEN && pair->friction_count > 0 && !fw_friction_is_rigid(&pair->friction[0]) &&
        touch->slip != 0.0)
      touch->status = fw_pair_regime(pair, touch->N, touch->T - old->T, touch->slip);
    fw_touch_accrue(old, job->dt, touch);
  }
}
