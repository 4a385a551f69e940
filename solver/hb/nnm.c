/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/nnm.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reading.h"
#include "solver/continuation/arc_length.h"
#include "solver/hb/orbit_picture.h"
#include "solver/hb/rigid_motion.h"
#include "solver/hb/stuck_mode.h"

enum { POINTS_PER_POINT = 40 };
static const double TURNED_BACK = 0.7; /* ln 2: a curve whose amplitude has halved is on a loop */

/* Unknowns: the balance's divided by the amplitude a, which a linear mode leaves as they are; omega, epmc_damping;
 * lambda = ln a. Equations: the balance's divided by a; real and imaginary part of X_1 / a = 1. */
typedef struct follower {
  fw_context *ctx;
  const fw_vibration *v;
  const fw_nnm_options *options;
  fw_balance balance;
  fw_dynamic shifted; /* first harmonic, for differences */
  fw_nnm *out;
  fw_trail trail;
  double grid;             /* of ln a */
  double *z, *fed, *along; /* n + 1; n; n + 1 */
  fw_continuation *curve;
  fw_orbit_picture picture;
  double *tangent; /* n + 3, at a point that was added */
} follower;

/* The balance's unknowns at y, which the balance is told the epmc_damping of; returns a. */
static double unscale(follower *f, const double *y) {
  int n = f->balance.n;
  double a = exp(y[n + 2]);
  for (int i = 0; i < n; i++) f->z[i] = a * y[i];
  f->z[n] = y[n];
  f->balance.epmc_damping = y[n + 1];
  return a;
}

/* X_1 at the sensor from coefficients y; row: its weights. */
static double complex reading(const follower *f, const fw_dynamic *dynamic, const double *y, double complex *row) {
  double complex sum = 0;
  fw_dynamic_reading(dynamic, &f->v->sensors[f->options->sensor], row);
  for (int j = 0; j < f->v->reduced.coordinates; j++) sum += row[j] * fw_balance_coordinate(&f->balance, y, j, 1);
  return sum;
}

/* Its derivatives: the two rows behind the core. */
static fw_status reading_jacobian(follower *f, const double *y, double complex X, fw_jacobian *J) {
  fw_balance *b = &f->balance;
  size_t n = (size_t)b->n;
  double *real = J->rows, *imaginary = J->rows + n;
  for (int j = 0; j < f->v->reduced.coordinates; j++) {
    if (b->closed[j]) continue;
    size_t cosine = (size_t)(j * b->fourier.size + 1), sine = cosine + 1; /* z = a - i b */
    real[cosine] = creal(b->r_k[j]);
    imaginary[cosine] = cimag(b->r_k[j]);
    real[sine] = cimag(b->r_k[j]);
    imaginary[sine] = -creal(b->r_k[j]);
  }
  for (int unknown = 0; unknown < 2; unknown++) { /* omega, epmc_damping */
    double h = 1e-6 * y[n], *column = J->columns + (size_t)unknown * (n + 3) + n;
    f->shifted.epmc_damping = y[n + 1] + (unknown ? h : 0);
    FW_TRY(fw_dynamic_set(&f->shifted, y[n] + (unknown ? 0 : h)));
    double complex rate = (reading(f, &f->shifted, y, b->z_k) - X) / h;
    column[0] = creal(rate);
    column[1] = cimag(rate);
  }
  return FW_OK;
}

/* out = J y over the core. */
static void core_times(const follower *f, const fw_jacobian *J, const double *y, double *out) {
  const fw_core *core = fw_balance_core(&f->balance);
  if (core)
    core->apply(core->user, y, out);
  else
    cblas_dgemv(CblasColMajor, CblasNoTrans, J->core, J->core, 1, J->dense, J->core, y, 1, 0, out, 1);
}

static fw_status residual(void *user, const double *y, double *r, fw_jacobian *J, double *r_lambda) {
  follower *f = user;
  fw_balance *b = &f->balance;
  size_t n = (size_t)b->n;
  double a = unscale(f, y), h = 1e-6 * y[n];
  if (!isfinite(a) || !(a > 0)) return FW_RECOVER_NAN;
  if (J) {
    b->epmc_damping += h;
    FW_TRY(fw_balance_residual(b, f->z, f->fed, NULL, NULL));
    b->epmc_damping -= h;
  }
  FW_TRY(fw_balance_residual(b, f->z, r, J, J ? J->columns : NULL));
  double complex X = reading(f, &b->dynamic[1], y, b->r_k);
  if (J) {
    double *omega = J->columns, *damping = omega + n + 3;
    for (size_t i = 0; i < n; i++) {
      omega[i] /= a;
      damping[i] = (f->fed[i] - r[i]) / (h * a);
    }
    FW_TRY(reading_jacobian(f, y, X, J));
  }
  cblas_dscal((int)n, 1 / a, r, 1);
  r[n] = creal(X) - 1;
  r[n + 1] = cimag(X);
  if (!J || !r_lambda) return FW_OK;
  core_times(f, J, y, r_lambda);
  cblas_daxpy((int)n, -1, r, 1, r_lambda, 1);
  r_lambda[n] = r_lambda[n + 1] = 0;
  return FW_OK;
}

