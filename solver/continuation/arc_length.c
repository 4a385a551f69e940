/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pseudo arc length (Keller 1977): from a point y = (x, lambda) of F(y) = 0 with unit tangent t, F_y t = 0,
 *
 *   predictor   y_p = y + s t + s^2/2 t',   t' the change of the tangent over the last step
 *   corrector   F(y) = 0,  t . (y - y_p) = 0   (or lambda fixed, to land on a value of the grid)
 *
 * all in unknowns divided by their sizes. The sense of t is that of the determinant of [F_y; t^T], which changes at
 * branch points only, not the one that keeps lambda going.
 *
 * Where contact opens, or stick becomes slip, F has a kink and the curve a corner: tangents t- before and t+ beyond it.
 * No step from before lands on the curve beyond when the corner is sharp, since along t- the plane t- . (y - y_p) = 0
 * may meet no solution at all. But the derivatives of F are there to be had beyond the corner, off the curve: walking
 * on along t-, the tangent t(y_p) = kernel of F_y(y_p) jumps from t- to t+ where the kink is crossed. So (find_corner)
 * halve the walk between the last place with cos(t(y_p), t-) > BEND and the first without, then (turn_corner) step from
 * there along t+, in the plane across it. */
#include "solver/continuation/arc_length.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisect.h"

static const double STEP_MOST = 0.25, STEP_LEAST = 1e-5; /* scaled arc length; both times the walker's `unit` */
static const double BEND = 0.96;                         /* cosine of the angle one step should turn at most */
static const double BEND_MOST = 0.5;                     /* and may turn unless the step is already short */
static const double CORNER = 1e-3, CORNER_MOST = 0.03;   /* such a short step may turn at will, but not go far */
static const double CURL_MOST = 0.5;                     /* angle that the parabola ahead may turn by */
static const double CORNER_FOUND = 1e-9;                 /* how closely a corner is found */
static const double JUMP = 100;                          /* residual over the length of a step */
static const double CLOSE = 1e-2;                        /* Newton's last step beside the step along the curve */
static const double SEVERAL = 300;                       /* unknowns of a large core that count as one */
static const double STRAIGHT = 0.999;                    /* cosine beyond which a change of sense is a branch point, */
static const double AHEAD = 0.02; /* if Newton's method went no farther than this part of the step */

