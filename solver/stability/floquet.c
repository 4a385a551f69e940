/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/stability/floquet.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "solver/stability/monodromy.h"

enum { MOST_STATES = 1000 };

/* Whether a contact holds a gap or slip, at times, that is not a coordinate. */
static bool holds_combination(const fw_motion_contact *c) {
  bool hard = c->stays_closed || c->opens;
  return (hard && c->gap.count > 1) || (c->rigid_stick && c->slip.count > 1);
}

static const char *not_covered(const fw_periodic_motion *m, int *contact) {
  for (int i = 0; i < m->contact_count; i++) {
    const fw_motion_contact *c = &m->contacts[i];
    *contact = i;
    if (holds_combination(c)) return "rigid stick or hard contact whose slip or gap follows from those of others";
    if (!c->rigid_stick) continue;
    fw_limit_out limit = fw_friction_limit(c->friction, 0, c->N0, NULL);
    if (limit.stick_plus > (1 + 1e-9) * limit.slip) return "rigid stick with a static limit above the sliding force";
  }
  *contact = -1;
  return NULL;
}

static int by_size(const void *a, const void *b) {
  double x = cabs(*(const double complex *)a), y = cabs(*(const double complex *)b);
  return x < y ? 1 : x > y ? -1 : 0;
}

/* x^T M x for column `column` of the vectors, rows from `first`. */
static double inertia(const fw_monodromy *x, const double *vectors, int first, int column) {
  double sum = 0;
  for (int i = 0; i < x->n; i++)
    for (int j = 0; j < x->n; j++)
      sum += x->motion->M[i * x->n + j] * vectors[(size_t)(first + i) * (size_t)x->states + (size_t)column] *
             vectors[(size_t)(first + j) * (size_t)x->states + (size_t)column];
  return sum;
}

/* Frequency (Hz) at which eigenvector k moves, the first of a pair if it is complex: accelerations over velocities. */
static double shape_frequency(const fw_monodromy *x, const double *vectors, int k, bool pair) {
  double a = 0, v = 0;
  for (int part = 0; part < (pair ? 2 : 1); part++) {
    a += inertia(x, vectors, 2 * x->n, k + part);
    v += inertia(x, vectors, x->n, k + part);
  }
  return v > 0 && a > 0 ? sqrt(a / v) / (2 * M_PI) : fw_unknown();
}

/* Takes out the multiplier nearest to a value, of those that move as the mode does. */
static void take_out(const fw_monodromy *x, const fw_free_motion *mode, const double *vectors, double value,
                     fw_floquet *out) {
  int nearest = -1;
  for (int i = 0; i < out->count; i++) {
    double imaginary = cimag(out->multipliers[i]);
    int first = imaginary < 0 ? i - 1 : i; /* of a pair, whose positive imaginary part comes first */
    if (nearest >= 0 && cabs(out->multipliers[i] - value) >= cabs(out->multipliers[nearest] - value)) continue;
    if (fw_free_motion_share(x, mode, vectors, first, imaginary != 0) > 0.5) nearest = i;
  }
  if (nearest >= 0) out->multipliers[nearest] = 0;
}

/* Eigenvalues of the monodromy matrix X (overwritten), without the two that belong to a mode. */
static fw_status eigenvalues(fw_context *ctx, fw_monodromy *x, const fw_free_motion *mode, fw_floquet *out) {
  int n = x->states, largest = 0;
  double *parts, *vectors = x->next;
  FW_TRY(fw_alloc(ctx, 2 * (size_t)n, sizeof *parts, &parts));
  fw_status status = fw_alloc(ctx, (size_t)n, sizeof *out->multipliers, &out->multipliers);
  if (status == FW_OK && LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', n, x->X, n, parts, parts + n, NULL, 1, vectors, n))
    out->why = "the eigenvalues of the period map were not found";
  else if (status == FW_OK)
    out->count = n;
  for (int i = 0; i < out->count; i++) out->multipliers[i] = x->size * (parts[i] + I * parts[n + i]);
  if (mode) {
    take_out(x, mode, vectors, 1, out);
    take_out(x, mode, vectors, isnan(mode->along) ? 1 : mode->along, out);
    out->along = mode->along;
  }
  for (int i = 0; i < out->count; i++) {
    out->growing += cabs(out->multipliers[i]) > 1 + FW_STABILITY_MARGIN;
    if (cabs(out->multipliers[i]) > cabs(out->multipliers[largest])) largest = i;
  }
  if (out->count) {
    out->frequency = shape_frequency(x, vectors, largest, parts[n + largest] != 0);
    qsort(out->multipliers, (size_t)n, sizeof *out->multipliers, by_size);
  }
  free(parts);
  return status;
}

fw_status fw_floquet_find(fw_context *ctx, const fw_periodic_motion *motion, fw_floquet *stability) {
  *stability = (fw_floquet){.along = fw_unknown(), .contact = -1};
  stability->why = not_covered(motion, &stability->contact);
  if (stability->why) return FW_OK;
  fw_monodromy variation;
  fw_free_motion own = {0};
  fw_status status = fw_monodromy_create(ctx, motion, &variation);
  if (status == FW_OK && variation.states > MOST_STATES) {
    stability->why = "more than a thousand states";
  } else if (status == FW_OK) {
    status = fw_monodromy_round(&variation);
    if (status > 0) stability->why = "a coordinate has neither mass nor stiffness";
    if (status == FW_OK && motion->family) status = fw_free_motion_find(ctx, &variation, &own);
    if (status == FW_OK) status = eigenvalues(ctx, &variation, motion->family ? &own : NULL, stability);
    fw_free_motion_clear(&own);
  }
  fw_monodromy_clear(&variation);
  if (status < 0) fw_floquet_clear(stability);
  return status < 0 ? status : FW_OK;
}

void fw_floquet_clear(fw_floquet *stability) {
  free(stability->multipliers);
  *stability = (fw_floquet){0};
}
