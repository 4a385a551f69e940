/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/continuation/corrector.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double KRYLOV = 1e-7; /* relative residual of the steps of large cores */
static const double AFTER = 10;    /* times the tolerance: a last step of which a large core has left little */
static const double NEAR = 1e-2;   /* a Newton step so short may be followed by one with its own factors, */
static const double NEARER = 0.1;  /* which is taken if it is so much shorter than the one before, */
static const double LEFT = 1e-10;  /* and the last if no more is left than that, in units of the unknowns' sizes */

double fw_plane_value(void *user, const double *y, double *gradient) {
  const fw_plane *plane = user;
  double value = 0;
  for (int i = 0; i <= plane->n; i++) {
    gradient[i] = plane->normal[i] / plane->scale[i];
    value += gradient[i] * (y[i] - plane->at[i]);
  }
  return value;
}

double fw_fixed_value(void *user, const double *y, double *gradient) {
  const fw_fixed *fixed = user;
  memset(gradient, 0, (size_t)fixed->n * sizeof(double));
  gradient[fixed->n] = 1;
  return y[fixed->n] - fixed->lambda;
}

/* The last column is that of lambda, the last row that of the condition. */
static fw_status init_border(fw_context *ctx, fw_continuation *curve) {
  size_t n = (size_t)curve->n, core = n - (size_t)curve->border, border = (size_t)curve->border;
  curve->J = (fw_jacobian){.core = (int)core, .n = curve->n};
  FW_TRY(fw_alloc(ctx, (n + 1) * (border + 1), sizeof(double), &curve->J.columns));
  FW_TRY(fw_alloc(ctx, core * (border + 1), sizeof(double), &curve->J.rows));
  if (curve->core) return fw_bordered_create(ctx, *curve->core, curve->border + 1, &curve->bordered);
  FW_TRY(fw_alloc(ctx, core * core, sizeof(double), &curve->J.dense));
  FW_TRY(fw_alloc(ctx, (n + 1) * (n + 1), sizeof(double), &curve->A));
  return fw_alloc(ctx, n + 1, sizeof(int), &curve->pivot);
}

fw_status fw_continuation_init(fw_context *ctx, fw_continuation *curve) {
  openblas_set_num_threads(1); /* small matrices; parallelism is over levels and samples */
  size_t m = (size_t)curve->n + 1;
  curve->ctx = ctx;
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->scale));
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->step));
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->row));
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->inverse));
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->r));
  FW_TRY(fw_alloc(ctx, m, sizeof(double), &curve->r_lambda));
  for (size_t i = 0; i < m; i++) curve->scale[i] = 1;
  return init_border(ctx, curve);
}

void fw_continuation_clear(fw_continuation *curve) {
  fw_bordered_destroy(&curve->bordered);
  free(curve->J.dense);
  free(curve->J.columns);
  free(curve->J.rows);
  free(curve->scale);
  free(curve->A);
  free(curve->step);
  free(curve->row);
  free(curve->inverse);
  free(curve->r);
  free(curve->r_lambda);
  free(curve->pivot);
  *curve = (fw_continuation){0};
}

/* ---- the bordered matrix -------------------------------------------------------------------- */

/* Behind the border of J, as a further column and row, lambda and the condition, whose gradient stands in `step`. */
static void close_border(fw_continuation *curve) {
  int n = curve->n, core = curve->J.core, border = curve->border;
  size_t m = (size_t)n + 1;
  double *last = curve->J.columns + (size_t)border * m;
  memcpy(last, curve->r_lambda, (size_t)n * sizeof(double));
  memcpy(curve->J.rows + (size_t)border * (size_t)core, curve->step, (size_t)core * sizeof(double));
  for (int k = 0; k <= border; k++) curve->J.columns[(size_t)k * m + (size_t)n] = curve->step[core + k];
}

/* row[i] = the largest entry of each row of the border in scaled unknowns, or what is there. */
static void largest_of_border(fw_continuation *curve) {
  int m = curve->n + 1, core = curve->J.core;
  for (int j = core; j < m; j++)
    for (int i = 0; i < m; i++) {
      double size = fabs(curve->scale[j] * curve->J.columns[(size_t)(j - core) * (size_t)m + (size_t)i]);
      if (!(size <= curve->row[i])) curve->row[i] = size;
    }
  for (int i = core; i < m; i++)
    for (int j = 0; j < core; j++) {
      double size = fabs(curve->scale[j] * curve->J.rows[(size_t)(i - core) * (size_t)core + (size_t)j]);
      if (!(size <= curve->row[i])) curve->row[i] = size;
    }
}

static void largest_of_core(fw_continuation *curve) {
  int core = curve->J.core;
  if (curve->core) {
    curve->core->rows(curve->core->user, curve->scale, curve->row);
    return;
  }
  for (int j = 0; j < core; j++)
    for (int i = 0; i < core; i++) {
      double size = fabs(curve->scale[j] * curve->J.dense[(size_t)j * (size_t)core + (size_t)i]);
      if (!(size <= curve->row[i])) curve->row[i] = size;
    }
}

