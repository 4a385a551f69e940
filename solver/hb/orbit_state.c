/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the harmonics back to the full state of the model at a phase of the period. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/hb/orbit.h"

void fw_vibration_rest(const fw_vibration *v, const fw_balance *b, const double *y, int k, double complex *eta) {
  int c = v->reduced.coordinates;
  memset(eta, 0, (size_t)v->reduced.rest * sizeof *eta);
  for (int d = 0; d < v->drive_count; d++)
    if (v->drives[d].harmonic == k)
      fw_dynamic_rest_load(&b->dynamic[k], &v->drives[d].load, b->level * v->drives[d].factor, eta);
  for (int j = 0; j < c; j++) b->z_k[j] = fw_balance_coordinate(b, y, j, k);
  fw_dynamic_rest_motion(&b->dynamic[k], b->z_k, eta);
}

/* x += shapes . coordinates. */
static void expand(int n, int count, const double *shapes, const double *coordinates, double *x) {
  for (int j = 0; j < count; j++)
    for (int i = 0; i < n; i++) x[i] += shapes[(size_t)j * (size_t)n + (size_t)i] * coordinates[j];
}

/* Coordinates and rest, their first and second time derivatives: parts[0..2]. */
typedef struct moment {
  double *z[3], *eta[3];
} moment;

static void linear_motion(const fw_vibration *v, const fw_balance *b, const double *y, double phase,
                          double complex *rest, moment *m) {
  double omega = y[b->n];
  for (int k = 0; k <= b->fourier.H; k++) {
    double complex turn = cexp(I * k * phase), rate = I * k * omega;
    fw_vibration_rest(v, b, y, k, rest);
    for (int d = 0; d < 3; d++, turn *= rate) {
      for (int j = 0; j < v->reduced.coordinates; j++) m->z[d][j] += creal(fw_balance_coordinate(b, y, j, k) * turn);
      for (int j = 0; j < v->reduced.rest; j++) m->eta[d][j] += creal(rest[j] * turn);
    }
  }
}

/* The second-order motion of the rest and, by differences over a short time, its derivatives. */
static void second_order_motion(const fw_vibration *v, double omega, double *shifted, double *rest[3], moment *m) {
  int c = v->reduced.coordinates, r = v->reduced.rest;
  double h = 1e-4 / omega;
  for (int s = -1; s <= 1; s++) {
    for (int j = 0; j < c; j++) shifted[j] = m->z[0][j] + s * h * m->z[1][j] + 0.5 * h * h * s * s * m->z[2][j];
    memset(rest[s + 1], 0, (size_t)r * sizeof(double));
    fw_quartic_rest(&v->quartic, shifted, rest[s + 1]);
  }
  for (int j = 0; j < r; j++) {
    m->eta[0][j] += rest[1][j];
    m->eta[1][j] += (rest[2][j] - rest[0][j]) / (2 * h);
    m->eta[2][j] += (rest[2][j] - 2 * rest[1][j] + rest[0][j]) / (h * h);
  }
}

/* What a contact point does where a walk through the period has come to; where it touches is not told by harmonics. */
static void keep_touches(void *user, const fw_touch *touches, double dt) {
  fw_state *state = user;
  (void)dt;
  for (int c = 0; c < state->model->contact_count; c++) {
    fw_touch *to = &state->touch[c], before = *to;
    *to = touches[c];
    to->segment = before.segment;
    to->xi = before.xi;
  }
}

/* Forces, totals since sample 0, friction states at the sample nearest to the phase, and figures of the whole period.
 */
static fw_status contact_state(fw_context *ctx, const fw_vibration *v, const fw_balance *b, double phase,
                               fw_state *state) {
  int samples = b->fourier.samples, j = (int)lround(phase / (2 * M_PI) * samples) % samples;
  if (j < 0) j += samples;
  fw_figures *figures;
  FW_TRY(fw_orbit_walk(ctx, v, b, j, keep_touches, state));
  FW_TRY(fw_orbit_figures(ctx, v, b, &figures));
  for (int i = 0; i < v->contact_count; i++) {
    const fw_aft *aft = &b->aft[i];
    fw_figures_find_point(figures, v->contacts[i].number, &state->touch[v->contacts[i].number]);
    double *z = state->z + (v->contacts[i].point.z0 - v->start->z);
    memcpy(z, aft->z_samples + (size_t)j * (size_t)aft->states, (size_t)aft->states * sizeof(double));
  }
  fw_figures_destroy(&figures);
  return FW_OK;
}

fw_status fw_vibration_state(fw_context *ctx, const fw_vibration *v, const fw_balance *b, const double *y, double phase,
                             fw_state **out) {
  int n = v->reduced.n, c = v->reduced.coordinates, r = v->reduced.rest;
  fw_status status = FW_OK;
  double *memory = NULL;
  double complex *rest = NULL;
  FW_TRY(fw_state_copy(ctx, v->start, out));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)(4 * c + 6 * r), sizeof(double), &memory));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)r, sizeof *rest, &rest));
  moment m;
  double *scratch[3], *shifted = memory + 3 * c + 6 * r;
  for (int d = 0; d < 3; d++) {
    m.z[d] = memory + d * c;
    m.eta[d] = memory + 3 * c + d * r;
    scratch[d] = memory + 3 * c + (3 + d) * r;
  }
  linear_motion(v, b, y, phase, rest, &m);
  if (v->quartic.elements) second_order_motion(v, y[b->n], shifted, scratch, &m);
  fw_state *state = *out;
  memset(state->v, 0, (size_t)n * sizeof(double));
  memset(state->a, 0, (size_t)n * sizeof(double));
  double *to[3] = {state->q, state->v, state->a};
  for (int d = 0; d < 3; d++) {
    expand(n, c, v->reduced.V, m.z[d], to[d]);
    expand(n, r, v->reduced.R, m.eta[d], to[d]);
  }
  FW_TRY_DONE(contact_state(ctx, v, b, phase, state));
  for (int d = 0; d < v->drive_count; d++) state->load_factors[v->drive_load[d]] += b->level * v->drive_amount[d];
  state->time = phase / y[b->n];
done:
  free(memory);
  free(rest);
  if (status != FW_OK) fw_state_destroy(out);
  return status;
}
