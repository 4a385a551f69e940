/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Semismooth Newton on structure and contact together (the system: step_parts.h). Conditions of contact (local.h) are
 * zero where contact and friction hold and have slopes on each side of their kinks (Qi and Sun 1993, Math. Program. 58;
 * for contact Alart and Curnier 1991, Comput. Methods Appl. Mech. Eng. 92): which points close or slide is part of the
 * answer of every iteration. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/enforce/penalty.h"
#include "solver/time/step_parts.h"

enum { ITERATIONS_MOST = 60, FREELY = 8, HOLDING_MOST = 6, MEMORY = 5, SHORTENED_MOST = 6 };
static const double tolerance = 1e-9;          /* out-of-balance force against the largest force */
static const double contact_tolerance = 1e-11; /* conditions of contact against the largest force */
static const double NEARLY = 1e-9;             /* of the model's size: touches when a step begins */

/* What is not fulfilled. */
typedef struct fw_unfulfilled {
  double force, contact, joint; /* largest of each; N, N, m */
  double rounding;              /* of contact that may be rounding of places */
  double reference;             /* largest force */
  double merit;
} fw_unfulfilled;

/* ---- evaluation -------------------------------------------------------------------------- */

static void measure_diagonal(fw_stepper *s) {
  fw_kkt *w = &s->kkt;
  for (int i = 0; i < s->model->dof_count; i++)
    w->diagonal[i] = fmax(s->system->K->x[fw_sparse_position(s->system->K, i, i)], 0.0);
  w->stiffest[0] = w->stiffest[1] = 0.0;
  for (int n = 0; n < s->model->node_count; n++)
    for (int k = 0; k < fw_node_dofs(&s->model->nodes[n]); k++) {
      int dof = s->model->nodes[n].dof[k];
      double *stiffest = &w->stiffest[fw_dof_turns(k)];
      if (dof >= 0) *stiffest = fmax(*stiffest, w->diagonal[dof]);
    }
}

/* Rigid bodies are as stiff as would carry the loads within a thousandth of the model. */
static void choose_stiffness(fw_stepper *s, double force) {
  fw_kkt *w = &s->kkt;
  double rigid = fmax(force, DBL_MIN) / (1e-3 * s->scale);
  if (!(w->stiffest[0] > 0.0)) w->stiffest[0] = rigid;
  if (!(w->stiffest[1] > 0.0)) w->stiffest[1] = w->stiffest[0] * s->scale * s->scale;
}

/* What makes lengths along a direction commensurate with forces (N/m). */
static double stiffness_of(const fw_stepper *s, int contact, const double *gradient) {
  double backing = fw_penalty_backing(&s->kin[contact], gradient, s->kkt.diagonal);
  return backing > 0.0 ? backing : s->kkt.stiffest[0];
}

static void set_point(fw_stepper *s, const fw_step_job *job, int c, double nearly) {
  const fw_pair *pair = s->pair[c];
  size_t z = (size_t)pair->first_z + (size_t)s->follower[c] * (size_t)pair->states;
  s->kkt.local[c] = (fw_local){.pair = pair,
                               .old = &job->old->touch[c],
                               .z_old = job->old->z + z,
                               .floor = nearly,
                               .scale_n = stiffness_of(s, c, s->kin[c].gap_q),
                               .scale_t = stiffness_of(s, c, s->kin[c].slip_q)};
}

/* The conditions of every point. Where a step begins what nearly touches counts as closed: seated structures have
 * nothing else to hold them. */
