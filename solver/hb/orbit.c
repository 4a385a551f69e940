/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/orbit.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "core/unknown.h"
#include "solver/hb/orbit_stability.h"

double complex fw_orbit_reading(const fw_vibration *v, const fw_balance *b, const double *y,
                                const fw_projected *direction, int k) {
  const fw_dynamic *dynamic = &b->dynamic[k];
  double complex sum = 0;
  fw_dynamic_reading(dynamic, direction, b->r_k);
  for (int j = 0; j < v->reduced.coordinates; j++) sum += b->r_k[j] * fw_balance_coordinate(b, y, j, k);
  for (int d = 0; d < v->drive_count; d++)
    if (v->drives[d].harmonic == k)
      sum += b->level * v->drives[d].factor * fw_dynamic_direct(dynamic, direction, &v->drives[d].load);
  return sum;
}

/* ---- contact ------------------------------------------------------------------------------ */

/* What contact i does at sample j; totals and slip are those of the sample before, to which fw_touch_accrue adds. */
static void touch_at(const fw_balance *b, const fw_pair *pair, int i, int j, fw_touch *touch) {
  const fw_aft *aft = &b->aft[i];
  int n = aft->fourier->samples, at = j % n;
  bool rigid = b->contacts[i].point.stick_penalty > 0;
  touch->N = aft->N[at];
  touch->T = aft->T[at];
  touch->gap = aft->gap[at];
  touch->gap_velocity = aft->gap_rate[at];
  touch->slip_velocity = aft->v[at];
  touch->slip = j ? aft->u[at] - aft->u[j - 1] : aft->u[0];
  if (!(touch->N > 0))
    touch->status = FW_OPEN;
  else if (rigid)
    touch->status = aft->slides[at] ? FW_SLIP : FW_STICK;
  else
    touch->status =
        fw_pair_regime(pair, touch->N, touch->T - aft->T[(at + n - 1) % n], aft->u[at] - aft->u[(at + n - 1) % n]);
}

/* Of the motion last evaluated; contacts know it. */
static double period_of(const fw_vibration *v, const fw_balance *b) {
  return v->contact_count ? 2 * M_PI / b->aft[0].omega : 1;
}

fw_status fw_orbit_walk(fw_context *ctx, const fw_vibration *v, const fw_balance *b, int samples, fw_orbit_seen seen,
                        void *user) {
  size_t count = (size_t)v->model->contact_count;
  double dt = period_of(v, b) / b->fourier.samples;
  fw_touch *touches, *before;
  FW_TRY(fw_alloc(ctx, 2 * count, sizeof *touches, &touches));
  before = touches + count;
  for (int j = 0; j <= samples; j++) {
    memcpy(before, touches, count * sizeof *touches);
    for (int i = 0; i < v->contact_count; i++) {
      int c = v->contacts[i].number;
      const fw_pair *pair = fw_model_pair_of(v->model, c);
      touch_at(b, pair, i, j, &touches[c]);
      if (j) fw_touch_accrue(pair, &before[c], dt, false, &touches[c]);
    }
    seen(user, touches, j ? dt : 0);
  }
  free(touches);
  return FW_OK;
}

static void feed_figures(void *figures, const fw_touch *touches, double dt) {
  if (dt > 0)
    fw_figures_step(figures, touches, dt);
  else
    fw_figures_begin(figures, touches);
}

fw_status fw_orbit_figures(fw_context *ctx, const fw_vibration *v, const fw_balance *b, fw_figures **figures) {
  FW_TRY(fw_figures_create(ctx, v->model, period_of(v, b), 0, figures));
  fw_status status = fw_orbit_walk(ctx, v, b, b->fourier.samples, feed_figures, *figures);
  for (int i = 0; status == FW_OK && i < v->contact_count; i++) {
    const fw_aft_point *point = &b->contacts[i].point;
    if (point->friction->drops && point->friction->part_count == 0)
      fw_figures_break(*figures, v->contacts[i].number, b->aft[i].T_break);
  }
  if (status != FW_OK) fw_figures_destroy(figures);
  return status;
}

/* Mean of -N dgap/dt: what the normal laws keep. */
static double normal_loss(const fw_aft *aft) {
  double sum = 0;
  for (int j = 0; j < aft->fourier->samples; j++) sum -= aft->N[j] * aft->gap_rate[j];
  return sum / aft->fourier->samples;
}

static void measure_normal(const fw_vibration *v, const fw_balance *b, fw_orbit *orbit) {
  for (int i = 0; i < v->contact_count; i++) {
    const fw_aft *aft = &b->aft[i];
    fw_aft_normal kind = b->contacts[i].point.kind;
    orbit->normal += normal_loss(aft);
    orbit->periodic = orbit->periodic && aft->periodic;
    for (int j = 0; j < b->fourier.samples && (kind == FW_AFT_CLOSED || kind == FW_AFT_OPENING); j++)
      orbit->normal_least = fmin(orbit->normal_least, aft->N[j]);
  }
}

