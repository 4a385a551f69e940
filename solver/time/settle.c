/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/settle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/assembly/constraints.h"

enum { STEPS_MOST = 400 };
static const double NOTHING = 1e-10;     /* of the largest force: what c M (q - q_old) may still be */
static const double LONGEST = 0.2;       /* a step, of the model's size or rad */
static const double FAR = 20.0;          /* of the model's size: nothing is in the way */
static const double EASIER = 0.2;        /* c after a step that was made, */
static const double HARDER = 4.0;        /* and after one that was not */
static const double FIRST = 100.0;       /* of what would move freedoms by the model's size */
static const double HARDEST_RANGE = 1e9; /* beyond the first c */
static const double DRIFT = 0.2;         /* of the model's size, under a force that stays */
static const double STEADY = 1.4;        /* within this factor */

typedef struct fw_descent {
  fw_system *system;
  fw_stepper *stepper;
  const fw_step_job *job;
  fw_state *from, *to; /* ends of a step */
  double *rhs;         /* [size] */
  double *last;        /* [size] M times the step before */
  double c, first_c, length, reference, travelled;
  double *milestone; /* [dof_count] q where the force that is not yet balanced last changed */
  double surplus;    /* which it was there (N) */
} fw_descent;

static double largest(const double *x, int64_t n) {
  double most = 0.0;
  for (int64_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* So much of inertia that the loads would move no freedom by more than a hundredth of the model. */
static double first_inertia(const fw_descent *d) {
  const fw_sparse *M = d->system->M;
  double lightest = INFINITY;
  for (int64_t i = 0; i < d->system->model->dof_count; i++) {
    double mass = M->x[fw_sparse_position(M, i, i)];
    if (mass > 0.0 && d->job->rhs[i] != 0.0) lightest = fmin(lightest, mass / fabs(d->job->rhs[i]));
  }
  return isfinite(lightest) ? FIRST / (lightest * d->length) : 1.0;
}

static fw_status try_step(fw_context *ctx, const fw_descent *d) {
  fw_step_job job = *d->job;
  size_t bytes = (size_t)d->system->size * sizeof *d->rhs;
  job.old = d->from;
  job.mass = d->c;
  job.rhs = d->rhs;
  memcpy(d->rhs, d->job->rhs, bytes);
  fw_sparse_multiply(d->system->M, d->c, d->from->q, d->rhs);
  fw_state_assign(d->to, d->from);
  FW_TRY(d->system->model->contact_count > 0 ? fw_stepper_balance(ctx, d->stepper, &job, d->to)
                                             : fw_stepper_solve(ctx, d->stepper, &job, d->to));
  fw_stepper_commit(&job, d->to);
  return FW_OK;
}

/* An implicit step downhill is short and never turns back, as one does that climbs to an unstable equilibrium. */
static bool is_downhill(fw_descent *d) {
  double along = 0.0, most = 0.0;
  int n = d->system->model->dof_count;
  for (int i = 0; i < n; i++) {
    double step = d->to->q[i] - d->from->q[i];
    most = fmax(most, fabs(step));
    along += step * d->last[i];
  }
  return most <= LONGEST * d->length && (along >= 0.0 || d->system->model->contact_count > 0);
}

/* What nothing holds is moved by a force that does not change, however far it goes. Pendulums and bodies that only joints
 * hold swing back from farther. */
static bool drifts(fw_descent *d, double surplus) {
  int n = d->system->model->dof_count;
  double moved = 0.0;
  if (d->system->model->contact_count == 0) return false;
  if (!(surplus < STEADY * d->surplus && surplus > d->surplus / STEADY)) {
    memcpy(d->milestone, d->from->q, (size_t)n * sizeof *d->milestone);
    d->surplus = surplus;
  }
  for (int i = 0; i < n; i++) moved = fmax(moved, fabs(d->from->q[i] - d->milestone[i]));
  return moved > DRIFT * d->length;
}

/* The freedom that went farthest, and whether closed contact slides along with it. */
static void note_drift(const fw_descent *d, fw_unheld *drift) {
  double most = 0.0;
  for (int i = 0; i < d->system->model->dof_count; i++) {
    double moved = fabs(d->from->q[i] - d->milestone[i]);
    if (moved > most) {
      most = moved;
      drift->dof = i;
    }
  }
  for (int c = 0; c < d->system->model->contact_count; c++)
    drift->slips = drift->slips || d->from->touch[c].status == FW_SLIP;
}

/* Takes the step; returns what is left of c M (q - q_old). */
static double take_step(fw_descent *d) {
  int n = d->system->model->dof_count;
  for (int i = 0; i < n; i++) d->from->q[i] = d->to->q[i] - d->from->q[i];
  d->travelled += largest(d->from->q, n);
  memset(d->last, 0, (size_t)d->system->size * sizeof *d->last);
  fw_sparse_multiply(d->system->M, 1.0, d->from->q, d->last);
  fw_state_assign(d->from, d->to);
  return d->c * largest(d->last, n);
}

static fw_status descend(fw_context *ctx, fw_descent *d, fw_unheld *drift) {
  for (int step = 0; step < STEPS_MOST && d->travelled < FAR * d->length; step++) {
    FW_TRY(fw_interrupted(ctx));
    fw_status status = try_step(ctx, d);
    if (status < 0 && status != FW_ERR_SINGULAR) return status;
    if (status == FW_OK && is_downhill(d)) {
      double surplus = take_step(d);
      if (surplus <= NOTHING * d->reference) return FW_OK;
      if (drift && drifts(d, surplus)) {
        note_drift(d, drift);
        break;
      }
      d->c *= EASIER;
    } else {
      d->c *= HARDER;
      if (d->c > HARDEST_RANGE * d->first_c) break;
    }
  }
  return FW_RECOVER_DIVERGED;
}

fw_status fw_settle(fw_context *ctx, fw_system *system, fw_stepper *stepper, const fw_step_job *job, fw_state *state,
                    fw_unheld *drift) {
  fw_status status = FW_OK;
  size_t size = (size_t)system->size;
  double *room = NULL;
  fw_descent d = {.system = system, .stepper = stepper, .job = job, .to = state};
  d.length = fmin(fw_constraints_scale(system->model), 1.0);
  d.reference = fmax(largest(job->rhs, system->model->dof_count), DBL_MIN);
  d.c = d.first_c = first_inertia(&d);
  FW_TRY_DONE(fw_state_copy(ctx, job->old, &d.from));
  FW_TRY_DONE(fw_alloc(ctx, 3 * size, sizeof *room, &room));
  d.rhs = room;
  d.last = room + size;
  d.milestone = room + 2 * size;
  if (drift) *drift = (fw_unheld){.dof = -1};
  status = descend(ctx, &d, drift);
done:
  fw_state_destroy(&d.from);
  free(room);
  return status;
}
