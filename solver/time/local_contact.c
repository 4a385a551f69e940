/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contact conditions as equations without cases (Alart and Curnier 1991, Comput. Meth. Appl. Mech. Eng. 92(3)), with x
 * = (N_0, T_0, N_1, ...), (gap, slip) = free + D (N, -T) and any positive c_n, c_t:
 *
 *   hard contact   N = max(0, N - c_n gap)                        0 <= N, gap >= 0, N gap = 0
 *   rigid stick    T = T + c_t slip  within the static limit,     slip = 0
 *                  T = the sliding force on that side  beyond it
 *
 * solved by Newton's method on the pieces (semismooth). The answer does not depend on c_n and c_t as long as static and
 * sliding limit are one; where the static one is higher, slip is told from stick only if c_t slip exceeds the
 * difference, hence held_mobility. */
#include "solver/time/local_contact.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisect.h"

/* Unknowns x = (N_0, T_0, N_1, T_1, ...). */
typedef struct fw_local_work_space {
  double *x, *r, *J, *LU, *dx, *work;
  lapack_int *pivots;
  double reach;    /* force that would undo the motion without contact within a step: where a search may lead, */
  double least;    /* and of those before and of hard points: forces that residuals are judged against, */
  double forces;   /* with those of the last residual */
  double rounding; /* what the last residual may owe to rounding of the kinematics, */
  double blur;     /* and of the places that these are differences of */
} fw_local_work_space;

/* Row of free + D f. */
static double row_sum(const fw_local_problem *p, int row, const double *x) {
  const double *D = p->D + (size_t)row * 2 * (size_t)p->count;
  double sum = p->free[row];
  for (int i = 0; i < p->count; i++) sum += D[2 * i] * x[2 * i] - D[2 * i + 1] * x[2 * i + 1];
  return sum;
}

static void move_point(fw_local_problem *p, const double *x, int i) {
  p->motion[i] = (fw_local_motion){row_sum(p, 2 * i, x), row_sum(p, 2 * i + 1, x)};
}

/* d r of one point by all forces (N, -T). */
static void jacobian_rows(const fw_local_problem *p, const fw_local_residual *local, int i, double *J) {
  size_t n = 2 * (size_t)p->count, row = 2 * (size_t)i * n;
  double *row_n = J + row, *row_t = row_n + n;
  const double *gap_x = p->D + row, *slip_x = gap_x + n;
  for (size_t j = 0; j < n; j++) {
    double sign = j % 2 ? -1.0 : 1.0;
    row_n[j] = sign * local->n_gap * gap_x[j];
    row_t[j] = sign * local->t_slip * slip_x[j];
  }
  row_n[2 * i] += local->n_N;
  row_t[2 * i] += local->t_N;
  row_t[2 * i + 1] += local->t_T;
}

/* Of the forces: where a law is vertical (friction at rest that falls with a root of the velocity) rounding explains
 * anything, and nothing. */
static const double rounding_most = 1e-7;

/* Residual at x (kept in the problem: motion, z, status) and its Jacobian if J is not NULL. */
static double residual(fw_local_problem *p, fw_local_work_space *w, double *J) {
  double largest = 0.0, *r = w->r;
  const double *x = w->x;
  w->rounding = w->blur = 0.0;
  w->forces = w->least;
  for (int i = 0; i < 2 * p->count; i++) w->forces = fmax(w->forces, fabs(x[i]));
  for (int i = 0; i < p->count; i++) {
    fw_local_residual local;
    move_point(p, x, i);
    fw_local_evaluate(&p->points[i], x[2 * i], x[2 * i + 1], &p->motion[i], w->work, p->z[i], &local);
    p->status[i] = local.status;
    r[2 * i] = local.r_n;
    r[2 * i + 1] = local.r_t;
    largest = fmax(largest, fmax(fabs(local.r_n), fabs(local.r_t)));
    if (!isfinite(local.r_n + local.r_t)) return INFINITY;
    double slack = fabs(local.n_gap * p->free[2 * i]) + fabs(local.t_slip * p->free[2 * i + 1]);
    w->rounding = fmax(w->rounding, fmin(4.0 * DBL_EPSILON * slack, rounding_most * w->forces));
    double place = (fabs(local.n_gap) + fabs(local.t_slip)) * p->points[i].place;
    w->blur = fmax(w->blur, fmin(16.0 * DBL_EPSILON * place, rounding_most * w->forces));
    if (J) jacobian_rows(p, &local, i, J);
  }
  return largest;
}

