/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/shooting/shooting.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "solver/shooting/coarse.h"

static const double CONSERVED = 1e-8; /* singular value of dP/dx - 1 in scaled unknowns: a family */
static const double SMALL = 1e-6;     /* of N: friction forces that matter */
static const double IDLE = 1e30;      /* size of an unknown that may jump */
static const double LEAST = 1e-12;    /* size of an unknown beside the largest of its kind in SI units */
static const double LEAP = 0.15;      /* arc length over branch points */
enum { FIRST = 5 };                   /* periods before the first attempt */

/* ---- residual ---------------------------------------------------------------------------------- */

/* Unknowns before lambda. */
static int unknowns(const fw_shooting *s) { return s->map.n + s->condition_count; }

/* Size of an equation: the map's are those of their unknowns, conditions are in scaled unknowns. */
static double row_scale(const fw_shooting *s, int i) { return i < s->map.n ? s->curve.scale[i] : 1; }

/* The conserved directions, from the singular vectors of S^-1 J S; J: m x m with the families free. */
static fw_status find_families(fw_shooting *s, const double *J) {
  lapack_int m = unknowns(s);
  size_t M = (size_t)m;
  fw_status status = FW_OK;
  double *A = NULL, *U = NULL, *sigma = NULL, *V = NULL;
  FW_TRY_DONE(fw_alloc(s->map.ctx, M * M, sizeof *A, &A));
  FW_TRY_DONE(fw_alloc(s->map.ctx, M * M, sizeof *U, &U));
  FW_TRY_DONE(fw_alloc(s->map.ctx, M * M, sizeof *V, &V));
  FW_TRY_DONE(fw_alloc(s->map.ctx, M, sizeof *sigma, &sigma));
  for (size_t j = 0; j < M; j++)
    for (size_t i = 0; i < M; i++) A[j * M + i] = J[j * M + i] * s->curve.scale[j] / row_scale(s, (int)i);
  s->families = 0;
  if (LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', m, m, A, m, sigma, U, m, V, m) != 0) FW_TRY_DONE(FW_RECOVER_DIVERGED);
  while (s->families < m && sigma[m - 1 - s->families] < CONSERVED) s->families++;
  memcpy(s->kept, U + (M - (size_t)s->families) * M, (size_t)s->families * M * sizeof *U);
done:
  free(A);
  free(U);
  free(V);
  free(sigma);
  return status;
}

/* How far x is from rest along a conserved direction. */
static double departed(const fw_shooting *s, const double *u, const double *x) {
  double sum = 0;
  for (int i = 0; i < s->map.n; i++) sum += u[i] * (x[i] - s->rest[i]) / s->curve.scale[i];
  return sum;
}

/* r -= S u u^T S^-1 (x - rest), J -= S u u^T S^-1. Directions of a large map are not known. */
static void keep_family(fw_shooting *s, const double *y, double *r, fw_jacobian *J) {
  int m = unknowns(s), n = s->map.n;
  for (int f = 0; s->kept && f < s->families; f++) {
    const double *u = s->kept + (size_t)f * (size_t)m;
    double away = departed(s, u, y);
    for (int i = 0; i < m; i++) r[i] -= row_scale(s, i) * u[i] * away;
    for (int j = 0; J && j < n; j++)
      for (int i = 0; i < m; i++)
        J->dense[(size_t)j * (size_t)m + (size_t)i] -= row_scale(s, i) * u[i] * u[j] / s->curve.scale[j];
  }
}

void fw_shooting_read(fw_shooting *s, int condition, double complex factor, double *gradient) {
  const fw_period_map *map = &s->map;
  const fw_functional *shape = &map->sensor->shape;
  int n = map->n, known = map->columns;
  for (int k = known; k < map->variation.count; k++) gradient[n + k - known] = creal(factor * map->harmonic_by[k]);
  for (int k = 0; k < n && known == n; k++) gradient[k] = creal(factor * map->harmonic_by[k]);
  if (known == n) return;
  s->read[condition] = factor; /* X_1 = u(0) - i v(0)/omega of a vibration */
  fw_functional_scatter(shape, creal(factor), gradient);
  fw_functional_scatter(shape, cimag(factor) / map->omega, gradient + map->variation.n);
}

/* The rows of the conditions, below the map's, and their derivatives by lambda. */
static fw_status differentiate_conditions(fw_shooting *s, const double *y, fw_jacobian *J, double *by_lambda) {
  size_t n = (size_t)s->map.n, m = (size_t)unknowns(s), bytes = n * sizeof(double);
  double *gradient = NULL;
  FW_TRY(fw_alloc(s->map.ctx, m + 1, sizeof *gradient, &gradient));
  for (size_t c = 0; n + c < m; c++) {
    memset(gradient, 0, (m + 1) * sizeof *gradient);
    s->conditions[c].value(s->conditions[c].user, y, gradient);
    for (size_t j = 0; J->dense && j < m; j++) J->dense[j * m + n + c] = gradient[j];
    for (size_t j = n; !J->dense && j < m; j++) J->columns[(j - n) * (m + 1) + n + c] = gradient[j];
    if (!J->dense) memcpy(J->rows + c * n, gradient, bytes);
    if (by_lambda) by_lambda[n + c] = gradient[m];
  }
  free(gradient);
  return FW_OK;
}

/* A direction of slip that is kept among friction states jumps, and mostly tells nothing that the others do not. */
static void find_idle(fw_shooting *s) {
  size_t n = (size_t)s->map.n;
  for (size_t i = 0; i < n; i++) {
    bool idle = true;
    for (size_t j = 0; idle && j < n; j++) idle = s->derivative[j * n + i] == 0 && s->derivative[i * n + j] == 0;
    s->idle[i] = idle;
  }
}

/* By lambda, m entries or NULL, and by the parameters found, columns `apart` from each other. */
static void differentiate_by_parameters(fw_shooting *s, double *by_lambda, double *columns, size_t apart) {
  size_t n = (size_t)s->map.n, m = (size_t)unknowns(s);
  bool other_found = s->condition_count == FW_SHOOTING_CONDITIONS;
  if (by_lambda && other_found) memset(by_lambda, 0, n * sizeof *by_lambda);
  if (by_lambda && !other_found) fw_period_map_by(&s->map, s->map.other, by_lambda);
  if (m > n) fw_period_map_by(&s->map, FW_MAP_OMEGA, columns);
  if (other_found) fw_period_map_by(&s->map, s->map.other, columns + apart);
}

/* dP/dx - 1 with its border by the parameters found and the conditions; by_lambda: m entries or NULL. */
static fw_status differentiate(fw_shooting *s, const double *y, fw_jacobian *J, double *by_lambda) {
  size_t n = (size_t)s->map.n, m = (size_t)unknowns(s);
  FW_TRY(fw_period_map_differentiate(&s->map, y, y[n], s->end, s->derivative));
  find_idle(s);
  for (size_t j = 0; j < n; j++) memcpy(J->dense + j * m, s->derivative + j * n, n * sizeof(double));
  for (size_t i = 0; i < n; i++) J->dense[i * (m + 1)] -= 1;
  differentiate_by_parameters(s, by_lambda, J->dense + n * m, m);
  return m > n ? differentiate_conditions(s, y, J, by_lambda) : FW_OK;
}

/* The same of a map whose derivative is applied to vectors. */
static fw_status differentiate_large(fw_shooting *s, const double *y, fw_jacobian *J, double *by_lambda) {
  size_t n = (size_t)s->map.n, m = (size_t)unknowns(s);
  memcpy(s->at, y, (n + 1) * sizeof *y);
  s->failed = FW_OK;
  if (!by_lambda && m == n) return fw_period_map_run(&s->map, y, y[n], NULL, NULL, s->end);
  FW_TRY(fw_period_map_differentiate(&s->map, y, y[n], s->end, NULL));
  differentiate_by_parameters(s, by_lambda, J->columns, m + 1);
  return m > n ? differentiate_conditions(s, y, J, by_lambda) : FW_OK;
}

static void set_parameter(fw_shooting *s, const double *y) {
  if (s->condition_count) s->map.value = y[s->map.n + 1];
}

static fw_status residual(void *user, const double *y, double *r, fw_jacobian *J, double *r_lambda) {
  fw_shooting *s = user;
  int n = s->map.n;
  if (!(y[n] > 0)) return FW_RECOVER_DIVERGED;
  set_parameter(s, y);
  if (J) {
    if (J->dense)
      FW_TRY(differentiate(s, y, J, r_lambda));
    else
      FW_TRY(differentiate_large(s, y, J, r_lambda));
    s->curve.other_piece = s->sequence != 0 && s->map.sequence != s->sequence;
    s->sequence = s->map.sequence;
    if (J->dense) FW_TRY(find_families(s, J->dense));
  } else {
    FW_TRY(fw_period_map_run(&s->map, y, y[n], NULL, NULL, s->end));
  }
  for (int i = 0; i < n; i++) r[i] = s->end[i] - y[i];
  for (int c = 0; c < s->condition_count; c++) r[n + c] = s->conditions[c].value(s->conditions[c].user, y, NULL);
  keep_family(s, y, r, J);
  return FW_OK;
}

/* ---- life ---------------------------------------------------------------------------------------- */

/* Beyond this many numbers columns take longer than the vectors of GMRES: twice as long with 150 of them. */
static bool is_large(const fw_model *model) {
  static const int most = 120;
  return 4 * model->dof_count + model->z_count + 2 * model->contact_count > most;
}

fw_status fw_shooting_init(fw_context *ctx, fw_system *system, const fw_state *rest, const fw_shooting_options *options,
                           fw_shooting *s) {
  *s = (fw_shooting){0};
  fw_map_options map = options->map;
  map.large = is_large(system->model);
  FW_TRY(fw_period_map_init(ctx, system, rest, &map, &s->map));
  memcpy(s->conditions, options->conditions, sizeof s->conditions);
  while (s->condition_count < FW_SHOOTING_CONDITIONS && s->conditions[s->condition_count].value) s->condition_count++;
  size_t n = (size_t)s->map.n, m = (size_t)unknowns(s);
  FW_TRY(fw_alloc(ctx, n, sizeof *s->rest, &s->rest));
  FW_TRY(fw_alloc(ctx, n, sizeof *s->end, &s->end));
  FW_TRY(fw_alloc(ctx, n, sizeof *s->idle, &s->idle));
  if (!map.large) FW_TRY(fw_alloc(ctx, n * n, sizeof *s->derivative, &s->derivative));
  if (!map.large) FW_TRY(fw_alloc(ctx, m * m, sizeof *s->kept, &s->kept));
  fw_alpha_get(s->map.alpha, s->rest);
  s->curve = (fw_continuation){
      .n = (int)m, .border = map.large ? s->condition_count : 0, .user = s, .residual = residual, .leap = LEAP};
  if (map.large) FW_TRY(fw_shooting_large_init(ctx, system, rest, &map, s));
  return fw_continuation_init(ctx, &s->curve);
}

void fw_shooting_clear(fw_shooting *s) {
  fw_shooting_large_clear(s);
  fw_continuation_clear(&s->curve);
  fw_period_map_clear(&s->map);
  free(s->rest);
  free(s->end);
  free(s->derivative);
  free(s->idle);
  free(s->family);
  free(s->kept);
  *s = (fw_shooting){0};
}

bool fw_shooting_is_cheap(const fw_shooting *s) { return !s->at || s->coarse; }

/* ---- sizes --------------------------------------------------------------------------------------- */

/* Largest of what has no drift; of displacements, the largest departure from rest. */
static double largest(const fw_shooting *s, const double *y, int from, int count, int apart, bool change) {
  double most = 0;
  for (int i = from; i < from + count * apart; i += apart) most = fmax(most, fabs(y[i] - (change ? s->rest[i] : 0)));
  return most;
}

/* Velocities but for the drift. */
static double fastest(const fw_shooting *s, const double *y) {
  int n = s->map.variation.n;
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(y[n + i] - fw_period_map_drift(&s->map, i)));
  return most;
}

