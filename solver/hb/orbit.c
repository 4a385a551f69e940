/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "core/unknown.h"
#include "solver/hb/stability.h"

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

/* Half the range of what a contact slips in a period; on its way through the air it slips nothing. */
static double slip_half_range(const fw_cycle *cycle) {
  int n = cycle->fourier->samples;
  double slip = 0, low = 0, high = 0;
  for (int j = 1; j <= n; j++) {
    slip += cycle->N[j % n] > 0 ? cycle->u[j % n] - cycle->u[j - 1] : 0;
    low = fmin(low, slip);
    high = fmax(high, slip);
  }
  return 0.5 * (high - low);
}

/* One contact point. A stretch of the loop counts as sliding where it is less than half as steep as stick. What is
 * dissipated is T times the slip less its elastic part, dT over the stiffness, which gives back what it takes. */
static void add_point(const fw_cycle *cycle, const fw_cycle_point *point, double stiffness, int points,
                      fw_pair_orbit *pair) {
  int n = cycle->fourier->samples;
  bool rigid = point->hold > 0, breaks = point->law_count == 1 && point->laws[0].drops;
  for (int j = 0; j < n; j++) {
    int next = (j + 1) % n;
    double du = cycle->u[next] - cycle->u[j], dT = cycle->T[next] - cycle->T[j];
    double lasting = stiffness > 0 ? du - dT / stiffness : du;
    double work = 0.5 * (cycle->T[j] + cycle->T[next]) * lasting * cycle->omega / (2 * M_PI);
    bool slides = rigid ? cycle->slides[j] : fabs(dT) <= 0.5 * stiffness * fabs(du) || !(cycle->N[j] > 0);
    pair->work_rate += fmax(cycle->N[j], 0) * fabs(cycle->v[j]) / n;
    *(slides ? &pair->sliding : &pair->presliding) += work;
    pair->stick_fraction += slides ? 0 : 1.0 / (n * points);
    pair->slip_velocity_max = fmax(pair->slip_velocity_max, fabs(cycle->v[j]));
  }
  pair->slip_amplitude = fmax(pair->slip_amplitude, slip_half_range(cycle));
  pair->T_max = fmax(pair->T_max, fw_fourier_peak(cycle->T, n));
  if (breaks) pair->T_max = fmax(pair->T_max, cycle->T_break);
}

static void add_contact(const fw_balance *b, const fw_pair *pair, int contact, int points, fw_pair_orbit *out) {
  const fw_cycle_point *point = &b->contacts[contact].point;
  double stiffness = point->hold > 0 ? 0 : fw_pair_stick_stiffness(pair, point->N0);
  add_point(&b->cycles[contact], point, stiffness, points, out);
}

void fw_orbit_point(const fw_balance *b, const fw_pair *pair, int contact, fw_pair_orbit *figures) {
  *figures = (fw_pair_orbit){0};
  add_contact(b, pair, contact, 1, figures);
}

/* Mean of -N dgap/dt: what the normal laws keep. */
static double normal_loss(const fw_cycle *cycle) {
  double sum = 0;
  for (int j = 0; j < cycle->fourier->samples; j++) sum -= cycle->N[j] * cycle->gap_rate[j];
  return sum / cycle->fourier->samples;
}

static fw_status measure_pair(fw_context *ctx, const fw_vibration *v, const fw_balance *b, const fw_pair *pair,
                              fw_orbit *orbit, fw_pair_orbit *out) {
  int n = b->fourier.samples;
  double *N;
  FW_TRY(fw_alloc(ctx, (size_t)n, sizeof(double), &N));
  for (int i = 0; i < v->contact_count; i++) {
    const fw_balance_contact *contact = &b->contacts[i];
    if (contact->number < pair->first_contact || contact->number >= pair->first_contact + pair->count) continue;
    const fw_cycle *cycle = &b->cycles[i];
    add_contact(b, pair, i, pair->count, out);
    orbit->normal += normal_loss(cycle);
    orbit->periodic = orbit->periodic && cycle->periodic;
    for (int j = 0; j < n; j++) {
      N[j] += cycle->N[j];
      if (contact->point.kind == FW_CYCLE_CLOSED || contact->point.kind == FW_CYCLE_OPENING)
        orbit->normal_least = fmin(orbit->normal_least, cycle->N[j]);
    }
  }
  out->dissipated = out->sliding + out->presliding;
  orbit->friction += out->dissipated;
  out->N_max = -INFINITY;
  out->N_min = INFINITY;
  for (int j = 0; j < n; j++) {
    out->N_mean += N[j] / n;
    out->N_max = fmax(out->N_max, N[j]);
    out->N_min = fmin(out->N_min, N[j]);
  }
  free(N);
  return FW_OK;
}

