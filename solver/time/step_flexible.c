/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step of a linear structure whose contact directions turn, on the contact freedoms alone. With A = c_M M + c_C C + K
 * and F = A^-1 between the freedoms x that contact moves with,
 *     x = x_free + F g,   g = W(x) f,
 * x_free without contact, f the contact forces along the directions W. Newton's method takes the curvature
 * S = T slip_qq - N gap_qq of closed points along, by which forces turn: in
 *     dx = P (x_free - x) + P F W f,   P = (I + F S)^-1
 * f solves the local problem, and then g = W f - S dx. A is factored once; what curvature changes is a small dense
 * matrix. */
#include "solver/time/step_parts.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS_MOST = 40 };

/* ---- life -------------------------------------------------------------------------------- */

void fw_flexible_forget(fw_flexible *x) {
  for (int i = 0; i < x->answers; i++) x->place[x->dof[i]] = -1;
  x->answers = 0;
}

void fw_flexible_clear(fw_flexible *x) {
  for (int i = 0; i < x->most; i++) free(x->answer[i]);
  void *blocks[] = {
      x->place,  (void *)x->answer,     x->dof, x->is_row, x->row, x->bent, x->S, x->bent_place, x->weight,
      x->pivots, (void *)x->bent_answer};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
  *x = (fw_flexible){0};
}

static fw_status create(fw_context *ctx, fw_stepper *s) {
  fw_flexible *x = &s->flexible;
  size_t size = (size_t)s->system->size, most = FW_CONTACT_DOFS * (size_t)s->model->contact_count;
  if (most > size) most = size;
  if (x->place) return FW_OK;
  FW_TRY(fw_alloc(ctx, size, sizeof *x->is_row, &x->is_row));
  FW_TRY(fw_alloc(ctx, size, sizeof *x->bent_place, &x->bent_place));
  FW_TRY(fw_alloc(ctx, most, sizeof *x->dof, &x->dof));
  FW_TRY(fw_alloc(ctx, most, sizeof *x->row, &x->row));
  FW_TRY(fw_alloc(ctx, most, sizeof *x->bent, &x->bent));
  FW_TRY(fw_alloc(ctx, most, sizeof *x->bent_answer, &x->bent_answer));
  FW_TRY(fw_alloc(ctx, most, sizeof *x->weight, &x->weight));
  FW_TRY(fw_alloc(ctx, most, sizeof(lapack_int), &x->pivots));
  FW_TRY(fw_alloc(ctx, most, sizeof *x->answer, &x->answer));
  x->most = (int)most;
  FW_TRY(fw_alloc(ctx, size, sizeof *x->place, &x->place));
  for (size_t i = 0; i < size; i++) x->place[i] = x->bent_place[i] = -1;
  return FW_OK;
}

/* ---- how the structure yields -------------------------------------------------------------- */

/* A^-1 e of a freedom. */
static fw_status find_answer(fw_context *ctx, fw_stepper *s, int dof) {
  fw_flexible *x = &s->flexible;
  size_t size = (size_t)s->system->size;
  if (x->place[dof] >= 0) return FW_OK;
  double **answer = &x->answer[x->answers];
  if (!*answer) FW_TRY(fw_alloc(ctx, size, sizeof **answer, answer));
  memset(*answer, 0, size * sizeof **answer);
  (*answer)[dof] = 1.0;
  FW_TRY(fw_factor_solve(ctx, s->factor, *answer, 1));
  x->dof[x->answers] = dof;
  x->place[dof] = x->answers++;
  return FW_OK;
}

static fw_status find_answers(fw_context *ctx, fw_stepper *s, const fw_kinematic *kin) {
  for (int i = 0; i < kin->count; i++) FW_TRY(find_answer(ctx, s, kin->dof[i]));
  return FW_OK;
}

static void gather_rows(fw_stepper *s) {
  fw_flexible *x = &s->flexible;
  for (int i = 0; i < x->rows; i++) x->is_row[x->row[i]] = false;
  x->rows = 0;
  for (int c = 0; c < s->model->contact_count; c++)
    for (int i = 0; i < s->kin[c].count; i++) {
      int dof = s->kin[c].dof[i];
      if (!x->is_row[dof]) x->row[x->rows++] = dof;
      x->is_row[dof] = true;
    }
}

/* ---- curvature ----------------------------------------------------------------------------- */