static void set_scale(fw_shooting *s, int from, int count, int apart, double size) {
  for (int i = from; i < from + count * apart; i += apart) s->curve.scale[i] = size > 0 ? size : 1;
}

/* The largest N (which 0) or T (1) of any point in the last run. */
static double largest_force(const fw_shooting *s, int which) {
  const fw_variation *x = &s->map.variation;
  double most = 0;
  for (int c = 0; c < x->contacts; c++) most = fmax(most, s->map.peak[x->states + 2 * c + which]);
  return most;
}

/* Friction states and forces are as large as in the last run, for they may pass zero where the period begins.
 * Displacements, velocities and accelerations go together as in a vibration at omega. A free motion has no rest that
 * its displacements are counted from; its frequency may change by a fraction of itself, EPMC's damping by some per cent
 * of that. Beside a reduced model what is left of the velocities and accelerations is that of modes far above omega: they
 * count by what they do within a step. */
void fw_shooting_scale(fw_shooting *s, const double *y) {
  const fw_variation *x = &s->map.variation;
  int n = x->n, z = 4 * n, forces = z + x->states;
  double omega = y[s->map.n], way = s->map.paced ? 0 : largest(s, y, 0, n, 1, true);
  double size = fmax(way, fastest(s, y) / omega);
  size = fmax(size, largest(s, y, 2 * n, n, 1, false) / (omega * omega));
  size *= sqrt(n); /* freedoms that move together are together as one is alone */
  set_scale(s, 0, n, 1, size);
  double rate = s->coarse ? omega * s->map.steps / (2 * M_PI) : omega;
  set_scale(s, n, n, 1, size * rate);
  set_scale(s, 2 * n, 2 * n, 1, size * rate * rate);
  for (int i = z; i < forces; i++)
    set_scale(s, i, 1, 1, s->idle[i] ? IDLE : fmax(fmax(s->map.peak[i - z], fabs(y[i])), LEAST));
  for (int k = 0; k < 2; k++)
    set_scale(s, forces + k, x->contacts, 2, fmax(largest_force(s, k), SMALL * largest_force(s, 0)));
  if (s->condition_count > 0) s->curve.scale[s->map.n] = 0.2 * omega;
  if (s->condition_count > 1) s->curve.scale[s->map.n + 1] = 0.02 * omega;
}

