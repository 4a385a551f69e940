/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What contact forces do to the structure in a step. */
#include <math.h>
#include <string.h>

#include "solver/time/step_parts.h"

/* ---- how forces enter ---------------------------------------------------------------------- */

bool fw_step_is_mean(const fw_stepper *s, const fw_step_job *job, int contact) {
  return job->impulse_gain > 0.0 && fw_normal_is_rigid(&s->pair[contact]->normal);
}

static bool has_laws(const fw_pair *pair) { return fw_pair_rubs(pair) && !fw_pair_is_rigid(pair); }

/* Of a point whose N is a mean over the step, T of rigid friction is one too; that of laws with stiffness is the one at
 * the end of the step, and its mean that of both ends: `share` (T + carried). `gain` takes means into the balance. */
typedef struct fw_gains {
  double gain, share, carried;
} fw_gains;

static fw_gains gains_of(const fw_stepper *s, const fw_step_job *job, int contact) {
  if (!fw_step_is_mean(s, job, contact)) return (fw_gains){1.0, 1.0, 0.0};
  if (!has_laws(s->pair[contact])) return (fw_gains){job->impulse_gain, 1.0, 0.0};
  return (fw_gains){job->impulse_gain, 0.5, job->old->touch[contact].T};
}

bool fw_step_is_carried(const fw_stepper *s, const fw_step_job *job, int contact) {
  return fw_step_is_mean(s, job, contact) && has_laws(s->pair[contact]);
}

/* ---- columns ------------------------------------------------------------------------------- */

void fw_step_forget_columns(fw_stepper *s) {
  memset(s->column_ready, 0, (size_t)s->model->contact_count * sizeof *s->column_ready);
}

static void set_directions(const fw_kinematic *kin, double normal, double tangential, size_t size, double *gap) {
  double *slip = gap + size;
  memset(gap, 0, 2 * size * sizeof *gap);
  for (int i = 0; i < kin->count; i++) {
    gap[kin->dof[i]] = normal * kin->gap_q[i];
    slip[kin->dof[i]] = tangential * kin->slip_q[i];
  }
}

fw_status fw_step_fill_columns(fw_context *ctx, fw_stepper *s, const fw_step_job *job, int contact) {
  size_t size = (size_t)s->system->size;
  const fw_gains g = gains_of(s, job, contact);
  bool mean = fw_step_is_mean(s, job, contact);
  if (!s->columns[contact]) FW_TRY(fw_alloc(ctx, (mean ? 4 : 2) * size, sizeof(double), &s->columns[contact]));
  double *column = s->columns[contact], *jump = column + 2 * size;
  if (mean && !s->jump_ready[contact]) {
    set_directions(&s->kin[contact], 1.0, g.share, size, jump);
    FW_TRY(fw_factor_solve(ctx, job->mass_factor, jump, 2));
  }
  if (!s->column_ready[contact] && s->flexible.used) {
    const fw_kinematic *kin = &s->kin[contact];
    FW_TRY(fw_flexible_column(ctx, s, contact, g.gain, kin->gap_q, column));
    FW_TRY(fw_flexible_column(ctx, s, contact, g.gain * g.share, kin->slip_q, column + size));
  } else if (!s->column_ready[contact]) {
    set_directions(&s->kin[contact], g.gain, g.gain * g.share, size, column);
    FW_TRY(fw_factor_solve(ctx, s->factor, column, 2));
  }
  s->column_ready[contact] = s->jump_ready[contact] = true;
  return FW_OK;
}

const double *fw_step_column(const fw_stepper *s, int contact, bool tangential) {
  return s->columns[contact] + (tangential ? s->system->size : 0);
}

static void add_scaled(int64_t n, const double *column, double factor, double *sum) {
  for (int64_t k = 0; k < n; k++) sum[k] += factor * column[k];
}

/* Adds the answer of the structure to forces N, T of a point. */
static void add_answer(fw_stepper *s, const fw_step_job *job, int contact, double N, double T) {
  int64_t n = s->system->size;
  const double *column = s->columns[contact];
  if (s->flexible.used) {
    fw_flexible_add(&s->flexible, column, N, s->increment);
    fw_flexible_add(&s->flexible, column + n, -T, s->increment);
  } else {
    add_scaled(n, column, N, s->increment);
    add_scaled(n, column + n, -T, s->increment);
  }
  if (!fw_step_is_mean(s, job, contact)) return;
  add_scaled(n, column + 2 * n, N, s->jump);
  add_scaled(n, column + 3 * n, -T, s->jump);
}

fw_status fw_step_add_carried(fw_context *ctx, fw_stepper *s, const fw_step_job *job) {
  memset(s->jump, 0, (size_t)s->system->size * sizeof *s->jump);
  for (int c = 0; c < s->model->contact_count; c++) {
    fw_gains g = gains_of(s, job, c);
    if (g.carried == 0.0) continue;
    FW_TRY(fw_step_fill_columns(ctx, s, job, c));
    add_answer(s, job, c, 0.0, g.carried);
  }
  return FW_OK;
}

void fw_step_add_answers(fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  for (int i = 0; i < s->local.count; i++) {
    const fw_touch *touch = &state->touch[s->active[i]];
    add_answer(s, job, s->active[i], touch->N, touch->T);
  }
}

/* ---- forces in the balance ----------------------------------------------------------------- */

fw_point_force fw_step_point_force(const fw_stepper *s, const fw_step_job *job, const fw_state *state, int contact) {
  const fw_gains g = gains_of(s, job, contact);
  const fw_touch *touch = &state->touch[contact];
  return (fw_point_force){g.gain * touch->N, g.gain * g.share * (touch->T + g.carried)};
}

double fw_step_add_forces(fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  double largest = 0.0;
  for (int c = 0; c < s->model->contact_count; c++) {
    const fw_point_force f = fw_step_point_force(s, job, state, c);
    fw_kinematic_push(&s->kin[c], f.N, f.T, s->r);
    largest = fmax(largest, fmax(f.N, fabs(f.T)));
  }
  return largest;
}

void fw_stepper_hard_force(const fw_stepper *s, const fw_state *state, double *force) {
  memset(force, 0, (size_t)s->system->size * sizeof *force);
  for (int c = 0; c < s->model->contact_count; c++)
    if (fw_normal_is_rigid(&s->pair[c]->normal))
      fw_kinematic_push(&s->kin[c], state->touch[c].N, state->touch[c].T, force);
}

/* True if A has an entry for every pair of the point's freedoms. */
static bool pattern_covers(const fw_sparse *A, const fw_kinematic *kin) {
  for (int i = 0; i < kin->count; i++)
    for (int j = 0; j < kin->count; j++)
      if (fw_sparse_position(A, kin->dof[i], kin->dof[j]) < 0) return false;
  return true;
}

/* Between two bodies the pattern lacks entries; such a point is left out as a whole (half of its curvature would be
 * worse than none), which makes the iteration converge linearly, fast as long as the step is small against the
 * surface's radius, to the same limit. */
void fw_step_add_curvature(fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  for (int c = 0; c < s->model->contact_count; c++) {
    const fw_kinematic *kin = &s->kin[c];
    if (!kin->curved || state->touch[c].status == FW_OPEN || !pattern_covers(s->A, kin)) continue;
    const fw_point_force f = fw_step_point_force(s, job, state, c);
    for (int i = 0; i < kin->count; i++)
      for (int j = 0; j < kin->count; j++) {
        int k = i * kin->count + j;
        s->A->x[fw_sparse_position(s->A, kin->dof[i], kin->dof[j])] += f.T * kin->slip_qq[k] - f.N * kin->gap_qq[k];
      }
  }
}
