/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A subspace for models of many freedoms (Craig and Bampton, with the static shapes of the loads besides): the
 * static answers to a unit value of each functional and to each load with the functionals held, and the lowest modes of
 * the structure held there. Static answers are exact, dynamic ones up to about half the highest mode's frequency. */
#ifndef FW_HB_REDUCTION_SUBSPACE_H
#define FW_HB_REDUCTION_SUBSPACE_H

#include "solver/assembly/system.h"

/* How far a subspace is refined, and which of the held modes are unknowns beside the contact. */
typedef struct fw_reduction {
  int modes;    /* held modes, at least one; */
  double below; /* > 0: those below this circular frequency instead */
  int keep;     /* so many of the lowest are coordinates, for modes that do not move the contact */
} fw_reduction;

/* K of the system is the tangent to use. B: functionals, n x rows; loads: n x load_count. Q: orthonormal basis, n x
 * size, owned by the caller; joints hold for every vector of it. */
fw_status fw_subspace_create(fw_context *ctx, const fw_system *system, const double *B, int rows, const double *loads,
                             int load_count, fw_reduction how, double **Q, int *size);

/* The subspace against the whole model at one circular frequency, without damping: largest relative difference in the
 * forces that hold the functionals, for a unit value of each of them and for each load. Projected: K, M size squared, B
 * size x rows, loads size x load_count. */
typedef struct fw_projection {
  int size, rows, load_count;
  const double *K, *M, *B, *loads;
} fw_projection;
fw_status fw_subspace_error(fw_context *ctx, const fw_system *system, const double *B, const double *loads,
                            const fw_projection *projected, double w, double *error);

#endif
