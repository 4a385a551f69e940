/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/stuck_mode.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisect.h"

/* The condensed structure without damping and without what is skew in its stiffness. Natural frequencies below w are as many as A(w) has negative eigenvalues
 * and the condensed rest has frequencies below w (Wittrick and Williams): bisection finds each for certain. */
typedef struct searcher {
  fw_reduced undamped;
  double *zeros;
  fw_dynamic dynamic;
  double *stiffness; /* coordinates squared: of the contact */
  int *free;         /* the coordinates that move */
  int count;
  double *A, *values;
  lapack_int *pivot;
} searcher;

/* A square matrix of the coordinates. */
typedef struct springs {
  int n;
  double *K;
} springs;

/* Adds stiffness times the product of two gaps or slips. */
static void add_spring(const springs *s, const fw_combination *a, const fw_combination *b, double stiffness) {
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < b->count; j++) s->K[a->at[i] * s->n + b->at[j]] += a->factor[i] * b->factor[j] * stiffness;
}

/* k_n (g - T_N s/2)(g - T_N s/2)^T + k_t s s^T. */
static void add_contact(const springs *s, const fw_balance_contact *c) {
  double across = -0.5 * c->T_N * c->k_n;
  add_spring(s, &c->gap, &c->gap, c->k_n);
  add_spring(s, &c->gap, &c->slip, across);
  add_spring(s, &c->slip, &c->gap, across);
  add_spring(s, &c->slip, &c->slip, c->k_t - 0.5 * c->T_N * across);
}

void fw_stuck_contact(const fw_vibration *v, double *stiffness, bool *held) {
  const springs s = {v->reduced.coordinates, stiffness};
  for (int i = 0; i < v->contact_count; i++) {
    const fw_balance_contact *contact = &v->contacts[i];
    const fw_aft_point *point = &contact->point;
    bool open = point->clearance > 0, hard = point->kind == FW_AFT_CLOSED || point->kind == FW_AFT_OPENING;
    if (hard && !open) held[contact->gap.at[0]] = true;
    if (point->stick_penalty > 0 && point->N0 > 0) held[contact->slip.at[0]] = true;
    add_contact(&s, contact);
  }
}

static fw_status searcher_init(fw_context *ctx, const fw_vibration *v, searcher *s) {
  const fw_reduced *r = &v->reduced;
  size_t c = (size_t)r->coordinates;
  bool *held;
  s->undamped = *r;
  FW_TRY(fw_alloc(ctx, c * (c + (size_t)r->rest), sizeof(double), &s->zeros));
  s->undamped.C = s->undamped.H = s->undamped.C_zr = s->undamped.H_zr = s->zeros;
  s->undamped.alpha = s->undamped.beta = s->undamped.eta = 0;
  s->undamped.rank = s->undamped.still = 0;
  s->undamped.skew = false;
  FW_TRY(fw_dynamic_init(ctx, &s->undamped, &s->dynamic));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &s->stiffness));
  FW_TRY(fw_alloc(ctx, c, sizeof(int), &s->free));
  FW_TRY(fw_alloc(ctx, c * c, sizeof(double), &s->A));
  FW_TRY(fw_alloc(ctx, c, sizeof(double), &s->values));
  FW_TRY(fw_alloc(ctx, c, sizeof *s->pivot, &s->pivot));
  FW_TRY(fw_alloc(ctx, c, sizeof(bool), &held));
  fw_stuck_contact(v, s->stiffness, held);
  for (int j = 0; j < r->coordinates; j++)
    if (!held[j]) s->free[s->count++] = j;
  free(held);
  return FW_OK;
}

static void searcher_clear(searcher *s) {
  fw_dynamic_clear(&s->dynamic);
  free(s->zeros);
  free(s->stiffness);
  free(s->free);
  free(s->A);
  free(s->values);
  free(s->pivot);
}

/* A = the condensed stiffness at w. */
static void set_stiffness(searcher *s, double w) {
  int c = s->undamped.coordinates, n = s->count;
  fw_dynamic_set(&s->dynamic, w);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      int at = s->free[j] * c + s->free[i], across = s->free[i] * c + s->free[j];
      s->A[j * n + i] = 0.5 * creal(s->dynamic.D[at] + s->dynamic.D[across]) + s->stiffness[at];
    }
}

