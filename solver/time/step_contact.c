/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contact points of a step: detection, columns of the yielding structure, the local problem. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "solver/time/step_parts.h"

/* Share of its distance from the surface that a closed point gives up in a step: a jump would throw bodies apart. */
static const double relaxation = 0.01;

/* ---- life -------------------------------------------------------------------------------- */

fw_status fw_step_contact_create(fw_context *ctx, fw_stepper *s) {
  size_t points = (size_t)s->model->contact_count;
  FW_TRY(fw_alloc(ctx, points, sizeof *s->pair, &s->pair));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->follower, &s->follower));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->kin, &s->kin));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->columns, &s->columns));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->column_ready, &s->column_ready));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->jump_ready, &s->jump_ready));
  FW_TRY(fw_alloc(ctx, (size_t)s->system->size, sizeof *s->jump, &s->jump));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->is_active, &s->is_active));
  FW_TRY(fw_alloc(ctx, points, sizeof *s->active, &s->active));
  FW_TRY(fw_alloc(ctx, (size_t)s->model->dof_count, sizeof *s->configuration, &s->configuration));
  for (int p = 0; p < s->model->pair_count; p++) {
    const fw_pair *pair = s->model->pairs[p];
    for (int i = 0; i < pair->count; i++) {
      s->pair[pair->first_contact + i] = pair;
      s->follower[pair->first_contact + i] = i;
    }
  }
  return fw_hints_create(ctx, s->model, &s->hints);
}

void fw_step_contact_clear(fw_stepper *s) {
  for (int c = 0; s->columns && c < s->model->contact_count; c++) free(s->columns[c]);
  void *blocks[] = {(void *)s->pair, s->follower, s->kin,           (void *)s->columns, s->column_ready,
                    s->is_active,    s->active,   s->configuration, s->jump_ready,      s->jump};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
  fw_local_clear(&s->local);
  fw_flexible_clear(&s->flexible);
  fw_hints_destroy(&s->hints);
}

/* ---- detection --------------------------------------------------------------------------- */

static bool same_directions(const fw_kinematic *a, const fw_kinematic *b) {
  size_t n = (size_t)a->count;
  return a->count == b->count && !memcmp(a->dof, b->dof, n * sizeof *a->dof) &&
         !memcmp(a->gap_q, b->gap_q, n * sizeof *a->gap_q) && !memcmp(a->slip_q, b->slip_q, n * sizeof *a->slip_q);
}

fw_status fw_step_detect(fw_stepper *s, const fw_step_job *job, const double *q) {
  s->detected = false;
  for (int c = 0; c < s->model->contact_count; c++) {
    fw_kinematic kin;
    fw_status status =
        fw_pair_kinematics(s->model, s->pair[c], s->follower[c], job->old->q, &job->old->touch[c], q, &kin);
    if (status != FW_OK && status != FW_RECOVER_CONTACT) return status;
    if (!same_directions(&kin, &s->kin[c])) s->column_ready[c] = s->jump_ready[c] = false;
    s->curved = s->curved || kin.curved;
    /* second derivatives, most of the structure, only where there are some */
    memcpy(&s->kin[c], &kin, kin.curved ? sizeof kin : offsetof(fw_kinematic, gap_qq));
  }
  memcpy(s->configuration, q, (size_t)s->model->dof_count * sizeof *q);
  s->detected = true;
  return FW_OK;
}

fw_status fw_step_detect_begin(fw_stepper *s, const fw_step_job *job) {
  size_t bytes = (size_t)s->model->dof_count * sizeof *s->configuration;
  if (!s->detected || memcmp(s->configuration, job->old->q, bytes) != 0) return fw_step_detect(s, job, job->old->q);
  for (int c = 0; c < s->model->contact_count; c++) s->kin[c].slip = 0.0;
  return FW_OK;
}

/* ---- the local problem ------------------------------------------------------------------- */

