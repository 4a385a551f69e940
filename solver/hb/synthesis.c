/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/nnm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "solver/hb/response.h"

typedef struct maker {
  fw_context *ctx;
  const fw_vibration *v;
  const fw_nnm *b;
  double level, range;
  fw_solver solver;
  double *y;
} maker;

/* Drive frequencies (rad/s) at row i, sides[0] <= sides[1]; false: the level does not reach that amplitude.
 * *force: level phi^H f / q. */
static bool drive_frequencies(const maker *m, int i, double sides[2], double complex *force) {
  const fw_orbit *orbit = &m->b->orbits[i];
  double w0 = 2 * M_PI * orbit->frequency, zeta = m->b->zetas[i], square = 2 * orbit->kinetic / (w0 * w0); /* q^2 */
  *force = m->level * m->b->loads[i] / square;
  double middle = w0 * w0 * (1 - 2 * zeta * zeta), size = cabs(*force);
  double root = middle * middle - pow(w0, 4) + size * size; /* w^4 - 2 middle w^2 + w0^4 - size^2 = 0 */
  if (!(root >= 0)) return false;
  sides[0] = sqrt(fmax(middle - sqrt(root), 0));
  sides[1] = sqrt(fmax(middle + sqrt(root), 0));
  return true;
}

/* The mode's motion with its phase moved on by theta: where the search for the full response begins. */
static void turned_mode(const maker *m, int i, double theta) {
  const fw_balance *b = &m->solver.balance;
  int size = b->fourier.size;
  memcpy(m->y, m->b->orbits[i].y, ((size_t)b->n + 1) * sizeof(double));
  for (int c = 0; c < b->blocks; c++)
    for (int k = 1; k <= b->fourier.H; k++) {
      double *cosine = m->y + c * size + 2 * k - 1, *sine = cosine + 1; /* X = cosine - i sine */
      double complex turned = (*cosine - I * *sine) * cexp(I * k * theta);
      *cosine = creal(turned);
      *sine = -cimag(turned);
    }
}

static fw_status find_full(maker *m, int i, double theta, fw_synthesis_point *point) {
  fw_balance *b = &m->solver.balance;
  fw_orbit orbit;
  point->full = fw_unknown();
  turned_mode(m, i, theta);
  fw_status status = fw_solver_at(m->ctx, &m->solver, point->frequency, m->b->options.tolerance, m->y);
  if (status != FW_OK) return status > 0 ? FW_OK : status;
  FW_TRY(fw_orbit_measure(m->ctx, m->v, b, m->y, &orbit)); /* evaluates the balance there */
  fw_orbit_clear(&orbit);
  point->full = fw_orbit_reading(m->v, b, m->y, &m->v->sensors[m->b->options.sensor], 1);
  return FW_OK;
}

static fw_status add(maker *m, int i, int side, fw_synthesis *out) {
  double sides[2], w0 = 2 * M_PI * m->b->orbits[i].frequency;
  double complex force;
  if (!drive_frequencies(m, i, sides, &force)) return FW_OK;
  double w = sides[side];
  if (fabs(w / w0 - 1) > m->range) return FW_OK;
  double theta = carg(force / (w0 * w0 - w * w + 2 * I * m->b->zetas[i] * w0 * w));
  fw_synthesis_point *point = &out->points[out->count++];
  *point = (fw_synthesis_point){.row = i, .frequency = w / (2 * M_PI)};
  point->response = m->b->amplitudes[i] * cexp(I * theta);
  return find_full(m, i, theta, point);
}

fw_status fw_synthesis_find(fw_context *ctx, const fw_vibration *v, const fw_nnm *b, double level, double range,
                            fw_synthesis *out) {
  *out = (fw_synthesis){0};
  maker m = {.ctx = ctx, .v = v, .b = b, .level = level, .range = range};
  fw_response_options options = {.level = level,
                                 .H = b->options.H,
                                 .samples = b->options.samples,
                                 .opening = b->options.opening,
                                 .sensor = b->options.sensor};
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_solver_init(ctx, v, &options, &m.solver));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)m.solver.balance.n + 1, sizeof *m.y, &m.y));
  FW_TRY_DONE(fw_alloc(ctx, 2 * (size_t)b->count, sizeof *out->points, &out->points));
  for (int i = 0; i < b->count; i++) FW_TRY_DONE(add(&m, i, 0, out));
  for (int i = b->count - 1; i >= 0; i--) FW_TRY_DONE(add(&m, i, 1, out));
done:
  free(m.y);
  fw_solver_clear(&m.solver);
  if (status != FW_OK) fw_synthesis_clear(out);
  return status;
}

void fw_synthesis_clear(fw_synthesis *synthesis) {
  free(synthesis->points);
  *synthesis = (fw_synthesis){0};
}
