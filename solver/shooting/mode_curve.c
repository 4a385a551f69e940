/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/shooting/mode_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/assembly/linearised.h"

/* last: it defines I */
#include <complex.h>

static const double MOVES = 1e-9;  /* of the mode's largest displacement: the sensor's */
static const double RIGID = 1e-12; /* of the terms of its stiffness, what is left of them: nothing resists the mode */

/* ---- the conditions ------------------------------------------------------------------------------ */

enum { AMPLITUDE, PHASE }; /* in their order */

/* i X_1/a. */
static double complex reading(fw_mode_curve *c, const double *y) {
  c->amplitude = exp(y[c->s.map.n + 2]);
  return I * c->s.map.harmonic / c->amplitude;
}

static double off_amplitude(void *user, const double *y, double *gradient) {
  fw_mode_curve *c = user;
  double now = creal(reading(c, y));
  if (gradient) fw_shooting_read(&c->s, AMPLITUDE, I / c->amplitude, gradient);
  if (gradient) gradient[c->s.map.n + 2] = -now;
  return now - 1;
}

static double off_phase(void *user, const double *y, double *gradient) {
  fw_mode_curve *c = user;
  double now = cimag(reading(c, y));
  if (gradient) fw_shooting_read(&c->s, PHASE, 1 / c->amplitude, gradient);
  if (gradient) gradient[c->s.map.n + 2] = -now;
  return now;
}

/* ---- life ---------------------------------------------------------------------------------------- */

fw_status fw_mode_curve_init(fw_context *ctx, fw_system *system, const fw_state *rest, const fw_mode_options *options,
                             fw_mode_curve *c) {
  *c = (fw_mode_curve){.options = *options, .rest = rest};
  const fw_shooting_options how = {.map = {.integrator = options->integrator,
                                           .steps = options->steps,
                                           .periods = 1,
                                           .other = FW_MAP_EPMC,
                                           .sensor = options->sensor},
                                   .conditions = {{c, off_amplitude}, {c, off_phase}}};
  FW_TRY(fw_shooting_init(ctx, system, rest, &how, &c->s));
  size_t n = (size_t)c->s.map.n;
  return c->s.derivative ? fw_alloc(ctx, n, sizeof *c->s.family, &c->s.family) : FW_OK;
}

void fw_mode_curve_clear(fw_mode_curve *c) {
  fw_shooting_clear(&c->s);
  *c = (fw_mode_curve){0};
}

/* ---- the first ----------------------------------------------------------------------------------- */

/* A mode, of mass 1: its circular frequency, damping phi C phi and freedoms. */
typedef struct linear_mode {
  double omega, damping, *phi;
} linear_mode;

/* phi K phi; *terms: the sum of the sizes of its terms. */
static double stiffness_of(const fw_sparse *K, const double *phi, int n, double *terms) {
  double sum = *terms = 0;
  for (int64_t j = 0; j < n; j++)
    for (int64_t k = K->p[j]; k < K->p[j + 1]; k++) {
      double term = K->i[k] < n ? phi[K->i[k]] * K->x[k] * phi[j] : 0;
      sum += term;
      *terms += fabs(term);
    }
  return sum;
}

static double damping_of(const fw_sparse *C, const double *phi, int n) {
  double sum = 0;
  for (int64_t j = 0; j < n; j++)
    for (int64_t k = C->p[j]; k < C->p[j + 1]; k++)
      if (C->i[k] < n) sum += phi[C->i[k]] * C->x[k] * phi[j];
  return sum;
}

