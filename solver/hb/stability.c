/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/stability.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/hb/free_motion.h"

enum { MOST_STATES = 1000 };

/* Whether gap and slip of a contact are coordinates that no other contact moves. */
static bool has_own_coordinates(const fw_balance *b, int contact) {
  const fw_balance_contact *c = &b->contacts[contact];
  if (c->gap.count > 1 || c->slip.count > 1) return false;
  for (int k = 0; k < contact; k++) {
    const fw_balance_contact *other = &b->contacts[k];
    if (c->gap.count && other->gap.count && c->gap.at[0] == other->gap.at[0]) return false;
    if (c->slip.count && other->slip.count && c->slip.at[0] == other->slip.at[0]) return false;
  }
  return true;
}

static const char *not_covered(const fw_balance *b) {
  const fw_reduced *r = b->given.reduced;
  for (int i = 0; i < r->coordinates * r->coordinates; i++)
    if (r->H && r->H[i] != 0) return "hysteretic damping has no motion in time";
  for (int i = 0; i < b->given.contact_count; i++) {
    const fw_cycle_point *point = &b->contacts[i].point;
    if (!has_own_coordinates(b, i)) return "gaps or slips of contacts that depend on each other";
    for (int s = 1; point->kind == FW_CYCLE_OPENING && s < b->fourier.samples; s++)
      if ((b->cycles[i].N[s] > 0) != (b->cycles[i].N[0] > 0)) return "a hard contact opens and closes";
    if (!(point->hold > 0)) continue;
    fw_limit_out limit;
    point->laws->ops->limit(point->laws->constants, 0, point->N0, NULL, &limit);
    if (limit.stick_plus > (1 + 1e-9) * limit.slip) return "rigid stick with a static limit above the sliding force";
  }
  return NULL;
}

static int by_size(const void *a, const void *b) {
  double x = cabs(*(const double complex *)a), y = cabs(*(const double complex *)b);
  return x < y ? 1 : x > y ? -1 : 0;
}

/* x^T M x for column `column` of the vectors, rows from `first`. */
static double inertia(const fw_variation *x, const double *vectors, int first, int column) {
  double sum = 0;
  for (int i = 0; i < x->n; i++)
    for (int j = 0; j < x->n; j++)
      sum += x->M[i * x->n + j] * vectors[(size_t)(first + i) * (size_t)x->states + (size_t)column] *
             vectors[(size_t)(first + j) * (size_t)x->states + (size_t)column];
  return sum;
}

/* Frequency (Hz) at which eigenvector k moves, the first of a pair if it is complex: accelerations over velocities. */
static double shape_frequency(const fw_variation *x, const double *vectors, int k, bool pair) {
  double a = 0, v = 0;
  for (int part = 0; part < (pair ? 2 : 1); part++) {
    a += inertia(x, vectors, 2 * x->n, k + part);
    v += inertia(x, vectors, x->n, k + part);
  }
  return v > 0 && a > 0 ? sqrt(a / v) / (2 * M_PI) : NAN;
}

/* The two disturbances that belong to a mode leave the others alone. */
static void set_mode_apart(const fw_variation *x, const double *room, double *real, const double *imaginary,
                           const double *vectors, fw_stability *out) {
  int k = fw_free_motion_find(x, vectors, real, imaginary, room);
  if (k < 0) return;
  out->along = x->size * real[k];
  real[k] = 0;
}

/* Eigenvalues of the monodromy matrix X (overwritten); along: NULL, or change of y along a mode. */
static fw_status eigenvalues(fw_context *ctx, fw_variation *x, const double *y, const double *along,
                             fw_stability *out) {
  int n = x->states, largest = 0;
  double *parts, *room, *vectors = x->next;
  FW_TRY(fw_alloc(ctx, 4 * (size_t)n, sizeof *parts, &parts));
  room = parts + 2 * n;
  if (along) fw_free_motion_reduce(x, y, along, room);
  fw_status status = fw_alloc(ctx, (size_t)n, sizeof *out->multipliers, &out->multipliers);
  if (status == FW_OK && LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', n, x->X, n, parts, parts + n, NULL, 1, vectors, n))
    out->why = "the eigenvalues of the period map were not found";
  else if (status == FW_OK)
    out->count = n;
  if (out->count && along) set_mode_apart(x, room, parts, parts + n, vectors, out);
  for (int i = 0; i < out->count; i++) {
    out->multipliers[i] = x->size * (parts[i] + I * parts[n + i]);
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

fw_status fw_stability_of_mode(fw_context *ctx, fw_balance *balance, const double *y, const double *along,
                               fw_stability *stability) {
  *stability = (fw_stability){.why = not_covered(balance), .along = NAN};
  if (stability->why) return FW_OK;
  fw_variation variation;
  fw_status status = fw_variation_create(ctx, balance, y, &variation);
  if (status == FW_OK && variation.states > MOST_STATES) {
    stability->why = "more than a thousand states";
  } else if (status == FW_OK) {
    status = fw_variation_round(&variation);
    if (status > 0) stability->why = "a coordinate has neither mass nor stiffness";
    if (status == FW_OK) status = eigenvalues(ctx, &variation, y, along, stability);
  }
  fw_variation_clear(&variation);
  if (status < 0) fw_stability_clear(stability);
  return status < 0 ? status : FW_OK;
}

fw_status fw_stability_find(fw_context *ctx, fw_balance *balance, const double *y, fw_stability *stability) {
  return fw_stability_of_mode(ctx, balance, y, NULL, stability);
}

void fw_stability_clear(fw_stability *stability) {
  free(stability->multipliers);
  *stability = (fw_stability){0};
}
