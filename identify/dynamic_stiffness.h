/* SPDX-License-Identifier: GPL-3.0-or-later */
/* K + i w C - w^2 M of a linearised model, factored: as a real matrix of twice the size, [a -b; b a] of a + i b. */
#ifndef FW_IDENTIFY_DYNAMIC_STIFFNESS_H
#define FW_IDENTIFY_DYNAMIC_STIFFNESS_H

#include "solver/assembly/linearised.h"

/* last: it defines I */
#include <complex.h>

#undef I /* a second moment of area elsewhere */

typedef struct fw_dynamic_stiffness {
  const fw_linearised *linear; /* lent */
  fw_sparse *whole;
  fw_factor *factor;
  double *parts; /* [2 n]: real parts, then imaginary ones */
} fw_dynamic_stiffness;

/* Clear is safe on a zeroed struct and after a failure. */
fw_status fw_dynamic_stiffness_init(fw_context *ctx, const fw_linearised *linear, fw_dynamic_stiffness *stiffness);
void fw_dynamic_stiffness_clear(fw_dynamic_stiffness *stiffness);

/* At an angular frequency; FW_ERR_ANALYSIS where it is singular. */
fw_status fw_dynamic_stiffness_set(fw_context *ctx, fw_dynamic_stiffness *stiffness, double omega);

/* x[n]: forces become the motion that they make. */
fw_status fw_dynamic_stiffness_solve(fw_context *ctx, fw_dynamic_stiffness *stiffness, double complex *x);

#endif