/* ---- structure ---------------------------------------------------------------------------- */

static const double NONE = 1e-10; /* of what the drives would move it by if nothing held it: less than is resolved */

/* Readings of a sensor smaller than this are rounding; driven: per coordinate, fw_balance_driven. */
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

static fw_status measure_sensors(fw_context *ctx, const fw_vibration *v, const fw_balance *b, const double *y,
                                 fw_orbit *orbit) {
  int H = b->fourier.H, c = v->reduced.coordinates;
  double *driven;
  FW_TRY(fw_alloc(ctx, (size_t)c, sizeof *driven, &driven));
  for (int j = 0; j < c; j++) driven[j] = fw_balance_driven(b, y[b->n], j);
  for (int s = 0; s < v->model->sensor_count; s++) {
    double least = least_reading(v, b, driven, &v->sensors[s]);
    for (int k = 0; k <= H; k++) {
      double complex rate = I * k * y[b->n], value = fw_orbit_reading(v, b, y, &v->sensors[s], k);
      fw_quantity quantity = v->model->sensors[s].quantity;
      if (k > 0 && cabs(value) <= least) value = 0;
      orbit->sensors[s * (H + 1) + k] = quantity == FW_DISPLACEMENT ? value
                                        : quantity == FW_VELOCITY   ? rate * value
                                                                    : rate * rate * value;
    }
  }
  free(driven);
  return FW_OK;
}

static fw_status measure_energy(fw_context *ctx, const fw_vibration *v, const fw_balance *b, const double *y,
                                fw_orbit *orbit) {
  double complex *eta;
  FW_TRY(fw_alloc(ctx, (size_t)v->reduced.rest, sizeof *eta, &eta));
  for (int k = 1; k <= b->fourier.H; k++) {
    double w = k * y[b->n];
    fw_vibration_rest(v, b, y, k, eta); /* leaves the coordinates in z_k */
    orbit->structural += fw_reduced_loss(&v->reduced, w, b->z_k, eta);
    double kinetic = fw_reduced_kinetic(&v->reduced, w, b->z_k, eta);
    if (k == 1) orbit->kinetic = kinetic;
    orbit->drive += b->feed * kinetic; /* mean of v^T M v is the largest kinetic energy */
    for (int d = 0; d < v->drive_count; d++) {
      if (v->drives[d].harmonic != k) continue;
      double complex velocity = I * w * fw_orbit_reading(v, b, y, &v->drives[d].load, k);
      orbit->drive += 0.5 * creal(conj(b->level * v->drives[d].factor) * velocity);
    }
  }
  free(eta);
  double most = fmax(fmax(fabs(orbit->drive), fabs(orbit->structural)), fabs(orbit->friction));
  double open = orbit->drive - orbit->structural - orbit->friction - orbit->normal;
  orbit->residual = most > 0 ? fabs(open) / most : 0;
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
  memcpy(orbit->y, y, ((size_t)b->n + 1) * sizeof(double));
  FW_TRY_DONE(fw_balance_residual(b, y, r, NULL, NULL));
  orbit->level = b->level;
  for (int p = 0; p < v->model->pair_count; p++)
    FW_TRY_DONE(measure_pair(ctx, v, b, v->model->pairs[p], orbit, &orbit->pairs[p]));
  FW_TRY_DONE(measure_sensors(ctx, v, b, y, orbit));
  FW_TRY_DONE(measure_energy(ctx, v, b, y, orbit));
done:
  free(r);
  if (status != FW_OK) fw_orbit_clear(orbit);
  return status;
}

fw_status fw_orbit_judge(fw_context *ctx, fw_balance *b, const double *y, const double *along, fw_orbit *orbit,
                         const char **why) {
  fw_stability stability;
  FW_TRY(fw_stability_of_mode(ctx, b, y, along, &stability));
  if (stability.why) *why = stability.why;
  if (stability.count) orbit->multiplier = stability.multipliers[0];
  orbit->growing = stability.growing;
  orbit->along = stability.along;
  fw_stability_clear(&stability);
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