/* ---- the curve ------------------------------------------------------------------------------ */

/* X_1^H f; balance evaluated at f->z. */
static double complex load_work(const follower *f) {
  double complex sum = 0;
  for (int d = 0; d < f->v->drive_count; d++)
    if (f->v->drives[d].harmonic == 1)
      sum += f->v->drives[d].factor * conj(fw_orbit_reading(f->v, &f->balance, f->z, &f->v->drives[d].load, 1));
  return sum;
}

static fw_status keep_numbers(fw_context *ctx, fw_nnm *out, double amplitude, double zeta, double complex load) {
  if (out->count == out->zeta_room) {
    int more = out->zeta_room ? 2 * out->zeta_room : 64;
    double *amplitudes = realloc(out->amplitudes, (size_t)more * sizeof(double));
    if (amplitudes) out->amplitudes = amplitudes;
    double *zetas = amplitudes ? realloc(out->zetas, (size_t)more * sizeof(double)) : NULL;
    if (zetas) out->zetas = zetas;
    double complex *loads = zetas ? realloc(out->loads, (size_t)more * sizeof *loads) : NULL;
    if (!loads) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
    out->loads = loads;
    out->zeta_room = more;
  }
  out->amplitudes[out->count] = amplitude;
  out->zetas[out->count] = zeta;
  out->loads[out->count] = load;
  return FW_OK;
}

fw_status fw_nnm_append(fw_context *ctx, fw_nnm *nnm, double amplitude, double zeta, double complex load,
                        const fw_orbit *orbit) {
  FW_TRY(keep_numbers(ctx, nnm, amplitude, zeta, load));
  return fw_orbit_append(ctx, &nnm->orbits, &nnm->count, &nnm->room, orbit);
}

static void set_scale(follower *f, double a, double *scale) {
  int n = f->balance.n;
  fw_balance_scale(&f->balance, f->z, scale);
  for (int i = 0; i < n; i++) scale[i] /= a;
}

/* Multipliers; along the curve z = a y and omega change with the tangent, which is in units of `scale`. */
static fw_status judge(follower *f, const fw_continuation *curve, const double *y, const double *tangent,
                       fw_orbit *orbit) {
  int n = f->balance.n;
  double a = exp(y[n + 2]), growth = tangent[n + 2] * curve->scale[n + 2];
  for (int i = 0; i < n; i++) f->along[i] = a * (tangent[i] * curve->scale[i] + growth * y[i]);
  f->along[n] = tangent[n] * curve->scale[n];
  return fw_orbit_judge(f->ctx, &f->balance, f->z, f->along, orbit, &f->out->unjudged);
}

/* Adds the motion at y to the end of the list. */
static fw_status take(follower *f, const fw_continuation *curve, const double *y, const double *tangent) {
  fw_nnm *out = f->out;
  int n = f->balance.n;
  double a = unscale(f, y);
  fw_orbit orbit;
  FW_TRY(fw_orbit_measure(f->ctx, f->v, &f->balance, f->z, &orbit));
  fw_status status = f->options->stability ? judge(f, curve, y, tangent, &orbit) : FW_OK;
  if (status == FW_OK) status = fw_nnm_append(f->ctx, out, a, y[n + 1] / (2 * y[n]), load_work(f), &orbit);
  if (status != FW_OK) fw_orbit_clear(&orbit);
  return status;
}

static fw_status collect(void *user, fw_continuation *curve, const double *y, const double *tangent) {
  follower *f = user;
  fw_nnm *out = f->out;
  int n = f->balance.n;
  FW_TRY(take(f, curve, y, tangent));
  double a = out->amplitudes[out->count - 1];
  const fw_orbit *orbit = &out->orbits[out->count - 1];
  set_scale(f, a, curve->scale);
  if (orbit->normal_least < 0) {
    snprintf(out->note, sizeof out->note, "a hard contact that is kept closed would pull at amplitude %s, %.6g Hz",
             fw_say(a, "m").text, orbit->frequency);
    return FW_RECOVER_CONTACT;
  }
  fw_trail_mark(&f->trail, f->grid, y);
  out->in_loop = y[n + 2] < f->trail.top - TURNED_BACK;
  return out->in_loop && !f->options->into_loops ? FW_RECOVER_DIVERGED : FW_OK;
}

