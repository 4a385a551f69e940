/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step of the disturbances from sample i to sample j, and the jumps of rigid stick. */
#include "solver/hb/variation.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double RANGE = 1e50;

static double *row_of(double *rows, const fw_variation *x, int row) { return rows + (size_t)row * (size_t)x->states; }

static void add_row(const fw_variation *x, double factor, const double *from, double *to) {
  if (factor != 0) cblas_daxpy(x->states, factor, from, 1, to, 1);
}

/* ---- what a contact does ------------------------------------------------------------------ */

/* The coordinate that a gap or slip is, -1: it does not move. */
static int coordinate_of(const fw_combination *combination) { return combination->count ? combination->at[0] : -1; }

/* -1, 1: slides that way; 0: sticks rigidly. */
static int direction(const fw_variation *x, int contact, int sample) {
  return x->directions[contact * x->balance->fourier.samples + sample];
}

/* Hard contact that stays closed; one that may open stays as it is in the motions that are looked at. */
static bool is_closed(const fw_variation *x, int contact) {
  fw_cycle_normal kind = x->balance->contacts[contact].point.kind;
  return kind == FW_CYCLE_CLOSED || (kind == FW_CYCLE_OPENING && x->balance->cycles[contact].N[0] > 0);
}

static fw_step_in input_of(const fw_cycle *cycle, int i, int j, double h) {
  return (fw_step_in){{cycle->u[j] - cycle->u[i], cycle->v[i], cycle->v[j], fmax(cycle->N[i], 0), fmax(cycle->N[j], 0)},
                      h};
}

/* Derivatives of law l of a contact over the step; *offset: of its states among the contact's. */
static fw_step_out differentiate(const fw_variation *x, int contact, int l, int i, int j, int *offset) {
  const fw_cycle_point *point = &x->balance->contacts[contact].point;
  const fw_cycle *cycle = &x->balance->cycles[contact];
  const fw_friction *law = &point->laws[l];
  size_t s = (size_t)law->states;
  fw_step_out out = {.T_x = x->step};
  out.T_z = out.T_x + FW_STEP_INPUTS;
  out.z = out.T_z + s;
  out.z_x = out.z + s;
  out.z_z = out.z_x + s * FW_STEP_INPUTS;
  *offset = 0;
  for (int k = 0; k < l; k++) *offset += point->laws[k].states;
  if (point->hold > 0) {
    fw_limit_out limit;
    law->ops->limit(law->constants, direction(x, contact, j) < 0 ? fmin(cycle->v[j], -1e-300) : fmax(cycle->v[j], 0),
                    fmax(cycle->N[j], 0), NULL, &limit);
    memset(out.T_x, 0, FW_STEP_INPUTS * sizeof(double));
    out.T_x[FW_STEP_V1] = limit.slip_v;
    out.T_x[FW_STEP_N1] = limit.slip_N;
    return out;
  }
  fw_step_in in = input_of(cycle, i, j, x->h);
  fw_friction_step(law, &in, cycle->z_samples + (size_t)i * (size_t)cycle->states + *offset, &out);
  return out;
}

/* to += derivative . (inputs of the step), the end of the step by the guess or by the rows of q, v, N there. */
static void add_inputs(const fw_variation *x, int contact, const double *d, const double *q1, const double *v1,
                       const double *N1, double sign, double *to) {
  int slip = coordinate_of(&x->balance->contacts[contact].slip);
  add_row(x, sign * d[FW_STEP_DU], q1, to);
  add_row(x, -sign * d[FW_STEP_DU], row_of(x->X, x, slip), to);
  add_row(x, sign * d[FW_STEP_V0], row_of(x->X, x, x->n + slip), to);
  add_row(x, sign * d[FW_STEP_V1], v1, to);
  add_row(x, sign * d[FW_STEP_N0], row_of(x->X, x, x->normal + contact), to);
  if (N1) add_row(x, sign * d[FW_STEP_N1], N1, to);
}

