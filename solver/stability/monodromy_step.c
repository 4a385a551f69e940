/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step of the disturbances from sample i to sample j. */
#include "solver/stability/monodromy.h"

#include "contact/friction/derived.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double RANGE = 1e50;

/* ---- what a contact does ------------------------------------------------------------------ */

/* dN/dgap and dN/drate of a contact where its law gives N, else 0. */
static void normal_slopes(const fw_monodromy *x, int contact, int sample, double *by_gap, double *by_rate) {
  bool by_law = x->motion->contacts[contact].law != NULL;
  *by_gap = by_law ? x->slopes[contact * x->motion->samples + sample] : 0;
  *by_rate = by_law ? x->motion->contacts[contact].N_rate[sample] : 0;
}

static fw_step_in input_of(const fw_motion_contact *c, int i, int j, double h) {
  return (fw_step_in){{c->u[j] - c->u[i], c->v[i], c->v[j], fmax(c->N[i], 0), fmax(c->N[j], 0)}, h};
}

/* Derivatives of a contact's friction over the step. Where elastic stick breaks away in it, a disturbance moves the
 * moment at which the force falls. */
static fw_step_out differentiate(const fw_monodromy *x, int contact, int i, int j) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  size_t s = (size_t)c->friction->states;
  fw_step_out out = {.T_x = x->step};
  out.T_z = out.T_x + FW_STEP_INPUTS;
  out.z = out.T_z + s;
  out.z_x = out.z + s;
  out.z_z = out.z_x + s * FW_STEP_INPUTS;
  if (c->rigid_stick) {
    double on_side = fw_friction_side(fw_monodromy_direction(x, contact, j), c->v[j]);
    fw_limit_out limit = fw_friction_limit(c->friction, on_side, fmax(c->N[j], 0), NULL);
    memset(out.T_x, 0, FW_STEP_INPUTS * sizeof(double));
    out.T_x[FW_STEP_V1] = limit.slip_v;
    out.T_x[FW_STEP_N1] = limit.slip_N;
    return out;
  }
  fw_step_in in = input_of(c, i, j, x->motion->h);
  const double *z = c->z + (size_t)i * s;
  fw_friction_step(c->friction, &in, z, &out);
  fw_friction_add_breaks(c->friction, &in, z, &out);
  return out;
}

/* to += factor derivative . (inputs of the step), q, v and N at its end by these rows (N NULL: left out). */
static void add_inputs(const fw_monodromy *x, int contact, const double *d, double *q1, double *v1, const double *N1,
                       double factor, double *to) {
  const fw_combination *slip = &x->motion->contacts[contact].slip;
  fw_monodromy_along(x, factor * d[FW_STEP_DU], slip, q1, 0, to);
  fw_monodromy_along(x, -factor * d[FW_STEP_DU], slip, x->X, 0, to);
  fw_monodromy_along(x, factor * d[FW_STEP_V0], slip, x->X, x->n, to);
  fw_monodromy_along(x, factor * d[FW_STEP_V1], slip, v1, 0, to);
  fw_monodromy_add(x, factor * d[FW_STEP_N0], fw_monodromy_row(x->X, x, x->normal + contact), to);
  if (N1) fw_monodromy_add(x, factor * d[FW_STEP_N1], N1, to);
}

/* N of a contact by its law, where q and v of the coordinates are these rows. */
static void normal_by_law(fw_monodromy *x, int contact, int j, double *q, double *v, double *N) {
  const fw_combination *gap = &x->motion->contacts[contact].gap;
  double by_gap, by_rate;
  normal_slopes(x, contact, j, &by_gap, &by_rate);
  memset(N, 0, (size_t)x->states * sizeof(double));
  fw_monodromy_along(x, by_gap, gap, q, 0, N);
  fw_monodromy_along(x, by_rate, gap, v, 0, N);
}

/* matrix += slope: a force along `on` that grows with the acceleration along `by`, as far as this is not held. */
static void add_slope(fw_monodromy *x, const fw_combination *on, const fw_combination *by, int j, double slope) {
  for (int b = 0; b < by->count && slope != 0; b++)
    for (int a = 0; a < on->count && !fw_monodromy_held(x, by->at[b], j); a++)
      x->matrix[on->at[a] * x->n + by->at[b]] += slope * on->factor[a] * by->factor[b];
}

/* Right-hand side += a force along a gap or slip. */
static void add_force(fw_monodromy *x, const fw_combination *on, double sign, const double *force) {
  for (int k = 0; k < on->count; k++)
    fw_monodromy_add(x, sign * on->factor[k], force, fw_monodromy_row(x->solution, x, on->at[k]));
}

/* The normal force in matrix and right-hand side (in `solution`); returns its slope over the acceleration of the gap.
 */