/* Negative eigenvalues of A, by the signs of A = L D L^T (Sylvester; Bunch and Kaufman 1977): blocks of two rows in D, whose
 * pivots are negative, have one of each sign. Overwrites A. */
static int count_negative(searcher *s) {
  int n = s->count, below = 0;
  if (n) LAPACKE_dsytrf(LAPACK_COL_MAJOR, 'U', n, s->A, n, s->pivot);
  for (int j = 0; j < n; j++) {
    bool alone = s->pivot[j] > 0;
    below += !alone || s->A[j * n + j] < 0;
    j += !alone;
  }
  return below;
}

/* Number of natural frequencies below w. */
static int count_below(searcher *s, double w) {
  const fw_reduced *r = &s->undamped;
  set_stiffness(s, w);
  int below = count_negative(s);
  for (int j = r->modes; j < r->modes + r->rest; j++) below += r->frequency[j] < w;
  return below;
}

/* A mode of the rest alone, of that frequency: its number there; -1: none. */
static int rest_alone(const searcher *s, double omega) {
  const fw_reduced *r = &s->undamped;
  for (int j = 0; j < r->rest; j++)
    if (fabs(r->frequency[r->modes + j] - omega) < 1e-10 * omega) return j;
  return -1;
}

/* The mode's shape at its frequency: the coordinates that A(omega) does not resist, and the rest that follows them. */
static fw_status find_shape(fw_context *ctx, searcher *s, double omega, double *shape, double *rest) {
  const fw_reduced *r = &s->undamped;
  int alone = rest_alone(s, omega), nearest = 0;
  memset(shape, 0, (size_t)r->coordinates * sizeof(double));
  if (rest) memset(rest, 0, (size_t)r->rest * sizeof(double));
  if (alone >= 0) {
    if (rest) rest[alone] = 1;
    return FW_OK;
  }
  set_stiffness(s, omega);
  if (s->count && LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', s->count, s->A, s->count, s->values) != 0)
    return fw_fail(ctx, FW_ERR_LIBRARY, "LAPACK dsyevd failed");
  for (int j = 1; j < s->count; j++)
    if (fabs(s->values[j]) < fabs(s->values[nearest])) nearest = j;
  for (int j = 0; j < s->count; j++) shape[s->free[j]] = s->A[nearest * s->count + j];
  if (!rest) return FW_OK;
  double complex *z, *eta;
  FW_TRY(fw_alloc(ctx, (size_t)r->coordinates + (size_t)r->rest, sizeof *z, &z));
  eta = z + r->coordinates;
  for (int j = 0; j < r->coordinates; j++) z[j] = shape[j];
  fw_dynamic_rest_motion(&s->dynamic, z, eta);
  for (int j = 0; j < r->rest; j++) rest[j] = creal(eta[j]);
  free(z);
  return FW_OK;
}

typedef struct sought {
  searcher *s;
  int mode;
} sought;

/* At least so many below. */
static bool has_modes(void *user, double omega) {
  const sought *f = (const sought *)user;
  return count_below(f->s, omega) >= f->mode;
}

static fw_status find(fw_context *ctx, searcher *s, int mode, double *omega, double *shape, double *rest) {
  const fw_reduced *r = &s->undamped;
  double low = 0, high = r->modes + r->rest > 0 && isfinite(r->frequency[0]) ? r->frequency[0] : 1;
  for (int i = 0; count_below(s, high) < mode; i++, high *= 2)
    if (i > 60) return fw_fail(ctx, FW_ERR_ANALYSIS, "there is no mode %d with the contact stuck", mode);
  fw_bisect(has_modes, &(sought){s, mode}, 1e-13, 200, &low, &high);
  *omega = 0.5 * (low + high);
  return find_shape(ctx, s, *omega, shape, rest);
}

fw_status fw_stuck_mode(fw_context *ctx, const fw_vibration *v, int mode, double *omega, double *shape, double *rest) {
  searcher s = {0};
  fw_status status = searcher_init(ctx, v, &s);
  if (status == FW_OK) status = find(ctx, &s, mode, omega, shape, rest);
  searcher_clear(&s);
  return status;
}
