/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps of many numbers: dP/dx is known by its products with vectors, each by one more period of time integration. Most
 * disturbances die out within a period, so that dP/dx - 1 is near -1 but in a few directions. Where the structure is linear
 * these are those of a reduced model, whose map is at hand whole (coarse.h): with its matrix for a preconditioner GMRES is
 * through after a product or two; with -1 after about as many as there are such directions.
 *
 * Where a contact never slips dP/dx - 1 is singular, and no part of the equations lies along what is conserved: GMRES
 * leaves it alone, and the member of the family is the one that time integration came to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/shooting/coarse.h"
#include "solver/shooting/shooting.h"

/* last: it defines I */
#include "solver/linalg/eigen_largest.h"

enum { MULTIPLIERS = 10 };
static const double LEFT = 1e-3;      /* of a Newton step, where the map of a reduced model is at hand */
static const double CONSERVED = 1e-7; /* distance of a multiplier from 1: a family */

/* out = (dP/dx - 1) x, and behind it what conditions on the first harmonic make of x. */
static void apply(void *user, const double *x, double *out) {
  fw_shooting *s = user;
  int n = s->map.n;
  if (s->failed >= 0) s->failed = fw_period_map_carry(&s->map, s->at, s->at[n], x, out); /* else: nothing goes on */
  for (int i = 0; i < n; i++) out[i] = s->failed == FW_OK ? out[i] - x[i] : NAN;
  for (int c = 0; c < s->core.carried; c++) out[n + c] = creal(s->read[c] * s->map.harmonic_by[0]);
}

/* The diagonal -1 stands for the largest entry. */
static void rows(void *user, const double *scale, double *row) {
  const fw_shooting *s = user;
  for (int i = 0; i < s->map.n; i++) row[i] = fmax(row[i], scale[i]);
}

/* Where the reduced map has no derivative -1 alone has to do. */
static fw_status factor(void *user) {
  fw_shooting *s = user;
  if (!s->coarse) return FW_OK;
  fw_status status = fw_coarse_factor(s->coarse, s->at, s->map.value);
  return status < 0 ? status : FW_OK;
}

static void solve(void *user, double *x) {
  fw_shooting *s = user;
  if (s->coarse) {
    fw_coarse_solve(s->coarse, x);
    return;
  }
  for (int i = 0; i < s->map.n; i++) x[i] = -x[i];
}

fw_status fw_shooting_large_init(fw_context *ctx, fw_system *system, const fw_state *rest,
                                 const fw_map_options *options, fw_shooting *s) {
  int carried = s->map.sensor ? s->condition_count : 0;
  FW_TRY(fw_coarse_create(ctx, system, rest, options, &s->coarse));
  s->core = (fw_core){.user = s,
                      .size = s->map.n,
                      .left = s->coarse ? LEFT : 0,
                      .patience = 1,
                      .carried = carried,
                      .apply = apply,
                      .rows = rows,
                      .factor = factor,
                      .solve = solve};
  s->curve.core = &s->core;
  return fw_alloc(ctx, (size_t)s->map.n + 1, sizeof *s->at, &s->at);
}

void fw_shooting_large_clear(fw_shooting *s) {
  fw_coarse_destroy(&s->coarse);
  free(s->at);
}

/* out = S^-1 dP/dx S x, in scaled unknowns. */
static fw_status apply_scaled(void *user, const double *x, double *out) {
  fw_shooting *s = user;
  int n = s->map.n;
  const double *scale = s->curve.scale;
  for (int i = 0; i < n; i++) s->end[i] = x[i] * scale[i];
  FW_TRY(fw_period_map_carry(&s->map, s->at, s->at[n], s->end, out));
  for (int i = 0; i < n; i++) out[i] /= scale[i];
  return FW_OK;
}

static fw_status find_largest(fw_shooting *s, fw_floquet *f) {
  FW_TRY(fw_alloc(s->map.ctx, MULTIPLIERS + 1, sizeof *f->multipliers, &f->multipliers));
  return fw_eigen_largest(s->map.ctx, s->map.n, MULTIPLIERS, apply_scaled, s, f->multipliers, &f->count);
}

fw_status fw_shooting_large_multipliers(fw_shooting *s, fw_floquet *f) {
  FW_TRY(s->coarse ? fw_coarse_multipliers(s->coarse, s->at, s->map.value, f) : find_largest(s, f));
  s->families = 0;
  for (int i = 0; i < f->count; i++) s->families += cabs(f->multipliers[i] - 1) < CONSERVED;
  return FW_OK;
}