/* ---- a smooth curve ------------------------------------------------------------------------- */

static double amplitude_of(void *user, int i) { return ((const follower *)user)->out->amplitudes[i]; }

static double damping_of(void *user, int i) { return ((const follower *)user)->out->zetas[i]; }

static void draw(void *user, double *places) {
  const follower *f = user;
  fw_orbit_picture_draw(&f->picture, f->out->orbits, f->out->count, places);
}

/* Across a loop there is no curve. */
static bool joined(void *user, int i) {
  const fw_nnm *out = ((const follower *)user)->out;
  for (int k = 0; k < out->loops; k++)
    if (out->turns[k] == i) return false;
  return true;
}

static void point(void *user, int i, double *y) {
  const follower *f = user;
  const fw_orbit *orbit = &f->out->orbits[i];
  int n = f->balance.n;
  for (int k = 0; k < n; k++) y[k] = orbit->y[k] / f->out->amplitudes[i];
  y[n] = 2 * M_PI * orbit->frequency;
  y[n + 1] = 2 * f->out->zetas[i] * y[n];
  y[n + 2] = log(f->out->amplitudes[i]);
}

static void set_sizes(void *user, fw_continuation *curve, const double *y) {
  follower *f = user;
  set_scale(f, unscale(f, y), curve->scale);
}

static fw_status insert(void *user, int i, const double *y) {
  follower *f = user;
  fw_nnm *out = f->out;
  if (f->options->stability) FW_TRY(fw_continuation_tangent(f->curve, NULL, f->tangent));
  FW_TRY(take(f, f->curve, y, f->tangent));
  fw_list_bring(out->orbits, out->count, i + 1, sizeof *out->orbits);
  fw_list_bring(out->amplitudes, out->count, i + 1, sizeof *out->amplitudes);
  fw_list_bring(out->zetas, out->count, i + 1, sizeof *out->zetas);
  fw_list_bring(out->loads, out->count, i + 1, sizeof *out->loads);
  for (int k = 0; k < out->loops; k++) out->turns[k] += out->turns[k] > i;
  return FW_OK;
}

static fw_status add_points(follower *f) {
  f->picture = (fw_orbit_picture){
      .model = f->v->model, .H = f->options->H, .user = f, .abscissa = amplitude_of, .damping = damping_of};
  fw_smooth smooth = {.count = f->out->count,
                      .most = FW_SMOOTH_POINTS * f->options->points,
                      .ordinates = fw_orbit_picture_ordinates(&f->picture),
                      .tolerance = f->options->tolerance,
                      .user = f,
                      .draw = draw,
                      .joined = joined,
                      .point = point,
                      .size = set_sizes,
                      .insert = insert};
  FW_TRY(fw_alloc(f->ctx, (size_t)f->balance.n + 3, sizeof *f->tangent, &f->tangent));
  fw_status status = fw_smooth_run(f->ctx, f->curve, &smooth);
  f->out->iterations += smooth.iterations;
  free(f->tangent);
  return status;
}

/* ---- where it begins ------------------------------------------------------------------------ */

/* lambda and the coordinates of the linear mode with the contact stuck: real without damping, else as it flutters. */
static fw_status linear_mode(follower *f, double complex *lambda, double complex *shape) {
  const fw_reduced *reduced = &f->v->reduced;
  double omega, *real;
  if (reduced->skew) return fw_stuck_flutter(f->ctx, f->v, f->options->mode, lambda, shape);
  FW_TRY(fw_alloc(f->ctx, (size_t)reduced->coordinates, sizeof(double), &real));
  fw_status status = fw_stuck_mode(f->ctx, f->v, f->options->mode, &omega, real, NULL);
  for (int j = 0; status == FW_OK && j < reduced->coordinates; j++) shape[j] = real[j];
  if (status == FW_OK) *lambda = I * omega;
  free(real);
  return status;
}

/* Coordinates z of the first harmonic into y. */
static void put_shape(const follower *f, const double complex *z, double complex factor, double *y) {
  for (int j = 0; j < f->v->reduced.coordinates; j++) {
    double *to = y + j * f->balance.fourier.size + 1; /* z = a - i b */
    to[0] = creal(z[j] * factor);
    to[1] = -cimag(z[j] * factor);
  }
}