/* ---- motions ------------------------------------------------------------------------------------- */

fw_status fw_shooting_numbers(fw_shooting *s, fw_system *system, const fw_state *state, double *x) {
  fw_alpha *alpha = NULL;
  FW_TRY(fw_alpha_create(s->map.ctx, system, state, 1.0, &s->map.integrator, &alpha));
  fw_alpha_get(alpha, x);
  fw_alpha_destroy(&alpha);
  return FW_OK;
}

fw_status fw_shooting_integrate(fw_shooting *s, int periods, double *y) {
  set_parameter(s, y);
  for (int i = 0; i < periods; i++) {
    FW_TRY(fw_period_map_run(&s->map, y, y[s->map.n], NULL, NULL, s->end));
    memcpy(y, s->end, (size_t)s->map.n * sizeof *y);
  }
  return FW_OK;
}

fw_status fw_shooting_solve(fw_shooting *s, double tolerance, fw_newton *newton, double *y) {
  fw_fixed fixed = {unknowns(s), y[unknowns(s)]};
  *newton = (fw_newton){.tolerance = tolerance, .most = 25, .idle = 6};
  s->sequence = 0;
  fw_shooting_scale(s, y);
  return fw_continuation_correct(&s->curve, (fw_condition){&fixed, fw_fixed_value}, newton, y);
}

