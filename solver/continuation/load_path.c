/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/continuation/load_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS_MOST = 20, ITERATIONS_EASY = 6, POINTS_MOST = 100000, LIMITS_MOST = 8 };
static const double residual_tolerance = 1e-9, shortest = 1e-7; /* of the largest force; of the first arc */

/* A point of the path: q, then the joints' multipliers; and the load. */
typedef struct path_walker {
  const fw_load_path_job *job;
  fw_context *ctx;
  int64_t n, size; /* freedoms; with multipliers */
  fw_sparse *A;
  fw_factor *factor;
  double *x, *tried, *step, *last; /* [size] here, next, tried - x, the step before */
  double *r, *f, *tangent;         /* [size] residual, internal force, K^-1 f_1 */
  double mu, mu_tried;
  double length, longest; /* arc */
  double past_mu[3];      /* load and arc of the last points, for limit points */
  double past_s[3];
  int past, iterations;
} path_walker;

static double dot(const double *a, const double *b, int64_t n) {
  double sum = 0.0;
  for (int64_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static double largest(const double *a, int64_t n) {
  double most = 0.0;
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(a[i])) return INFINITY;
    most = fmax(most, fabs(a[i]));
  }
  return most;
}

/* r = f_0 + mu f_1 - f_int(x), K factored, tangent = K^-1 f_1. */
static fw_status linearise(path_walker *a, const double *x, double mu) {
  const fw_load_path_job *job = a->job;
  FW_TRY(fw_system_force(a->ctx, job->system, x, x + a->n, 0.0, a->f, true));
  for (int64_t i = 0; i < a->size; i++) a->r[i] = job->f_0[i] + mu * job->f_1[i] - a->f[i];
  memcpy(a->A->x, job->system->K->x, (size_t)a->A->p[a->size] * sizeof *a->A->x);
  return FW_OK;
}

static fw_status solve_tangent(path_walker *a) {
  fw_status status = fw_factor_compute(a->ctx, a->factor, a->A, NULL);
  if (status == FW_ERR_SINGULAR) return FW_RECOVER_DIVERGED; /* just on a limit point: another arc misses it */
  FW_TRY(status);
  memcpy(a->tangent, a->job->f_1, (size_t)a->size * sizeof *a->tangent);
  return fw_factor_solve(a->ctx, a->factor, a->tangent, 1);
}

/* The residual is small against the forces, or as small as rounding lets it be. */
static bool is_balanced(const path_walker *a, double before) {
  double out = largest(a->r, a->size), stiffest = 0.0;
  double reference = fmax(largest(a->f, a->n), fabs(a->mu_tried) * largest(a->job->f_1, a->n));
  if (out <= residual_tolerance * reference) return true;
  for (int64_t i = 0; i < a->n; i++) stiffest = fmax(stiffest, fabs(a->A->x[fw_sparse_position(a->A, i, i)]));
  return out > 0.5 * before && out <= 1e-14 * stiffest * largest(a->tried, a->n);
}

/* Along the tangent by one arc, in the direction the path had. Near the end the arc is cut to hit mu = 1. */
static fw_status predict(path_walker *a, bool *to_end) {
  FW_TRY(linearise(a, a->x, a->mu));
  FW_TRY(solve_tangent(a));
  double size = sqrt(dot(a->tangent, a->tangent, a->n));
  if (!(size > 0.0)) return FW_RECOVER_DIVERGED;
  if (a->length == 0.0) a->length = a->longest = size / a->job->steps;
  double sign = dot(a->tangent, a->last, a->n) < 0.0 ? -1.0 : 1.0, rise = sign * a->length / size;
  *to_end = rise > 0.0 && a->mu + rise >= 1.0 - 1e-12;
  if (*to_end) rise = 1.0 - a->mu;
  a->mu_tried = *to_end ? 1.0 : a->mu + rise;
  for (int64_t i = 0; i < a->size; i++) a->step[i] = rise * a->tangent[i];
  for (int64_t i = 0; i < a->size; i++) a->tried[i] = a->x[i] + a->step[i];
  return FW_OK;
}

/* Newton on the plane normal to the present step (Ramm); at the end on mu = 1. */
static fw_status correct(path_walker *a, bool to_end, int *iterations) {
  double before = INFINITY;
  for (*iterations = 0; *iterations < ITERATIONS_MOST; ++*iterations) {
    FW_TRY(linearise(a, a->tried, a->mu_tried));
    double out = largest(a->r, a->size);
    if (!isfinite(out)) return FW_RECOVER_NAN;
    if (is_balanced(a, before)) return FW_OK;
    before = out;
    FW_TRY(solve_tangent(a));
    FW_TRY(fw_factor_solve(a->ctx, a->factor, a->r, 1));
    double along = dot(a->step, a->tangent, a->n);
    double change = to_end ? 0.0 : along != 0.0 ? -dot(a->step, a->r, a->n) / along : INFINITY;
    if (!isfinite(change)) return FW_RECOVER_DIVERGED;
    a->mu_tried += change;
    for (int64_t i = 0; i < a->size; i++) a->step[i] += a->r[i] + change * a->tangent[i];
    for (int64_t i = 0; i < a->size; i++) a->tried[i] = a->x[i] + a->step[i];
  }
  return FW_RECOVER_DIVERGED;
}

