/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residual flexibility (MacNeal 1971, Computers & Structures 1; Rubin 1975, AIAA J. 13): what some modes phi of (K, M) leave
 * of the static answers x = K^-1 f to given forces, x - Phi Phi^T M x, as further shapes Z that are independent of each
 * other and of the modes:
 *
 *   Z^T K Z = 1,   Z^T M Z diagonal,   Phi^T K Z = Phi^T M Z = 0. */
#ifndef FW_ASSEMBLY_RESIDUAL_FLEXIBILITY_H
#define FW_ASSEMBLY_RESIDUAL_FLEXIBILITY_H

#include "solver/linalg/sparse.h"

/* The first line is the caller's and lent: the matrices, mass-normalised modes one after the other, their eigenvalues. Clear
 * is safe at any time. */
typedef struct fw_residual_flexibility {
  const fw_sparse *K, *M;
  int n, modes;
  const double *mode, *square;
  int count, room;
  double *shape; /* n each; Z once finished */
} fw_residual_flexibility;

/* Notes what the modes leave of an answer, if it is more than rounding; `answer` [n] is changed. */
fw_status fw_residual_flexibility_add(fw_context *ctx, fw_residual_flexibility *self, double *answer);
fw_status fw_residual_flexibility_finish(fw_context *ctx, fw_residual_flexibility *self);
void fw_residual_flexibility_clear(fw_residual_flexibility *self);

#endif
