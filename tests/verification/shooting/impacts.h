/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact motions of a driven oscillator between impacts on a stop. */
#ifndef FW_TEST_IMPACTS_H
#define FW_TEST_IMPACTS_H

#include "../deck_run.h"

#include <stdlib.h>

/* last: it defines I */
#include <complex.h>

#define DATA FW_SOURCE_DIR "/tests/verification/shooting/"

enum { HARMONICS = 4, SCAN = 4000 };

/* x'' + 2 zeta x' + x = cos(w t) - push, from x, v at time t0. */
typedef struct flight {
  double zeta, w, push, t0, x, v;
} flight;

static inline double complex forced(const flight *f) { return 1 / (1 - f->w * f->w + 2 * I * f->zeta * f->w); }

static inline void fly(const flight *f, double t, double *x, double *v) {
  double complex X = forced(f), now = X * cexp(I * f->w * t), then = X * cexp(I * f->w * f->t0);
  double a = f->x + f->push - creal(then), b = f->v - creal(I * f->w * then);
  double wd = sqrt(1 - f->zeta * f->zeta), d = exp(-f->zeta * (t - f->t0)), c = cos(wd * (t - f->t0)),
         s = sin(wd * (t - f->t0)) / wd;
  *x = creal(now) - f->push + d * ((c + f->zeta * s) * a + s * b);
  *v = creal(I * f->w * now) + d * (-s * a + (c - f->zeta * s) * b);
}

/* A motion of `periods` periods: rests at -c, if at all, up to t0; then flies. */
typedef struct orbit {
  flight f;
  double c, e;
  int periods;
  double landing; /* time of the next impact */
} orbit;

static inline double period(const orbit *o) { return 2 * M_PI * o->periods / o->f.w; }

static inline double position(const orbit *o, double t) {
  double x, v;
  while (t < o->f.t0) t += period(o);
  while (t >= o->f.t0 + period(o)) t -= period(o);
  if (t > o->landing) return -o->c;
  fly(&o->f, t, &x, &v);
  return x;
}

/* Harmonics of the drive, as of samples over all periods. */
static inline void harmonics(double (*at)(const void *, double), const void *user, double w, int periods, int steps,
                             double complex *out) {
  int all = steps * periods;
  for (int k = 0; k <= HARMONICS; k++) {
    out[k] = 0;
    for (int i = 1; i <= all; i++)
      out[k] += (k ? 2.0 : 1.0) / all * at(user, i * 2 * M_PI / (w * steps)) * cexp(-2 * M_PI * I * k * i / steps);
  }
}

static inline double position_of(const void *user, double t) { return position((const orbit *)user, t); }

/* v that brings it back to the stop after the whole time, and what is then amiss of the speed. */
static inline double amiss(orbit *o, double t0) {
  double x0, x1, v;
  o->f.t0 = t0;
  o->f.x = -o->c;
  o->f.v = 0;
  fly(&o->f, t0 + period(o), &x0, &v);
  o->f.v = 1;
  fly(&o->f, t0 + period(o), &x1, &v);
  o->f.v = (-o->c - x0) / (x1 - x0);
  fly(&o->f, t0 + period(o), &x0, &v);
  o->landing = t0 + period(o);
  return o->e * v + o->f.v;
}

static inline bool is_admissible(const orbit *o) {
  double x, v;
  for (int i = 1; i < SCAN; i++) {
    fly(&o->f, o->f.t0 + period(o) * i / SCAN, &x, &v);
    if (x < -o->c) return false;
  }
  return o->f.v > 0;
}

/* Of the motions with one impact the one whose first harmonic is nearest to the one computed. */
static inline orbit find_impact(double zeta, double c, double e, double w, int periods, int steps,
                                double complex computed) {
  orbit o = {.f = {.zeta = zeta, .w = w}, .c = c, .e = e, .periods = periods}, best = o;
  double least = INFINITY;
  for (int i = 0; i < SCAN; i++) {
    double low = 2 * M_PI / w * i / SCAN, high = 2 * M_PI / w * (i + 1) / SCAN, at_low = amiss(&o, low);
    if (at_low * amiss(&o, high) > 0) continue;
    for (int k = 0; k < 60; k++) {
      double middle = 0.5 * (low + high);
      *(at_low * amiss(&o, middle) > 0 ? &low : &high) = middle;
    }
    amiss(&o, low);
    double complex H[HARMONICS + 1];
    if (!is_admissible(&o)) continue;
    harmonics(position_of, &o, w, periods, steps, H);
    double away = fabs(cabs(H[1]) - cabs(computed));
    if (away < least) best = o, least = away;
  }
  assert_true(isfinite(least));
  return best;
}

#endif
