/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lowest eigenpairs of K x = lambda M x with constraints (ARPACK, LAPACK stay inside eigen.c). */
#ifndef FW_LINALG_EIGEN_H
#define FW_LINALG_EIGEN_H

#include "solver/linalg/sparse.h"

/* K, M: one pattern, size n plus multipliers: K = [K G^T; G 0] symmetric, M zero beyond n. Finds `count`
 * eigenvalues nearest to zero in ascending order (fewer if there are fewer: *found) and mass-normalised
 * vectors, n each, one after the other. Rigid-body modes come out as eigenvalues near 0, motions away from an unstable
 * state as negative ones. FW_ERR_SINGULAR, without a message: *found is a freedom with neither stiffness nor mass. */
fw_status fw_eigen_lowest(fw_context *ctx, const fw_sparse *K, const fw_sparse *M, int64_t n, int count, double *values,
                          double *vectors, int *found);

#endif
