/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest eigenvalues of a real matrix that is only known by its products (ARPACK stays inside). */
#ifndef FW_LINALG_EIGEN_LARGEST_H
#define FW_LINALG_EIGEN_LARGEST_H

#include "core/context.h"

/* last: it defines I */
#include <complex.h>

/* out = A x, of order n > count + 2. values: count + 1 of largest size, in no order; *found: how many, both of a pair. */
fw_status fw_eigen_largest(fw_context *ctx, int n, int count,
                           fw_status (*apply)(void *user, const double *x, double *out), void *user,
                           double complex *values, int *found);

#endif
