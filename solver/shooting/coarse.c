/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/shooting/coarse.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/assembly/reduced_model.h"
#include "solver/shooting/shooting.h"

enum { MODES = 24 };                  /* of each piece between what stays; the others die out, or are left to GMRES */
enum { FREEDOMS_MOST = 80 };          /* of the reduced model: beyond, its columns take longer than products */
enum { PARTS = 4 };                   /* displacements, velocities, accelerations, algorithmic ones */
static const double CONSERVED = 1e-8; /* singular value of dP/dx - 1 in scaled unknowns: a family, left alone */
static const double NEAR = 1e-6;      /* last step of Newton's method: a motion to begin with, */
static const double LONG = 0.1;       /* and steps that need not be shorter than the one before */
enum { FIRST = 5, STEPS_MOST = 20 };  /* periods before the first attempt; steps of one */

struct fw_coarse {
  fw_reduced_model *reduced;
  fw_system *system;
  fw_state *rest;
  fw_period_map map; /* on the reduced model */
  int whole, few;    /* freedoms of the two */
  double *shapes;    /* [whole x few] V: what the coordinates of the reduced model are */
  double *read;      /* [whole x few] M V (V^T M V)^-1: of a vector, its coordinates */
  double *inverse;   /* [n x n] of dP/dx - 1 where last factored, and room for it */
  double *derivative;
  double *mass, *square;        /* [few] of the coordinates, and their circular frequencies squared */
  double *x, *y, *step, *scale; /* [n] numbers of the reduced model */
  bool factored;
};

/* ---- between the models ------------------------------------------------------------------------ */

static int others(const fw_coarse *c) { return c->map.n - PARTS * c->few; }

static void restrict_numbers(const fw_coarse *c, const double *whole, double *few) {
  for (int k = 0; k < PARTS; k++, whole += c->whole, few += c->few)
    cblas_dgemv(CblasColMajor, CblasTrans, c->whole, c->few, 1, c->read, c->whole, whole, 1, 0, few, 1);
  memcpy(few, whole, (size_t)others(c) * sizeof *few);
}

/* whole = factor whole + V few. */
static void expand_numbers(const fw_coarse *c, const double *few, double factor, double *whole) {
  for (int k = 0; k < PARTS; k++, whole += c->whole, few += c->few)
    cblas_dgemv(CblasColMajor, CblasNoTrans, c->whole, c->few, 1, c->shapes, c->whole, few, 1, factor, whole, 1);
  for (int i = 0; i < others(c); i++) whole[i] = factor * whole[i] + few[i];
}

/* ---- life -------------------------------------------------------------------------------------- */

static fw_status fill_shapes(fw_context *ctx, fw_coarse *c) {
  size_t n = (size_t)c->whole, m = (size_t)c->few;
  double *unit = NULL;
  FW_TRY(fw_alloc(ctx, n * m, sizeof *c->shapes, &c->shapes));
  FW_TRY(fw_alloc(ctx, m, sizeof *unit, &unit));
  for (size_t j = 0; j < m; j++) {
    unit[j] = 1;
    fw_reduced_model_shape(c->reduced, unit, c->shapes + j * n);
    unit[j] = 0;
  }
  free(unit);
  return FW_OK;
}

/* FW_RECOVER_DIVERGED: some shape moves no mass. */
static fw_status fill_read(fw_context *ctx, const fw_system *system, fw_coarse *c) {
  size_t n = (size_t)c->whole, m = (size_t)c->few, size = (size_t)system->size;
  double *mass = NULL, *padded = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, n * m, sizeof *c->read, &c->read));
  FW_TRY_DONE(fw_alloc(ctx, m * m, sizeof *mass, &mass));
  FW_TRY_DONE(fw_alloc(ctx, 2 * size, sizeof *padded, &padded));
  for (size_t j = 0; j < m; j++) {
    memset(padded + size, 0, size * sizeof *padded);
    memcpy(padded, c->shapes + j * n, n * sizeof *padded);
    fw_sparse_multiply(system->M, 1, padded, padded + size);
    memcpy(c->read + j * n, padded + size, n * sizeof *padded);
  }
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, c->few, c->few, c->whole, 1, c->shapes, c->whole, c->read,
              c->whole, 0, mass, c->few);
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', c->few, mass, c->few) != 0) FW_TRY_DONE(FW_RECOVER_DIVERGED);
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, c->whole, c->few, 1, mass, c->few,
              c->read, c->whole);
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, c->whole, c->few, 1, mass, c->few,
              c->read, c->whole);
done:
  free(mass);
  free(padded);
  return status;
}

static double entry(const fw_sparse *A, int i) { return A->x[fw_sparse_position(A, i, i)]; }

