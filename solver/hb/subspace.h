/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A subspace for models of many freedoms (Craig and Bampton, with the static shapes of the loads besides): the
 * static answers to a unit value of each functional and to each load with the functionals held, and the lowest modes of
 * the structure held there. Static answers are exact, dynamic ones up to about half the highest mode's frequency. */
#ifndef FW_HB_SUBSPACE_H
#define FW_HB_SUBSPACE_H

#include "solver/system.h"

/* K of the system is the tangent to use. B: functionals, n x rows; loads: n x load_count. Q: orthonormal basis, n x
 * size, owned by the caller; joints hold for every vector of it. */
fw_status fw_subspace_create(fw_context *ctx, const fw_system *system, const double *B, int rows, const double *loads,
                             int load_count, int modes, double **Q, int *size);

#endif