static fw_status measure_pairs(fw_context *ctx, const fw_vibration *v, const fw_balance *b, fw_orbit *orbit) {
  fw_figures *figures;
  FW_TRY(fw_orbit_figures(ctx, v, b, &figures));
  for (int p = 0; p < v->model->pair_count; p++) {
    fw_figures_find(figures, p, &orbit->pairs[p]);
    orbit->friction += orbit->pairs[p].at[FW_DISSIPATED_POWER];
  }
  fw_figures_destroy(&figures);
  return FW_OK;
}

/* ---- structure ---------------------------------------------------------------------------- */

static const double NONE = 1e-10; /* of what the drives would move it by if nothing held it: less than is resolved */

/* Readings of a sensor smaller than this are rounding. */
static double least_reading(const fw_vibration *v, const fw_balance *b, const double *driven, const fw_projected *s) {
  double sum = 0;
  fw_dynamic_reading(&b->dynamic[1], s, b->r_k);
  for (int j = 0; j < v->reduced.coordinates; j++) sum += cabs(b->r_k[j]) * driven[j];
  for (int d = 0; d < v->drive_count; d++) {
    const fw_balance_drive *drive = &v->drives[d];
    if (drive->harmonic < 1 || drive->harmonic > b->fourier.H) continue;
    const fw_dynamic *dynamic = &b->dynamic[drive->harmonic];
    double own = cabs(fw_dynamic_direct(dynamic, s, s) * fw_dynamic_direct(dynamic, &drive->load, &drive->load));
    sum += cabs(b->level * drive->factor) * sqrt(own);
  }
  return NONE * sum;
}

/* Adds the second-order motion of the rest to the displacements of a sensor: it goes with squares of the coordinates,
 * which `fine` has samples enough for. room: samples and size of `fine`. */
static void add_second_order(const fw_vibration *v, const fw_balance *b, int s, double *room,
                             double complex *harmonics) {
  int c = v->reduced.coordinates, n = b->fine.samples;
  const double *curvature = v->curvature + (size_t)s * (size_t)(c * c);
  double *values = room, *spectrum = room + n;
  for (int i = 0; i < n; i++) {
    const double *z = b->samples + i; /* coordinate j at z[j n] */
    values[i] = 0;
    for (int j = 0; j < c; j++) values[i] += 0.5 * z[j * n] * cblas_ddot(c, curvature + j * c, 1, z, n);
  }
  fw_fourier_project(&b->fine, values, 1, spectrum);
  harmonics[0] += spectrum[0];
  for (int k = 1; k <= b->fourier.H; k++) harmonics[k] += spectrum[2 * k - 1] - I * spectrum[2 * k];
}

/* harmonics[H + 1] of a sensor in its quantity. driven: per coordinate, fw_balance_driven. */
static void read_sensor(const fw_vibration *v, const fw_balance *b, const double *y, int s, const double *driven,
                        double *room, double complex *harmonics) {
  int H = b->fourier.H;
  for (int k = 0; k <= H; k++) harmonics[k] = fw_orbit_reading(v, b, y, &v->sensors[s], k);
  if (v->quartic.elements) add_second_order(v, b, s, room, harmonics);
  double least = least_reading(v, b, driven, &v->sensors[s]);
  for (int k = 0; k <= H; k++) {
    double complex rate = I * k * y[b->n];
    if (k > 0 && cabs(harmonics[k]) <= least) harmonics[k] = 0;
    for (int d = 0; d < (int)v->model->sensors[s].quantity; d++)
      harmonics[k] *= rate; /* velocity: once, acceleration: twice */
  }
}

/* Sensors first to last, side by side. */
static fw_status read_sensors(fw_context *ctx, const fw_vibration *v, const fw_balance *b, const double *y, int first,
                              int last, double complex *harmonics) {
  int c = v->reduced.coordinates;
  double *driven;
  FW_TRY(fw_alloc(ctx, (size_t)(c + b->fine.samples + b->fine.size), sizeof *driven, &driven));
  for (int j = 0; j < c; j++) driven[j] = fw_balance_driven(b, y[b->n], j);
  for (int s = first; s <= last; s++, harmonics += b->fourier.H + 1)
    read_sensor(v, b, y, s, driven, driven + c, harmonics);
  free(driven);
  return FW_OK;
}

fw_status fw_orbit_sensor(fw_context *ctx, const fw_vibration *v, fw_balance *b, const double *y, int sensor,
                          double complex *harmonics) {
  double *r;
  FW_TRY(fw_alloc(ctx, (size_t)b->n, sizeof *r, &r));
  fw_status status = fw_balance_residual(b, y, r, NULL, NULL);
  if (status == FW_OK) status = read_sensors(ctx, v, b, y, sensor, sensor, harmonics);
  free(r);
  return status;
}

/* Power (of omega times the kinetic energy) that is none: a damping ratio of 5e-7. Without losses all powers are
 * rounding, and their sum is as large as each of them. */
