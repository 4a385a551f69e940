/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives of a resonance with respect to a number p of a friction law. A resonance is R(y, p) = 0, the balance and
 * the condition of its phase, with y the harmonics and omega: differentiated,
 *
 *   R_y dy/dp = -R_p,     dW/dp = W_y dy/dp + W_p     for a figure W of the orbit.
 *
 * R_y is the analytic Jacobian bordered by the phase; R_p, W_p and W_y dy/dp are differences of five points along
 * (y + s dy/dp, p + s), in which only laws are evaluated anew. Samples that change between stick and slip on the way are
 * counted: at such a change the derivative is one-sided. */
#include "solver/hb/resonance.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "core/unknown.h"
#include "solver/hb/aft/aft.h"

enum { NODES = 5, REACH = 2 }; /* of a stencil: -2 .. 2 steps */
static const double STEP = FW_SENSITIVITY_STRETCH / REACH;
static const double CENTRAL[NODES] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
static const double FORWARD[NODES] = {-25.0 / 12, 48.0 / 12, -36.0 / 12, 16.0 / 12, -3.0 / 12};

/* Steps of p around its value, or to one side where its range ends. */
typedef struct stencil {
  double first, step; /* node m: first + m step, times a length */
  const double *weights;
} stencil;

typedef struct differentiator {
  fw_context *ctx;
  const fw_vibration *vibration;
  const fw_response_options *options;
  fw_solver solver; /* its contacts are its own: their friction is replaced for a while */
  fw_phase phase;
  int m;                 /* unknowns with omega */
  double *y;             /* the resonance */
  double *A, *row, *rhs; /* factors of the bordered matrix, its row scales, right-hand side and answer */
  int *pivot;
  double *r, *shifted;
  char *before, *after;
} differentiator;

/* ---- the resonance to the last digit, and the matrix there -------------------------------- */

static fw_status polish(differentiator *d, const fw_orbit *orbit) {
  double *scale = d->solver.curve.scale;
  memcpy(d->y, orbit->y, (size_t)d->m * sizeof(double));
  fw_balance_scale(&d->solver.balance, d->y, scale);
  scale[d->m - 1] = d->y[d->m - 1];
  fw_newton newton = {.tolerance = 1e-10, .most = 20};
  return fw_continuation_correct(&d->solver.curve, (fw_condition){&d->phase, fw_phase_value}, &newton, d->y);
}

/* Derivatives of the residual and of the condition with respect to omega: the last column of A. */
static fw_status differentiate_omega(differentiator *d, double *column) {
  int n = d->m - 1;
  double h = 1e-5 * d->y[n];
  memcpy(d->shifted, d->y, (size_t)d->m * sizeof(double));
  for (int k = 0; k < NODES; k++) {
    if (CENTRAL[k] == 0) continue;
    d->shifted[n] = d->y[n] + (k - REACH) * h;
    FW_TRY(fw_balance_residual(&d->solver.balance, d->shifted, d->r, NULL, NULL));
    d->r[n] = fw_phase_value(&d->phase, d->shifted, d->row);
    for (int i = 0; i <= n; i++) column[i] += CENTRAL[k] / h * d->r[i];
  }
  return FW_OK;
}

/* The balance's derivatives in A; those of a level that is found border them (bordered.h). */
static fw_status fill(differentiator *d) {
  size_t n = (size_t)d->m - 1, m = n + 1, border = d->solver.balance.control.direction ? 1 : 0, core = n - border;
  fw_jacobian J = {.core = (int)core, .n = (int)n};
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(d->ctx, core * core, sizeof(double), &J.dense));
  FW_TRY_DONE(fw_alloc(d->ctx, border * m, sizeof(double), &J.columns));
  FW_TRY_DONE(fw_alloc(d->ctx, border * core, sizeof(double), &J.rows));
  FW_TRY_DONE(fw_balance_residual(&d->solver.balance, d->y, d->r, &J, NULL));
  for (size_t j = 0; j < core; j++) {
    memcpy(d->A + j * m, J.dense + j * core, core * sizeof(double));
    if (border) d->A[j * m + core] = J.rows[j];
  }
  if (border) memcpy(d->A + core * m, J.columns, n * sizeof(double));
