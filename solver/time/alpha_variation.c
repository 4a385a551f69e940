/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of generalised-alpha differentiated. A step of length h from (q, v, a, p), p the algorithmic acceleration, ends
 * where
 *
 *   M a1 + C v1 + f_int(q1) = f(t1) + W_n N - W_t T,    a1 = c_M (q1 - q) + history,  v1 = c_C (q1 - q) + v_free
 *
 * and the conditions of contact hold. With dq1 = 0 the ends' accelerations and velocities change by
 *
 *   a_part = -c_M dq + d history - 2 c_M (q1 - q) dh/h,   v_part = -c_C dq + d v_free - c_C (q1 - q) dh/h,
 *
 * so that, A the step's own matrix,
 *
 *   A dq1 = df - M a_part - C v_part + W_n dN - W_t dT,
 *
 * and dN, dT follow from the linearised conditions of the points that are closed (fw_local_vary): who is closed and who
 * sticks is what the step has found. Damping that turns is taken as if it did not turn, directions of contact as if
 * they were those at the step's end throughout. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/assembly/constraints.h"
#include "solver/time/alpha_parts.h"
#include "solver/time/step_parts.h"

/* What a step's derivatives need beside the step. */
typedef struct fw_step_change {
  fw_alpha *a;
  fw_variation *x;
  const fw_step_job *job;
  double *a_part, *v_part; /* [count x n] */
  double *moved;           /* [count x size] becomes dq1, joints' multipliers behind it */
  double *forces;          /* [count x 2 points] */
  double *jump;            /* [size] */
  fw_local_past *past;     /* [points] */
  double *law;             /* room of the pasts, and of the laws */
} fw_step_change;

