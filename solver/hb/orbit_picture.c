/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/hb/orbit_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/axis.h"

static const double ASPECT = 3;      /* width of pictures over their height */
static const double NOTHING = 1e-6;  /* of the largest value: changes that are rounding, or no picture's matter */
static const double ROUNDING = 1e-7; /* of the power that goes through */
static const int figures[] = {FW_WORK_RATE, FW_SLIP_AMPLITUDE, FW_TANGENTIAL_MAX, FW_NORMAL_MAX};
enum { FIGURES = sizeof figures / sizeof *figures, LINEAR_AND_LOGARITHMIC = 2 };

int fw_orbit_picture_ordinates(const fw_orbit_picture *p) {
  int values = p->model->sensor_count + FIGURES * p->model->pair_count + (p->response ? 0 : 2);
  return LINEAR_AND_LOGARITHMIC * values + (p->response ? p->model->sensor_count : 0);
}

typedef struct canvas {
  double *places;
  int width, count, column;
} canvas;

static double *at(const canvas *c, int i) { return c->places + (size_t)i * (size_t)c->width + c->column; }

typedef struct range {
  double low, high;
} range;

static range range_of(const canvas *c) {
  range r = {INFINITY, -INFINITY};
  for (int i = 0; i < c->count; i++) {
    if (!isfinite(*at(c, i))) continue;
    r.low = fmin(r.low, *at(c, i));
    r.high = fmax(r.high, *at(c, i));
  }
  return r;
}

/* The column in units of the picture's height, or not drawn where it is a constant up to `nothing`. */
static void fit(const canvas *c, double nothing) {
  range r = range_of(c);
  double height = r.high - r.low > nothing ? r.high - r.low : NAN;
  for (int i = 0; i < c->count; i++) *at(c, i) = (*at(c, i) - r.low) / height;
}

/* Values as they are, in the column there, and logarithmic in the next. */
static void draw_value(canvas *c) {
  range r = range_of(c);
  double nothing = NOTHING * fmax(fabs(r.low), fabs(r.high)), least = r.high * pow(10, -FW_AXIS_DECADES_MOST);
  bool positive = r.low > 0;
  for (int i = 0; i < c->count; i++) at(c, i)[1] = positive ? log10(fmax(*at(c, i), least)) : NAN;
  fit(c, nothing);
  c->column++;
  fit(c, NOTHING);
  c->column++;
}

static void draw_sensor(canvas *c, const fw_orbit_picture *p, const fw_orbit *orbits, int sensor) {
  int first = sensor * (p->H + 1) + 1;
  for (int i = 0; i < c->count; i++) *at(c, i) = cabs(orbits[i].sensors[first]);
  bool rests = !(range_of(c).high > 0);
  draw_value(c);
  if (!p->response) return;
  double turn = 0;
  for (int i = 0; i < c->count; i++) {
    double angle = carg(orbits[i].sensors[first]);
    if (i > 0) turn -= 2 * M_PI * round((angle - carg(orbits[i - 1].sensors[first])) / (2 * M_PI));
    *at(c, i) = rests ? NAN : angle + turn;
  }
  fit(c, NOTHING * M_PI);
  c->column++;
}

static void put_figure(canvas *c, const fw_orbit *orbits, int pair, int figure) {
  for (int i = 0; i < c->count; i++) *at(c, i) = orbits[i].pairs[pair].at[figure];
}

/* Slip that loses nothing of the power that goes through is rounding: all points stick. */
static void draw_pair(canvas *c, const fw_orbit *orbits, int pair) {
  double power = 0;
  for (int i = 0; i < c->count; i++) power = fmax(power, fabs(orbits[i].drive));
  put_figure(c, orbits, pair, FW_WORK_RATE);
  double rounding = fmin(ROUNDING * power / range_of(c).high, 1);
  for (int k = 0; k < FIGURES; k++) {
    put_figure(c, orbits, pair, figures[k]);
    double least = rounding * range_of(c).high;
    bool of_slip = figures[k] == FW_WORK_RATE || figures[k] == FW_SLIP_AMPLITUDE;
    for (int i = 0; of_slip && i < c->count; i++) *at(c, i) = fmax(*at(c, i), least);
    draw_value(c);
  }
}

static void draw_abscissa(canvas *c, const fw_orbit_picture *p) {
  for (int i = 0; i < c->count; i++) *at(c, i) = p->abscissa(p->user, i);
  range r = range_of(c);
  bool decades = r.low > 0 && r.high > r.low * pow(10, FW_AXIS_ABSCISSA_DECADES);
  for (int i = 0; decades && i < c->count; i++) *at(c, i) = log10(*at(c, i));
  fit(c, 0);
  for (int i = 0; i < c->count; i++) *at(c, i) *= ASPECT;
  c->column++;
}

void fw_orbit_picture_draw(const fw_orbit_picture *p, const fw_orbit *orbits, int count, double *places) {
  canvas c = {places, 1 + fw_orbit_picture_ordinates(p), count, 0};
  draw_abscissa(&c, p);
  if (!p->response) {
    for (int i = 0; i < count; i++) *at(&c, i) = orbits[i].frequency;
    draw_value(&c);
    for (int i = 0; i < count; i++) *at(&c, i) = p->damping(p->user, i);
    draw_value(&c);
  }
  for (int s = 0; s < p->model->sensor_count; s++) draw_sensor(&c, p, orbits, s);
  for (int k = 0; k < p->model->pair_count; k++) draw_pair(&c, orbits, k);
}

void fw_list_bring(void *list, int count, int place, size_t size) {
  char *items = list, kept[sizeof(fw_orbit)];
  memcpy(kept, items + (size_t)(count - 1) * size, size);
  memmove(items + (size_t)(place + 1) * size, items + (size_t)place * size, (size_t)(count - 1 - place) * size);
  memcpy(items + (size_t)place * size, kept, size);
}