done:
  free(J.dense);
  free(J.columns);
  free(J.rows);
  return status;
}

/* A in scaled unknowns, rows of size one, factored. */
static fw_status factor(differentiator *d) {
  int n = d->m - 1, m = d->m;
  const double *scale = d->solver.curve.scale;
  FW_TRY(differentiate_omega(d, d->A + (size_t)n * (size_t)m));
  FW_TRY(fill(d));
  fw_phase_value(&d->phase, d->y, d->shifted);
  for (int j = 0; j < n; j++) d->A[(size_t)j * (size_t)m + (size_t)n] = d->shifted[j];
  memset(d->row, 0, (size_t)m * sizeof(double));
  for (int j = 0; j < m; j++)
    for (int i = 0; i < m; i++) {
      double *entry = &d->A[(size_t)j * (size_t)m + (size_t)i];
      *entry *= scale[j];
      d->row[i] = fmax(d->row[i], fabs(*entry));
    }
  for (int j = 0; j < m; j++)
    for (int i = 0; i < m; i++) d->A[(size_t)j * (size_t)m + (size_t)i] /= d->row[i] > 0 ? d->row[i] : 1;
  return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, d->A, m, d->pivot) == 0 ? FW_OK : FW_RECOVER_DIVERGED;
}

/* ---- one number of one law ----------------------------------------------------------------- */

static bool is_of(const fw_balance_contact *contact, const fw_pair *pair) {
  return contact->number >= pair->first_contact && contact->number < pair->first_contact + pair->count;
}

/* The laws of a pair, each with numbers of its own. */
static const fw_friction *laws_of(const fw_pair *pair) {
  int count;
  return fw_friction_parts(&pair->friction, &count);
}

static void use_friction(differentiator *d, const fw_pair *pair, const fw_friction *friction) {
  fw_balance_contact *contacts = d->solver.balance.contacts;
  for (int i = 0; i < d->vibration->contact_count; i++)
    if (is_of(&contacts[i], pair)) contacts[i].point.friction = friction;
}

/* Whether the law has a meaning with that value of the number. */
static bool is_allowed(differentiator *d, const fw_friction *law, int number, const fw_law_number *p, double value) {
  fw_friction varied;
  if ((p->min != 0 || p->max != 0) && (value < p->min || value > p->max)) return false;
  fw_status status = fw_law_vary(d->ctx, law, number, value, &varied);
  if (status != FW_OK) fw_context_clear(d->ctx);
  fw_friction_clear(&varied);
  return status == FW_OK;
}

/* Nodes where the law has a meaning, by steps relative to the number's value; a number that is zero has no size of its
 * own, and laws are all but linear in it. No weights: it stands alone. */
static stencil place_nodes(differentiator *d, const fw_friction *law, int number, const fw_law_number *p) {
  double h = p->value != 0 ? STEP * fabs(p->value) : 1e-2;
  bool down = is_allowed(d, law, number, p, p->value - REACH * h);
  bool up = is_allowed(d, law, number, p, p->value + REACH * h);
  if (down && up) return (stencil){-REACH, h, CENTRAL};
  return (stencil){0, up ? h : -h, up || down ? FORWARD : NULL};
}

/* What is done at each node: `at` is the distance from the value. */
typedef fw_status (*visit_fn)(differentiator *d, fw_hb_sensitivity *s, double at, double weight);

static fw_status visit_nodes(differentiator *d, const fw_pair *pair, int number, const stencil *nodes,
                             fw_hb_sensitivity *s, visit_fn visit) {
  fw_status status = FW_OK;
  for (int k = 0; k < NODES && status == FW_OK; k++) {
    double at = (nodes->first + k) * nodes->step;
    if (nodes->weights[k] == 0) continue;
    fw_friction varied;
    FW_TRY(fw_friction_vary(d->ctx, &pair->friction, s->law, number, s->number.value + at, &varied));
    use_friction(d, pair, &varied);
    status = visit(d, s, at, nodes->weights[k] / nodes->step);
    use_friction(d, pair, &pair->friction);
    fw_friction_unvary(&varied, s->law);
  }
  return status;
}