fw_status fw_shooting_solve_near(fw_shooting *s, double tolerance, double *y) {
  fw_newton newton;
  if (s->coarse) FW_TRY(fw_shooting_integrate(s, 1, y));
  return fw_shooting_solve(s, tolerance, &newton, y);
}

/* From the motion that the reduced model repeats. */
static fw_status solve_from_coarse(fw_shooting *s, double tolerance, int most, double *y) {
  set_parameter(s, y);
  FW_TRY(fw_coarse_find(s->coarse, s->map.value, most, y));
  return fw_shooting_solve_near(s, tolerance, y);
}

fw_status fw_shooting_find(fw_shooting *s, double tolerance, int most, int *passed, double *y) {
  size_t entries = (size_t)unknowns(s) + 1, bytes = entries * sizeof *y;
  double *trial = NULL;
  fw_newton newton;
  FW_TRY(fw_alloc(s->map.ctx, entries, sizeof *trial, &trial));
  fw_status status = FW_RECOVER_DIVERGED;
  *passed = 0;
  memcpy(trial, y, bytes);
  if (s->coarse) status = solve_from_coarse(s, tolerance, most, trial);
  for (int more = FIRST; status > 0 && *passed < most; more *= 2) {
    status = fw_shooting_integrate(s, more, y);
    *passed += more;
    if (status != FW_OK) break;
    memcpy(trial, y, bytes);
    status = fw_shooting_solve(s, tolerance, &newton, trial);
  }
  if (status == FW_OK) memcpy(y, trial, bytes);
  free(trial);
  return status;
}

