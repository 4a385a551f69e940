/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cholesky factors of large symmetric positive definite matrices (CHOLMOD: by supernodes where they are dense, L L^T,
 * else by columns, L D L^T). Used through fw_factor. */
#ifndef FW_LINALG_CHOLESKY_H
#define FW_LINALG_CHOLESKY_H

#include "solver/linalg/sparse.h"

typedef struct fw_cholesky fw_cholesky;

/* Orders and analyses the pattern. */
fw_status fw_cholesky_create(fw_context *ctx, const fw_sparse *pattern, fw_cholesky **cholesky);
/* *sound: false if A is not symmetric, not positive definite, or so nearly singular that pivots are round-off. */
fw_status fw_cholesky_compute(fw_context *ctx, fw_cholesky *cholesky, const fw_sparse *A, bool *sound);
/* Solves A X = B in place, `count` right-hand sides stored one after the other. */
fw_status fw_cholesky_solve(fw_context *ctx, fw_cholesky *cholesky, double *b, int count);
/* Bytes of the factor's numbers and indices. */
size_t fw_cholesky_memory(const fw_cholesky *cholesky);
void fw_cholesky_destroy(fw_cholesky **cholesky);

#endif