static void step_change_clear(fw_step_change *d) {
  void *blocks[] = {d->a_part, d->v_part, d->moved, d->forces, d->jump, d->past, d->law};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

/* ---- the structure ------------------------------------------------------------------------- */

static void change_parts(const fw_step_change *d, int k) {
  const fw_alpha *a = d->a;
  const fw_variation *x = d->x;
  int n = x->n;
  const double *dq = fw_variation_of(x->q, n, k), *dv = fw_variation_of(x->v, n, k);
  const double *da = fw_variation_of(x->a, n, k), *dp = fw_variation_of(x->algorithmic, n, k);
  double *a_part = fw_variation_of(d->a_part, n, k), *v_part = fw_variation_of(d->v_part, n, k);
  double h = d->job->dt, dh = x->part[k], mass = d->job->mass, rate = d->job->rate_factor;
  double weight = (1.0 - a->alpha_m) / (1.0 - a->alpha_f), half = 1.0 - 0.5 * a->gamma / a->beta;
  for (int i = 0; i < n; i++) {
    double gone = a->new_state->q[i] - a->old->q[i], v = a->old->v[i];
    double history = -weight * (dv[i] / (a->beta * h) + (0.5 / a->beta - 1.0) * dp[i]) +
                     (a->alpha_m * dp[i] - a->alpha_f * da[i]) / (1.0 - a->alpha_f) +
                     weight * v / (a->beta * h * h) * dh;
    double v_free = (1.0 - a->gamma / a->beta) * dv[i] + half * (h * dp[i] + a->algorithmic[i] * dh);
    a_part[i] = -mass * dq[i] + history - 2.0 * mass * gone * dh / h;
    v_part[i] = -rate * dq[i] + v_free - rate * gone * dh / h;
  }
}

/* Loads, EPMC's damping and prescribed motions at the end of the step, whose time and drive change. */
static void change_loads(const fw_step_change *d, int k, double *force) {
  const fw_alpha *a = d->a;
  double time = d->x->time[k] + d->x->part[k];
  double paced = time + d->job->time * d->x->pace[k] / (1.0 + a->model->hurry);
  fw_variation_loads(d->x, k, a->old, d->job->time, a->omega, time, force);
  fw_variation_epmc(d->x, k, a->system->M, a->new_state->v, d->jump, force);
  if (a->model->constraint_count == 0 || paced == 0.0) return;
  double *phi_t = d->jump;
  fw_constraints_find(a->model, a->new_state->q, NULL, d->job->time, &(fw_constraints){.phi_t = phi_t});
  for (int i = 0; i < a->model->constraint_count; i++) force[a->model->dof_count + i] -= phi_t[i] * paced;
}

static fw_status move_freely(fw_context *ctx, const fw_step_change *d) {
  const fw_system *system = d->a->system;
  int n = d->x->n;
  size_t size = (size_t)system->size;
  double *padded = d->jump;
  for (int k = 0; k < d->x->count; k++) {
    double *moved = fw_variation_of(d->moved, (int)size, k);
    change_parts(d, k);
    change_loads(d, k, moved);
    memset(padded, 0, size * sizeof *padded);
    memcpy(padded, fw_variation_of(d->a_part, n, k), (size_t)n * sizeof *padded);
    fw_sparse_multiply(system->M, -1.0, padded, moved);
    memcpy(padded, fw_variation_of(d->v_part, n, k), (size_t)n * sizeof *padded);
    fw_sparse_multiply(system->C, -1.0, padded, moved);
  }
  return fw_factor_solve(ctx, d->a->stepper->factor, d->moved, d->x->count);
}

/* ---- contact ------------------------------------------------------------------------------- */

/* What a change does to the kinematics of a closed point, by what the step began with. */
typedef struct fw_point_change {
  double gap, slip;           /* at the end, forces kept */
  double gap_old, slip_old;   /* of the displacements at the beginning, */
  double gap_rate_old, v0;    /* and the velocities */
  double gap_rate, slip_rate; /* of the velocities at the end with its displacements kept */
  double gap_free;            /* of v_free */
} fw_point_change;

static fw_point_change point_change(const fw_step_change *d, const fw_kinematic *kin, int k) {
  const fw_variation *x = d->x;
  const fw_alpha *a = d->a;
  const double *dq = fw_variation_of(x->q, x->n, k), *dv = fw_variation_of(x->v, x->n, k);
  const double *moved = fw_variation_of(d->moved, (int)a->system->size, k);
  const double *v_part = fw_variation_of(d->v_part, x->n, k);
  fw_point_change p = {.gap = fw_kinematic_along(kin, kin->gap_q, moved),
                       .slip = fw_kinematic_along(kin, kin->slip_q, moved),
                       .gap_old = fw_kinematic_along(kin, kin->gap_q, dq),
                       .slip_old = fw_kinematic_along(kin, kin->slip_q, dq),
                       .gap_rate_old = fw_kinematic_along(kin, kin->gap_q, dv),
                       .v0 = fw_kinematic_along(kin, kin->slip_q, dv),
                       .gap_rate = fw_kinematic_along(kin, kin->gap_q, v_part),
                       .slip_rate = fw_kinematic_along(kin, kin->slip_q, v_part)};
  double gone = fw_kinematic_along(kin, kin->gap_q, a->new_state->q) - fw_kinematic_along(kin, kin->gap_q, a->old->q);
  p.gap_free = p.gap_rate + d->job->rate_factor * (p.gap_old + gone * x->part[k] / d->job->dt);
  return p;
}

/* dz of a point at the beginning of the step. */
static double *states_of(const fw_step_change *d, int contact, int k) {
  const fw_pair *pair = d->a->stepper->pair[contact];
  return fw_variation_of(d->x->z, d->x->states, k) + pair->first_z + d->a->stepper->follower[contact] * pair->states;
}

/* Change of r_n and r_t of a point with its forces kept. */
static void change_residuals(const fw_step_change *d, int i, int k, double *change) {
  const fw_stepper *s = d->a->stepper;
  int contact = s->active[i];
  const fw_local_past *past = &d->past[i];
  const fw_point_change p = point_change(d, &s->kin[contact], k);
  const double *dz = states_of(d, contact, k);
  fw_local_residual on;
  fw_local_motion motion = s->local.motion[i];
  fw_local_evaluate(&s->local.points[i], s->local.N[i], s->local.T[i], &motion, d->law, s->local.z[i], &on);
  change[0] = on.n_gap * p.gap + past->n_rate * p.gap_rate;
  if (fw_normal_is_rigid(&s->pair[contact]->normal)) {
    fw_floor_past floor = fw_step_floor_past(s, d->job, contact);
    change[0] -= on.n_gap * (floor.gap * p.gap_old + floor.gap_velocity * p.gap_rate_old +
                             floor.free_rate * p.gap_free + floor.length * d->x->part[k]);
  }
  change[1] = on.t_slip * p.slip - past->t_slip * p.slip_old + past->t_rate * p.slip_rate + past->t_v0 * p.v0 +
              past->t_N0 * fw_variation_of(d->x->N, d->x->contacts, k)[contact] + past->t_dt * d->x->part[k];
  for (int j = 0; j < s->pair[contact]->states; j++) change[1] += past->t_z[j] * dz[j];
}

/* Derivatives of all closed points by what the step began with. */
static fw_status differentiate_points(fw_context *ctx, fw_step_change *d) {
  const fw_local_problem *p = &d->a->stepper->local;
  size_t room = 1, work = 1;
  for (int i = 0; i < p->count; i++) {
    size_t states = (size_t)p->points[i].pair->states;
    size_t need = fw_local_work(p->points[i].pair) + fw_local_past_work(p->points[i].pair);
    room += states * (states + FW_STEP_INPUTS + 2);
    work = need > work ? need : work;
  }
  FW_TRY(fw_alloc(ctx, (size_t)p->count, sizeof *d->past, &d->past));
  FW_TRY(fw_alloc(ctx, room + work, sizeof *d->law, &d->law));
  double *at = d->law + work;
  for (int i = 0; i < p->count; i++) {
    size_t states = (size_t)p->points[i].pair->states;
    d->past[i] = (fw_local_past){.t_z = at, .z_dt = at + states, .z_x = at + 2 * states};
    d->past[i].z_z = d->past[i].z_x + states * FW_STEP_INPUTS;
    at = d->past[i].z_z + states * states;
    fw_local_differentiate(&p->points[i], p->N[i], p->T[i], &p->motion[i], d->law, &d->past[i]);
  }
  return FW_OK;
}

static void add_scaled(size_t n, const double *column, double factor, double *sum) {
  for (size_t i = 0; factor != 0.0 && i < n; i++) sum[i] += factor * column[i];
}

/* Friction at the beginning of the step acts through half of it where forces are means (step_columns.c). */
static fw_status move_carried(fw_context *ctx, const fw_step_change *d) {
  fw_stepper *s = d->a->stepper;
  size_t size = (size_t)d->a->system->size;
  for (int c = 0; c < d->x->contacts; c++) {
    if (!fw_step_is_carried(s, d->job, c)) continue;
    FW_TRY(fw_step_fill_columns(ctx, s, d->job, c));
    for (int k = 0; k < d->x->count; k++)
      add_scaled(size, fw_step_column(s, c, true), -fw_variation_of(d->x->T, d->x->contacts, k)[c],
                 fw_variation_of(d->moved, (int)size, k));
  }
  return FW_OK;
}

static fw_status change_forces(fw_context *ctx, fw_step_change *d) {
  fw_stepper *s = d->a->stepper;
  fw_local_problem *p = &s->local;
  size_t size = (size_t)d->a->system->size, n = 2 * (size_t)p->count;
  for (int i = 0; i < p->count; i++)
    p->motion[i] = (fw_local_motion){s->kin[s->active[i]].gap, s->kin[s->active[i]].slip};
  FW_TRY(differentiate_points(ctx, d));
  FW_TRY(move_carried(ctx, d));
  FW_TRY(fw_alloc(ctx, n * (size_t)d->x->count, sizeof *d->forces, &d->forces));
  for (int k = 0; k < d->x->count; k++)
    for (int i = 0; i < p->count; i++) change_residuals(d, i, k, d->forces + (size_t)k * n + 2 * i);
  FW_TRY(fw_local_vary(ctx, p, d->x->count, d->forces));
  for (int k = 0; k < d->x->count; k++)
    for (int i = 0; i < p->count; i++) {
      double *moved = fw_variation_of(d->moved, (int)size, k), *force = d->forces + (size_t)k * n + 2 * i;
      add_scaled(size, fw_step_column(s, s->active[i], false), force[0], moved);
      add_scaled(size, fw_step_column(s, s->active[i], true), -force[1], moved);
    }
  return FW_OK;
}

/* ---- the end of the step ------------------------------------------------------------------- */

/* Change of the mean velocity jump of the step over its length, in d->jump. */
static void change_jump(const fw_step_change *d, int k) {
  const fw_stepper *s = d->a->stepper;
  size_t size = (size_t)d->a->system->size, n = 2 * (size_t)s->local.count;
  memset(d->jump, 0, size * sizeof *d->jump);
  for (int c = 0; c < d->x->contacts; c++)
    if (fw_step_is_carried(s, d->job, c))
      add_scaled(size, s->columns[c] + 3 * size, -fw_variation_of(d->x->T, d->x->contacts, k)[c], d->jump);
  for (int i = 0; i < s->local.count; i++) {
    if (!fw_step_is_mean(s, d->job, s->active[i])) continue;
    const double *column = s->columns[s->active[i]] + 2 * size, *force = d->forces + (size_t)k * n + 2 * i;
    add_scaled(size, column, force[0], d->jump);
    add_scaled(size, column + size, -force[1], d->jump);
  }
}

static void end_motion(const fw_step_change *d, int k) {
  const fw_alpha *a = d->a;
  fw_variation *x = d->x;
  int n = x->n;
  double *dq = fw_variation_of(x->q, n, k), *dv = fw_variation_of(x->v, n, k), *da = fw_variation_of(x->a, n, k),
         *dp = fw_variation_of(x->algorithmic, n, k);
  const double *moved = fw_variation_of(d->moved, (int)a->system->size, k);
  double gain = d->job->impulse_gain;
  if (gain > 0.0) change_jump(d, k);
  for (int i = 0; i < n; i++) {
    double smooth = d->job->mass * moved[i] + fw_variation_of(d->a_part, n, k)[i];
    if (gain > 0.0) smooth -= gain * d->jump[i];
    dp[i] = ((1.0 - a->alpha_f) * smooth + a->alpha_f * da[i] - a->alpha_m * dp[i]) / (1.0 - a->alpha_m);
    da[i] = smooth;
    dq[i] = moved[i];
    dv[i] = d->job->rate_factor * moved[i] + fw_variation_of(d->v_part, n, k)[i];
  }
}

/* States of a closed point at the end: z_x (du, v0, v1, N0, N1) + z_z dz + z_dt dh. old: room for its states. */
static void end_states(const fw_step_change *d, int i, int k, double *old) {
  const fw_stepper *s = d->a->stepper;
  int contact = s->active[i], states = s->pair[contact]->states;
  const fw_local_past *past = &d->past[i];
  const fw_point_change p = point_change(d, &s->kin[contact], k);
  double *dz = states_of(d, contact, k), dN = d->forces[2 * ((size_t)k * (size_t)s->local.count + (size_t)i)];
  double N0 = s->local.points[i].mean ? dN : fw_variation_of(d->x->N, d->x->contacts, k)[contact];
  const double inputs[FW_STEP_INPUTS] = {p.slip - p.slip_old, p.v0, d->job->rate_factor * p.slip + p.slip_rate, N0, dN};
  memcpy(old, dz, (size_t)states * sizeof *old);
  for (int j = 0; j < states; j++) {
    dz[j] = past->z_dt[j] * d->x->part[k];
    for (int m = 0; m < FW_STEP_INPUTS; m++) dz[j] += past->z_x[j * FW_STEP_INPUTS + m] * inputs[m];
    for (int m = 0; m < states; m++) dz[j] += past->z_z[j * states + m] * old[m];
  }
}

static void end_friction(const fw_step_change *d, int k) {
  const fw_stepper *s = d->a->stepper;
  const fw_state *now = d->a->new_state;
  for (int c = 0; c < d->x->contacts; c++) { /* what is open has forgotten */
    if (now->touch[c].status != FW_OPEN) continue;
    memset(states_of(d, c, k), 0, (size_t)s->pair[c]->states * sizeof(double));
  }
  for (int i = 0; i < s->local.count; i++) end_states(d, i, k, d->law);
}

static void end_forces(const fw_step_change *d, int k) {
  const fw_stepper *s = d->a->stepper;
  for (int c = 0; c < d->x->contacts; c++)
    fw_variation_of(d->x->N, d->x->contacts, k)[c] = fw_variation_of(d->x->T, d->x->contacts, k)[c] = 0.0;
  for (int i = 0; i < s->local.count; i++) {
    const double *force = d->forces + 2 * ((size_t)k * (size_t)s->local.count + (size_t)i);
    fw_variation_of(d->x->N, d->x->contacts, k)[s->active[i]] = force[0];
    fw_variation_of(d->x->T, d->x->contacts, k)[s->active[i]] = force[1];
  }
}

fw_status fw_alpha_vary(fw_context *ctx, fw_alpha *a) {
  fw_variation *x = a->variation;
  fw_status status = FW_OK;
  fw_step_change d = {.a = a, .x = x, .job = &a->job};
  size_t changes = (size_t)x->count, size = (size_t)a->system->size;
  FW_TRY_DONE(fw_stepper_linearise(ctx, a->stepper, &a->job, a->new_state));
  FW_TRY_DONE(fw_alloc(ctx, changes * (size_t)x->n, sizeof *d.a_part, &d.a_part));
  FW_TRY_DONE(fw_alloc(ctx, changes * (size_t)x->n, sizeof *d.v_part, &d.v_part));
  FW_TRY_DONE(fw_alloc(ctx, changes * size, sizeof *d.moved, &d.moved));
  FW_TRY_DONE(fw_alloc(ctx, size + 1, sizeof *d.jump, &d.jump));
  FW_TRY_DONE(move_freely(ctx, &d));
  FW_TRY_DONE(change_forces(ctx, &d));
  for (int k = 0; k < x->count; k++) {
    end_friction(&d, k);
    end_motion(&d, k);
    end_forces(&d, k);
    x->time[k] += x->part[k];
  }
done:
  step_change_clear(&d);
  return status;
}