/* A = the matrix in scaled unknowns with rows of size one. */
static void spread(fw_continuation *curve) {
  int m = curve->n + 1, core = curve->J.core;
  for (int i = 0; i < m; i++) curve->inverse[i] = 1 / curve->row[i];
  for (int j = 0; j < m; j++) {
    double *column = curve->A + (size_t)j * (size_t)m, s = curve->scale[j];
    const double *inside =
        j < core ? curve->J.dense + (size_t)j * (size_t)core : curve->J.columns + (size_t)(j - core) * (size_t)m;
    int top = j < core ? core : m;
    for (int i = 0; i < top; i++) column[i] = s * inside[i] * curve->inverse[i];
    for (int i = top; i < m; i++)
      column[i] = s * curve->J.rows[(size_t)(i - core) * (size_t)core + (size_t)j] * curve->inverse[i];
  }
}

/* The bordered matrix [J, r_lambda; gradient], and r with the condition's value below it; `row` has the largest entry
 * of each row in scaled unknowns. Without `along`, r_lambda stays as it was: it changes little. */
static fw_status evaluate(fw_continuation *curve, fw_condition condition, const double *y, bool along) {
  size_t n = (size_t)curve->n, m = n + 1, core = (size_t)curve->J.core, border = (size_t)curve->border;
  FW_TRY(fw_interrupted(curve->ctx));
  memset(curve->J.columns, 0, border * m * sizeof(double));
  memset(curve->J.rows, 0, border * core * sizeof(double));
  FW_TRY(curve->residual(curve->user, y, curve->r, &curve->J, along ? curve->r_lambda : NULL));
  curve->r[n] = condition.value(condition.user, y, curve->step);
  close_border(curve);
  memset(curve->row, 0, m * sizeof(double));
  largest_of_core(curve);
  largest_of_border(curve);
  for (size_t i = 0; i < m; i++) {
    if (!isfinite(curve->row[i]) || !isfinite(curve->r[i])) return FW_RECOVER_NAN;
    if (curve->row[i] == 0) curve->row[i] = 1;
    if (!isfinite(curve->r[i] / curve->row[i])) return FW_RECOVER_NAN;
  }
  return FW_OK;
}

/* x = A^{-1} x with the factors of the last Newton step. */
static fw_status solve(fw_continuation *curve, double *x) {
  int m = curve->n + 1;
  if (curve->core) return fw_bordered_solve(curve->bordered, KRYLOV, x);
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', m, 1, curve->A, m, curve->pivot, x, m);
  return FW_OK;
}

static fw_status factor(fw_continuation *curve) {
  int m = curve->n + 1;
  if (curve->core) return fw_bordered_set(curve->bordered, curve->J.columns, curve->J.rows, curve->scale, curve->row);
  spread(curve);
  return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, curve->A, m, curve->pivot) == 0 ? FW_OK : FW_RECOVER_DIVERGED;
}

static double merit(const fw_continuation *curve, const double *weight) {
  double sum = 0;
  for (int i = 0; i <= curve->n; i++) sum += pow(curve->r[i] / weight[i], 2);
  return sqrt(sum);
}

static double largest_residual(const fw_continuation *curve) {
  double largest = 0;
  for (int i = 0; i <= curve->n; i++) largest = fmax(largest, fabs(curve->r[i]) / curve->row[i]);
  return largest;
}

/* step = -A^{-1} r, leaving the factors of A. */
static fw_status newton_step(fw_continuation *curve) {
  FW_TRY(factor(curve));
  for (int i = 0; i <= curve->n; i++) curve->step[i] = -curve->r[i] / curve->row[i];
  return solve(curve, curve->step);
}

static double largest_step(const fw_continuation *curve) {
  double largest = 0;
  for (int i = 0; i <= curve->n; i++) {
    if (isnan(curve->step[i])) return NAN;
    largest = fmax(largest, fabs(curve->step[i]));
  }
  return largest;
}

/* y += step. */
static void take(fw_continuation *curve, double *taken, double *y) {
  for (int i = 0; i <= curve->n; i++) {
    taken[i] = curve->step[i] * curve->scale[i];
    y[i] += taken[i];
  }
}

/* Steps with the factors of the last one, as long as each is much shorter than the one before: they take the residual
 * alone. The ratio of two steps tells what the last one leaves; after Newton's own that is taken to be its square. *done:
 * next to nothing is left; else the rest is for Newton's method. */
static fw_status follow_up(fw_continuation *curve, fw_condition condition, fw_newton *newton, double *taken, double *y,
                           bool *done) {
  const int n = curve->n;
  double left = newton->last_step * newton->last_step;
  while (!(*done = newton->last_step < newton->tolerance && left < LEFT) && newton->iterations < newton->most) {
    FW_TRY(fw_interrupted(curve->ctx));
    fw_status status = curve->residual(curve->user, y, curve->r, NULL, NULL);
    if (status != FW_OK) return status < 0 ? status : FW_OK;
    curve->r[n] = condition.value(condition.user, y, curve->step);
    for (int i = 0; i <= n; i++) curve->step[i] = -curve->r[i] / curve->row[i];
    FW_TRY(solve(curve, curve->step));
    double length = largest_step(curve);
    if (!(length < NEARER * newton->last_step)) return FW_OK;
    take(curve, taken, y);
    left = length * length / newton->last_step;
    newton->last_step = length;
    newton->iterations++;
  }
  return FW_OK;
}