/* The contact in matrix and right-hand side (in `solution`). */
static void add_contact(fw_variation *x, int contact, int i, int j, double h) {
  const fw_balance_contact *c = &x->balance->contacts[contact];
  const fw_cycle *cycle = &x->balance->cycles[contact];
  int n = x->n, gap = coordinate_of(&c->gap), slip = coordinate_of(&c->slip), first = x->friction, offset;
  for (int k = 0; k < contact; k++) first += x->balance->cycles[k].states;
  double by_gap = gap < 0 || is_closed(x, contact) ? 0 : 0.25 * h * h * cycle->N_gap[j] + 0.5 * h * cycle->N_rate[j];
  if (by_gap != 0 || (gap >= 0 && !is_closed(x, contact))) { /* N by its law */
    double *N = row_of(x->next, x, x->normal + contact);
    memset(N, 0, (size_t)x->states * sizeof(double));
    add_row(x, cycle->N_gap[j], row_of(x->guess_q, x, gap), N);
    add_row(x, cycle->N_rate[j], row_of(x->guess_v, x, gap), N);
    add_row(x, 1, N, row_of(x->solution, x, gap));
    x->matrix[gap * n + gap] -= by_gap;
  } else if (gap >= 0) {
    x->matrix[gap * n + gap] = -1; /* the unknown is N */
  }
  if (slip < 0) return;
  double *slip_row = row_of(x->solution, x, slip);
  if (direction(x, contact, j) == 0) {
    x->matrix[slip * n + slip] = 1; /* the unknown is T */
    return;
  }
  for (int l = 0; l < c->point.law_count; l++) {
    fw_step_out out = differentiate(x, contact, l, i, j, &offset);
    const double *N1 = gap >= 0 && !is_closed(x, contact) ? row_of(x->next, x, x->normal + contact) : NULL;
    add_inputs(x, contact, out.T_x, row_of(x->guess_q, x, slip), row_of(x->guess_v, x, slip), N1, -1, slip_row);
    for (int k = 0; !(c->point.hold > 0) && k < c->point.laws[l].states; k++)
      add_row(x, -out.T_z[k], row_of(x->X, x, first + offset + k), slip_row);
    x->matrix[slip * n + slip] += 0.25 * h * h * out.T_x[FW_STEP_DU] + 0.5 * h * out.T_x[FW_STEP_V1];
    if (gap >= 0) x->matrix[slip * n + gap] += out.T_x[FW_STEP_N1] * (is_closed(x, contact) ? 1 : by_gap);
  }
}

/* ---- the step ------------------------------------------------------------------------------ */

/* True if the coordinate does not move at sample j: a gap kept closed, a contact that sticks rigidly. */
static bool is_held(const fw_variation *x, int coordinate, int j) {
  for (int i = 0; i < x->balance->given.contact_count; i++) {
    const fw_balance_contact *c = &x->balance->contacts[i];
    if (coordinate_of(&c->gap) == coordinate && is_closed(x, i)) return true;
    if (coordinate_of(&c->slip) == coordinate && direction(x, i, j) == 0) return true;
  }
  return false;
}

static void guess_end(fw_variation *x, int j, double h) {
  size_t bytes = (size_t)x->states * sizeof(double);
  for (int i = 0; i < x->n; i++) {
    double *q = row_of(x->guess_q, x, i), *v = row_of(x->guess_v, x, i);
    memcpy(q, row_of(x->X, x, i), bytes);
    memset(v, 0, bytes);
    if (is_held(x, i, j)) continue;
    memcpy(v, row_of(x->X, x, x->n + i), bytes);
    add_row(x, h, row_of(x->X, x, x->n + i), q);
    add_row(x, 0.25 * h * h, row_of(x->X, x, 2 * x->n + i), q);
    add_row(x, 0.5 * h, row_of(x->X, x, 2 * x->n + i), v);
  }
}

/* K at sample j, with the polynomial's tangent. */
static void stiffness_at(fw_variation *x, int j) {
  const fw_quartic *quartic = x->balance->given.quartic;
  int n = x->n, c = x->coordinates;
  memcpy(x->tangent, x->K, (size_t)(n * n) * sizeof(double));
  if (!quartic || !quartic->elements) return;
  double *force = x->solution, *K = force + c, *work = K + c * c; /* filled anew afterwards */
  fw_quartic_force(quartic, x->q + (size_t)j * (size_t)n, force, K, work);
  for (int a = 0; a < c; a++)
    for (int b = 0; b < c; b++) x->tangent[a * n + b] += K[a * c + b];
}

/* Accelerations, or forces where something is held, at the end of a step of h (0: here and now). */
static fw_status solve_end(fw_variation *x, int i, int j, double h) {
  int n = x->n, m = x->states;
  guess_end(x, j, h);
  stiffness_at(x, j);
  for (int k = 0; k < n * n; k++) x->matrix[k] = x->M[k] + 0.5 * h * x->C[k] + 0.25 * h * h * x->tangent[k];
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, n, -1, x->C, n, x->guess_v, m, 0, x->solution, m);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, n, -1, x->tangent, n, x->guess_q, m, 1, x->solution, m);
  for (int k = 0; k < n; k++)
    for (int r = 0; r < n && is_held(x, k, j); r++) x->matrix[r * n + k] = 0;
  for (int k = 0; k < x->balance->given.contact_count; k++) add_contact(x, k, i, j, h);
  return LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, m, x->matrix, n, x->pivot, x->solution, m) ? FW_RECOVER_DIVERGED : FW_OK;
}

