/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors in space while a model is built. */
#ifndef FW_INPUT_VECTORS_H
#define FW_INPUT_VECTORS_H

#include <math.h>
#include <stdbool.h>

static inline double fw_vector_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void fw_vector_cross(const double a[3], const double b[3], double c[3]) {
  for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* To length 1; false if it has none. */
static inline bool fw_vector_scale(double v[3]) {
  double size = sqrt(fw_vector_dot(v, v));
  for (int k = 0; k < 3; k++) v[k] /= size;
  return size > 0;
}

#endif
