/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/harmonics.h"

#include <gsl/gsl_complex.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <stdlib.h>

#include "identify/quiet.h"
#include "solver/assembly/linearised.h"

enum { MOST_FREEDOMS = 3000 };

static gsl_complex to_gsl(double complex z) { return gsl_complex_rect(creal(z), cimag(z)); }
static double complex from_gsl(gsl_complex z) { return GSL_REAL(z) + _Complex_I * GSL_IMAG(z); }

/* K + i w C - w^2 M, dense. */
static void fill_matrix(const fw_linearised *l, double omega, gsl_matrix_complex *D) {
  gsl_matrix_complex_set_zero(D);
  for (int64_t j = 0; j < l->K->n; j++)
    for (int64_t k = l->K->p[j]; k < l->K->p[j + 1]; k++)
      gsl_matrix_complex_set(D, (size_t)l->K->i[k], (size_t)j,
                             gsl_complex_rect(l->K->x[k] - omega * omega * l->M->x[k], omega * l->C->x[k]));
}

static double complex read_shape(const fw_functional *shape, const gsl_vector_complex *q) {
  double complex sum = 0.0;
  for (int i = 0; i < shape->count; i++)
    sum += shape->weight[i] * from_gsl(gsl_vector_complex_get(q, (size_t)shape->dof[i]));
  return sum;
}

static double complex read_slip(const fw_kinematic *kin, const gsl_vector_complex *q) {
  double complex sum = 0.0;
  for (int i = 0; i < kin->count; i++) sum += kin->slip_q[i] * from_gsl(gsl_vector_complex_get(q, (size_t)kin->dof[i]));
  return sum;
}

typedef struct solving {
  const fw_model *model;
  const fw_linearised *linear;
  const fw_linear_contact *point;
  gsl_matrix_complex *D;
  gsl_permutation *order;
  gsl_vector_complex *f, *q;
} solving;

/* Answers of everything to the force in s->f, by which of the two parts `which` picks. */
static void solve(solving *s, size_t which, fw_receptance *r) {
  double complex *parts[] = {&r->slip.drive, &r->slip.friction}, *normal[] = {&r->normal.drive, &r->normal.friction};
  gsl_linalg_complex_LU_solve(s->D, s->order, s->f, s->q);
  for (int i = 0; i < s->model->sensor_count; i++) {
    double complex value = read_shape(&s->model->sensors[i].shape, s->q);
    *(which ? &r->sensors[i].friction : &r->sensors[i].drive) = value;
  }
  *parts[which] = read_slip(&s->point->kin, s->q);
  /* The last multiplier is that of the gap: what holds it acts against the gap's direction. */
  if (s->linear->held == 1) *normal[which] = -from_gsl(gsl_vector_complex_get(s->q, (size_t)s->linear->K->n - 1));
}

static void answer(solving *s, const fw_load *load, fw_receptance *r) {
  gsl_vector_complex_set_zero(s->f);
  for (int i = 0; i < load->shape.count; i++)
    gsl_vector_complex_set(s->f, (size_t)load->shape.dof[i], to_gsl(load->shape.weight[i]));
  solve(s, 0, r);
  gsl_vector_complex_set_zero(s->f);
  for (int i = 0; i < s->point->kin.count; i++)
    gsl_vector_complex_set(s->f, (size_t)s->point->kin.dof[i], to_gsl(-s->point->kin.slip_q[i]));
  solve(s, 1, r);
}

static fw_status factor_and_answer(fw_context *ctx, solving *s, const fw_load *load, double omega, fw_receptance *r) {
  size_t n = (size_t)s->linear->K->n;
  int sign;
  s->D = gsl_matrix_complex_alloc(n, n);
  s->order = gsl_permutation_alloc(n);
  s->f = gsl_vector_complex_alloc(n);
  s->q = gsl_vector_complex_alloc(n);
  fw_status status = s->D && s->order && s->f && s->q ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (status == FW_OK) {
    fill_matrix(s->linear, omega, s->D);
    if (gsl_linalg_complex_LU_decomp(s->D, s->order, &sign) != GSL_SUCCESS)
      status = fw_fail(ctx, FW_ERR_ANALYSIS, "the structure cannot be solved for at %g rad/s", omega);
  }
  if (status == FW_OK) answer(s, load, r);
  if (s->D) gsl_matrix_complex_free(s->D);
  if (s->order) gsl_permutation_free(s->order);
  if (s->f) gsl_vector_complex_free(s->f);
  if (s->q) gsl_vector_complex_free(s->q);
  return status;
}

fw_status fw_receptance_point(fw_context *ctx, const fw_model *model, const fw_state *state, int pair,
                              fw_linear_contact *point) {
  const fw_pair *p = model->pairs[pair];
  if (p->count != 1)
    return fw_fail(ctx, FW_ERR_ANALYSIS, "pair '%s' has %d contact points; one is asked for", p->id, p->count);
  FW_TRY(fw_linear_contact_find(ctx, model, state, FW_VIEW_SLIP, p, 0, point));
  if (point->placed && point->closed) return FW_OK;
  return fw_fail(ctx, FW_ERR_ANALYSIS, "pair '%s' is open where receptances are taken", p->id);
}

fw_status fw_receptance_of(fw_context *ctx, const fw_model *model, const fw_state *state, int load, int pair,
                           double omega, fw_receptance *r) {
  fw_system *system = NULL;
  fw_linearised *linear = NULL;
  fw_linear_contact point;
  fw_status status;
  *r = (fw_receptance){0};
  if (model->dof_count > MOST_FREEDOMS)
    return fw_fail(ctx, FW_ERR_ANALYSIS, "%d freedoms; dense receptances take up to %d", model->dof_count,
                   MOST_FREEDOMS);
  FW_TRY(fw_receptance_point(ctx, model, state, pair, &point));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->sensor_count, sizeof *r->sensors, &r->sensors));
  FW_TRY_DONE(fw_system_create(ctx, model, &system));
  FW_TRY_DONE(fw_linearise(ctx, system, state, FW_VIEW_SLIP, &linear));
  solving s = {.model = model, .linear = linear, .point = &point};
  fw_gsl_enter();
  status = factor_and_answer(ctx, &s, &model->loads[load], omega, r);
  fw_gsl_leave();
done:
  fw_linearised_destroy(&linear);
  fw_system_destroy(&system);
  if (status != FW_OK) fw_receptance_clear(r);
  return status;
}

void fw_receptance_clear(fw_receptance *receptance) {
  free(receptance->sensors);
  *receptance = (fw_receptance){0};
}
