/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equilibrium of steady sliding by Newton's method: f - f_int - C v + sum of N g_q - T s_q = 0 with T that of steady
 * friction at the slip velocities that prescribed motions give, its derivative the one linearisation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/load.h"
#include "elements/joint.h"
#include "solver/assembly/constraints.h"
#include "solver/assembly/linearised.h"
#include "solver/time/settle.h"

enum { ITERATIONS_MOST = 60 };
static const double BALANCED = 1e-11; /* of the largest force */

typedef struct slide {
  fw_context *ctx;
  fw_system *system;
  fw_state *state;
  fw_linearised *linear;
  double *f, *r;    /* loads [size], what is out of balance [linear->K->n] */
  double reference; /* largest force */
  int sliding;      /* points that slide */
  bool changed;     /* a point opened or closed */
} slide;

static double largest(const double *x, int64_t n) {
  double most = 0.0;
  for (int64_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* ---- each point of contact, in the order of the linearisation's rows ------------------------- */

/* Its rows begin at *row, which moves on. */
typedef fw_status (*point_fn)(slide *s, const fw_pair *pair, fw_touch *touch, const fw_linear_contact *c, int64_t row);

static fw_status each_closed(slide *s, point_fn visit) {
  const fw_model *model = s->system->model;
  int64_t row = s->system->size;
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++) {
      const fw_pair *pair = model->pairs[p];
      fw_touch *touch = &s->state->touch[pair->first_contact + i];
      fw_linear_contact c;
      FW_TRY(fw_linear_contact_find(s->ctx, model, s->state, FW_VIEW_SLIDE, pair, i, &c));
      if (!c.placed || !c.closed) continue;
      fw_status status = visit(s, pair, touch, &c, row);
      row += c.holds_gap + c.holds_slip + (c.steady ? c.steady->rates : 0);
      fw_linear_contact_clear(&c);
      FW_TRY(status);
    }
  return FW_OK;
}

static fw_status push(slide *s, const fw_pair *pair, fw_touch *touch, const fw_linear_contact *c, int64_t row) {
  (void)pair, (void)touch;
  fw_kinematic_push(&c->kin, c->N, c->T, s->r);
  if (c->holds_gap) s->r[row] = -c->kin.gap;
  s->sliding += c->slides != 0.0;
  s->reference = fmax(s->reference, fabs(c->N));
  return FW_OK;
}

/* Forces that are unknowns of the step, s->r by now: N of a gap that is held, T of what sticks. */
static fw_status take(slide *s, const fw_pair *pair, fw_touch *touch, const fw_linear_contact *c, int64_t row) {
  (void)pair;
  if (c->holds_gap) touch->N = c->N - s->r[row];
  if (c->holds_slip) touch->T += s->r[row + c->holds_gap];
  if (c->k_t != 0.0) touch->T += c->k_t * fw_kinematic_along(&c->kin, c->kin.slip_q, s->r);
  touch->status = c->slides != 0.0 ? FW_SLIP : FW_STICK;
  return FW_OK;
}

/* What pulls opens. */
static fw_status judge(slide *s, const fw_pair *pair, fw_touch *touch, const fw_linear_contact *c, int64_t row) {
  (void)row, (void)pair;
  bool holds = c->holds_gap ? touch->N >= 0.0 : c->kin.gap <= 0.0;
  if (holds) return FW_OK;
  touch->status = FW_OPEN;
  touch->N = touch->T = 0.0;
  s->changed = true;
  return FW_OK;
}

/* What the state says of a point in the end. */
static fw_status commit(slide *s, const fw_pair *pair, fw_touch *touch, const fw_linear_contact *c, int64_t row) {
  (void)row;
  touch->gap = c->kin.gap;
  touch->segment = c->kin.segment;
  touch->xi = c->kin.xi;
  touch->N = c->N;
  touch->T = c->T;
  touch->slip_velocity = c->slides;
  touch->gap_velocity = 0.0;
  if (c->slides == 0.0 || !fw_pair_rubs(pair)) return FW_OK;
  fw_steady steady;
  size_t at = (size_t)(touch - s->state->touch) - (size_t)pair->first_contact;
  fw_status status = fw_friction_steady(s->ctx, &pair->friction, c->slides, c->N, &steady);
  if (status == FW_OK && pair->states)
    memcpy(s->state->z + pair->first_z + at * (size_t)pair->states, steady.z, (size_t)pair->states * sizeof *steady.z);
  fw_steady_clear(&steady);
  return status;
}

/* ---- prescribed motions ----------------------------------------------------------------------- */

/* Velocities that change with time have no steady sliding: their accelerations at a few moments tell. */
static fw_status check_motions(fw_context *ctx, const fw_model *model) {
  static const double moments[] = {0.0, 0.0137, 0.37, 1.73};
  for (int j = 0; j < model->joint_count; j++)
    for (size_t k = 0; k < sizeof moments / sizeof *moments; k++) {
      const fw_joint *joint = &model->joints[j];
      if (!joint->ops->acceleration || joint->ops->acceleration(joint, moments[k]) == 0.0) continue;
      return fw_fail(ctx, FW_ERR_ANALYSIS,
                     "joint \"%s\" changes its velocity: sliding along what it moves is not steady", joint->id);
    }
  return FW_OK;
}

/* ---- the iteration --------------------------------------------------------------------------- */

static fw_status balance(slide *s) {
  fw_state *state = s->state;
  int n = s->system->model->dof_count;
  fw_linearised_destroy(&s->linear);
  FW_TRY(fw_linearise(s->ctx, s->system, state, FW_VIEW_SLIDE, &s->linear));
  free(s->r);
  s->r = NULL;
  FW_TRY(fw_alloc(s->ctx, (size_t)s->linear->K->n, sizeof *s->r, &s->r));
  FW_TRY(fw_system_force(s->ctx, s->system, state->q, state->lambda, state->time, s->r, false));
  s->reference = fmax(largest(s->r, n), largest(s->f, n));
  for (int64_t i = 0; i < s->system->size; i++) s->r[i] = s->f[i] - s->r[i];
  fw_sparse_multiply(s->system->C, -1.0, state->v, s->r);
  s->sliding = 0;
  return each_closed(s, push);
}

static fw_status step(slide *s) {
  fw_factor *factor = NULL;
  fw_status status = FW_OK;
  const fw_model *model = s->system->model;
  FW_TRY_DONE(fw_factor_create(s->ctx, s->linear->K, &factor));
  FW_TRY_DONE(fw_factor_compute(s->ctx, factor, s->linear->K, NULL));
  FW_TRY_DONE(fw_factor_solve(s->ctx, factor, s->r, 1));
  FW_TRY_DONE(each_closed(s, take));
  for (int i = 0; i < model->dof_count; i++) s->state->q[i] += s->r[i];
  for (int i = 0; i < model->constraint_count; i++) s->state->lambda[i] += s->r[model->dof_count + i];
  s->changed = false;
  FW_TRY_DONE(each_closed(s, judge));
done:
  fw_factor_destroy(&factor);
  return status;
}

static fw_status iterate(slide *s) {
  for (int k = 0; k < ITERATIONS_MOST; k++) {
    FW_TRY(balance(s));
    if (s->sliding == 0)
      return fw_fail(s->ctx, FW_ERR_ANALYSIS,
                     "no closed contact slides: nothing that a prescribed motion moves runs along one");
    if (k > 0 && !s->changed && largest(s->r, s->system->size) <= BALANCED * s->reference) return FW_OK;
    fw_status status = step(s);
    if (status == FW_ERR_SINGULAR)
      return fw_fail(s->ctx, FW_ERR_ANALYSIS, "what slides is not held: there is no steady sliding");
    FW_TRY(status);
  }
  return fw_fail(s->ctx, FW_ERR_ANALYSIS, "no equilibrium of steady sliding was found in %d iterations",
                 ITERATIONS_MOST);
}

fw_status fw_slide_reach(fw_context *ctx, fw_system *system, fw_state *state) {
  slide s = {.ctx = ctx, .system = system, .state = state};
  fw_status status = check_motions(ctx, system->model);
  if (status != FW_OK) return status;
  memset(state->v, 0, (size_t)system->model->dof_count * sizeof *state->v);
  memset(state->a, 0, (size_t)system->model->dof_count * sizeof *state->a);
  FW_TRY_DONE(fw_alloc(ctx, (size_t)system->size, sizeof *s.f, &s.f));
  fw_loads_force(system->model, state->load_factors, 0.0, 0.0, s.f);
  FW_TRY_DONE(fw_constraints_reach(ctx, system, NULL, NULL, state));
  FW_TRY_DONE(iterate(&s));
  FW_TRY_DONE(each_closed(&s, commit));
done:
  fw_linearised_destroy(&s.linear);
  free(s.f);
  free(s.r);
  return status;
}
