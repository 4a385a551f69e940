/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/field.h"

#include <math.h>
#include <stdlib.h>

#include "core/hash.h"

fw_status fw_field_create(fw_context *ctx, int signals, size_t intervals, fw_field **field) {
  fw_status status;
  fw_field *self = NULL;
  *field = NULL;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof *self, &self));
  *self = (fw_field){.signals = signals, .intervals = intervals};
  FW_TRY_DONE(fw_alloc(ctx, (size_t)signals, sizeof *self->shapes, &self->shapes));
  FW_TRY_DONE(fw_alloc(ctx, (intervals + 3) * (size_t)signals, sizeof *self->c, &self->c));
done:
  if (status != FW_OK) fw_field_destroy(&self);
  *field = self;
  return status;
}

void fw_field_destroy(fw_field **field) {
  if (!field || !*field) return;
  for (int s = 0; (*field)->shapes && s < (*field)->signals; s++) fw_functional_clear(&(*field)->shapes[s]);
  free((*field)->shapes);
  free((*field)->c);
  free(*field);
  *field = NULL;
}

void fw_field_close(fw_field *self) {
  uint64_t h = fw_hash_number(fw_hash_number(FW_HASH_START, self->begin), self->step);
  self->mark = fw_hash_numbers(h, self->c, (self->intervals + 3) * (size_t)self->signals);
}

/* The row where the spline at t begins, and the weights of it and the next three. */
static const double *find_row(const fw_field *self, double t, double B[4]) {
  double last = (double)self->intervals, x = fmin(fmax((t - self->begin) / self->step, 0.0), last);
  double i = fmin(floor(x), last - 1), u = x - i, v = 1 - u;
  B[0] = v * v * v / 6;
  B[1] = (3 * u * u * u - 6 * u * u + 4) / 6;
  B[2] = (3 * v * v * v - 6 * v * v + 4) / 6;
  B[3] = u * u * u / 6;
  return self->c + (size_t)i * (size_t)self->signals;
}

static double at_row(const double *c, size_t signals, const double B[4]) {
  return B[0] * c[0] + B[1] * c[signals] + B[2] * c[2 * signals] + B[3] * c[3 * signals];
}

void fw_field_values(const fw_field *self, double t, double *values) {
  double B[4];
  const double *c = find_row(self, t, B);
  for (int s = 0; s < self->signals; s++) values[s] = at_row(c + s, (size_t)self->signals, B);
}

void fw_field_force(const fw_field *self, double factor, double t, double *f) {
  double B[4];
  const double *c = find_row(self, t, B);
  for (int s = 0; s < self->signals; s++)
    fw_functional_scatter(&self->shapes[s], factor * at_row(c + s, (size_t)self->signals, B), f);
}

/* (c_(i-1) + 4 c_i + c_(i+1))/6 = y_i, by elimination from the first to the last; at the ends c_i = y_i, and the
 * coefficients beyond lie on a straight line. */
void fw_field_interpolate(fw_field *self, double *work) {
  size_t m = (size_t)self->signals, n = self->intervals;
  for (size_t s = 0; s < m; s++) {
    double *c = self->c + m + s; /* c[i m]: at sample i */
    work[0] = 0;
    for (size_t i = 1; i < n; i++) {
      work[i] = 1 / (4 - work[i - 1]);
      c[i * m] = (6 * c[i * m] - c[(i - 1) * m]) * work[i];
    }
    for (size_t i = n - 1; i > 0; i--) c[i * m] -= work[i] * c[(i + 1) * m];
    self->c[s] = 2 * c[0] - c[m];
    c[(n + 1) * m] = 2 * c[n * m] - c[(n - 1) * m];
  }
}