/* The load where the parabola through the last three points turns, if the middle one is the highest or lowest. */
static void watch_limit(path_walker *a, double mu, double arc, fw_load_path *path) {
  for (int k = 0; k < 2; k++) a->past_mu[k] = a->past_mu[k + 1], a->past_s[k] = a->past_s[k + 1];
  a->past_s[2] = a->past_s[1] + arc;
  a->past_mu[2] = mu;
  if (++a->past < 3 || path->limits == LIMITS_MOST) return;
  double h = a->past_s[1] - a->past_s[0], k = a->past_s[2] - a->past_s[1];
  double before = (a->past_mu[1] - a->past_mu[0]) / h, after = (a->past_mu[2] - a->past_mu[1]) / k;
  if (before * after >= 0.0) return;
  double curvature = (after - before) / (h + k), slope = (before * k + after * h) / (h + k);
  path->limit[path->limits++] = a->past_mu[1] - 0.25 * slope * slope / curvature;
}

static fw_status advance(path_walker *a, fw_state *state, fw_load_path *path, bool *arrived) {
  bool to_end = false;
  int iterations = 0;
  fw_status status = predict(a, &to_end);
  if (status == FW_OK) status = correct(a, to_end, &iterations);
  a->iterations += iterations;
  double moved = sqrt(dot(a->step, a->step, a->n));
  bool jumped = status == FW_OK && a->length > 0.0 && moved > 2.0 * a->length; /* onto another branch */
  if (status > 0 || jumped) {
    a->length *= 0.5;
    if (a->length > shortest * a->longest) return FW_OK;
    return fw_fail(a->ctx, FW_ERR_ANALYSIS, "the path ends at %.6g of the load: %s", a->mu,
                   fw_status_text(jumped ? FW_RECOVER_DIVERGED : status));
  }
  FW_TRY(status);
  memcpy(a->x, a->tried, (size_t)a->size * sizeof *a->x);
  memcpy(a->last, a->step, (size_t)a->size * sizeof *a->last);
  a->mu = a->mu_tried;
  *arrived = to_end;
  path->points++;
  watch_limit(a, a->mu, moved, path);
  if (iterations <= ITERATIONS_EASY) a->length = fmin(a->longest, 1.5 * a->length);
  memcpy(state->q, a->x, (size_t)a->n * sizeof *state->q);
  memcpy(state->lambda, a->x + a->n, (size_t)(a->size - a->n) * sizeof *state->lambda);
  return a->job->point(a->job->user, a->mu, state, a->iterations);
}

static fw_status arc_allocate(path_walker *a, const fw_state *state) {
  double **arrays[] = {&a->x, &a->tried, &a->step, &a->last, &a->r, &a->f, &a->tangent};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    FW_TRY(fw_alloc(a->ctx, (size_t)a->size, sizeof(double), arrays[k]));
  memcpy(a->x, state->q, (size_t)a->n * sizeof *a->x);
  memcpy(a->x + a->n, state->lambda, (size_t)(a->size - a->n) * sizeof *a->x);
  FW_TRY(fw_sparse_like(a->ctx, a->job->system->K, &a->A));
  return fw_factor_create(a->ctx, a->A, &a->factor); /* K is indefinite beyond a limit point */
}

fw_status fw_load_path_follow(fw_context *ctx, const fw_load_path_job *job, fw_state *state, fw_load_path *path) {
  path_walker a = {.job = job, .ctx = ctx, .n = job->system->model->dof_count, .size = job->system->size, .past = 1};
  fw_status status = FW_OK;
  *path = (fw_load_path){0};
  FW_TRY_DONE(arc_allocate(&a, state));
  for (bool arrived = false; !arrived;) {
    FW_TRY_DONE(fw_interrupted(ctx));
    FW_TRY_DONE(advance(&a, state, path, &arrived));
    if (!arrived && path->points >= POINTS_MOST) {
      status = fw_fail(ctx, FW_ERR_ANALYSIS, "the path has not come to the full load after %d points: it is at %.6g",
                       path->points, a.mu);
      goto done;
    }
  }
done:
  fw_factor_destroy(&a.factor);
  fw_sparse_destroy(&a.A);
  double *arrays[] = {a.x, a.tried, a.step, a.last, a.r, a.f, a.tangent};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  return status;
}