/* rhs -= weight R(y, p + at). */
static fw_status add_residual(differentiator *d, fw_hb_sensitivity *s, double at, double weight) {
  (void)s;
  (void)at;
  FW_TRY(fw_balance_residual(&d->solver.balance, d->y, d->r, NULL, NULL));
  for (int i = 0; i < d->m - 1; i++) d->rhs[i] -= weight * d->r[i];
  return FW_OK;
}

/* dy/dp and domega/dp, in place of the right-hand side. */
static fw_status solve(differentiator *d) {
  for (int i = 0; i < d->m; i++) d->rhs[i] /= d->row[i] > 0 ? d->row[i] : 1;
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', d->m, 1, d->A, d->m, d->pivot, d->rhs, d->m);
  for (int i = 0; i < d->m; i++) {
    d->rhs[i] *= d->solver.curve.scale[i];
    if (!isfinite(d->rhs[i])) return FW_RECOVER_NAN;
  }
  return FW_OK;
}

static int count_readings(const differentiator *d) { return d->vibration->model->sensor_count * (d->options->H + 1); }

/* Adds the figures at (y + at dy/dp, p + at). */
static fw_status add_orbit(differentiator *d, fw_hb_sensitivity *s, double at, double weight) {
  fw_orbit orbit;
  for (int i = 0; i < d->m; i++) d->shifted[i] = d->y[i] + at * d->rhs[i];
  FW_TRY(fw_orbit_measure(d->ctx, d->vibration, &d->solver.balance, d->shifted, &orbit));
  s->amplitude += weight * cabs(orbit.sensors[d->options->sensor * (d->options->H + 1) + 1]);
  s->damping += weight * fw_orbit_damping(&orbit);
  for (int k = 0; k < FW_CONTACT_FIGURES; k++) s->figures.at[k] += weight * orbit.pairs[s->pair].at[k];
  for (int k = 0; k < count_readings(d); k++) s->sensors[k] += weight * orbit.sensors[k];
  fw_orbit_clear(&orbit);
  return FW_OK;
}

/* Counts the samples that change from one node to the next. */
static fw_status compare_states(differentiator *d, fw_hb_sensitivity *s, double at, double weight) {
  const fw_pair *pair = d->vibration->model->pairs[s->pair];
  int n = d->options->samples, at_point = 0;
  (void)weight;
  for (int i = 0; i < d->m; i++) d->shifted[i] = d->y[i] + at * d->rhs[i];
  FW_TRY(fw_balance_residual(&d->solver.balance, d->shifted, d->r, NULL, NULL));
  for (int i = 0; i < d->vibration->contact_count; i++) {
    const fw_balance_contact *contact = &d->solver.balance.contacts[i];
    if (!is_of(contact, pair)) continue;
    char *before = d->before + (size_t)at_point++ * (size_t)n;
    FW_TRY(fw_stick_pattern(d->ctx, &d->solver.balance.aft[i], &contact->point, d->after));
    for (int j = 0; j < n; j++) s->changed += before[j] && before[j] != d->after[j];
    memcpy(before, d->after, (size_t)n);
  }
  return FW_OK;
}

static fw_status differentiate(differentiator *d, int number, fw_hb_sensitivity *s) {
  const fw_pair *pair = d->vibration->model->pairs[s->pair];
  const fw_friction *law = laws_of(pair) + s->law;
  fw_law_number_get(law, number, &s->number);
  stencil nodes = place_nodes(d, law, number, &s->number);
  if (!nodes.weights) {
    s->frequency = s->amplitude = s->damping = s->level = fw_unknown();
    for (int k = 0; k < FW_CONTACT_FIGURES; k++) s->figures.at[k] = fw_unknown();
    for (int k = 0; k < count_readings(d); k++) s->sensors[k] = fw_unknown();
    return FW_OK;
  }
  memset(d->rhs, 0, (size_t)d->m * sizeof(double));
  memset(d->before, 0, (size_t)pair->count * (size_t)d->options->samples);
  FW_TRY(visit_nodes(d, pair, number, &nodes, s, add_residual));
  FW_TRY(solve(d));
  s->frequency = d->rhs[d->m - 1] / (2 * M_PI);
  if (d->options->constant_response) s->level = d->rhs[d->m - 2];
  FW_TRY(visit_nodes(d, pair, number, &nodes, s, add_orbit));
  return visit_nodes(d, pair, number, &nodes, s, compare_states);
}

