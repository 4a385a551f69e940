/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phase condition takes the place of a given frequency. Unknowns are the harmonics z, the circular frequency and,
 * as the parameter of the curve, the level of the drive:
 *
 *   balance(z, omega, level) = 0                   (balance.h)
 *   Im(turn X_1/F) = 0                             the sensor's displacement X_1 has the wished phase (resonance.h)
 *
 * A level may have several resonances or none: folds of this curve, which arc length passes. */
#include "solver/hb/resonance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/continuation/arc_length.h"
#include "solver/hb/orbit_picture.h"

enum { POINTS_PER_POINT = 40 };

/* Unknowns: those of the balance, omega; lambda: the level. */
typedef struct follower {
  fw_context *ctx;
  const fw_vibration *v;
  const fw_response_options *options;
  fw_balance balance;
  fw_phase phase;
  fw_resonance_curve *resonances;
  double *gradient;
  fw_orbit_picture picture;
} follower;

/* Last equation: the phase. */
static fw_status residual(void *user, const double *y, double *r, fw_jacobian *J, double *r_lambda) {
  follower *f = user;
  fw_balance *b = &f->balance;
  size_t n = (size_t)b->n;
  if (!(y[n + 1] > 0)) return FW_RECOVER_NAN;
  b->level = y[n + 1];
  FW_TRY(fw_balance_residual(b, y, r, J, J ? J->columns : NULL)); /* the one column: omega */
  r[n] = fw_phase_value(&f->phase, y, f->gradient);
  if (!J) return FW_OK;
  memcpy(J->rows, f->gradient, n * sizeof(double));
  J->columns[n] = f->gradient[n];
  if (!r_lambda) return FW_OK;
  fw_balance_level(b, r_lambda);
  r_lambda[n] = fw_phase_level(&f->phase, y);
  return FW_OK;
}

/* Adds the motion at y to the end of the list. */
static fw_status take(follower *f, const double *y) {
  fw_resonance_curve *out = f->resonances;
  fw_orbit orbit;
  f->balance.level = y[f->balance.n + 1];
  FW_TRY(fw_orbit_measure(f->ctx, f->v, &f->balance, y, &orbit));
  fw_status status = FW_OK;
  if (f->options->stability) status = fw_orbit_judge(f->ctx, &f->balance, y, NULL, &orbit, &out->unjudged);
  if (status == FW_OK) status = fw_orbit_append(f->ctx, &out->orbits, &out->count, &out->room, &orbit);
  if (status != FW_OK) fw_orbit_clear(&orbit);
  return status;
}

static fw_status collect(void *user, fw_continuation *curve, const double *y, const double *tangent) {
  follower *f = user;
  fw_resonance_curve *out = f->resonances;
  (void)tangent;
  FW_TRY(take(f, y));
  fw_balance_scale(&f->balance, y, curve->scale);
  const fw_orbit *orbit = &out->orbits[out->count - 1];
  if (orbit->normal_least < 0) {
    snprintf(out->note, sizeof out->note, "a hard contact that is kept closed would pull at level %.6g, %.6g Hz",
             orbit->level, orbit->frequency);
    return FW_RECOVER_CONTACT;
  }
  return FW_OK;
}

/* ---- a smooth curve ------------------------------------------------------------------------- */

static double level_of(void *user, int i) { return ((const follower *)user)->resonances->orbits[i].level; }

static double damping_of(void *user, int i) {
  return fw_orbit_damping(&((const follower *)user)->resonances->orbits[i]);
}

static void draw(void *user, double *places) {
  const follower *f = user;
  fw_orbit_picture_draw(&f->picture, f->resonances->orbits, f->resonances->count, places);
}

static bool joined(void *user, int i) {
  (void)user, (void)i;
  return true;
}

static void point(void *user, int i, double *y) {
  const follower *f = user;
  const fw_orbit *orbit = &f->resonances->orbits[i];
  memcpy(y, orbit->y, ((size_t)f->balance.n + 1) * sizeof *y);
  y[f->balance.n + 1] = orbit->level;
}

static void set_sizes(void *user, fw_continuation *curve, const double *y) {
  follower *f = user;
  fw_balance_scale(&f->balance, y, curve->scale);
}