static bool is_bent(const fw_stepper *s, const fw_state *state, int contact) {
  return s->kin[contact].curved && state->touch[contact].status != FW_OPEN;
}

static fw_status make_room(fw_context *ctx, fw_flexible *x) {
  size_t n = (size_t)x->bends * (size_t)x->bends;
  if (n > x->bent_room) {
    free(x->S);
    FW_TRY(fw_alloc(ctx, 2 * n, sizeof *x->S, &x->S));
    x->bent_room = n;
  }
  x->factor = x->S + n;
  return FW_OK;
}

static fw_status gather_bent(fw_context *ctx, fw_stepper *s, const fw_state *state) {
  fw_flexible *x = &s->flexible;
  for (int i = 0; i < x->bends; i++) x->bent_place[x->bent[i]] = -1;
  x->bends = 0;
  for (int c = 0; c < s->model->contact_count; c++) {
    if (!is_bent(s, state, c)) continue;
    FW_TRY(find_answers(ctx, s, &s->kin[c]));
    for (int i = 0; i < s->kin[c].count; i++) {
      int dof = s->kin[c].dof[i];
      if (x->bent_place[dof] >= 0) continue;
      x->bent[x->bends] = dof;
      x->bent_place[dof] = x->bends++;
    }
  }
  for (int i = 0; i < x->bends; i++) x->bent_answer[i] = x->answer[x->place[x->bent[i]]];
  return make_room(ctx, x);
}

static void add_bend(fw_stepper *s, const fw_step_job *job, const fw_state *state, int contact) {
  fw_flexible *x = &s->flexible;
  const fw_kinematic *kin = &s->kin[contact];
  const fw_point_force f = fw_step_point_force(s, job, state, contact);
  for (int i = 0; i < kin->count; i++)
    for (int j = 0; j < kin->count; j++) {
      int k = i * kin->count + j;
      x->S[x->bent_place[kin->dof[i]] * x->bends + x->bent_place[kin->dof[j]]] +=
          f.T * kin->slip_qq[k] - f.N * kin->gap_qq[k];
    }
}

/* I + S F between the freedoms of bent points, factored. */
static fw_status factor_bends(fw_context *ctx, fw_stepper *s, const fw_step_job *job, const fw_state *state) {
  fw_flexible *x = &s->flexible;
  FW_TRY(gather_bent(ctx, s, state));
  int n = x->bends;
  if (n == 0) return FW_OK;
  memset(x->S, 0, (size_t)n * (size_t)n * sizeof *x->S);
  for (int c = 0; c < s->model->contact_count; c++)
    if (is_bent(s, state, c)) add_bend(s, job, state, c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j ? 1.0 : 0.0;
      for (int k = 0; k < n; k++) sum += x->S[i * n + k] * x->bent_answer[j][x->bent[k]];
      x->factor[j * n + i] = sum;
    }
  return LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, x->factor, n, x->pivots) == 0 ? FW_OK : FW_RECOVER_DIVERGED;
}

/* weight = S v. */
static void multiply_bends(fw_flexible *x, const double *v) {
  for (int i = 0; i < x->bends; i++) {
    x->weight[i] = 0.0;
    for (int j = 0; j < x->bends; j++) x->weight[i] += x->S[i * x->bends + j] * v[x->bent[j]];
  }
}

/* v = (I + F S)^-1 v = v - F (I + S F)^-1 S v at the rows. */
static void bend(fw_flexible *x, double *v) {
  if (x->bends == 0) return;
  multiply_bends(x, v);
  LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', x->bends, 1, x->factor, x->bends, x->pivots, x->weight, x->bends);
  for (int i = 0; i < x->bends; i++)
    for (int r = 0; r < x->rows; r++) v[x->row[r]] -= x->bent_answer[i][x->row[r]] * x->weight[i];
}

/* ---- columns ------------------------------------------------------------------------------- */

fw_status fw_flexible_column(fw_context *ctx, fw_stepper *s, int contact, double gain, const double *direction,
                             double *column) {
  fw_flexible *x = &s->flexible;
  const fw_kinematic *kin = &s->kin[contact];
  FW_TRY(find_answers(ctx, s, kin));
  for (int r = 0; r < x->rows; r++) column[x->row[r]] = 0.0;
  for (int i = 0; i < kin->count; i++) {
    const double *answer = x->answer[x->place[kin->dof[i]]];
    double force = gain * direction[i];
    for (int r = 0; force != 0.0 && r < x->rows; r++) column[x->row[r]] += force * answer[x->row[r]];
  }
  bend(x, column);
  return FW_OK;
}

