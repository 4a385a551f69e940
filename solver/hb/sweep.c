/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/sweep.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STEP_MOST = 0.25, STEP_LEAST = 1e-7; /* scaled arc length */
static const double BEND = 0.96;                         /* cosine of the angle one step should turn at most */
static const double BEND_MOST = 0.5;                     /* and may turn unless the step is already short */
static const double CORNER = 1e-3, CORNER_MOST = 0.03;   /* such a short step may turn at will, but not go far */

typedef struct walker {
  fw_curve *curve;
  fw_sweep *sweep;
  int m;
  double *y, *next, *predicted, *tangent, *turned, *scale, *secant;
  double length; /* next arc step */
} walker;

/* Distance along the tangent to the next value of the grid; beyond the range when moving out of it. */
static double distance_to_grid(const walker *w, double *lambda) {
  double rate = w->tangent[w->m - 1] * w->curve->scale[w->m - 1];
  double sign = w->sweep->to > w->sweep->from ? 1 : -1;
  double number = (w->y[w->m - 1] - w->sweep->from) * sign / w->sweep->step;
  double onward = rate * sign > 0 ? floor(number + 1 + 1e-9) : ceil(number - 1 - 1e-9);
  *lambda = w->sweep->from + sign * onward * w->sweep->step;
  if ((*lambda - w->sweep->to) * sign > 0) *lambda = w->sweep->to;
  return rate == 0 ? INFINITY : (*lambda - w->y[w->m - 1]) / rate;
}

/* One trial: predict, correct, judge. */
static fw_status attempt(walker *w, fw_newton *newton, double *cosine) {
  double lambda, to_grid = distance_to_grid(w, &lambda), length = w->length;
  bool landing = to_grid > 0 && to_grid <= w->length;
  if (landing) length = to_grid;
  for (int i = 0; i < w->m; i++) w->predicted[i] = w->y[i] + length * w->tangent[i] * w->curve->scale[i];
  if (landing) w->predicted[w->m - 1] = lambda;
  fw_fixed fixed = {w->m - 1, lambda};
  fw_plane plane = {w->m - 1, w->tangent, w->predicted, w->curve->scale};
  fw_condition on = landing ? (fw_condition){&fixed, fw_fixed_value} : (fw_condition){&plane, fw_plane_value};
  memcpy(w->next, w->predicted, (size_t)w->m * sizeof(double));
  FW_TRY(fw_curve_correct(w->curve, on, newton, w->next));
  if (landing) w->next[w->m - 1] = lambda; /* to the last digit */
  double off = 0;
  for (int i = 0; i < w->m; i++) {
    off += pow((w->next[i] - w->predicted[i]) / w->curve->scale[i], 2);
    w->secant[i] = (w->next[i] - w->y[i]) / w->curve->scale[i];
  }
  off = sqrt(off);
  FW_TRY(fw_curve_tangent(w->curve, off > length ? w->secant : w->tangent, w->turned));
  *cosine = cblas_ddot(w->m, w->turned, 1, w->tangent, 1);
  bool smooth = off <= 0.5 * length + 1e-6 && *cosine >= BEND_MOST;
  bool corner = length < CORNER && off < CORNER_MOST; /* slip begins or ends: the curve has a kink */
  return smooth || corner ? FW_OK : FW_RECOVER_DIVERGED;
}

static void adapt(walker *w, int iterations, double cosine) {
  double factor = iterations <= 4 ? 1.7 : iterations <= 6 ? 1.15 : 0.7;
  if (cosine < BEND) factor = fmin(factor, 0.6);
  w->length = fmin(STEP_MOST, w->length * factor);
}

/* After an accepted point: true if the sweep is over. */
static bool finished(walker *w) {
  fw_sweep *sweep = w->sweep;
  double sign = sweep->to > sweep->from ? 1 : -1, lambda = w->y[w->m - 1];
  sweep->reached = lambda;
  sweep->returned = (lambda - sweep->from) * sign < -sweep->step;
  return sweep->returned || (lambda - sweep->to) * sign > -1e-9 * sweep->step;
}

static fw_status accept(walker *w, const double *y, const double *tangent) {
  memmove(w->y, y, (size_t)w->m * sizeof(double));
  memmove(w->tangent, tangent, (size_t)w->m * sizeof(double));
  w->sweep->points++;
  memcpy(w->scale, w->curve->scale, (size_t)w->m * sizeof(double));
  FW_TRY(w->sweep->accept(w->sweep->user, w->curve, w->y, w->tangent));
  for (int i = 0; i < w->m; i++) w->tangent[i] *= w->scale[i] / w->curve->scale[i];
  cblas_dscal(w->m, 1 / cblas_dnrm2(w->m, w->tangent, 1), w->tangent, 1);
  return FW_OK;
}

static fw_status begin(walker *w) {
  fw_newton newton = {.tolerance = w->sweep->tolerance, .most = 60};
  w->y[w->m - 1] = w->sweep->from;
  fw_fixed fixed = {w->m - 1, w->sweep->from};
  fw_condition on = {&fixed, fw_fixed_value};
  FW_TRY(fw_curve_correct(w->curve, on, &newton, w->y));
  FW_TRY(fw_curve_correct(w->curve, on, &newton, w->y)); /* again: the tangent is taken where Newton begins */
  FW_TRY(fw_curve_tangent(w->curve, NULL, w->turned));
  if (w->sweep->to < w->sweep->from) cblas_dscal(w->m, -1, w->turned, 1);
  w->sweep->iterations += newton.iterations;
  w->length = STEP_MOST / 8;
  return accept(w, w->y, w->turned);
}

static fw_status walk(fw_context *ctx, walker *w) {
  fw_sweep *sweep = w->sweep;
  FW_TRY(begin(w));
  while (!finished(w)) {
    if (sweep->points >= sweep->most) return FW_RECOVER_DIVERGED;
    FW_TRY(fw_interrupted(ctx));
    fw_newton newton = {.tolerance = sweep->tolerance, .most = 14};
    double cosine = 1;
    fw_status status = attempt(w, &newton, &cosine);
    if (status < 0) return status;
    sweep->iterations += newton.iterations;
    if (status > 0) {
      sweep->rejected++;
      double lambda, to_grid = distance_to_grid(w, &lambda);
      w->length = 0.4 * (to_grid > 0 ? fmin(w->length, to_grid) : w->length);
      if (w->length < STEP_LEAST) return FW_RECOVER_DIVERGED;
      continue;
    }
    FW_TRY(accept(w, w->next, w->turned));
    adapt(w, newton.iterations, cosine);
  }
  return FW_OK;
}

fw_status fw_sweep_run(fw_context *ctx, fw_curve *curve, fw_sweep *sweep, double *y) {
  int m = curve->n + 1;
  double *work;
  FW_TRY(fw_alloc(ctx, 6 * (size_t)m, sizeof(double), &work));
  walker w = {.curve = curve, .sweep = sweep, .m = m, .y = y};
  w.next = work;
  w.predicted = work + m;
  w.tangent = work + 2 * m;
  w.turned = work + 3 * m;
  w.scale = work + 4 * m;
  w.secant = work + 5 * m;
  sweep->points = sweep->rejected = sweep->iterations = 0;
  sweep->returned = false;
  sweep->reached = sweep->from;
  fw_status status = walk(ctx, &w);
  free(work);
  return status;
}