/* The gap that a hard point keeps at the velocity level: that at which its velocity at the end of the step is what the
 * impact law asks, -e times that at the beginning. An open point is asked only if it would arrive within the step;
 * what has closed comes slowly back to the surface, wherever in the step it met it. */
static double floor_of_velocity(const fw_stepper *s, const fw_step_job *job, int contact) {
  const fw_touch *old = &job->old->touch[contact];
  const fw_kinematic *kin = &s->kin[contact];
  bool closed = old->status != FW_OPEN;
  if (!closed && old->gap + job->dt * old->gap_velocity > 0.0) return -INFINITY;
  double rebound = -s->pair[contact]->normal.restitution * fmin(old->gap_velocity, 0.0);
  double target = rebound - (closed ? relaxation * old->gap / job->dt : 0.0);
  return old->gap + (target - fw_kinematic_along(kin, kin->gap_q, job->v_free)) / job->rate_factor;
}

/* The gap below which a point carries force: 0, for a hard one that the last impact left a little sunk nearly that, for
 * one that is released -infinity. */
static double floor_of(const fw_stepper *s, const fw_step_job *job, int contact) {
  const fw_touch *old = &job->old->touch[contact];
  if (job->released && job->released[contact]) return -INFINITY;
  if (!fw_normal_is_rigid(&s->pair[contact]->normal) || !(job->dt > 0.0)) return 0.0;
  if (job->impulse_gain > 0.0) return floor_of_velocity(s, job, contact);
  return old->status != FW_OPEN ? (1.0 - relaxation) * fmin(old->gap, 0.0) : 0.0;
}

/* Gap or slip gained where the structure moves by `increment`. */
static double moved(const fw_stepper *s, const fw_kinematic *kin, const double *direction) {
  return fw_kinematic_along(kin, direction, s->increment);
}

/* Points that may carry a force when the structure moves by `increment`: closed before, or closing. */
static int find_active(fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  int count = 0;
  for (int c = 0; c < s->model->contact_count; c++) {
    double gap = s->kin[c].gap + moved(s, &s->kin[c], s->kin[c].gap_q), floor = floor_of(s, job, c);
    s->is_active[c] = isfinite(floor) && (gap <= floor || state->touch[c].N > 0.0);
    if (s->is_active[c]) s->active[count++] = c;
  }
  return count;
}

static void set_point(fw_stepper *s, const fw_step_job *job, fw_state *state, int i) {
  fw_local_problem *p = &s->local;
  int c = s->active[i];
  const fw_pair *pair = s->pair[c];
  const fw_kinematic *kin = &s->kin[c];
  size_t z = (size_t)pair->first_z + (size_t)s->follower[c] * (size_t)pair->states;
  p->points[i] = (fw_local){.pair = pair,
                            .old = &job->old->touch[c],
                            .z_old = job->old->z + z,
                            .floor = floor_of(s, job, c),
                            .mean = fw_step_is_mean(s, job, c),
                            .clings = job->clinging && job->clinging[c],
                            .dt = job->dt,
                            .place = fmax(s->scale, fmax(fabs(kin->place[0]), fabs(kin->place[1]))),
                            .rate_factor = job->rate_factor,
                            .gap_rate_free = job->v_free ? fw_kinematic_along(kin, kin->gap_q, job->v_free) : 0.0,
                            .slip_rate_free = job->v_free ? fw_kinematic_along(kin, kin->slip_q, job->v_free) : 0.0};
  p->z[i] = state->z + z;
  p->N[i] = state->touch[c].N;
  p->T[i] = state->touch[c].T;
  p->free[2 * i] = kin->gap + moved(s, kin, kin->gap_q);
  p->free[2 * i + 1] = kin->slip + moved(s, kin, kin->slip_q);
}

