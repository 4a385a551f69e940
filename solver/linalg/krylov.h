/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GMRES (Saad and Schultz, 1986) with a preconditioner from the right, for matrices that are only known by their
 * products. */
#ifndef FW_LINALG_KRYLOV_H
#define FW_LINALG_KRYLOV_H

#include "core/context.h"

typedef struct fw_krylov fw_krylov;

/* A matrix of order n: out = A x, and out = P^{-1} x with P near A. */
typedef struct fw_krylov_matrix {
  void *user;
  void (*apply)(void *user, const double *x, double *out);
  void (*precondition)(void *user, const double *x, double *out);
} fw_krylov_matrix;

/* most: vectors of the space. Destroy is safe on a pointer to NULL, and leaves it NULL. */
fw_status fw_krylov_create(fw_context *ctx, int n, int most, fw_krylov **krylov);
void fw_krylov_destroy(fw_krylov **krylov);

/* x = A^{-1} b from zero. left: norm of the residual over that of b, at most `tolerance` unless the space was used up;
 * if more than `enough` is left then, it begins anew from x, a few times. Any status but FW_OK: x is of no use. */
typedef struct fw_krylov_result {
  int iterations;
  double left;
} fw_krylov_result;
fw_status fw_krylov_solve(fw_krylov *krylov, fw_krylov_matrix matrix, double tolerance, double enough, const double *b,
                          double *x, fw_krylov_result *result);

#endif
