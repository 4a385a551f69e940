/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How disturbances pass a moment at which a contact turns, sticks, hits, closes or opens. Where the state jumps by
 * x+ = R(x-) on a surface with the normal n, with the rates f- and f+,
 *
 *   dx+ = R_x dx- + (f+ - R_x f-) n^T dx- / (n^T f-).  */
#include "solver/stability/monodromy.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

fw_status fw_monodromy_mass(fw_monodromy *x, int sample) {
  int n = x->n;
  memcpy(x->matrix, x->motion->M, (size_t)(n * n) * sizeof(double));
  for (int k = 0; k < n; k++)
    for (int r = 0; fw_monodromy_held(x, k, sample) && r < n; r++) x->matrix[r * n + k] = x->matrix[k * n + r] = r == k;
  return LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, x->matrix, n, x->pivot) ? FW_RECOVER_DIVERGED : FW_OK;
}

void fw_monodromy_accelerate(const fw_monodromy *x, int sample, double *force) {
  for (int k = 0; k < x->n; k++)
    if (fw_monodromy_held(x, k, sample)) force[k] = 0;
  LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', x->n, 1, x->matrix, x->n, x->pivot, force, 1);
}

/* What a unit force along coordinate c accelerates. */
static void per_unit(const fw_monodromy *x, int c, int sample, double *answer) {
  for (int k = 0; k < x->n; k++) answer[k] = k == c;
  fw_monodromy_accelerate(x, sample, answer);
}

/* Rows first ... first + n - 1 of X += vector times row. */
static void add_outer(fw_monodromy *x, int first, double factor, const double *vector, const double *row) {
  for (int k = 0; k < x->n; k++) fw_monodromy_add(x, factor * vector[k], row, fw_monodromy_row(x->X, x, first + k));
}

/* A row of X, kept apart. */
static const double *keep(fw_monodromy *x, int row, int place) {
  double *kept = fw_monodromy_row(x->next, x, place);
  memcpy(kept, fw_monodromy_row(x->X, x, row), (size_t)x->states * sizeof(double));
  return kept;
}

/* ---- rigid stick --------------------------------------------------------------------------- */

/* Friction that just slides that way. */
static double sliding_force(const fw_monodromy *x, int contact, int sample, int way) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  return fw_friction_limit(c->friction, fw_friction_side(way, 0), fmax(c->N[sample], 0), NULL).slip;
}

/* A rigid contact's velocity reaches zero between samples i and j: it turns or sticks. */
static fw_status turn_or_stick(fw_monodromy *x, int contact, int i, int j) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  int n = x->n, slip = c->slip.at[0];
  double *before = x->guess_q, *per_force = x->guess_v, side = c->slip.factor[0]; /* filled anew afterwards */
  FW_TRY(fw_monodromy_mass(x, i));
  memcpy(before, x->motion->f + (size_t)i * (size_t)n, (size_t)n * sizeof(double));
  fw_monodromy_accelerate(x, i, before);
  per_unit(x, slip, i, per_force);
  bool sticks = fw_monodromy_direction(x, contact, j) == 0;
  double from = sliding_force(x, contact, i, fw_monodromy_direction(x, contact, i));
  for (int k = 0; k < n; k++) before[k] += side * per_force[k] * (x->motion->contacts[contact].T[i] - from);
  if (before[slip] == 0) return FW_OK;
  double change = sticks ? before[slip] / (side * per_force[slip])
                         : sliding_force(x, contact, i, fw_monodromy_direction(x, contact, j)) - from; /* of T */
  add_outer(x, n, -side * change / before[slip], per_force, keep(x, n + slip, 0));
  return FW_OK;
}

/* ---- hard contact -------------------------------------------------------------------------- */

/* d = M^-1 e / (e^T M^-1 e), e the gap's coordinate, and M^-1 C d. */
static fw_status landing_shape(fw_monodromy *x, int gap, int sample, double *d, double *damped) {
  int n = x->n;
  FW_TRY(fw_monodromy_mass(x, sample));
  per_unit(x, gap, sample, d);
  cblas_dscal(n, 1 / d[gap], d, 1);
  fw_monodromy_tangents(x, sample);
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, x->damping, n, d, 1, 0, damped, 1);
  fw_monodromy_accelerate(x, sample, damped);
  return FW_OK;
}

/* It closes and stays closed: v+ = (I - d e^T) v, whatever the speed dq+ = dq - d dgap and
 * dv+ = (I - d e^T) (dv + M^-1 C d dgap). */
static fw_status land(fw_monodromy *x, int contact, int i) {
  int n = x->n, gap = x->motion->contacts[contact].gap.at[0];
  double *d = x->guess_q, *damped = x->guess_v;
  FW_TRY(landing_shape(x, gap, i, d, damped));
  const double *moved = keep(x, gap, 0);
  add_outer(x, n, 1, damped, moved);
  add_outer(x, 0, -1, d, moved);
  add_outer(x, n, -1, d, keep(x, n + gap, 1));
  return FW_OK;
}

/* It hits and flies off: v+ = (I - (1 + r) d e^T) v with restitution r. With w the velocity and a the acceleration of
 * the gap before it dq+ = dq - (1 + r) d dgap and dv+ = (I - (1 + r) d e^T) dv + (1 + r) (d a / w + M^-1 C d) dgap. The
 * series has the gap a little below zero there, and the mean of the velocities before and after. */
static fw_status hit(fw_monodromy *x, const fw_motion_impact *impact) {
  const fw_motion_contact *c = &x->motion->contacts[impact->contact];
  int n = x->n, gap = c->gap.at[0], i = impact->sample;
  double *d = x->guess_q, *damped = x->guess_v, *free = x->solution, both = 1 + impact->restitution;
  double side = c->gap.factor[0];
  FW_TRY(landing_shape(x, gap, i, d, damped));
  memcpy(free, x->motion->f + (size_t)i * (size_t)n, (size_t)n * sizeof(double));
  free[gap] -= side * c->N[i];
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, c->gap_values[i] / side, x->motion->K, n, d, 1, 1, free, 1);
  fw_monodromy_accelerate(x, i, free);
  double speed = -impact->speed / side, a = free[gap] - 0.5 * both * speed * damped[gap];
  const double *moved = keep(x, gap, 0);
  add_outer(x, n, -both, d, keep(x, n + gap, 1));
  add_outer(x, n, both * a / speed, d, moved);
  add_outer(x, n, both, damped, moved);
  add_outer(x, 0, -both, d, moved);
  return FW_OK;
}

fw_status fw_monodromy_jumps(fw_monodromy *x, int i, int j) {
  bool changed = false;
  for (int k = 0; k < x->motion->contact_count; k++) {
    int before = fw_monodromy_direction(x, k, i), after = fw_monodromy_direction(x, k, j);
    bool was = fw_monodromy_closed(x, k, i), is = fw_monodromy_closed(x, k, j);
    if (before != 0 && before != after) FW_TRY(turn_or_stick(x, k, i, j));
    if (is && !was) FW_TRY(land(x, k, i));
    changed = changed || before != after || is != was;
  }
  for (int k = 0; k < x->impact_count; k++) {
    if (x->impacts[k].sample != i) continue;
    FW_TRY(hit(x, &x->impacts[k]));
    changed = true;
  }
  return changed ? fw_monodromy_settle(x, i, j) : FW_OK;
}