/* How long the last step may be. Where a core leaves a share of every step by design, rounding of its products does not let
 * steps become as short as elsewhere. */
static double last_enough(const fw_continuation *curve, const fw_newton *newton) {
  bool leaves = curve->core && curve->core->left > 0;
  return leaves ? AFTER * newton->tolerance : newton->tolerance;
}

fw_status fw_continuation_correct(fw_continuation *curve, fw_condition condition, fw_newton *newton, double *y) {
  int m = curve->n + 1, halvings = 0, idle = 0;
  fw_status status = FW_OK;
  double *weight = NULL, *taken = NULL;
  weight = malloc((size_t)m * sizeof(double));
  taken = malloc((size_t)m * sizeof(double));
  if (!weight || !taken) {
    status = FW_ERR_MEMORY;
    goto done;
  }
  double before = INFINITY, shortest = INFINITY;
  newton->last_step = INFINITY;
  newton->iterations = 0;
  bool stalled = false; /* with its factors: an old dR/dlambda may be why */
  for (int evaluations = 0; newton->iterations < newton->most; evaluations++) {
    status = evaluate(curve, condition, y, evaluations % 4 == 0 || stalled);
    if (status < 0) goto done;
    if (evaluations == 0) {
      if (status != FW_OK) goto done;
      memcpy(weight, curve->row, (size_t)m * sizeof(double));
    }
    double now = status == FW_OK ? merit(curve, weight) : INFINITY;
    double most = curve->other_piece ? before : 2 * before;
    if (evaluations > 0 && now > most && halvings < 6 && !newton->whole) { /* the last step went too far */
      halvings++;
      newton->iterations++;
      for (int i = 0; i < m; i++) {
        taken[i] /= 2;
        y[i] -= taken[i];
      }
      continue;
    }
    if (status != FW_OK) goto done;
    halvings = 0;
    before = now;
    newton->residual = largest_residual(curve);
    FW_TRY_DONE(newton_step(curve));
    newton->last_step = largest_step(curve);
    if (!isfinite(newton->last_step) || newton->last_step > 1e6) break;
    take(curve, taken, y);
    newton->iterations++;
    bool done = newton->last_step < last_enough(curve, newton);
    stalled = curve->chords && newton->last_step < NEAR;
    if (stalled) FW_TRY_DONE(follow_up(curve, condition, newton, taken, y, &done));
    if (done) goto done;
    idle = newton->last_step > 0.7 * shortest ? idle + 1 : 0; /* to and fro over a kink */
    shortest = fmin(shortest, newton->last_step);
    if (newton->idle && idle >= newton->idle) break;
  }
  status = FW_RECOVER_DIVERGED;
done:
  free(weight);
  free(taken);
  return status;
}

/* Sign of the determinant of the matrix whose factors are in A. */
static double determinant_sign(const fw_continuation *curve) {
  int m = curve->n + 1;
  double sign = 1;
  for (int i = 0; i < m; i++) {
    if (curve->A[(size_t)i * (size_t)(m + 1)] < 0) sign = -sign;
    if (curve->pivot[i] != i + 1) sign = -sign;
  }
  return sign;
}

fw_status fw_continuation_tangent(fw_continuation *curve, const double *along, double *tangent) {
  int m = curve->n + 1;
  memset(tangent, 0, (size_t)m * sizeof(double));
  tangent[m - 1] = 1; /* the condition's gradient has a component along the tangent: it defined the point */
  FW_TRY(solve(curve, tangent));
  double length = cblas_dnrm2(m, tangent, 1);
  if (!isfinite(length) || length == 0) return FW_RECOVER_DIVERGED;
  double onward = along ? cblas_ddot(m, along, 1, tangent, 1) : tangent[m - 1];
  double sign = !curve->core ? determinant_sign(curve) : onward < 0 ? -1 : 1; /* gradient . tangent > 0 before this */
  cblas_dscal(m, sign / length, tangent, 1);
  return FW_OK;
}

fw_status fw_continuation_look(fw_continuation *curve, fw_condition condition, const double *y, const double *along,
                               double *tangent) {
  FW_TRY(evaluate(curve, condition, y, true));
  FW_TRY(newton_step(curve));
  return fw_continuation_tangent(curve, along, tangent);
}

double fw_continuation_distance(fw_continuation *curve, const double *y) {
  if (curve->residual(curve->user, y, curve->r, NULL, NULL) != FW_OK) return INFINITY;
  curve->r[curve->n] = 0;
  return largest_residual(curve);
}