/* ---- all of them --------------------------------------------------------------------------- */

static fw_status start(differentiator *d, const fw_vibration *v, const fw_orbit *orbit) {
  size_t points = 0;
  d->vibration = v;
  FW_TRY(fw_solver_init(d->ctx, v, d->options, &d->solver));
  FW_TRY(fw_phase_init(d->ctx, v, &d->solver.balance, d->options->sensor, d->options->phase,
                       cabs(fw_response_compliance(d->options, orbit)), &d->phase));
  d->m = d->solver.balance.n + 1;
  size_t m = (size_t)d->m;
  double **vectors[] = {&d->y, &d->row, &d->rhs, &d->r, &d->shifted};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) FW_TRY(fw_alloc(d->ctx, m, sizeof(double), vectors[i]));
  FW_TRY(fw_alloc(d->ctx, m * m, sizeof(double), &d->A));
  FW_TRY(fw_alloc(d->ctx, m, sizeof *d->pivot, &d->pivot));
  for (int p = 0; p < v->model->pair_count; p++) {
    size_t count = (size_t)v->model->pairs[p]->count;
    points = count > points ? count : points;
  }
  FW_TRY(fw_alloc(d->ctx, points * (size_t)d->options->samples, 1, &d->before));
  FW_TRY(fw_alloc(d->ctx, (size_t)d->options->samples, 1, &d->after));
  FW_TRY(polish(d, orbit));
  return factor(d);
}

static void stop(differentiator *d) {
  fw_phase_clear(&d->phase);
  fw_solver_clear(&d->solver);
  double *vectors[] = {d->y, d->row, d->rhs, d->r, d->shifted, d->A};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) free(vectors[i]);
  free(d->pivot);
  free(d->before);
  free(d->after);
}

/* All numbers of all laws; places: NULL, or room for them. */
static int list_numbers(const fw_model *model, fw_law_place *places) {
  int count = 0, laws;
  for (int p = 0; p < model->pair_count; p++) {
    const fw_friction *law = fw_friction_parts(&model->pairs[p]->friction, &laws);
    for (int l = 0; l < laws; l++)
      for (int i = 0; i < fw_law_number_count(&law[l]); i++, count++)
        if (places) places[count] = (fw_law_place){p, l, i};
  }
  return count;
}

static fw_status differentiate_all(differentiator *d, const fw_law_place *places, int count, fw_sensitivities *out) {
  FW_TRY(fw_alloc(d->ctx, (size_t)count, sizeof *out->list, &out->list));
  for (int i = 0; i < count; i++) {
    fw_hb_sensitivity *one = &out->list[out->count++];
    *one = (fw_hb_sensitivity){.pair = places[i].pair, .law = places[i].law};
    FW_TRY(fw_alloc(d->ctx, (size_t)count_readings(d), sizeof *one->sensors, &one->sensors));
    FW_TRY(differentiate(d, places[i].number, one));
  }
  return FW_OK;
}

fw_status fw_sensitivities_find(fw_context *ctx, const fw_vibration *v, const fw_response_options *options,
                                const fw_orbit *orbit, const fw_law_place *places, int count, fw_sensitivities *out) {
  differentiator d = {.ctx = ctx, .options = options};
  fw_law_place *all = NULL;
  fw_status status;
  *out = (fw_sensitivities){.H = options->H};
  if (!places) {
    count = list_numbers(v->model, NULL);
    FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *all, &all));
    list_numbers(v->model, all);
  }
  FW_TRY_DONE(start(&d, v, orbit));
  FW_TRY_DONE(fw_orbit_measure(ctx, v, &d.solver.balance, d.y, &out->orbit));
  FW_TRY_DONE(differentiate_all(&d, places ? places : all, count, out));
done:
  stop(&d);
  free(all);
  if (status != FW_OK) fw_sensitivities_clear(out);
  return status;
}

void fw_sensitivities_clear(fw_sensitivities *sensitivities) {
  for (int i = 0; i < sensitivities->count; i++) free(sensitivities->list[i].sensors);
  free(sensitivities->list);
  fw_orbit_clear(&sensitivities->orbit);
  *sensitivities = (fw_sensitivities){0};
}