/* Coordinates one by one: close to what they are together. */
static fw_status fill_frequencies(fw_context *ctx, fw_coarse *c) {
  FW_TRY(fw_alloc(ctx, (size_t)c->few, sizeof *c->mass, &c->mass));
  FW_TRY(fw_alloc(ctx, (size_t)c->few, sizeof *c->square, &c->square));
  for (int i = 0; i < c->few; i++) {
    c->mass[i] = entry(c->system->M, i);
    if (!(c->mass[i] > 0)) return FW_RECOVER_DIVERGED;
    c->square[i] = fabs(entry(c->system->K, i)) / c->mass[i];
  }
  return FW_OK;
}

/* The same map on the reduced model. */
static fw_status make_map(fw_context *ctx, fw_coarse *c, const fw_map_options *options) {
  const fw_model *whole = c->reduced->whole;
  fw_map_options how = *options;
  how.large = false;
  if (options->sensor) how.sensor = c->reduced->model.sensors + (options->sensor - whole->sensors);
  if (options->paced) how.paced = &c->reduced->model;
  FW_TRY(fw_period_map_init(ctx, c->system, c->rest, &how, &c->map));
  size_t n = (size_t)c->map.n;
  FW_TRY(fw_alloc(ctx, n * n, sizeof *c->inverse, &c->inverse));
  FW_TRY(fw_alloc(ctx, n * n, sizeof *c->derivative, &c->derivative));
  FW_TRY(fw_alloc(ctx, n, sizeof *c->x, &c->x));
  FW_TRY(fw_alloc(ctx, n, sizeof *c->y, &c->y));
  FW_TRY(fw_alloc(ctx, n, sizeof *c->step, &c->step));
  return fw_alloc(ctx, n, sizeof *c->scale, &c->scale);
}

static fw_status reduce(fw_context *ctx, fw_system *system, const fw_state *rest, const fw_map_options *options,
                        fw_coarse *c) {
  double lost;
  FW_TRY(fw_reduced_model_create(ctx, system->model, rest->load_factors, MODES, 0, &c->reduced));
  c->whole = system->model->dof_count;
  c->few = c->reduced->model.dof_count;
  if (c->few > FREEDOMS_MOST || 2 * c->few > c->whole) return FW_RECOVER_DIVERGED;
  FW_TRY(fw_system_create(ctx, &c->reduced->model, &c->system));
  FW_TRY(fw_reduced_model_restrict(ctx, c->reduced, rest, &c->rest, &lost));
  FW_TRY(fill_shapes(ctx, c));
  FW_TRY(fill_read(ctx, system, c));
  FW_TRY(fill_frequencies(ctx, c));
  return make_map(ctx, c, options);
}

fw_status fw_coarse_create(fw_context *ctx, fw_system *system, const fw_state *rest, const fw_map_options *options,
                           fw_coarse **coarse) {
  *coarse = NULL;
  if (!fw_reduced_model_possible(ctx, system->model)) return FW_OK;
  FW_TRY(fw_alloc(ctx, 1, sizeof **coarse, coarse));
  fw_status status = reduce(ctx, system, rest, options, *coarse);
  if (status != FW_OK) fw_coarse_destroy(coarse);
  return status > 0 || status == FW_ERR_SINGULAR ? FW_OK : status;
}

void fw_coarse_destroy(fw_coarse **coarse) {
  fw_coarse *c = *coarse;
  if (!c) return;
  fw_period_map_clear(&c->map);
  fw_state_destroy(&c->rest);
  fw_system_destroy(&c->system);
  fw_reduced_model_destroy(&c->reduced);
  double *blocks[] = {c->shapes, c->read, c->inverse, c->derivative, c->mass, c->square, c->x, c->y, c->scale, c->step};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
  free(c);
  *coarse = NULL;
}

/* ---- what it is for ---------------------------------------------------------------------------- */

/* Sizes of the numbers of a motion x: coordinates by the energy that moves, so that those of high frequency, whose
 * accelerations are large, count no more than others; N, T and friction states by the largest in the period. */
static void find_scale(fw_coarse *c, const double *x, double omega) {
  int m = c->few;
  const double *v = x + m, *a = x + 2 * (size_t)m;
  double energy = 0;
  for (int i = 0; i < m; i++) energy += c->mass[i] * fmax(v[i] * v[i], a[i] * a[i] / fmax(omega * omega, c->square[i]));
  for (int i = 0; i < m; i++) {
    double speed = energy > 0 ? sqrt(energy / c->mass[i]) : 1, rate = fmax(omega, sqrt(c->square[i]));
    c->scale[i] = speed / rate;
    c->scale[m + i] = speed;
    c->scale[2 * m + i] = c->scale[3 * m + i] = speed * rate;
  }
  for (int i = 0; i < others(c); i++) c->scale[PARTS * m + i] = c->map.peak[i] > 0 ? c->map.peak[i] : 1;
}