/* ---- multipliers --------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
  double x = cabs(*(const double complex *)a), y = cabs(*(const double complex *)b);
  return (x < y) - (x > y);
}

/* Takes the multiplier nearest to one that is known or expected out of the list. NaN: none is left. */
static double leave_out(fw_floquet *f, double expected) {
  int nearest = 0;
  if (f->count == 0) return fw_unknown();
  for (int i = 1; i < f->count; i++)
    if (cabs(f->multipliers[i] - expected) < cabs(f->multipliers[nearest] - expected)) nearest = i;
  double size = cabs(f->multipliers[nearest]);
  f->multipliers[nearest] = f->multipliers[--f->count];
  return size;
}

fw_status fw_shooting_eigenvalues(fw_context *ctx, int n, double *A, fw_floquet *f) {
  double *parts = NULL;
  FW_TRY(fw_alloc(ctx, 2 * (size_t)n, sizeof *parts, &parts));
  fw_status status = fw_alloc(ctx, (size_t)n, sizeof *f->multipliers, &f->multipliers);
  if (status == FW_OK && LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, A, n, parts, parts + n, NULL, 1, NULL, 1) != 0)
    status = FW_RECOVER_DIVERGED;
  for (int i = 0; status == FW_OK && i < n; i++) f->multipliers[i] = parts[i] + I * parts[n + i];
  if (status == FW_OK) f->count = n;
  free(parts);
  return status;
}

static fw_status all_multipliers(fw_shooting *s, const double *y, fw_floquet *f) {
  size_t m = (size_t)unknowns(s);
  fw_jacobian J = {.core = (int)m, .n = (int)m};
  FW_TRY(fw_alloc(s->map.ctx, m * m, sizeof *J.dense, &J.dense));
  fw_status status = differentiate(s, y, &J, NULL);
  if (status == FW_OK) status = find_families(s, J.dense);
  if (status == FW_OK && s->family) status = fw_shooting_along(s, &s->growth);
  if (status == FW_OK) status = fw_shooting_eigenvalues(s->map.ctx, s->map.n, s->derivative, f);
  free(J.dense);
  return status;
}

fw_status fw_shooting_judge(fw_shooting *s, const double *y, fw_floquet *f) {
  *f = (fw_floquet){.along = NAN, .frequency = NAN};
  set_parameter(s, y);
  if (s->at) memcpy(s->at, y, ((size_t)s->map.n + 1) * sizeof *y);
  FW_TRY(s->at ? fw_shooting_large_multipliers(s, f) : all_multipliers(s, y, f));
  for (int i = 0; i < s->families; i++) leave_out(f, 1);
  if (s->map.paced || s->map.other == FW_MAP_EPMC) f->along = leave_out(f, 1);
  if (s->map.other == FW_MAP_EPMC) f->along = isnan(s->growth) ? s->growth : leave_out(f, s->growth);
  qsort(f->multipliers, (size_t)f->count, sizeof *f->multipliers, by_size);
  for (int i = 0; i < f->count; i++) f->growing += cabs(f->multipliers[i]) > 1 + FW_STABILITY_MARGIN;
  return FW_OK;
}
