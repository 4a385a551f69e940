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

static fw_status copy(fw_context *ctx, const char *path, const cholmod_dense *dense, int *rows, double **matrix) {
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

/* What stands before the entries. */
typedef struct head {
  char line[1024]; /* the last one read */
  int number;
} head;

/* The next line; false at the end of the file, and where it is longer than the format allows. */
static bool next_line(FILE *file, head *h) {
  h->number++;
  return fgets(h->line, sizeof h->line, file) && (strchr(h->line, '\n') || feof(file));
}

static bool is_one_of(const char *word, const char *const *words) {
  while (*words && strcasecmp(word, *words) != 0) words++;
  return *words != NULL;
}

/* The line that says what kind of matrix follows. *numbers: how many there are in the line of sizes. */
static fw_status read_kind(fw_context *ctx, const char *path, const head *h, int *numbers) {
  static const char banner[] = "%%MatrixMarket";
  static const char *const fields[] = {"real", "integer", NULL}, *const symmetries[] = {"general", "symmetric",
                                                                                        "skew-symmetric", NULL};
  char object[16], format[16], field[16], symmetry[20];
  if (strncasecmp(h->line, banner, sizeof banner - 1) != 0)
    return fw_fail(ctx, FW_ERR_ARGUMENT,
                   "%s: is no Matrix Market file: its first line must begin with %%%%MatrixMarket", path);
  bool four = sscanf(h->line + sizeof banner - 1, " %15s %15s %15s %19s", object, format, field, symmetry) == 4;
  bool dense = four && strcasecmp(format, "array") == 0;
  if (!four || strcasecmp(object, "matrix") != 0 || (!dense && strcasecmp(format, "coordinate") != 0) ||
      !is_one_of(field, fields) || !is_one_of(symmetry, symmetries))
    return fw_fail(
        ctx, FW_ERR_ARGUMENT,
        "%s:1: '%.*s': after %%%%MatrixMarket come matrix, coordinate or array, real or integer, and general, "
        "symmetric or skew-symmetric",
        path, (int)strcspn(h->line, "\r\n"), h->line);
  *numbers = dense ? 2 : 3;
  return FW_OK;
}

static fw_status read_sizes(fw_context *ctx, const char *path, const head *h, int numbers, int most) {
  long rows, columns, entries = 0;
  if (sscanf(h->line, "%ld %ld %ld", &rows, &columns, &entries) < numbers || entries < 0)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "%s:%d: rows and columns%s are needed", path, h->number,
                   numbers == 3 ? " and the number of entries" : "");
  if (rows != columns) return fw_fail(ctx, FW_ERR_ARGUMENT, "%s:%d: a square matrix is needed", path, h->number);
  if (rows < 1 || rows > most)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "%s:%d: has %ld rows; from 1 to %d are possible", path, h->number, rows, most);
  if (entries > rows * rows)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "%s:%d: %ld entries of a matrix of %ld", path, h->number, entries,
                   rows * rows);
  return FW_OK;
}

/* CHOLMOD reads a file without the format's first line as one of its own making, fills matrices without numbers with some,
 * and takes a negative size for granted: what it is given is looked at before. */
static fw_status check_head(fw_context *ctx, const char *path, FILE *file, int most) {
  head h = {.number = 0};
  int numbers = 0;
  if (!next_line(file, &h)) h.line[0] = '\0';
  FW_TRY(read_kind(ctx, path, &h, &numbers));
  do {
    if (!next_line(file, &h)) return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: the line with its sizes is missing", path);
  } while (h.line[0] == '%' || h.line[strspn(h.line, " \t\r\n")] == '\0');
  FW_TRY(read_sizes(ctx, path, &h, numbers, most));
  rewind(file);
  return FW_OK;
}

fw_status fw_matrix_market_read(fw_context *ctx, const char *path, int most, int *rows, double **matrix) {
  *matrix = NULL;
  *rows = 0;
  FILE *file = fopen(path, "r");
  if (!file) return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: %s", path, strerror(errno));
  fw_status status = check_head(ctx, path, file, most);
  if (status != FW_OK) {
    fclose(file);
    return status;
  }
  cholmod_common common;
  cholmod_start(&common);
  common.print = 0;
  common.error_handler = NULL;
  common.prefer_zomplex = 0;
  cholmod_dense *dense = read_dense(file, &common);
  fclose(file);
  status = dense ? copy(ctx, path, dense, rows, matrix)
                 : fw_fail(ctx, FW_ERR_ARGUMENT, "%s: its entries do not fit its first lines", path);
  cholmod_free_dense(&dense, &common);
  cholmod_finish(&common);
  return status;
}