static void evaluate_contact(fw_stepper *s, const fw_step_job *job, fw_state *state, double nearly, fw_unfulfilled *u) {
  fw_kkt *w = &s->kkt;
  w->count = 0;
  w->settled = true;
  for (int c = 0; c < s->model->contact_count; c++) {
    set_point(s, job, c, nearly);
    fw_local *local = &w->local[c];
    fw_touch *touch = &state->touch[c];
    fw_local_residual *on = &w->conditions[c];
    const fw_local_motion motion = {s->kin[c].gap - (fw_normal_is_rigid(&local->pair->normal) ? 0.0 : nearly),
                                    s->kin[c].slip};
    bool was_open = touch->status == FW_OPEN;
    fw_local_evaluate(local, touch->N, touch->T, &motion, w->work, state->z + (local->z_old - job->old->z), on);
    w->fresh[c] = on->status != FW_OPEN && touch->N == 0.0 && fw_pair_rubs(local->pair);
    w->settled = w->settled && was_open == (on->status == FW_OPEN);
    touch->status = on->status;
    if (on->status != FW_OPEN || touch->N != 0.0 || touch->T != 0.0) w->point[w->count++] = c;
    double place = fabs(s->kin[c].place[0]) + fabs(s->kin[c].place[1]) + s->scale;
    u->rounding = fmax(u->rounding, 1e-15 * place * fmax(fabs(on->n_gap), fabs(on->t_slip)));
    u->contact = fmax(u->contact, fmax(fabs(on->r_n), fabs(on->r_t)));
    u->merit += on->r_n * on->r_n + on->r_t * on->r_t;
  }
}

/* Forces and moments over the model's size; open joints against a thousandth of it. */
static double merit_of_structure(const fw_stepper *s, double reference) {
  double sum = 0.0;
  int n = s->model->dof_count;
  for (int i = 0; i < n; i++) sum += s->r[i] * s->r[i];
  for (int i = 0; i < s->model->constraint_count; i++) {
    double open = reference * s->r[n + i] / (1e-3 * s->scale);
    sum += open * open;
  }
  return sum;
}

static fw_status evaluate(fw_context *ctx, fw_stepper *s, const fw_step_job *job, double nearly, fw_state *state,
                          fw_unfulfilled *u) {
  int n = s->model->dof_count;
  *u = (fw_unfulfilled){0};
  FW_TRY(fw_step_detect(s, job, state->q));
  FW_TRY(fw_step_out_of_balance(ctx, s, job, state, true));
  u->reference = fmax(fw_step_largest(job->rhs, n), fw_step_largest(s->f_int, n));
  measure_diagonal(s);
  choose_stiffness(s, u->reference);
  evaluate_contact(s, job, state, nearly, u);
  u->reference = fmax(u->reference, fw_step_add_forces(s, job, state));
  u->force = fw_step_largest(s->r, n);
  u->joint = fw_step_largest(s->r + n, s->model->constraint_count);
  u->merit += merit_of_structure(s, u->reference);
  return isfinite(u->merit) ? FW_OK : FW_RECOVER_NAN;
}

/* Beside the forces there are, or as rounding beside the largest there were, `most`: where nothing acts in the end there
 * are none. */
static bool fulfilled(const fw_stepper *s, const fw_state *state, double most, const fw_unfulfilled *u,
                      const fw_unfulfilled *last) {
  double moved = fw_step_largest(state->q, s->model->dof_count), nothing = DBL_EPSILON * most;
  bool balanced = u->force <= fmax(tolerance * u->reference, nothing) ||
                  (u->force > 0.5 * last->force && u->force <= fw_step_round_off(s, state));
  bool met = u->contact <= fmax(contact_tolerance * u->reference, nothing) ||
             (u->contact > 0.5 * last->contact && u->contact <= u->rounding);
  return balanced && met && u->joint <= FW_STEP_JOINTS * fmax(s->scale, moved);
}

/* ---- the step ---------------------------------------------------------------------------- */

/* What sticks goes back to where it touched: there for the first time it does not yet know where. */
static double back_to_stick(const fw_stepper *s, int contact) {
  return s->kkt.fresh[contact] ? 0.0 : s->kkt.local[contact].scale_t * s->kin[contact].slip;
}