static fw_status set_local_problem(fw_context *ctx, fw_stepper *s, const fw_step_job *job, int count, fw_state *state) {
  fw_local_problem *p = &s->local;
  size_t n = 2 * (size_t)count;
  FW_TRY(fw_local_reserve(ctx, p, count));
  p->count = count;
  for (int i = 0; i < count; i++) {
    FW_TRY(fw_step_fill_columns(ctx, s, job, s->active[i]));
    set_point(s, job, state, i);
  }
  for (size_t i = 0; i < (size_t)count; i++)
    for (size_t j = 0; j < n; j++) {
      const fw_kinematic *kin = &s->kin[s->active[i]];
      int by = s->active[j / 2];
      size_t at = 2 * i * n + j;
      p->D[at] = fw_kinematic_along(kin, kin->gap_q, fw_step_column(s, by, j % 2));
      p->D[at + n] = fw_kinematic_along(kin, kin->slip_q, fw_step_column(s, by, j % 2));
    }
  return FW_OK;
}

fw_status fw_step_contact_linearise(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  fw_local_problem *p = &s->local;
  int count = 0;
  for (int c = 0; c < s->model->contact_count; c++)
    if (state->touch[c].status != FW_OPEN) s->active[count++] = c;
  memset(s->increment, 0, (size_t)s->system->size * sizeof *s->increment);
  FW_TRY(set_local_problem(ctx, s, job, count, state));
  size_t n = 2 * (size_t)count;
  for (size_t row = 0; row < n; row++)
    for (size_t j = 0; j < n; j++) p->free[row] -= p->D[row * n + j] * (j % 2 ? -p->T[j / 2] : p->N[j / 2]);
  fw_local_scale(p);
  return FW_OK;
}

fw_floor_past fw_step_floor_past(const fw_stepper *s, const fw_step_job *job, int contact) {
  const fw_touch *old = &job->old->touch[contact];
  const fw_kinematic *kin = &s->kin[contact];
  bool closed = old->status != FW_OPEN;
  if (!(job->impulse_gain > 0.0)) return (fw_floor_past){.gap = closed && old->gap < 0.0 ? 1.0 - relaxation : 0.0};
  double back = closed ? relaxation / job->dt : 0.0, rate = job->rate_factor;
  double e = old->gap_velocity < 0.0 ? s->pair[contact]->normal.restitution : 0.0;
  double target = -e * old->gap_velocity - back * old->gap;
  double missing = target - fw_kinematic_along(kin, kin->gap_q, job->v_free);
  return (fw_floor_past){.gap = 1.0 - back / rate,
                         .gap_velocity = -e / rate,
                         .free_rate = -1.0 / rate,
                         .length = (missing + back * old->gap) / (rate * job->dt)};
}

/* What the forces of the local problem do to the gap of a point outside it. */
static double pressed(const fw_stepper *s, int contact) {
  const fw_local_problem *p = &s->local;
  const fw_kinematic *kin = &s->kin[contact];
  double sum = 0.0;
  for (int i = 0; i < p->count; i++)
    for (int tangential = 0; tangential < 2; tangential++) {
      double force = tangential ? -p->T[i] : p->N[i];
      sum += force * fw_kinematic_along(kin, kin->gap_q, fw_step_column(s, s->active[i], tangential));
    }
  return sum;
}

/* Points outside the local problem that its forces press below their floor join it; returns how many there are then. */
static int find_pressed(fw_stepper *s, const fw_step_job *job) {
  int count = s->local.count;
  for (int c = 0; c < s->model->contact_count; c++) {
    double floor = s->is_active[c] ? -INFINITY : floor_of(s, job, c);
    if (!isfinite(floor)) continue;
    double gap = s->kin[c].gap + moved(s, &s->kin[c], s->kin[c].gap_q) + pressed(s, c);
    s->is_active[c] = gap < floor;
    if (s->is_active[c]) s->active[count++] = c;
  }
  return count;
}

