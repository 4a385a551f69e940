/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/linalg/matrix_market.h"

#include <cholmod.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A dense file is read as it is, a sparse one with both triangles filled. Any complaint is ours to make. */
static cholmod_dense *read_dense(FILE *file, cholmod_common *common) {
  int type = 0;
  cholmod_dense *dense = NULL;
  void *object = cholmod_read_matrix(file, 1, &type, common);
  if (object && type == CHOLMOD_DENSE) dense = object;
  if (object && type == CHOLMOD_SPARSE) {
    cholmod_sparse *sparse = object;
    dense = cholmod_sparse_to_dense(sparse, common);
    cholmod_free_sparse(&sparse, common);
  }
  if (object && type == CHOLMOD_TRIPLET) {
    cholmod_triplet *triplet = object;
    cholmod_free_triplet(&triplet, common);
  }
  return dense;
}

static fw_status copy(fw_context *ctx, const char *path, const cholmod_dense *dense, int most, int *rows,
                      double **matrix) {
  if (dense->nrow != dense->ncol || dense->xtype != CHOLMOD_REAL)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: a square real matrix is needed", path);
  if (dense->nrow == 0 || dense->nrow > (size_t)most)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: has %zu rows; from 1 to %d are possible", path, dense->nrow, most);
  size_t n = dense->nrow;
  const double *x = dense->x;
  FW_TRY(fw_alloc(ctx, n * n, sizeof **matrix, matrix));
  *rows = (int)n;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      (*matrix)[i * n + j] = x[i + j * dense->d];
      if (isfinite((*matrix)[i * n + j])) continue;
      free(*matrix);
      *matrix = NULL;
      return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: entry (%zu, %zu) is not finite", path, i + 1, j + 1);
    }
  return FW_OK;
}

/* CHOLMOD reads a file without the format's first line as one of its own making, whatever it says. */
static bool has_banner(FILE *file) {
  static const char banner[] = "%%MatrixMarket";
  char first[sizeof banner] = "";
  bool found = fgets(first, sizeof first, file) && strcasecmp(first, banner) == 0;
  rewind(file);
  return found;
}

fw_status fw_matrix_market_read(fw_context *ctx, const char *path, int most, int *rows, double **matrix) {
  *matrix = NULL;
  *rows = 0;
  FILE *file = fopen(path, "r");
  if (!file) return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: %s", path, strerror(errno));
  if (!has_banner(file)) {
    fclose(file);
    return fw_fail(ctx, FW_ERR_ARGUMENT,
                   "%s: is no Matrix Market file: its first line must begin with %%%%MatrixMarket", path);
  }
  cholmod_common common;
  cholmod_start(&common);
  common.print = 0;
  common.error_handler = NULL;
  common.prefer_zomplex = 0;
  cholmod_dense *dense = read_dense(file, &common);
  fclose(file);
  fw_status status = dense ? copy(ctx, path, dense, most, rows, matrix)
                           : fw_fail(ctx, FW_ERR_ARGUMENT, "%s: is no Matrix Market file", path);
  cholmod_free_dense(&dense, &common);
  cholmod_finish(&common);
  return status;
}