/* That mode with X_1 = a. */
static fw_status scale_mode(follower *f, double complex lambda, const double complex *shape, double *y) {
  fw_balance *b = &f->balance;
  double most = 0;
  for (int j = 0; j < f->v->reduced.coordinates; j++) most = fmax(most, cabs(shape[j]));
  f->out->alone = !(most > 0);
  y[b->n] = cabs(lambda);
  y[b->n + 1] = -2 * creal(lambda);
  y[b->n + 2] = log(f->options->a_from);
  f->out->stuck = y[b->n] / (2 * M_PI);
  f->shifted.epmc_damping = y[b->n + 1];
  FW_TRY(fw_dynamic_set(&f->shifted, y[b->n]));
  put_shape(f, shape, 1, y);
  double complex X = reading(f, &f->shifted, y, b->r_k);
  if (!(cabs(X) > 1e-9 * most))
    return fw_fail(f->ctx, FW_ERR_ANALYSIS,
                   "mode %d does not move the sensor \"%s\": take another mode (a <modal> tells their shapes) or a "
                   "sensor that it moves",
                   f->options->mode, f->v->model->sensors[f->options->sensor].id);
  put_shape(f, shape, 1 / X, y);
  return FW_OK;
}

static fw_status first_point(follower *f, double *y) {
  double complex *shape, lambda = 0;
  FW_TRY(fw_alloc(f->ctx, (size_t)f->v->reduced.coordinates, sizeof *shape, &shape));
  fw_status status = linear_mode(f, &lambda, shape);
  if (status == FW_OK) status = fw_rigid_motion_refuse(f->ctx, f->v, f->options->mode, cabs(lambda));
  if (status == FW_OK) status = scale_mode(f, lambda, shape, y);
  free(shape);
  return status;
}

/* The points beyond the largest amplitude are of the loop. */
static void drop_loop(fw_nnm *out, double top) {
  while (out->count > 1 && out->amplitudes[out->count - 1] < (1 - 1e-9) * top)
    fw_orbit_clear(&out->orbits[--out->count]);
}

/* The curve, across the loops in which it would be lost. */
static fw_status follow_across(follower *f, fw_continuation *curve, fw_arc_length *sweep, double *y) {
  fw_nnm *out = f->out;
  for (int loops = 0;; loops++) {
    out->status = fw_arc_length_run(f->ctx, curve, sweep, y);
    out->iterations += sweep->iterations;
    bool lost = out->status == FW_RECOVER_DIVERGED || sweep->returned;
    if (!lost || !out->count || f->options->into_loops || loops == FW_NNM_LOOPS) return out->status;
    fw_status status = fw_trail_leave(f->ctx, &f->trail, curve, sweep->to, sweep->step, sweep->tolerance, y);
    if (status < 0) return status;
    if (status > 0) return out->status;
    drop_loop(out, exp(f->trail.top));
    out->turns[out->loops++] = out->count - 1;
  }
}

static void tell_end(follower *f, const fw_arc_length *sweep, double omega) {
  fw_nnm *out = f->out;
  if (out->note[0]) return;
  if (sweep->returned)
    snprintf(out->note, sizeof out->note, "the curve turned back to its first amplitude");
  else if (out->status > 0)
    snprintf(out->note, sizeof out->note, "the curve was lost at amplitude %s, %.6g Hz after %d points: %s",
             fw_say(exp(sweep->reached), "m").text, omega / (2 * M_PI), sweep->points,
             fw_balance_difficulty(&f->balance));
}

static fw_status follow(follower *f) {
  const fw_nnm_options *options = f->options;
  int n = f->balance.n;
  fw_continuation curve = {
      .n = n + 2, .border = 2, .core = fw_balance_core(&f->balance), .user = f, .residual = residual};
  fw_status status = FW_OK;
  double *y = NULL;
  fw_arc_length sweep = {.from = log(options->a_from),
                         .to = log(options->a_to),
                         .tolerance = options->tolerance,
                         .most = POINTS_PER_POINT * options->points,
                         .user = f,
                         .accept = collect};
  f->grid = sweep.step = fabs(sweep.to - sweep.from) / (options->points > 1 ? options->points - 1 : 1);
  FW_TRY_DONE(fw_trail_init(f->ctx, n + 2, &f->trail));
  FW_TRY_DONE(fw_continuation_init(f->ctx, &curve));
  FW_TRY_DONE(fw_alloc(f->ctx, (size_t)n + 3, sizeof(double), &y));
  FW_TRY_DONE(first_point(f, y));
  set_scale(f, unscale(f, y), curve.scale);
  curve.scale[n] = 0.2 * y[n];      /* a resonance moves by a fraction of itself, */
  curve.scale[n + 1] = 0.02 * y[n]; /* damping by some per cent */
  curve.scale[n + 2] = 2;
  f->curve = &curve;
  status = follow_across(f, &curve, &sweep, y);
  tell_end(f, &sweep, y[n]);
  bool lost_at_once = f->out->in_loop && !f->out->loops && !options->into_loops; /* followed once more, into the loop */
  if (status >= 0 && options->smooth && !lost_at_once) FW_TRY_DONE(add_points(f));
done:
  f->curve = NULL;
  fw_continuation_clear(&curve);
  fw_trail_clear(&f->trail);
  free(y);
  return status < 0 ? status : FW_OK;
}

