/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eigenvalues of (lambda^2 M + lambda C + K) x = 0 for real matrices that need not be symmetric (ARPACK, LAPACK stay
 * inside). */
#ifndef FW_LINALG_EIGEN_QUADRATIC_H
#define FW_LINALG_EIGEN_QUADRATIC_H

#include "solver/linalg/sparse.h"

/* lambda = growth + i omega with omega >= 0: of a pair of conjugates the one; x = real + i imaginary. */
typedef struct fw_quadratic_pairs {
  int count;                /* found */
  double *growth, *omega;   /* 1/s, rad/s */
  double *real, *imaginary; /* n each, one vector after the other; the largest entry of a vector is 1 */
} fw_quadratic_pairs;

/* The `count` of smallest |lambda|, ascending, fewer if there are fewer. K, C and M share one pattern; rows of
 * multipliers and of first-order states have no mass, and what belongs to them is infinite and left out. Clear after a
 * failure too. FW_ERR_SINGULAR, without a message: *loose is a freedom with neither stiffness, damping nor mass. */
fw_status fw_eigen_quadratic(fw_context *ctx, const fw_sparse *K, const fw_sparse *C, const fw_sparse *M, int count,
                             fw_quadratic_pairs *pairs, int64_t *loose);
void fw_quadratic_pairs_clear(fw_quadratic_pairs *pairs);

#endif
