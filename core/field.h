/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A force spread over a body that varies in space and time: f(t) = sum over signals of shape_s p_s(t). The signals are
 * cubic B-splines on one grid of times, so that they are the same twice differentiable functions for every solver and
 * step:
 *
 *   p_s(t) = sum over j of c_(i+j, s) B_j(u),   j = 0 ... 3,  i + u = (t - begin)/step,  0 <= u < 1. */
#ifndef FW_CORE_FIELD_H
#define FW_CORE_FIELD_H

#include <stdint.h>

#include "core/model.h"

typedef struct fw_field {
  int signals;
  fw_functional *shapes; /* [signals] */
  double begin, step;
  size_t intervals;
  double *c;     /* [(intervals + 3) x signals] */
  uint64_t mark; /* of the numbers in c */
} fw_field;

/* Room for everything; shapes are empty, c is zero. Destroy is NULL-safe. */
fw_status fw_field_create(fw_context *ctx, int signals, size_t intervals, fw_field **field);
void fw_field_destroy(fw_field **field);

/* To be called when c is filled. */
void fw_field_close(fw_field *field);

static inline double fw_field_end(const fw_field *field) {
  return field->begin + field->step * (double)field->intervals;
}

/* f += factor * f(t); before its beginning and after its end it stays as it is there. */
void fw_field_force(const fw_field *field, double factor, double t, double *f);

/* All signals at a time. */
void fw_field_values(const fw_field *field, double t, double *values);

/* Turns samples at begin + step * i, i = 0 ... intervals, which stand in rows 1 ... of c, into the coefficients of the
 * spline through them that is straight at its ends. */
void fw_field_interpolate(fw_field *field, double *work); /* work: [intervals + 1] */

#endif