/* ---- all together --------------------------------------------------------------------------- */

static fw_status run_once(fw_context *ctx, const fw_vibration *v, const fw_nnm_options *options, fw_nnm *out) {
  *out = (fw_nnm){.options = *options};
  follower f = {.ctx = ctx, .v = v, .options = &out->options, .out = out};
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_balance_init(ctx, &v->given, options->H, options->samples, options->opening, &f.balance));
  f.balance.level = 0;
  size_t n = (size_t)f.balance.n;
  FW_TRY_DONE(fw_dynamic_init(ctx, &v->reduced, &f.shifted));
  FW_TRY_DONE(fw_alloc(ctx, n + 1, sizeof(double), &f.z));
  FW_TRY_DONE(fw_alloc(ctx, n, sizeof(double), &f.fed));
  FW_TRY_DONE(fw_alloc(ctx, n + 1, sizeof(double), &f.along));
  status = follow(&f);
done:
  fw_dynamic_clear(&f.shifted);
  fw_balance_clear(&f.balance);
  free(f.z);
  free(f.fed);
  free(f.along);
  return status;
}

/* `first` goes before what the curve had to say. */
static void put_first(fw_nnm *out, const char *first) {
  char said[sizeof out->note];
  memcpy(said, out->note, sizeof said);
  snprintf(out->note, sizeof out->note, "%.190s%s%.200s", first, said[0] ? "; " : "", said);
}

static void note_opening(fw_nnm *out) {
  char first[200];
  int i = 0;
  while (i < out->count && out->orbits[i].normal_least > 0) i++;
  if (i == out->count) return;
  snprintf(first, sizeof first, "a hard contact opens from amplitude %s, %.6g Hz on",
           fw_say(out->amplitudes[i], "m").text, out->orbits[i].frequency);
  put_first(out, first);
}

static void note_loops(fw_nnm *out) {
  char first[280];
  int i = out->turns[0];
  if (!out->loops || i + 1 >= out->count) return;
  snprintf(first, sizeof first, "the curve turns off into %s at %s, %.6g Hz, and is taken up beyond, at %s",
           out->loops > 1 ? "loops, first" : "a loop", fw_say(out->amplitudes[i], "m").text, out->orbits[i].frequency,
           fw_say(out->amplitudes[i + 1], "m").text);
  put_first(out, first);
}

/* The curve, across its loops if anything leads across, else into the first. */
static fw_status run_across(fw_context *ctx, const fw_vibration *v, const fw_nnm_options *options, fw_nnm *out) {
  FW_TRY(run_once(ctx, v, options, out));
  if (out->in_loop && !out->loops) {
    fw_nnm_options into = *options;
    into.into_loops = true;
    fw_nnm_clear(out);
    return run_once(ctx, v, &into, out);
  }
  note_loops(out);
  return FW_OK;
}

fw_status fw_nnm_run(fw_context *ctx, const fw_vibration *v, const fw_nnm_options *options, fw_nnm *out) {
  FW_TRY(run_across(ctx, v, options, out));
  if (out->status != FW_RECOVER_CONTACT || !options->beyond) return FW_OK;
  fw_nnm_options opening = *options;
  opening.opening = true;
  fw_nnm_clear(out);
  FW_TRY(run_across(ctx, v, &opening, out));
  note_opening(out);
  return FW_OK;
}

void fw_nnm_clear(fw_nnm *nnm) {
  for (int i = 0; i < nnm->count; i++) fw_orbit_clear(&nnm->orbits[i]);
  free(nnm->orbits);
  free(nnm->amplitudes);
  free(nnm->zetas);
  free(nnm->loads);
  *nnm = (fw_nnm){0};
}