static double add_normal(fw_monodromy *x, int contact, int j, double h) {
  const fw_combination *gap = &x->motion->contacts[contact].gap;
  double by_gap, by_rate;
  if (fw_monodromy_closed(x, contact, j)) {
    x->matrix[gap->at[0] * x->n + gap->at[0]] = -gap->factor[0]; /* the unknown is N */
    return 0;
  }
  double *N = fw_monodromy_row(x->next, x, x->normal + contact);
  normal_by_law(x, contact, j, x->guess_q, x->guess_v, N);
  add_force(x, gap, 1, N);
  normal_slopes(x, contact, j, &by_gap, &by_rate);
  double slope = 0.25 * h * h * by_gap + 0.5 * h * by_rate;
  add_slope(x, gap, gap, j, -slope);
  return slope;
}

/* T over the acceleration of the gap, or over N where this is an unknown. */
static void couple(fw_monodromy *x, int contact, int j, double by_N, double N_gap) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  if (!fw_monodromy_closed(x, contact, j)) {
    add_slope(x, &c->slip, &c->gap, j, by_N * N_gap);
    return;
  }
  for (int a = 0; a < c->slip.count; a++) x->matrix[c->slip.at[a] * x->n + c->gap.at[0]] += by_N * c->slip.factor[a];
}

/* The contact in matrix and right-hand side. */
static void add_contact(fw_monodromy *x, int contact, int i, int j, double h) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  int first = x->friction;
  double N_gap = add_normal(x, contact, j, h), *T = fw_monodromy_row(x->next, x, 0);
  if (!c->slip.count || !c->friction->ops) return;
  if (fw_monodromy_direction(x, contact, j) == 0) {
    x->matrix[c->slip.at[0] * x->n + c->slip.at[0]] = c->slip.factor[0]; /* the unknown is T */
    return;
  }
  for (int k = 0; k < contact; k++) first += x->motion->contacts[k].friction->states;
  const double *N1 = fw_monodromy_closed(x, contact, j) ? NULL : fw_monodromy_row(x->next, x, x->normal + contact);
  fw_step_out out = differentiate(x, contact, i, j);
  memset(T, 0, (size_t)x->states * sizeof *T);
  add_inputs(x, contact, out.T_x, x->guess_q, x->guess_v, N1, 1, T);
  for (int k = 0; !c->rigid_stick && k < c->friction->states; k++)
    fw_monodromy_add(x, out.T_z[k], fw_monodromy_row(x->X, x, first + k), T);
  add_force(x, &c->slip, -1, T);
  add_slope(x, &c->slip, &c->slip, j, 0.25 * h * h * out.T_x[FW_STEP_DU] + 0.5 * h * out.T_x[FW_STEP_V1]);
  couple(x, contact, j, out.T_x[FW_STEP_N1], N_gap);
}

/* ---- the step ------------------------------------------------------------------------------ */

static void guess_end(fw_monodromy *x, int j, double h) {
  size_t bytes = (size_t)x->states * sizeof(double);
  for (int i = 0; i < x->n; i++) {
    double *q = fw_monodromy_row(x->guess_q, x, i), *v = fw_monodromy_row(x->guess_v, x, i);
    memcpy(q, fw_monodromy_row(x->X, x, i), bytes);
    memset(v, 0, bytes);
    if (fw_monodromy_held(x, i, j)) continue;
    memcpy(v, fw_monodromy_row(x->X, x, x->n + i), bytes);
    fw_monodromy_add(x, h, fw_monodromy_row(x->X, x, x->n + i), q);
    fw_monodromy_add(x, 0.25 * h * h, fw_monodromy_row(x->X, x, 2 * x->n + i), q);
    fw_monodromy_add(x, 0.5 * h, fw_monodromy_row(x->X, x, 2 * x->n + i), v);
  }
}

void fw_monodromy_tangents(fw_monodromy *x, int j) {
  const fw_periodic_motion *m = x->motion;
  size_t bytes = (size_t)(m->n * m->n) * sizeof(double), at = (size_t)j * (size_t)m->n;
  memcpy(x->tangent, m->K, bytes);
  memcpy(x->damping, m->C, bytes);
  if (m->add_tangents) m->add_tangents(m->user, m->q + at, m->v + at, x->tangent, x->damping);
}

/* Accelerations, or forces where something is held, at the end of a step of h (0: here and now). */
static fw_status solve_end(fw_monodromy *x, int i, int j, double h) {
  int n = x->n, m = x->states;
  guess_end(x, j, h);
  fw_monodromy_tangents(x, j);
  for (int k = 0; k < n * n; k++)
    x->matrix[k] = x->motion->M[k] + 0.5 * h * x->damping[k] + 0.25 * h * h * x->tangent[k];
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, n, -1, x->damping, n, x->guess_v, m, 0, x->solution, m);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, n, -1, x->tangent, n, x->guess_q, m, 1, x->solution, m);
  for (int k = 0; k < n; k++)
    for (int r = 0; r < n && fw_monodromy_held(x, k, j); r++) x->matrix[r * n + k] = 0;
  for (int k = 0; k < x->motion->contact_count; k++) add_contact(x, k, i, j, h);
  return LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, m, x->matrix, n, x->pivot, x->solution, m) ? FW_RECOVER_DIVERGED : FW_OK;
}