enum { NEWTON_MOST = 60, PATIENCE = 6, SWEEPS_MOST = 400 };
static const double rank_tolerance = 1e-12; /* of the Jacobian, whose rows are of order one */

static bool is_singular(const double *LU, lapack_int n) {
  double least = INFINITY, most = 0.0;
  for (lapack_int i = 0; i < n; i++) {
    least = fmin(least, fabs(LU[i * (n + 1)]));
    most = fmax(most, fabs(LU[i * (n + 1)]));
  }
  return !(least > rank_tolerance * most);
}

/* More points than the bodies need to be held leave their forces undetermined (two feet that stick under one rigid
 * block): of all x that solve J x = J x_old - r the smallest, by which equal points share alike. */
static bool share(const fw_local_work_space *w, lapack_int n) {
  lapack_int rank;
  for (lapack_int i = 0; i < n; i++) {
    w->dx[i] = -w->r[i];
    for (lapack_int j = 0; j < n; j++) w->dx[i] += w->J[i * n + j] * w->x[j];
  }
  double *singular = w->LU; /* no longer needed */
  if (LAPACKE_dgelsd(LAPACK_ROW_MAJOR, n, n, 1, w->J, n, w->dx, 1, singular, rank_tolerance, &rank) != 0) return false;
  for (lapack_int i = 0; i < n; i++) w->dx[i] -= w->x[i];
  return true;
}

/* dx = -J^-1 r. */
static bool newton_increment(const fw_local_work_space *w, lapack_int n) {
  memcpy(w->LU, w->J, (size_t)n * (size_t)n * sizeof *w->LU);
  for (lapack_int i = 0; i < n; i++) w->dx[i] = -w->r[i];
  if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, w->LU, n, w->pivots, w->dx, 1) == 0 && !is_singular(w->LU, n)) return true;
  return share(w, n);
}

/* Semismooth Newton: the active set changes with the iterate, so an increase of the residual is taken
 * for a few iterations before the step is shortened. What is held twice is not met better than places are known. */
static bool newton(fw_local_problem *p, fw_local_work_space *w, double tolerance) {
  lapack_int n = 2 * p->count;
  for (int iteration = 0; iteration < NEWTON_MOST; iteration++) {
    double size = residual(p, w, w->J);
    if (size <= tolerance * w->forces + w->rounding + (iteration < PATIENCE ? 0.0 : w->blur)) return true;
    if (!isfinite(size)) return false;
    if (!newton_increment(w, n)) return false;
    double length = iteration < 20 ? 1.0 : 0.5;
    for (lapack_int i = 0; i < n; i++) w->x[i] += length * w->dx[i];
  }
  return false;
}

/* One scalar condition of point i (k = 0 normal, 1 tangential) as a function of its own force, all else
 * held: monotone for passive laws, so halving finds its root. */
static double own_residual(fw_local_problem *p, fw_local_work_space *w, int i, int k, double force,
                           const fw_local_motion *base) {
  size_t n = 2 * (size_t)p->count, at = 2 * (size_t)i * n + 2 * (size_t)i + (size_t)k;
  double gain = (k ? -1.0 : 1.0) * (force - w->x[2 * i + k]);
  fw_local_motion motion = *base;
  motion.gap += p->D[at] * gain;
  motion.slip += p->D[at + n] * gain;
  fw_local_residual local;
  double N = k ? w->x[2 * i] : force, T = k ? force : w->x[2 * i + 1];
  fw_local_evaluate(&p->points[i], N, T, &motion, w->work, p->z[i], &local);
  return k ? local.r_t : local.r_n;
}