static fw_status find_step(fw_context *ctx, fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  fw_kkt *w = &s->kkt;
  double *forces = w->step + s->system->size;
  w->anchor = 0.0;
  FW_TRY(fw_kkt_factor(ctx, s, job, state));
  for (int64_t i = 0; i < s->system->size; i++) w->step[i] = -s->r[i];
  for (int i = 0; i < w->count; i++) {
    int c = w->point[i];
    const fw_local_residual *on = &w->conditions[c];
    forces[2 * i] = -on->r_n;
    forces[2 * i + 1] = fw_kkt_holds(w, c) ? back_to_stick(s, c) : -on->r_t;
  }
  FW_TRY(fw_factor_solve(ctx, w->factor, w->step, 1));
  for (int c = 0; c < s->model->contact_count; c++) w->dN[c] = w->dT[c] = 0.0;
  for (int i = 0; i < w->count; i++) {
    w->dN[w->point[i]] = forces[2 * i];
    w->dT[w->point[i]] = forces[2 * i + 1];
  }
  s->statistics.iterations++;
  return FW_OK;
}

static void remember(fw_stepper *s, const fw_state *state) {
  int n = s->model->dof_count;
  memcpy(s->from, state->q, (size_t)n * sizeof *s->from);
  memcpy(s->from + n, state->lambda, (size_t)s->model->constraint_count * sizeof *s->from);
  for (int c = 0; c < s->model->contact_count; c++) {
    s->kkt.N[c] = state->touch[c].N;
    s->kkt.T[c] = state->touch[c].T;
    s->kkt.law_T[c] = state->touch[c].T - s->kkt.conditions[c].r_t;
    s->kkt.slip[c] = s->kin[c].slip;
  }
}

/* To a part of the step, of the motion and of the forces. */
static void go(const fw_stepper *s, double way, double force, fw_state *state) {
  const fw_kkt *w = &s->kkt;
  int n = s->model->dof_count;
  for (int i = 0; i < n; i++) state->q[i] = s->from[i] + way * w->step[i];
  for (int i = 0; i < s->model->constraint_count; i++) state->lambda[i] = s->from[n + i] + force * w->step[n + i];
  for (int c = 0; c < s->model->contact_count; c++) {
    state->touch[c].N = w->N[c] + force * w->dN[c];
    state->touch[c].T = w->T[c] + force * w->dT[c];
  }
}

/* Where nothing, or little, holds the structure it goes until something does: an open point meets its target, a sliding
 * one comes back to where it began. Steps that are small against the model go their whole way. */
static double way_to_hold(const fw_stepper *s) {
  static const double beyond = 1e-6, small = 0.02;
  double way = 1.0;
  if (s->kkt.anchor == 0.0 && fw_step_largest(s->kkt.step, s->model->dof_count) <= small * fmin(s->scale, 1.0))
    return 1.0;
  for (int c = 0; c < s->model->contact_count; c++) {
    const fw_kinematic *kin = &s->kin[c];
    const fw_local_residual *on = &s->kkt.conditions[c];
    double gap = fw_kinematic_along(kin, kin->gap_q, s->kkt.step),
           slip = fw_kinematic_along(kin, kin->slip_q, s->kkt.step);
    if (on->status == FW_OPEN && kin->gap > 0.0 && gap < 0.0) way = fmin(way, (1.0 + beyond) * kin->gap / -gap);
    if (on->status == FW_SLIP && kin->slip * slip < 0.0) way = fmin(way, (1.0 + beyond) * -kin->slip / slip);
  }
  return way;
}

/* The merits of the last iterations: the active set changes with the iterate, so that a step may be worse than the
 * last, and at first than any. */
typedef struct fw_recent {
  double merit[MEMORY];
  int count;
} fw_recent;

static double worst_of(const fw_recent *recent) {
  double worst = 0.0;
  for (int i = 0; i < MEMORY && i < recent->count; i++) worst = fmax(worst, recent->merit[i]);
  return recent->count < FREELY ? INFINITY : worst;
}