static void put_motion(fw_variation *x, int j, double h, double *to) {
  size_t bytes = (size_t)x->states * sizeof(double);
  for (int i = 0; i < x->n; i++) {
    double *q = row_of(to, x, i), *v = row_of(to, x, x->n + i), *a = row_of(to, x, 2 * x->n + i);
    memcpy(q, row_of(x->guess_q, x, i), bytes);
    memcpy(v, row_of(x->guess_v, x, i), bytes);
    memset(a, 0, bytes);
    if (is_held(x, i, j)) continue;
    add_row(x, 0.25 * h * h, row_of(x->solution, x, i), q);
    add_row(x, 0.5 * h, row_of(x->solution, x, i), v);
    memcpy(a, row_of(x->solution, x, i), bytes);
  }
}

static void put_normal(fw_variation *x, int contact, int j, double *to) {
  const fw_balance_contact *c = &x->balance->contacts[contact];
  const fw_cycle *cycle = &x->balance->cycles[contact];
  double *N = row_of(to, x, x->normal + contact);
  int gap = coordinate_of(&c->gap);
  memset(N, 0, (size_t)x->states * sizeof(double));
  if (gap < 0) return;
  if (is_closed(x, contact)) {
    add_row(x, 1, row_of(x->solution, x, gap), N);
    return;
  }
  add_row(x, cycle->N_gap[j], row_of(to, x, gap), N);
  add_row(x, cycle->N_rate[j], row_of(to, x, x->n + gap), N);
}

static void put_states(fw_variation *x, int contact, int first, int i, int j) {
  const fw_balance_contact *c = &x->balance->contacts[contact];
  int slip = coordinate_of(&c->slip);
  size_t rows = (size_t)x->balance->cycles[contact].states;
  memset(row_of(x->next, x, first), 0, rows * (size_t)x->states * sizeof(double)); /* rigid stick has no states */
  for (int l = 0; l < c->point.law_count && !(c->point.hold > 0) && slip >= 0; l++) {
    int offset, s = c->point.laws[l].states;
    bool diagonal = fw_friction_uncoupled(&c->point.laws[l]);
    fw_step_out out = differentiate(x, contact, l, i, j, &offset);
    for (int k = 0; k < s; k++) {
      double *z = row_of(x->next, x, first + offset + k);
      add_inputs(x, contact, out.z_x + k * FW_STEP_INPUTS, row_of(x->next, x, slip), row_of(x->next, x, x->n + slip),
                 row_of(x->next, x, x->normal + contact), 1, z);
      for (int r = diagonal ? k : 0; r < (diagonal ? k + 1 : s); r++)
        add_row(x, diagonal ? out.z_z[k] : out.z_z[k * s + r], row_of(x->X, x, first + offset + r), z);
    }
  }
}

static fw_status advance(fw_variation *x, int i, int j) {
  FW_TRY(solve_end(x, i, j, x->h));
  put_motion(x, j, x->h, x->next);
  for (int k = 0, first = x->friction; k < x->balance->given.contact_count; first += x->balance->cycles[k++].states) {
    put_normal(x, k, j, x->next);
    put_states(x, k, first, i, j);
  }
  double *swap = x->X;
  x->X = x->next;
  x->next = swap;
  return FW_OK;
}

/* ---- jumps of rigid stick ------------------------------------------------------------------ */

/* Accelerations before sample i's contact turns or sticks, and those that a unit of friction takes away: both n. */
static fw_status jump_rates(fw_variation *x, int slip, int i, double *before, double *per_force) {
  int n = x->n;
  memcpy(x->matrix, x->M, (size_t)(n * n) * sizeof(double));
  for (int k = 0; k < n; k++) {
    before[k] = x->f[(size_t)i * (size_t)n + (size_t)k];
    per_force[k] = k == slip;
    if (!is_held(x, k, i)) continue;
    for (int r = 0; r < n; r++) x->matrix[r * n + k] = x->matrix[k * n + r] = r == k;
    before[k] = 0;
  }
  if (LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, x->matrix, n, x->pivot)) return FW_RECOVER_DIVERGED;
  LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', n, 1, x->matrix, n, x->pivot, before, 1);
  LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', n, 1, x->matrix, n, x->pivot, per_force, 1);
  return FW_OK;
}

/* What the samples say: a contact that turns is seen to stick for a moment, as long as friction takes to change over.
 * It does not if with the friction of the new direction it is driven on; `at`: where the moment begins. */