typedef struct own_condition {
  fw_local_problem *problem;
  fw_local_work_space *work;
  const fw_local_motion *base;
  int point, which;
} own_condition;

static bool is_too_much(void *user, double force) {
  const own_condition *own = user;
  return !(own_residual(own->problem, own->work, own->point, own->which, force, own->base) < 0.0);
}

static double solve_own(fw_local_problem *p, fw_local_work_space *w, int i, int k, const fw_local_motion *base) {
  double low = w->x[2 * i + k], high = low, step = fmax(w->reach, fabs(low)) * 1e-3;
  double f_low = own_residual(p, w, i, k, low, base), f_high = f_low;
  for (int tries = 0; f_low > 0.0 && tries < 60; tries++, step *= 2.0) {
    low -= step;
    f_low = own_residual(p, w, i, k, low, base);
  }
  for (int tries = 0; f_high < 0.0 && tries < 60; tries++, step *= 2.0) {
    high += step;
    f_high = own_residual(p, w, i, k, high, base);
  }
  if (!(f_low <= 0.0 && f_high >= 0.0)) return w->x[2 * i + k];
  fw_bisect(is_too_much, &(own_condition){p, w, base, i, k}, 1e-14, 200, &low, &high);
  return 0.5 * (low + high);
}

/* Block Gauss-Seidel: slow but sure for passive laws; its answer starts Newton again. */
static void gauss_seidel(fw_local_problem *p, fw_local_work_space *w, double tolerance) {
  for (int sweep = 0; sweep < SWEEPS_MOST; sweep++) {
    for (int i = 0; i < p->count; i++)
      for (int k = 0; k < 2; k++) {
        move_point(p, w->x, i);
        const fw_local_motion base = p->motion[i];
        w->x[2 * i + k] = solve_own(p, w, i, k, &base);
      }
    if (residual(p, w, NULL) <= tolerance * w->forces + w->rounding) return;
  }
}

/* What a point's slip answers to its own T while its own gap is kept, D_tt - D_tn D_nt/D_nn: with the gap free to move
 * N would go along. With 1/c_t this, T + c_t slip at any slip is the force T_stick that would hold the point: beyond
 * the static limit exactly where it cannot be held. With a smaller c_t slip at the (lower) sliding force would pass for
 * stick. */
static double held_mobility(const fw_local_problem *p, int i) {
  size_t n = 2 * (size_t)p->count, gap = 2 * (size_t)i, slip = gap + 1;
  double D_nn = p->D[gap * n + gap], D_tt = p->D[slip * n + slip];
  if (!fw_normal_is_rigid(&p->points[i].pair->normal) || !(D_nn > 0.0)) return D_tt;
  return fmax(D_tt - p->D[slip * n + gap] * p->D[gap * n + slip] / D_nn, 1e-6 * D_tt);
}

void fw_local_scale(fw_local_problem *p) {
  for (int i = 0; i < p->count; i++) {
    size_t at_n = (size_t)(2 * i) * (size_t)(2 * p->count + 1);
    p->points[i].scale_n = 1.0 / fmax(p->D[at_n], 1e-300);
    p->points[i].scale_t = 1.0 / fmax(held_mobility(p, i), 1e-300);
  }
}

static void set_scales(fw_local_problem *p, fw_local_work_space *w) {
  fw_local_scale(p);
  w->least = w->reach = 1e-12;
  for (int i = 0; i < p->count; i++) {
    const fw_local *point = &p->points[i];
    double back = fmin(point->scale_n * fabs(p->free[2 * i]), 1e300);
    w->reach = fmax(w->reach, back);
    w->least = fmax(w->least, fmax(fabs(point->old->N), fabs(p->N[i])));
    if (fw_normal_is_rigid(&point->pair->normal)) w->least = fmax(w->least, back);
    w->x[2 * i] = p->N[i];
    w->x[2 * i + 1] = p->T[i];
  }
  w->reach = fmax(w->reach, w->least);
}