/* inverse = S A^+ S^-1, A = U sigma V^T the matrix in scaled unknowns, without what is conserved. */
static fw_status invert(fw_context *ctx, fw_coarse *c, double *A) {
  lapack_int n = c->map.n;
  size_t N = (size_t)n;
  double *U = NULL, *V = NULL, *sigma = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, N * N, sizeof *U, &U));
  FW_TRY_DONE(fw_alloc(ctx, N * N, sizeof *V, &V));
  FW_TRY_DONE(fw_alloc(ctx, N, sizeof *sigma, &sigma));
  if (LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', n, n, A, n, sigma, U, n, V, n) != 0) FW_TRY_DONE(FW_RECOVER_DIVERGED);
  for (size_t k = 0; k < N; k++) cblas_dscal(n, sigma[k] > CONSERVED ? 1 / sigma[k] : 0, U + k * N, 1);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasTrans, n, n, n, 1, V, n, U, n, 0, c->inverse, n);
  for (size_t j = 0; j < N; j++)
    for (size_t i = 0; i < N; i++) c->inverse[j * N + i] *= c->scale[i] / c->scale[j];
done:
  free(U);
  free(V);
  free(sigma);
  return status;
}

/* Where the map leads from c->x to, into c->y, and the inverse there. */
static fw_status factor_here(fw_coarse *c, double omega) {
  size_t n = (size_t)c->map.n;
  double *A = c->derivative;
  c->factored = false;
  FW_TRY(fw_period_map_differentiate(&c->map, c->x, omega, c->y, A));
  find_scale(c, c->x, omega);
  for (size_t j = 0; j < n; j++) {
    A[j * (n + 1)] -= 1;
    for (size_t i = 0; i < n; i++) A[j * n + i] *= c->scale[j] / c->scale[i];
  }
  FW_TRY(invert(c->map.ctx, c, A));
  c->factored = true;
  return FW_OK;
}

fw_status fw_coarse_factor(fw_coarse *c, const double *at, double value) {
  restrict_numbers(c, at, c->x);
  c->map.value = value;
  return factor_here(c, at[PARTS * c->whole + others(c)]);
}

void fw_coarse_solve(fw_coarse *c, double *x) {
  int n = c->map.n;
  if (!c->factored) {
    for (int i = 0; i < PARTS * c->whole + others(c); i++) x[i] = -x[i];
    return;
  }
  restrict_numbers(c, x, c->x);
  memcpy(c->y, c->x, (size_t)n * sizeof *c->y);
  cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1, c->inverse, n, c->x, 1, 1, c->y, 1);
  expand_numbers(c, c->y, -1, x);
}

fw_status fw_coarse_multipliers(fw_coarse *c, const double *at, double value, fw_floquet *f) {
  restrict_numbers(c, at, c->x);
  c->map.value = value;
  FW_TRY(fw_period_map_differentiate(&c->map, c->x, at[PARTS * c->whole + others(c)], c->y, c->derivative));
  return fw_shooting_eigenvalues(c->map.ctx, c->map.n, c->derivative, f);
}

/* How far Newton's step from c->x leads, which is taken. */
static fw_status take_step(fw_coarse *c, double omega, double *length) {
  int n = c->map.n;
  FW_TRY(factor_here(c, omega));
  for (int k = 0; k < n; k++) c->y[k] -= c->x[k];
  cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, -1, c->inverse, n, c->y, 1, 0, c->step, 1);
  *length = 0;
  for (int k = 0; k < PARTS * c->few; k++) *length = fmax(*length, fabs(c->step[k]) / c->scale[k]);
  cblas_daxpy(n, 1, c->step, 1, c->x, 1);
  return FW_OK;
}

/* Newton's method from c->x. */
static fw_status settle(fw_coarse *c, double omega) {
  double length, before = INFINITY;
  for (int i = 0; i < STEPS_MOST; i++) {
    FW_TRY(take_step(c, omega, &length));
    if (length < NEAR) return FW_OK;
    if (!(length < before)) return FW_RECOVER_DIVERGED;
    before = fmax(length, LONG);
  }
  return FW_RECOVER_DIVERGED;
}

/* So many periods of time integration. */
static fw_status integrate(fw_coarse *c, double omega, int periods, double *x) {
  for (int i = 0; i < periods; i++) {
    FW_TRY(fw_period_map_run(&c->map, x, omega, NULL, NULL, c->y));
    memcpy(x, c->y, (size_t)c->map.n * sizeof *x);
  }
  return FW_OK;
}

fw_status fw_coarse_find(fw_coarse *c, double value, int most, double *y) {
  double omega = y[PARTS * c->whole + others(c)], *far = NULL;
  fw_status status = FW_RECOVER_DIVERGED;
  FW_TRY(fw_alloc(c->map.ctx, (size_t)c->map.n, sizeof *far, &far));
  restrict_numbers(c, y, far);
  c->map.value = value;
  for (int more = FIRST, passed = 0; status > 0 && passed < most; passed += more, more *= 2) {
    status = integrate(c, omega, more, far);
    if (status != FW_OK) break;
    memcpy(c->x, far, (size_t)c->map.n * sizeof *far);
    status = settle(c, omega);
  }
  if (status == FW_OK) expand_numbers(c, c->x, 0, y);
  free(far);
  return status;
}