fw_status fw_step_solve_contact(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  fw_local_problem *p = &s->local;
  FW_TRY(fw_step_add_carried(ctx, s, job));
  for (int count = find_active(s, job, state), before = -1; count != before; count = find_pressed(s, job)) {
    FW_TRY(set_local_problem(ctx, s, job, count, state));
    FW_TRY(fw_local_solve(ctx, p));
    before = count;
  }
  for (int c = 0; c < s->model->contact_count; c++) {
    fw_touch *touch = &state->touch[c];
    touch->status = FW_OPEN;
    touch->N = touch->T = 0.0;
  }
  for (int i = 0; i < p->count; i++) {
    fw_touch *touch = &state->touch[s->active[i]];
    touch->status = p->status[i];
    touch->N = p->N[i];
    touch->T = p->T[i];
  }
  fw_step_add_answers(s, job, state);
  return FW_OK;
}

/* ---- the solution ------------------------------------------------------------------------ */

/* True if a point without force below its floor is where its law has none: a compliant one that parts faster than its
 * damped spring could follow. */
static bool lets_go(const fw_stepper *s, const fw_step_job *job, int contact) {
  const fw_pair *pair = s->pair[contact];
  const fw_kinematic *kin = &s->kin[contact];
  if (fw_normal_is_rigid(&pair->normal) || !job->v_free) return false;
  double gain = kin->gap - job->old->touch[contact].gap;
  fw_normal_out law;
  fw_normal_force(&pair->normal, kin->gap, job->rate_factor * gain + fw_kinematic_along(kin, kin->gap_q, job->v_free),
                  &law);
  return law.N == 0.0;
}

bool fw_step_contact_holds(const fw_stepper *s, const fw_step_job *job, const fw_state *state, double moved) {
  for (int c = 0; c < s->model->contact_count; c++) {
    /* a millionth of the motion, and what rounding leaves of a place */
    double slack = 1e-6 * moved + 1e-12 * (fabs(s->kin[c].place[0]) + fabs(s->kin[c].place[1]));
    bool open = state->touch[c].status == FW_OPEN;
    double above = s->kin[c].gap - floor_of(s, job, c);
    if (open && above < -slack && !lets_go(s, job, c)) return false;
    if (!open && fw_normal_is_rigid(&s->pair[c]->normal) && fabs(above) > slack) return false;
  }
  return true;
}

void fw_step_write(fw_stepper *s, const fw_step_job *job, fw_state *state) {
  for (int c = 0; c < s->model->contact_count; c++) {
    fw_touch *touch = &state->touch[c];
    const fw_kinematic *kin = &s->kin[c];
    touch->gap = kin->gap;
    touch->slip = kin->slip;
    touch->segment = kin->segment;
    touch->xi = kin->xi;
    if (!job->v_free) continue;
    double gain = kin->gap - job->old->touch[c].gap;
    touch->slip_velocity = job->rate_factor * kin->slip + fw_kinematic_along(kin, kin->slip_q, job->v_free);
    touch->gap_velocity = job->rate_factor * gain + fw_kinematic_along(kin, kin->gap_q, job->v_free);
  }
  fw_hints_update(s->hints, s->model, state->q, state->touch);
}

fw_status fw_step_record(fw_stepper *s, const fw_step_job *job, fw_state *state) {
  FW_TRY(fw_step_detect(s, job, state->q));
  fw_step_write(s, job, state);
  return FW_OK;
}

fw_status fw_stepper_observe(fw_stepper *s, fw_state *state) {
  FW_TRY(fw_step_detect(s, &(fw_step_job){.old = state}, state->q));
  for (int c = 0; c < s->model->contact_count; c++) {
    fw_touch *touch = &state->touch[c];
    const fw_kinematic *kin = &s->kin[c];
    touch->gap = kin->gap;
    touch->segment = kin->segment;
    touch->xi = kin->xi;
    touch->gap_velocity = fw_kinematic_along(kin, kin->gap_q, state->v);
    touch->slip_velocity = fw_kinematic_along(kin, kin->slip_q, state->v);
  }
  return FW_OK;
}