/* A static peak: stick beyond its limit has given way, but slip, with its own N and smaller T, may still look like
 * stick. A stiffer look tells them apart; it comes second, as it would also let go what can hold. */
static bool newton_of_slip(fw_local_problem *p, fw_local_work_space *w, double tolerance) {
  static const double stiffer = 1e3;
  bool any = false;
  for (int i = 0; i < p->count; i++) {
    any = any || fw_pair_is_rigid(p->points[i].pair);
    p->points[i].scale_t *= stiffer;
    w->x[2 * i] = p->points[i].old->N;
    w->x[2 * i + 1] = p->points[i].old->T;
  }
  bool found = any && newton(p, w, tolerance);
  for (int i = 0; i < p->count; i++) p->points[i].scale_t /= stiffer;
  return found;
}

/* Begins with the least forces that hold all that hard contact and rigid friction at rest can hold, pulling or not.
 * Where they may, they are the answer; and from there Newton lets go what they may not hold, while from no force at all
 * strong friction begins by slipping the way that has no solution. */
static void begin_stuck(const fw_local_problem *p, const fw_local_work_space *w) {
  lapack_int n = 2 * p->count;
  memset(w->J, 0, (size_t)n * (size_t)n * sizeof *w->J);
  for (lapack_int row = 0; row < n; row++) {
    const fw_local *point = &p->points[row / 2];
    bool rigid = row % 2 ? fw_pair_is_rigid(point->pair) && !(point->moment && point->old->slip_velocity != 0.0)
                         : fw_normal_is_rigid(&point->pair->normal) && isfinite(point->floor);
    double scale = row % 2 ? point->scale_t : point->scale_n, start = row % 2 ? 0.0 : point->floor;
    double *J = w->J + row * n;
    for (lapack_int j = 0; rigid && j < n; j++) J[j] = (j % 2 ? -scale : scale) * p->D[row * n + j];
    if (!rigid) J[row] = 1.0;
    w->r[row] = rigid ? scale * (row_sum(p, row, w->x) - start) : 0.0;
  }
  if (!share(w, n)) return;
  for (lapack_int i = 0; i < n; i++) w->x[i] += w->dx[i];
}

/* ---- room -------------------------------------------------------------------------------- */

void fw_local_clear(fw_local_problem *p) {
  void *blocks[] = {p->points, p->free, p->D, p->N, p->T, p->motion, (void *)p->z, p->status, p->memory, p->pivots};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
  *p = (fw_local_problem){0};
}

fw_status fw_local_reserve(fw_context *ctx, fw_local_problem *p, int count) {
  if (count <= p->room) return FW_OK;
  int room = count > 2 * p->room ? count : 2 * p->room;
  size_t n = (size_t)room;
  fw_local_clear(p);
  FW_TRY(fw_alloc(ctx, n, sizeof *p->points, &p->points));
  FW_TRY(fw_alloc(ctx, 2 * n, sizeof *p->free, &p->free));
  FW_TRY(fw_alloc(ctx, 4 * n * n, sizeof *p->D, &p->D));
  FW_TRY(fw_alloc(ctx, n, sizeof *p->N, &p->N));
  FW_TRY(fw_alloc(ctx, n, sizeof *p->T, &p->T));
  FW_TRY(fw_alloc(ctx, n, sizeof *p->motion, &p->motion));
  FW_TRY(fw_alloc(ctx, n, sizeof *p->z, &p->z));
  FW_TRY(fw_alloc(ctx, n, sizeof *p->status, &p->status));
  FW_TRY(fw_alloc(ctx, 2 * n, sizeof(lapack_int), &p->pivots));
  p->room = room;
  return FW_OK;
}