static fw_status insert(void *user, int i, const double *y) {
  follower *f = user;
  FW_TRY(take(f, y));
  fw_list_bring(f->resonances->orbits, f->resonances->count, i + 1, sizeof *f->resonances->orbits);
  return FW_OK;
}

static fw_status add_points(follower *f, fw_continuation *curve, int points) {
  f->picture = (fw_orbit_picture){
      .model = f->v->model, .H = f->options->H, .user = f, .abscissa = level_of, .damping = damping_of};
  fw_smooth smooth = {.count = f->resonances->count,
                      .most = FW_SMOOTH_POINTS * points,
                      .ordinates = fw_orbit_picture_ordinates(&f->picture),
                      .tolerance = f->options->tolerance,
                      .user = f,
                      .draw = draw,
                      .joined = joined,
                      .point = point,
                      .size = set_sizes,
                      .insert = insert};
  return fw_smooth_run(f->ctx, curve, &smooth);
}

/* ---- all together --------------------------------------------------------------------------- */

static fw_status follow(follower *f, const fw_orbit *start, double level_to, int points) {
  int n = f->balance.n;
  fw_continuation curve = {
      .n = n + 1, .border = 1, .core = fw_balance_core(&f->balance), .user = f, .residual = residual};
  fw_status status = FW_OK;
  double *y = NULL, from = f->options->level;
  fw_arc_length sweep = {.from = from,
                         .to = level_to,
                         .step = fabs(level_to - from) / (points > 1 ? points - 1 : 1),
                         .tolerance = f->options->tolerance,
                         .most = POINTS_PER_POINT * points,
                         .user = f,
                         .accept = collect};
  FW_TRY_DONE(fw_continuation_init(f->ctx, &curve));
  FW_TRY_DONE(fw_alloc(f->ctx, (size_t)n + 2, sizeof(double), &y));
  memcpy(y, start->y, ((size_t)n + 1) * sizeof(double));
  y[n + 1] = from;
  fw_balance_scale(&f->balance, y, curve.scale);
  curve.scale[n] = 0.2 * y[n]; /* a resonance moves by a fraction of itself */
  curve.scale[n + 1] = fabs(level_to - from);
  status = fw_arc_length_run(f->ctx, &curve, &sweep, y);
  fw_resonance_curve *out = f->resonances;
  out->status = status;
  if (sweep.returned && !out->note[0])
    snprintf(out->note, sizeof out->note, "the curve turned back to its first level: no resonance beyond its maximum");
  else if (status > 0 && !out->note[0])
    snprintf(out->note, sizeof out->note, "the curve was lost at level %.6g, %.6g Hz after %d points: %s",
             sweep.reached, y[n] / (2 * M_PI), sweep.points, fw_balance_difficulty(&f->balance));
  if (status >= 0 && f->options->smooth) FW_TRY_DONE(add_points(f, &curve, points));
done:
  fw_continuation_clear(&curve);
  free(y);
  return status < 0 ? status : FW_OK;
}

fw_status fw_resonance_curve_run(fw_context *ctx, const fw_vibration *v, const fw_response_options *options,
                                 const fw_orbit *start, double level_to, int points, fw_resonance_curve *resonances) {
  *resonances = (fw_resonance_curve){0};
  follower f = {.ctx = ctx, .v = v, .options = options, .resonances = resonances};
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_balance_init(ctx, &v->given, options->H, options->samples, options->opening, &f.balance));
  size_t n = (size_t)f.balance.n;
  FW_TRY_DONE(fw_alloc(ctx, n + 1, sizeof(double), &f.gradient));
  double size = cabs(fw_response_compliance(options, start));
  FW_TRY_DONE(fw_phase_init(ctx, v, &f.balance, options->sensor, options->phase, size, &f.phase));
  status = follow(&f, start, level_to, points);
done:
  fw_phase_clear(&f.phase);
  fw_balance_clear(&f.balance);
  free(f.gradient);
  return status;
}

void fw_resonance_curve_clear(fw_resonance_curve *resonances) {
  for (int i = 0; i < resonances->count; i++) fw_orbit_clear(&resonances->orbits[i]);
  free(resonances->orbits);
  *resonances = (fw_resonance_curve){0};
}