void fw_flexible_add(const fw_flexible *x, const double *column, double factor, double *sum) {
  for (int r = 0; r < x->rows; r++) sum[x->row[r]] += factor * column[x->row[r]];
}

/* ---- the step ------------------------------------------------------------------------------ */

/* Newton's step: forces, and s->r = g with the rows of q that go with it. */
static fw_status iterate(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  fw_flexible *x = &s->flexible;
  gather_rows(s);
  FW_TRY(factor_bends(ctx, s, job, state));
  fw_step_forget_columns(s);
  for (int r = 0; r < x->rows; r++) s->increment[x->row[r]] = s->from[x->row[r]] - state->q[x->row[r]];
  bend(x, s->increment);
  FW_TRY(fw_step_solve_contact(ctx, s, job, state));
  memset(s->r, 0, (size_t)s->system->size * sizeof *s->r);
  fw_step_add_forces(s, job, state);
  multiply_bends(x, s->increment);
  for (int i = 0; i < x->bends; i++) s->r[x->bent[i]] -= x->weight[i];
  for (int r = 0; r < x->rows; r++) state->q[x->row[r]] = s->from[x->row[r]];
  for (int i = 0; i < x->answers; i++)
    for (int r = 0; s->r[x->dof[i]] != 0.0 && r < x->rows; r++)
      state->q[x->row[r]] += s->r[x->dof[i]] * x->answer[i][x->row[r]];
  s->statistics.iterations++;
  return FW_OK;
}

/* The largest of W f - g with the directions where the structure has come to. */
static double out_of_balance(fw_stepper *s, const fw_step_job *job, const fw_state *state, double *force) {
  int64_t n = s->system->size;
  for (int64_t i = 0; i < n; i++) {
    s->increment[i] = s->r[i];
    s->r[i] = -s->r[i];
  }
  *force = fw_step_add_forces(s, job, state);
  double out = fw_step_largest(s->r, n);
  memcpy(s->r, s->increment, (size_t)n * sizeof *s->r);
  return out;
}

/* All freedoms and the internal force at the solution. */
static fw_status finish(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  const fw_flexible *x = &s->flexible;
  memcpy(state->q, s->from, (size_t)s->model->dof_count * sizeof *state->q);
  for (int i = 0; i < x->answers; i++) {
    double force = s->r[x->dof[i]];
    for (int k = 0; force != 0.0 && k < s->model->dof_count; k++) state->q[k] += force * x->answer[i][k];
  }
  FW_TRY(fw_system_force(ctx, s->system, state->q, state->lambda, job->time, s->f_int, false));
  fw_step_write(s, job, state);
  s->detected = false; /* of all freedoms */
  return FW_OK;
}

static fw_status free_motion(fw_context *ctx, fw_stepper *s, const fw_step_job *job) {
  for (int64_t i = 0; i < s->system->size; i++) s->from[i] = job->rhs[i] - s->system->f_zero[i];
  return fw_factor_solve(ctx, s->factor, s->from, 1);
}

static fw_status newton(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  double last = INFINITY, force, largest = fw_step_largest(job->rhs, s->model->dof_count);
  for (int iteration = 0; iteration < ITERATIONS_MOST; iteration++) {
    FW_TRY(fw_step_detect(s, job, state->q));
    if (iteration > 0) {
      double out = out_of_balance(s, job, state, &force);
      if (!isfinite(out)) return FW_RECOVER_NAN;
      if (fw_step_balanced(s, state, out, last, fmax(largest, force)) &&
          fw_step_contact_holds(s, job, state, fw_step_largest(state->q, s->model->dof_count)))
        return finish(ctx, s, job, state);
      last = out;
    }
    FW_TRY(iterate(ctx, s, job, state));
  }
  return FW_RECOVER_DIVERGED;
}

fw_status fw_flexible_solve(fw_context *ctx, fw_stepper *s, const fw_step_job *job, fw_state *state) {
  FW_TRY(create(ctx, s));
  FW_TRY(fw_step_factor_linear(ctx, s, job));
  FW_TRY(free_motion(ctx, s, job));
  s->flexible.used = true;
  fw_status status = newton(ctx, s, job, state);
  s->flexible.used = false;
  return status;
}
