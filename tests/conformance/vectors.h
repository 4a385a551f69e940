/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers side by side, for suites that compare them. */
#ifndef FW_TESTS_VECTORS_H
#define FW_TESTS_VECTORS_H

#include <math.h>

/* The largest difference; infinite where one is not a number. */
static inline double distance(const double *a, const double *b, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = isfinite(a[i] - b[i]) ? fmax(most, fabs(a[i] - b[i])) : INFINITY;
  return most;
}

/* a^T M b. */
static inline double quadratic(const double *M, int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += a[i] * M[n * i + j] * b[j];
  return sum;
}

#endif
