/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/scar.h"

#include <math.h>

#include "core/bisect.h"
#include "core/unknown.h"

static double beyond_line(double r, double d) { return r * r * acos(1 - d / r) - (r - d) * sqrt(d * (2 * r - d)); }

/* What of the tube lies beyond the hole. */
static double beyond_hole(double r, double R, double d) {
  double e = R - r + d;
  if (!(d > 0)) return 0;
  double a = acos(fmax(-1, fmin(1, (R * R - r * r - e * e) / (2 * r * e))));
  double b = acos(fmax(-1, fmin(1, (R * R - r * r + e * e) / (2 * R * e))));
  return r * r * a - R * R * b + r * e * sin(a);
}

double fw_scar_area(const fw_scar *s, double d) {
  if (s->kind == FW_SCAR_FLAT) return beyond_line(s->r, d);
  if (s->kind == FW_SCAR_HOLE) return beyond_hole(s->r, s->R, d);
  double whole = s->land * s->land * (1 / s->r - 1 / s->R) / 8; /* depth at which the land is worn over its width */
  return beyond_hole(s->r, s->R, fmin(d, whole)) + s->land * fmax(0, d - whole);
}

/* Integral of the area from `from` to `to`, by Simpson's rule in the root of the depth, where it is smooth. */
static double integral(const fw_scar *s, double from, double to) {
  enum { PANELS = 200 };
  double a = sqrt(from), h = (sqrt(to) - a) / PANELS, sum = 0;
  for (int i = 0; i <= PANELS; i++) {
    double x = a + i * h, weight = i == 0 || i == PANELS ? 1 : i % 2 ? 4 : 2;
    sum += weight * fw_scar_area(s, x * x) * 2 * x;
  }
  return sum * h / 3;
}

/* Of both bodies. */
static double whole_volume(const fw_scar *s, double d) {
  double one = s->width * fw_scar_area(s, d);
  if (s->round) return 2 * M_PI * s->r * s->width * d;
  if (s->tilt > 0) one = integral(s, fmax(0, d - s->tilt * s->width), d) / s->tilt;
  return s->count * one;
}

double fw_scar_volume(const fw_scar *s, double d) { return whole_volume(s, d * (1 + s->other)) / (1 + s->other); }

typedef struct search {
  const fw_scar *scar;
  double volume;
} search;

static bool is_deeper(void *user, double depth) {
  const search *self = user;
  return fw_scar_volume(self->scar, depth) >= self->volume;
}

double fw_scar_depth(const fw_scar *s, double volume) {
  double low = 0, high = fw_scar_deepest(s);
  if (!(volume > 0)) return 0;
  if (volume > fw_scar_volume(s, high)) return fw_unknown();
  fw_bisect(is_deeper, &(search){s, volume}, 1e-13, 200, &low, &high);
  return 0.5 * (low + high);
}
