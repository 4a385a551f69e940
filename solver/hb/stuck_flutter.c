/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/hb/stuck_mode.h"
#include "solver/linalg/eigen_quadratic.h"

enum { MOST_REST = 60 };
static const double STILL = 1e-9; /* of |lambda|: less is no oscillation */

/* The structure with its contact, on the unknowns that move: coordinates, then what is kept of the rest. */
typedef struct model {
  int n, count;         /* all unknowns; those that move, */
  int *moves;           /* which these are */
  double *M, *C, *K;    /* n squared, row major */
  fw_sparse *m, *c, *k; /* count squared */
} model;

static void model_clear(model *s) {
  fw_sparse_destroy(&s->m);
  fw_sparse_destroy(&s->c);
  fw_sparse_destroy(&s->k);
  free(s->moves);
  free(s->M);
}

static fw_status add_contact(fw_context *ctx, const fw_vibration *v, model *s) {
  int c = v->reduced.coordinates;
  double *stiffness = NULL;
  bool *held = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)c * (size_t)c, sizeof *stiffness, &stiffness));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)s->n, sizeof *held, &held));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)s->n, sizeof *s->moves, &s->moves));
  fw_stuck_contact(v, stiffness, held);
  for (int i = 0; i < c; i++)
    for (int j = 0; j < c; j++) s->K[i * s->n + j] += stiffness[i * c + j];
  for (int i = 0; i < s->n; i++)
    if (!held[i]) s->moves[s->count++] = i;
done:
  free(stiffness);
  free(held);
  return status;
}

static void all_entries(const void *user, fw_entries *entries) {
  const model *s = user;
  for (int j = 0; j < s->count; j++)
    for (int i = 0; i < s->count; i++) fw_entries_add(entries, i, j);
}

static void fill(const model *s, const double *A, fw_sparse *a) {
  for (int j = 0; j < s->count; j++)
    for (int i = 0; i < s->count; i++) a->x[fw_sparse_position(a, i, j)] = A[s->moves[i] * s->n + s->moves[j]];
}

static fw_status model_create(fw_context *ctx, const fw_vibration *v, model *s) {
  const fw_reduced *r = &v->reduced;
  int kept = r->rest < MOST_REST ? r->rest : MOST_REST;
  s->n = r->coordinates + kept;
  size_t square = (size_t)s->n * (size_t)s->n;
  FW_TRY(fw_alloc(ctx, 3 * square, sizeof *s->M, &s->M));
  s->C = s->M + square;
  s->K = s->C + square;
  fw_reduced_truncate(r, kept, s->M, s->C, s->K);
  FW_TRY(add_contact(ctx, v, s));
  FW_TRY(fw_sparse_create(ctx, s->count, all_entries, s, &s->m));
  FW_TRY(fw_sparse_like(ctx, s->m, &s->c));
  FW_TRY(fw_sparse_like(ctx, s->m, &s->k));
  fill(s, s->M, s->m);
  fill(s, s->C, s->c);
  fill(s, s->K, s->k);
  return FW_OK;
}

/* The mode of that number among those that oscillate; -1: none. */
static int pick(const fw_quadratic_pairs *pairs, int mode) {
  for (int i = 0; i < pairs->count; i++)
    if (pairs->omega[i] > STILL * hypot(pairs->growth[i], pairs->omega[i]) && --mode == 0) return i;
  return -1;
}

fw_status fw_stuck_flutter(fw_context *ctx, const fw_vibration *v, int mode, double complex *lambda,
                           double complex *shape) {
  model s = {0};
  fw_quadratic_pairs pairs = {0};
  int64_t loose;
  fw_status status = FW_OK;
  FW_TRY_DONE(model_create(ctx, v, &s));
  FW_TRY_DONE(fw_eigen_quadratic(ctx, s.k, s.c, s.m, s.count, &pairs, &loose));
  int at = pick(&pairs, mode);
  if (at < 0) FW_TRY_DONE(fw_fail(ctx, FW_ERR_ANALYSIS, "there is no mode %d with the contact stuck", mode));
  *lambda = pairs.growth[at] + I * pairs.omega[at];
  memset(shape, 0, (size_t)v->reduced.coordinates * sizeof *shape);
  for (int i = 0; i < s.count && s.moves[i] < v->reduced.coordinates; i++) {
    size_t entry = (size_t)at * (size_t)s.count + (size_t)i;
    shape[s.moves[i]] = pairs.real[entry] + I * pairs.imaginary[entry];
  }
done:
  fw_quadratic_pairs_clear(&pairs);
  model_clear(&s);
  return status;
}