static const double LOSSLESS = 1e-6;

/* r: of the equations at y. */
static fw_status measure_energy(fw_context *ctx, const fw_vibration *v, const fw_balance *b, const double *y,
                                const double *r, fw_orbit *orbit) {
  double complex *eta;
  FW_TRY(fw_alloc(ctx, (size_t)v->reduced.rest, sizeof *eta, &eta));
  for (int k = 1; k <= b->fourier.H; k++) {
    double w = k * y[b->n];
    fw_vibration_rest(v, b, y, k, eta); /* leaves the coordinates in z_k */
    orbit->structural += fw_reduced_loss(&v->reduced, w, b->z_k, eta);
    orbit->structural += fw_reduced_circulation(&v->reduced, w, b->z_k, eta);
    double kinetic = fw_reduced_kinetic(&v->reduced, w, b->z_k, eta);
    if (k == 1) orbit->kinetic = kinetic;
    orbit->drive += b->epmc_damping * kinetic; /* mean of v^T M v is the largest kinetic energy */
    for (int d = 0; d < v->drive_count; d++) {
      if (v->drives[d].harmonic != k) continue;
      double complex velocity = I * w * fw_orbit_reading(v, b, y, &v->drives[d].load, k);
      orbit->drive += 0.5 * creal(conj(b->level * v->drives[d].factor) * velocity);
    }
  }
  free(eta);
  orbit->structural += fw_balance_drag_power(b);
  double most =
      fmax(fmax(fabs(orbit->drive), fabs(orbit->structural)), fmax(fabs(orbit->friction), fabs(orbit->normal)));
  most = fmax(most, LOSSLESS * y[b->n] * orbit->kinetic);
  double open = orbit->drive - orbit->structural - orbit->friction - orbit->normal;
  orbit->residual = most > 0 ? fabs(open) / most : 0;
  orbit->left = most > 0 ? fw_balance_power_left(b, y, r) / most : 0;
  return FW_OK;
}

fw_status fw_orbit_measure(fw_context *ctx, const fw_vibration *v, fw_balance *b, const double *y, fw_orbit *orbit) {
  fw_status status = FW_OK;
  double *r = NULL;
  *orbit = (fw_orbit){.frequency = y[b->n] / (2 * M_PI),
                      .normal_least = INFINITY,
                      .periodic = true,
                      .multiplier = fw_unknown(),
                      .along = fw_unknown()};
  FW_TRY_DONE(fw_alloc(ctx, (size_t)b->n, sizeof(double), &r));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)b->n + 1, sizeof(double), &orbit->y));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)v->model->sensor_count * (size_t)(b->fourier.H + 1), sizeof *orbit->sensors,
                       &orbit->sensors));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)v->model->pair_count, sizeof *orbit->pairs, &orbit->pairs));
  orbit->unknowns = b->n + 1;
  memcpy(orbit->y, y, (size_t)orbit->unknowns * sizeof(double));
  FW_TRY_DONE(fw_balance_residual(b, y, r, NULL, NULL));
  orbit->level = b->level;
  measure_normal(v, b, orbit);
  FW_TRY_DONE(measure_pairs(ctx, v, b, orbit));
  FW_TRY_DONE(read_sensors(ctx, v, b, y, 0, v->model->sensor_count - 1, orbit->sensors));
  FW_TRY_DONE(measure_energy(ctx, v, b, y, r, orbit));
done:
  free(r);
  if (status != FW_OK) fw_orbit_clear(orbit);
  return status;
}

fw_status fw_orbit_judge(fw_context *ctx, fw_balance *b, const double *y, const double *along, fw_orbit *orbit,
                         fw_unjudged *unjudged) {
  fw_floquet stability;
  FW_TRY(fw_balance_stability(ctx, b, y, along, &stability));
  if (stability.why) {
    int at = stability.contact;
    *unjudged = (fw_unjudged){stability.why, at < 0 ? -1 : b->given.contacts[at].number};
  }
  if (stability.count) orbit->multiplier = stability.multipliers[0];
  orbit->growing = stability.growing;
  orbit->along = stability.along;
  fw_floquet_clear(&stability);
  return FW_OK;
}

void fw_orbit_clear(fw_orbit *orbit) {
  free(orbit->y);
  free(orbit->sensors);
  free(orbit->pairs);
  *orbit = (fw_orbit){0};
}

fw_status fw_orbit_append(fw_context *ctx, fw_orbit **list, int *count, int *room, const fw_orbit *orbit) {
  if (*count == *room) {
    int more = *room ? 2 * *room : 64;
    fw_orbit *grown = realloc(*list, (size_t)more * sizeof *grown);
    if (!grown) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
    *list = grown;
    *room = more;
  }
  (*list)[(*count)++] = *orbit;
  return FW_OK;
}

double fw_orbit_damping(const fw_orbit *orbit) {
  double lost = orbit->structural + orbit->friction + orbit->normal;
  return lost / (4 * M_PI * orbit->frequency * orbit->kinetic);
}