typedef struct walker {
  fw_continuation *curve;
  fw_arc_length *sweep;
  int m;
  double *y, *next, *predicted, *tangent, *turned, *scale, *aside;
  double *bend;  /* change of the tangent per arc length over the last step; 0 after a corner */
  double length; /* next arc step, */
  double tried;  /* and the one last tried: shorter if it was to land on the grid */
  double sense;  /* +-1: which way along the curve (corrector.h) */
  double unit;   /* of lengths: many unknowns that move together are together as one is alone */
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

/* The same along the parabola that the last step's bend makes of the tangent. */
static double distance_along_bend(const walker *w, double straight) {
  double rate = w->tangent[w->m - 1], bend = w->bend[w->m - 1], length = straight;
  for (int i = 0; i < 3; i++)
    length -= ((length - straight) * rate + 0.5 * bend * length * length) / (rate + bend * length);
  return fabs(length - straight) < 0.3 * straight ? length : straight;
}

/* w->predicted = y + length direction (+ length^2 / 2 bend). */
static void predict(walker *w, double length, const double *direction, const double *bend) {
  w->tried = length;
  for (int i = 0; i < w->m; i++) {
    double mean = direction[i] + (bend ? 0.5 * length * bend[i] : 0);
    w->predicted[i] = w->y[i] + length * mean * w->curve->scale[i];
  }
}

/* Newton from w->predicted to w->next, whose tangent goes to w->turned; returns how far it went in `off`, and the
 * cosine of the angle with `direction`. */
static fw_status correct(walker *w, fw_condition on, fw_newton *newton, const double *direction, double *off,
                         double *cosine) {
  memcpy(w->next, w->predicted, (size_t)w->m * sizeof(double));
  FW_TRY(fw_continuation_correct(w->curve, on, newton, w->next));
  double square = 0;
  for (int i = 0; i < w->m; i++) square += pow((w->next[i] - w->predicted[i]) / w->curve->scale[i], 2);
  *off = sqrt(square);
  FW_TRY(fw_continuation_tangent(w->curve, direction, w->turned));
  cblas_dscal(w->m, w->sense, w->turned, 1);
  *cosine = cblas_ddot(w->m, w->turned, 1, direction, 1);
  return FW_OK;
}

/* True if lambda went against the tangents at both ends of the step. A curve does so only with two folds in between:
 * more likely Newton's method has found another stretch of it, one walked before. */
static bool thrown_back(const walker *w) {
  int at = w->m - 1;
  double along = w->next[at] - w->y[at];
  return along * w->tangent[at] < 0 && along * w->turned[at] < 0;
}

/* One trial: predict, correct, judge. */
static fw_status attempt(walker *w, fw_newton *newton, double *cosine) {
  double lambda, to_grid = distance_to_grid(w, &lambda), off;
  bool landing = to_grid > 0 && to_grid <= w->length;
  double length = landing ? distance_along_bend(w, to_grid) : w->length;
  bool gentle = cblas_dnrm2(w->m, w->bend, 1) * length < CURL_MOST; /* else the parabola turns back on itself */
  predict(w, length, w->tangent, gentle ? w->bend : NULL);
  if (landing) w->predicted[w->m - 1] = lambda;
  fw_fixed fixed = {w->m - 1, lambda};
  fw_plane plane = {w->m - 1, w->tangent, w->predicted, w->curve->scale};
  fw_condition on = landing ? (fw_condition){&fixed, fw_fixed_value} : (fw_condition){&plane, fw_plane_value};
  FW_TRY(correct(w, on, newton, w->tangent, &off, cosine));
  if (landing) w->next[w->m - 1] = lambda; /* to the last digit */
  bool leap = w->tried < w->curve->leap && off < AHEAD * w->tried;
  if (*cosine < -STRAIGHT && (leap || w->tried < CORNER * w->unit)) { /* past a branch point */
    w->sense = -w->sense;
    *cosine = -*cosine;
    cblas_dscal(w->m, -1, w->turned, 1);
  }
  bool smooth = off <= 0.5 * w->tried + 1e-6 * w->unit && *cosine >= BEND_MOST && !thrown_back(w);
  bool corner =
      w->tried < CORNER * w->unit && off < CORNER_MOST * w->unit; /* slip begins or ends: the curve has a kink */
  return smooth || corner ? FW_OK : FW_RECOVER_DIVERGED;
}

/* The tangent a little beyond y, `length` along the old one: in w->aside. */
static fw_status look_ahead(walker *w, double length, double *cosine) {
  fw_plane ahead = {w->m - 1, w->tangent, w->predicted, w->curve->scale};
  predict(w, length, w->tangent, NULL);
  FW_TRY(fw_continuation_look(w->curve, (fw_condition){&ahead, fw_plane_value}, w->predicted, w->tangent, w->aside));
  cblas_dscal(w->m, w->sense, w->aside, 1);
  *cosine = cblas_ddot(w->m, w->aside, 1, w->tangent, 1);
  return FW_OK;
}

typedef struct corner_search {
  walker *w;
  fw_status status; /* negative: the curve cannot be asked any more */
} corner_search;

static bool is_beyond_corner(void *user, double length) {
  corner_search *s = user;
  double cosine;
  if (s->status < 0) return true;
  s->status = look_ahead(s->w, length, &cosine);
  return s->status != FW_OK || !(cosine > BEND);
}

/* Where along the tangent, up to `reach`, the curve's direction changes: the nearest such place, by halving; w->aside
 * is the direction just beyond it. A point of contact that opens makes two corners close together. */
static fw_status find_corner(walker *w, double reach, double *corner) {
  corner_search search = {w, FW_OK};
  double before = 0, cosine;
  FW_TRY(look_ahead(w, reach, &cosine));
  if (cosine > BEND) return FW_RECOVER_DIVERGED; /* not yet beyond it */
  *corner = reach;
  int halvings = (int)ceil(log2(fmax(reach / (CORNER_FOUND * w->unit), 1)));
  fw_bisect(is_beyond_corner, &search, 0, halvings, &before, corner);
  return search.status < 0 ? search.status : look_ahead(w, *corner, &cosine);
}

/* Round a corner so sharp that nothing lies ahead: the curve beyond it is the one that keeps the sense with the
 * derivatives found there. */
static fw_status turn_corner(walker *w, fw_newton *newton) {
  double reach = w->tried;
  for (int k = 0; k < 3; k++, reach *= 2) {
    double off, cosine, corner;
    fw_status status = find_corner(w, reach, &corner);
    if (status < 0) return status;
    if (status > 0) continue;
    for (double length = 2 * reach; length > 0.1 * reach; length *= 0.25) {
      fw_plane beyond = {w->m - 1, w->aside, w->predicted, w->curve->scale};
      predict(w, corner, w->tangent, NULL);
      for (int i = 0; i < w->m; i++) w->predicted[i] += length * w->aside[i] * w->curve->scale[i];
      status = correct(w, (fw_condition){&beyond, fw_plane_value}, newton, w->aside, &off, &cosine);
      if (status < 0) return status;
      if (status == FW_OK && cosine >= BEND_MOST && off <= 3 * reach) return FW_OK;
    }
  }
  return FW_RECOVER_DIVERGED;
}

static void adapt(walker *w, int iterations, double cosine) {
  double factor = iterations <= 4 ? 1.7 : iterations <= 6 ? 1.15 : 0.7;
  if (cosine < BEND) factor = fmin(factor, 0.6);
  w->length = fmin(STEP_MOST * w->unit, w->length * factor);
}

/* After an accepted point: true if the sweep is over. */
static bool finished(walker *w) {
  fw_arc_length *sweep = w->sweep;
  double sign = sweep->to > sweep->from ? 1 : -1, lambda = w->y[w->m - 1];
  sweep->reached = lambda;
  sweep->returned = (lambda - sweep->from) * sign < -sweep->step;
  return sweep->returned || (lambda - sweep->to) * sign > -1e-9 * sweep->step;
}

/* From the tangents before and after the step to w->next, which turned by an angle of that cosine. */
static void set_bend(walker *w, double cosine) {
  double square = 0;
  for (int i = 0; i < w->m; i++) square += pow((w->next[i] - w->y[i]) / w->curve->scale[i], 2);
  double arc = cosine >= BEND && square > 0 ? sqrt(square) : INFINITY;
  for (int i = 0; i < w->m; i++) w->bend[i] = (w->turned[i] - w->tangent[i]) / arc;
}

static fw_status accept(walker *w, const double *y, const double *tangent) {
  memmove(w->y, y, (size_t)w->m * sizeof(double));
  memmove(w->tangent, tangent, (size_t)w->m * sizeof(double));
  w->sweep->points++;
  memcpy(w->scale, w->curve->scale, (size_t)w->m * sizeof(double));
  FW_TRY(w->sweep->accept(w->sweep->user, w->curve, w->y, w->tangent));
  for (int i = 0; i < w->m; i++) w->tangent[i] *= w->scale[i] / w->curve->scale[i];
  for (int i = 0; i < w->m; i++) w->bend[i] *= w->scale[i] / w->curve->scale[i];
  double stretch = cblas_dnrm2(w->m, w->tangent, 1); /* of the arc */
  cblas_dscal(w->m, 1 / stretch, w->tangent, 1);
  cblas_dscal(w->m, 1 / (stretch * stretch), w->bend, 1);
  return FW_OK;
}

static fw_status begin(walker *w) {
  fw_newton newton = {.tolerance = w->sweep->tolerance, .most = 60};
  fw_fixed fixed = {w->m - 1, w->y[w->m - 1]};
  fw_condition on = {&fixed, fw_fixed_value};
  FW_TRY(fw_continuation_correct(w->curve, on, &newton, w->y));
  FW_TRY(fw_continuation_correct(w->curve, on, &newton, w->y)); /* again: the tangent is taken where Newton begins */
  FW_TRY(fw_continuation_tangent(w->curve, NULL, w->turned));
  w->sense = (w->turned[w->m - 1] < 0) == (w->sweep->to < w->sweep->from) ? 1 : -1;
  cblas_dscal(w->m, w->sense, w->turned, 1);
  if (w->curve->core) w->sense = 1; /* tangents go on as the last one */
  w->sweep->iterations += newton.iterations;
  w->length = STEP_MOST * w->unit / 8;
  return accept(w, w->y, w->turned);
}

static fw_status walk(fw_context *ctx, walker *w) {
  fw_arc_length *sweep = w->sweep;
  FW_TRY(begin(w));
  while (!finished(w)) {
    if (sweep->points >= sweep->most) return FW_RECOVER_DIVERGED;
    FW_TRY(fw_interrupted(ctx));
    fw_newton newton = {.tolerance = fmin(sweep->tolerance, CLOSE * w->length / w->unit), .most = 14, .idle = 5};
    double cosine = 1;
    fw_status status = attempt(w, &newton, &cosine);
    sweep->iterations += newton.iterations;
    if (status > 0 && w->tried < CORNER * w->unit) {
      cosine = 0;
      w->length = w->tried;
      status = turn_corner(w, &newton);
      w->tried = w->length;
      sweep->iterations += newton.iterations;
    }
    if (status < 0) return status;
    if (status > 0) {
      sweep->rejected++;
      w->length = 0.4 * w->tried;
      if (w->length < STEP_LEAST * w->unit) {
        predict(w, STEP_LEAST * w->unit, w->tangent,
                NULL); /* where equations are continuous their residual is as small */
        sweep->jump = fw_continuation_distance(w->curve, w->predicted) > JUMP * STEP_LEAST;
        return FW_RECOVER_DIVERGED;
      }
      continue;
    }
    set_bend(w, cosine);
    FW_TRY(accept(w, w->next, w->turned));
    adapt(w, newton.iterations, cosine);
  }
  return FW_OK;
}

fw_status fw_arc_length_run(fw_context *ctx, fw_continuation *curve, fw_arc_length *sweep, double *y) {
  int m = curve->n + 1;
  double *work;
  FW_TRY(fw_alloc(ctx, 7 * (size_t)m, sizeof(double), &work));
  walker w = {.curve = curve, .sweep = sweep, .m = m, .y = y, .unit = curve->core ? sqrt(m / SEVERAL) : 1};
  w.next = work;
  w.predicted = work + m;
  w.tangent = work + 2 * m;
  w.turned = work + 3 * m;
  w.scale = work + 4 * m;
  w.aside = work + 5 * m;
  w.bend = work + 6 * m;
  sweep->points = sweep->rejected = sweep->iterations = 0;
  sweep->returned = sweep->jump = false;
  sweep->reached = sweep->from;
  fw_status status = walk(ctx, &w);
  free(work);
  return status;
}