/* The step of a matrix that is singular is along its null space. */
static void note_unheld(fw_stepper *s) {
  fw_unheld *motion = &s->kkt.unheld;
  const double *step = s->kkt.step;
  double most = 0.0;
  for (int i = 0; i < s->model->dof_count; i++)
    if (fabs(step[i]) > most) most = fabs(step[motion->dof = i]);
  for (int i = 0; i < s->kkt.count; i++) {
    const fw_kinematic *kin = &s->kin[s->kkt.point[i]];
    bool along = fabs(fw_kinematic_along(kin, kin->slip_q, step)) > 1e-3 * most;
    motion->slips = motion->slips || (along && s->kkt.conditions[s->kkt.point[i]].status == FW_SLIP);
  }
}

/* Goes along the step, less far while that makes things worse. */
static fw_status move(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_recent *recent, fw_state *state,
                      fw_unfulfilled *u) {
  static const double far = 1e3; /* of the model's size: nothing is in the way */
  double way = way_to_hold(s), part = 1.0, worst = worst_of(recent);
  fw_status status = FW_OK;
  if (way * fw_step_largest(s->kkt.step, s->model->dof_count) > far * s->scale) {
    if (s->kkt.anchor > 0.0) note_unheld(s);
    return FW_RECOVER_DIVERGED;
  }
  remember(s, state);
  for (int k = 0; k < SHORTENED_MOST; k++, part *= 0.5) {
    go(s, part * way, part, state);
    status = evaluate(ctx, s, job, 0.0, state, u);
    if (status < 0 || (status == FW_OK && u->merit <= (1.0 - 0.1 * part) * worst)) break;
  }
  recent->merit[recent->count++ % MEMORY] = u->merit;
  return status;
}

/* What is open carries nothing, not even rounding. */
static fw_status finish(fw_stepper *s, const fw_step_job *job, fw_state *state) {
  for (int c = 0; c < s->model->contact_count; c++)
    if (state->touch[c].status == FW_OPEN) state->touch[c].N = state->touch[c].T = 0.0;
  return fw_step_record(s, job, state);
}

static void forget_friction(fw_kkt *w, int points) {
  memset(w->law_T, 0, (size_t)points * sizeof *w->law_T);
  memset(w->change, 0, (size_t)points * sizeof *w->change);
  memset(w->swings, 0, (size_t)points * sizeof *w->swings);
}

fw_status fw_stepper_balance(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  fw_unfulfilled u;
  fw_recent recent = {0};
  s->statistics.steps++;
  FW_TRY(fw_kkt_create(ctx, s));
  s->kkt.unheld = (fw_unheld){.dof = -1};
  forget_friction(&s->kkt, s->model->contact_count);
  FW_TRY(evaluate(ctx, s, job, NEARLY * s->scale, state, &u));
  u.force = u.contact = INFINITY; /* of a state a little changed: nothing to stall from */
  double most = 0.0;
  for (int iteration = 0; iteration < ITERATIONS_MOST; iteration++) {
    const fw_unfulfilled last = u;
    most = fmax(most, u.reference);
    s->kkt.holding = iteration < HOLDING_MOST && !s->kkt.settled;
    FW_TRY(find_step(ctx, s, job, state));
    if (iteration == 0) s->kkt.first_move = fw_step_largest(s->kkt.step, s->model->dof_count);
    FW_TRY(move(ctx, s, job, &recent, state, &u));
    double reference = u.reference > 0.0 ? u.reference : 1.0;
    if (job->iterated) FW_TRY(job->iterated(job->user, u.force / reference, u.contact / reference));
    if (fulfilled(s, state, most, &u, &last)) return finish(s, job, state);
  }
  s->statistics.failures++;
  return FW_RECOVER_DIVERGED;
}

const fw_unheld *fw_stepper_unheld(const fw_stepper *stepper) { return &stepper->kkt.unheld; }

double fw_stepper_first_move(const fw_stepper *stepper) { return stepper->kkt.first_move; }
