/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices from Matrix Market files (CHOLMOD reads them). */
#ifndef FW_LINALG_MATRIX_MARKET_H
#define FW_LINALG_MATRIX_MARKET_H

#include "core/context.h"

/* A square real matrix, dense and row major, `*rows` squared numbers to be freed by the caller. Coordinate or array
 * form, general or symmetric. At most `most` rows. FW_ERR_ARGUMENT with what is wrong. */
fw_status fw_matrix_market_read(fw_context *ctx, const char *path, int most, int *rows, double **matrix);

#endif