/* x, r, dx, J, its factors and what the laws need, in one block that grows. */
static fw_status set_work_space(fw_context *ctx, fw_local_problem *p, fw_local_work_space *w) {
  size_t n = 2 * (size_t)p->count, laws = 0;
  for (int i = 0; i < p->count; i++) {
    size_t need = fw_local_work(p->points[i].pair);
    laws = need > laws ? need : laws;
  }
  size_t need = 3 * n + 2 * n * n + laws;
  if (need > p->memory_room) {
    free(p->memory);
    p->memory = NULL;
    p->memory_room = 0;
    FW_TRY(fw_alloc(ctx, need, sizeof *p->memory, &p->memory));
    p->memory_room = need;
  }
  *w = (fw_local_work_space){.x = p->memory, .pivots = p->pivots};
  w->r = w->x + n;
  w->dx = w->r + n;
  w->J = w->dx + n;
  w->LU = w->J + n * n;
  w->work = w->LU + n * n;
  return FW_OK;
}

/* J x = -change in all columns; where J is singular the smallest x, as in share. */
static fw_status solve_changes(fw_context *ctx, const fw_local_work_space *w, lapack_int n, lapack_int m,
                               double *change) {
  fw_status status = FW_OK;
  double *singular = NULL;
  lapack_int rank;
  for (lapack_int i = 0; i < n * m; i++) change[i] = -change[i];
  memcpy(w->LU, w->J, (size_t)n * (size_t)n * sizeof *w->LU);
  bool regular = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, w->LU, n, w->pivots) == 0 && !is_singular(w->LU, n);
  if (regular) { /* columns one after the other: of the transpose by rows */
    for (lapack_int k = 0; k < m; k++)
      LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', n, 1, w->LU, n, w->pivots, change + k * n, 1);
    return FW_OK;
  }
  FW_TRY(fw_alloc(ctx, (size_t)n, sizeof *singular, &singular));
  for (lapack_int k = 0; k < m && status == FW_OK; k++) {
    memcpy(w->LU, w->J, (size_t)n * (size_t)n * sizeof *w->LU);
    if (LAPACKE_dgelsd(LAPACK_ROW_MAJOR, n, n, 1, w->LU, n, change + k * n, 1, singular, rank_tolerance, &rank) != 0)
      status = fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK dgelsd failed");
  }
  free(singular);
  return status;
}

fw_status fw_local_vary(fw_context *ctx, fw_local_problem *p, int changes, double *change) {
  if (p->count == 0) return FW_OK;
  fw_local_work_space w;
  FW_TRY(set_work_space(ctx, p, &w));
  set_scales(p, &w);
  residual(p, &w, w.J);
  return solve_changes(ctx, &w, 2 * p->count, changes, change);
}

fw_status fw_local_solve(fw_context *ctx, fw_local_problem *p) {
  if (p->count == 0) return FW_OK;
  fw_status status = FW_OK;
  fw_local_work_space w;
  FW_TRY(set_work_space(ctx, p, &w));
  set_scales(p, &w);
  static const double tolerance = 1e-11; /* of the forces */
  if (p->from_stuck) begin_stuck(p, &w);
  if (!newton(p, &w, tolerance) && !newton_of_slip(p, &w, tolerance)) {
    for (int i = 0; i < p->count; i++) {
      w.x[2 * i] = p->points[i].old->N;
      w.x[2 * i + 1] = p->points[i].old->T;
    }
    gauss_seidel(p, &w, tolerance);
    if (residual(p, &w, NULL) > tolerance * w.forces + w.rounding && !newton(p, &w, 1e3 * tolerance))
      status = FW_RECOVER_DIVERGED;
  }
  for (int i = 0; i < p->count; i++) {
    p->N[i] = w.x[2 * i];
    p->T[i] = w.x[2 * i + 1];
  }
  return status;
}