static fw_status take_mode(fw_context *ctx, const fw_system *system, const fw_linearised *l, int number,
                           linear_mode *mode) {
  size_t n = (size_t)system->model->dof_count;
  double *values = NULL, *vectors = NULL;
  int found = 0;
  fw_status status = FW_OK;
  if (number <= (int)n) {
    FW_TRY_DONE(fw_alloc(ctx, (size_t)number, sizeof *values, &values));
    FW_TRY_DONE(fw_alloc(ctx, (size_t)number * n, sizeof *vectors, &vectors));
    FW_TRY_DONE(fw_system_modes(ctx, system, l->K, l->M, number, values, vectors, &found));
  }
  if (found < number) FW_TRY_DONE(fw_fail(ctx, FW_ERR_ANALYSIS, "there is no mode %d with the contact stuck", number));
  double terms, stiffness = stiffness_of(l->K, vectors + (size_t)(number - 1) * n, (int)n, &terms);
  if (stiffness < -RIGID * terms)
    FW_TRY_DONE(fw_fail(ctx, FW_ERR_ANALYSIS, "mode %d: the state is unstable, it moves away from it", number));
  if (!(stiffness > RIGID * terms))
    FW_TRY_DONE(
        fw_fail(ctx, FW_ERR_ANALYSIS, "mode %d is a rigid motion that nothing resists, not a vibration", number));
  mode->omega = sqrt(stiffness); /* of mass 1 */
  memcpy(mode->phi, vectors + (size_t)(number - 1) * n, n * sizeof *mode->phi);
  mode->damping = damping_of(l->C, mode->phi, (int)n);
done:
  free(values);
  free(vectors);
  return status;
}

static fw_status find_mode(fw_context *ctx, const fw_mode_curve *c, linear_mode *mode) {
  fw_linearised *l = NULL;
  FW_TRY(fw_linearise(ctx, c->s.map.system, c->rest, FW_VIEW_STICK, &l));
  fw_status status = take_mode(ctx, c->s.map.system, l, c->options.mode, mode);
  fw_linearised_destroy(&l);
  return status;
}

/* From rest with the mode's velocities, where all contact is as it was. */
static fw_status set_off(fw_context *ctx, fw_mode_curve *c, const linear_mode *mode, double velocity, double *y) {
  fw_state *state = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_state_copy(ctx, c->rest, &state));
  for (int i = 0; i < state->model->dof_count; i++) state->v[i] += velocity * mode->phi[i];
  FW_TRY_DONE(fw_system_set_epmc(ctx, c->s.map.system, mode->damping));
  FW_TRY_DONE(fw_shooting_numbers(&c->s, c->s.map.system, state, y));
  c->s.map.value = mode->damping;
  status = fw_period_map_run(&c->s.map, y, mode->omega, NULL, NULL, c->s.end); /* sizes are those of the last run */
  if (status > 0)
    status = fw_fail(ctx, FW_ERR_ANALYSIS, "the steps of time integration fail within the first period of mode %d",
                     c->options.mode);
done:
  fw_state_destroy(&state);
  return status;
}

fw_status fw_mode_curve_begin(fw_mode_curve *c, double amplitude, double *y) {
  fw_context *ctx = c->s.map.ctx;
  int freedoms = c->rest->model->dof_count, n = c->s.map.n;
  linear_mode first = {0};
  double most = 0;
  FW_TRY(fw_alloc(ctx, (size_t)freedoms, sizeof *first.phi, &first.phi));
  fw_status status = find_mode(ctx, c, &first);
  for (int i = 0; i < freedoms; i++) most = fmax(most, fabs(first.phi[i]));
  double moves = status == FW_OK ? fw_functional_value(&c->options.sensor->shape, first.phi) : 0;
  if (status == FW_OK && !(fabs(moves) > MOVES * most))
    status = fw_fail(ctx, FW_ERR_ANALYSIS, "mode %d does not move the sensor \"%s\"", c->options.mode,
                     c->options.sensor->id);
  if (status == FW_OK) status = set_off(ctx, c, &first, amplitude * first.omega / moves, y);
  y[n] = first.omega;
  y[n + 1] = first.damping;
  y[n + 2] = log(amplitude);
  free(first.phi);
  return status;
}

/* With EPMC's damping held it grows by exp(-2 pi dzeta/d ln a) where damping is small. */
void fw_mode_curve_along(fw_mode_curve *c, const double *y, const double *tangent) {
  int n = c->s.map.n;
  const double *scale = c->s.curve.scale;
  double omega = tangent[n] * scale[n], epmc = tangent[n + 1] * scale[n + 1], amplitude = tangent[n + 2] * scale[n + 2];
  double zeta = (epmc - y[n + 1] * omega / y[n]) / (2 * y[n]);
  c->s.growth = amplitude != 0 ? exp(-2 * M_PI * zeta / amplitude) : 1;
  for (int i = 0; c->s.family && i < n; i++) c->s.family[i] = tangent[i] * scale[i];
}