static void put_motion(fw_monodromy *x, int j, double h, double *to) {
  size_t bytes = (size_t)x->states * sizeof(double);
  for (int i = 0; i < x->n; i++) {
    double *q = fw_monodromy_row(to, x, i), *v = fw_monodromy_row(to, x, x->n + i),
           *a = fw_monodromy_row(to, x, 2 * x->n + i);
    memcpy(q, fw_monodromy_row(x->guess_q, x, i), bytes);
    memcpy(v, fw_monodromy_row(x->guess_v, x, i), bytes);
    memset(a, 0, bytes);
    if (fw_monodromy_held(x, i, j)) continue;
    fw_monodromy_add(x, 0.25 * h * h, fw_monodromy_row(x->solution, x, i), q);
    fw_monodromy_add(x, 0.5 * h, fw_monodromy_row(x->solution, x, i), v);
    memcpy(a, fw_monodromy_row(x->solution, x, i), bytes);
  }
}

static void put_normal(fw_monodromy *x, int contact, int j, double *to) {
  double *N = fw_monodromy_row(to, x, x->normal + contact);
  if (fw_monodromy_closed(x, contact, j)) {
    int gap = x->motion->contacts[contact].gap.at[0];
    memcpy(N, fw_monodromy_row(x->solution, x, gap), (size_t)x->states * sizeof(double));
  } else {
    normal_by_law(x, contact, j, to, fw_monodromy_row(to, x, x->n), N);
  }
}

static void put_states(fw_monodromy *x, int contact, int first, int i, int j) {
  const fw_motion_contact *c = &x->motion->contacts[contact];
  int s = c->friction->states;
  memset(fw_monodromy_row(x->next, x, first), 0,
         (size_t)s * (size_t)x->states * sizeof(double)); /* rigid stick has no states */
  if (s == 0 || c->rigid_stick || !c->slip.count) return;
  bool diagonal = fw_friction_uncoupled(c->friction);
  fw_step_out out = differentiate(x, contact, i, j);
  for (int k = 0; k < s; k++) {
    double *z = fw_monodromy_row(x->next, x, first + k);
    add_inputs(x, contact, out.z_x + k * FW_STEP_INPUTS, x->next, fw_monodromy_row(x->next, x, x->n),
               fw_monodromy_row(x->next, x, x->normal + contact), 1, z);
    for (int r = diagonal ? k : 0; r < (diagonal ? k + 1 : s); r++)
      fw_monodromy_add(x, diagonal ? out.z_z[k] : out.z_z[k * s + r], fw_monodromy_row(x->X, x, first + r), z);
  }
}

static fw_status advance(fw_monodromy *x, int i, int j) {
  FW_TRY(solve_end(x, i, j, x->motion->h));
  put_motion(x, j, x->motion->h, x->next);
  for (int k = 0, first = x->friction; k < x->motion->contact_count;
       first += x->motion->contacts[k++].friction->states) {
    put_normal(x, k, j, x->next);
    put_states(x, k, first, i, j);
  }
  double *swap = x->X;
  x->X = x->next;
  x->next = swap;
  return FW_OK;
}

fw_status fw_monodromy_settle(fw_monodromy *x, int i, int j) {
  FW_TRY(solve_end(x, i, j, 0));
  put_motion(x, j, 0, x->X);
  for (int k = 0; k < x->motion->contact_count; k++) put_normal(x, k, j, x->X);
  return FW_OK;
}

/* ---- once round ---------------------------------------------------------------------------- */

/* Keeps X within the range of numbers. */
static void keep_in_range(fw_monodromy *x) {
  int all = x->states * x->states;
  double largest = fabs(x->X[cblas_idamax(all, x->X, 1)]);
  if (!(largest > RANGE)) return;
  cblas_dscal(all, 1 / RANGE, x->X, 1);
  x->size = fmin(x->size * RANGE, 1e250);
}

fw_status fw_monodromy_round(fw_monodromy *x) {
  int samples = x->motion->samples;
  FW_TRY(fw_monodromy_phases(x));
  x->size = 1;
  memset(x->X, 0, (size_t)x->states * (size_t)x->states * sizeof(double));
  for (int i = 0; i < x->states; i++) fw_monodromy_row(x->X, x, i)[i] = 1;
  for (int k = 0; k < x->motion->contact_count; k++)
    if (fw_monodromy_closed(x, k, x->motion->start)) {
      int gap = x->motion->contacts[k].gap.at[0];
      fw_monodromy_row(x->X, x, gap)[gap] = 0;
    }
  for (int s = 0; s < samples; s++) {
    int i = (x->motion->start + s) % samples, j = (i + 1) % samples;
    FW_TRY(fw_monodromy_jumps(x, i, j));
    FW_TRY(advance(x, i, j));
    keep_in_range(x);
  }
  return FW_OK;
}