static fw_status settle_moment(fw_variation *x, int contact, int at) {
  const fw_cycle *cycle = &x->balance->cycles[contact];
  int samples = x->balance->fourier.samples, *d = x->directions + contact * samples,
      before = (at + samples - 1) % samples;
  int length = 0, slip = coordinate_of(&x->balance->contacts[contact].slip);
  while (length < samples && d[(at + length) % samples] == 0) length++;
  int after = (at + length) % samples;
  if (length == samples || d[after] != -d[before]) return FW_OK;
  double *rate = x->guess_q, *per_force = x->guess_v;
  FW_TRY(jump_rates(x, slip, before, rate, per_force));
  if ((rate[slip] - per_force[slip] * (cycle->T[after] - cycle->T[before])) * rate[slip] <= 0) return FW_OK;
  for (int k = 0; k < length; k++) {
    int sample = (at + k) % samples;
    d[sample] = cycle->v[sample] * d[before] > 0 ? d[before] : d[after];
  }
  return FW_OK;
}

static fw_status find_directions(fw_variation *x) {
  int samples = x->balance->fourier.samples;
  for (int i = 0; i < x->balance->given.contact_count; i++) {
    const fw_cycle *cycle = &x->balance->cycles[i];
    int *d = x->directions + i * samples;
    bool rigid = x->balance->contacts[i].point.hold > 0;
    for (int s = 0; s < samples; s++) d[s] = !rigid ? 1 : !cycle->slides[s] ? 0 : cycle->T[s] < 0 ? -1 : 1;
    for (int s = 0; s < samples; s++)
      if (d[s] == 0 && d[(s + samples - 1) % samples] != 0) FW_TRY(settle_moment(x, i, s));
  }
  return FW_OK;
}

/* Friction that just slides that way. */
static double sliding_force(const fw_variation *x, int contact, int sample, int way) {
  const fw_friction *law = x->balance->contacts[contact].point.laws;
  fw_limit_out limit;
  law->ops->limit(law->constants, way < 0 ? -1e-300 : 0, fmax(x->balance->cycles[contact].N[sample], 0), NULL, &limit);
  return limit.slip;
}

/* Disturbances pass the moment at which a rigid contact's velocity reaches zero between samples i and j. */
static fw_status jump(fw_variation *x, int contact, int i, int j) {
  const fw_cycle *cycle = &x->balance->cycles[contact];
  int n = x->n, slip = coordinate_of(&x->balance->contacts[contact].slip);
  double *before = x->guess_q, *per_force = x->guess_v; /* filled anew afterwards */
  FW_TRY(jump_rates(x, slip, i, before, per_force));
  bool sticks = direction(x, contact, j) == 0;
  double from = sliding_force(x, contact, i, direction(x, contact, i));
  for (int k = 0; k < n; k++) before[k] += per_force[k] * (cycle->T[i] - from);
  if (before[slip] == 0) return FW_OK;
  double change = sticks ? before[slip] / per_force[slip]
                         : sliding_force(x, contact, i, direction(x, contact, j)) - from; /* of T */
  double *velocity = row_of(x->next, x, 0);
  memcpy(velocity, row_of(x->X, x, n + slip), (size_t)x->states * sizeof(double));
  for (int k = 0; k < n; k++) add_row(x, -change * per_force[k] / before[slip], velocity, row_of(x->X, x, n + k));
  FW_TRY(solve_end(x, i, j, 0));
  for (int k = 0; k < n; k++)
    memcpy(row_of(x->X, x, 2 * n + k), row_of(x->solution, x, k), (size_t)x->states * sizeof(double));
  return FW_OK;
}

/* Keeps X within the range of numbers. */
static void keep_in_range(fw_variation *x) {
  int all = x->states * x->states;
  double largest = fabs(x->X[cblas_idamax(all, x->X, 1)]);
  if (!(largest > RANGE)) return;
  cblas_dscal(all, 1 / RANGE, x->X, 1);
  x->size = fmin(x->size * RANGE, 1e250);
}

fw_status fw_variation_round(fw_variation *x) {
  int samples = x->balance->fourier.samples;
  FW_TRY(find_directions(x));
  x->size = 1;
  memset(x->X, 0, (size_t)x->states * (size_t)x->states * sizeof(double));
  for (int i = 0; i < x->states; i++) row_of(x->X, x, i)[i] = 1;
  for (int k = 0; k < x->balance->given.contact_count; k++)
    if (is_closed(x, k)) {
      int gap = coordinate_of(&x->balance->contacts[k].gap);
      row_of(x->X, x, gap)[gap] = 0;
    }
  for (int s = 0; s < samples; s++) {
    int i = (x->start + s) % samples, j = (i + 1) % samples;
    for (int k = 0; k < x->balance->given.contact_count; k++)
      if (direction(x, k, i) != 0 && direction(x, k, i) != direction(x, k, j)) FW_TRY(jump(x, k, i, j));
    FW_TRY(advance(x, i, j));
    keep_in_range(x);
  }
  return FW_OK;
}
