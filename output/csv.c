/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/csv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "output/files.h"
#include "output/number.h"

enum { CSV_COLUMNS = 4096 };

void fw_csv_header(FILE *file, const fw_data_table *table) {
  for (int c = 0; c < table->columns; c++) {
    fprintf(file, "%s%s", c ? "," : "", table->column_names[c]);
    if (table->column_units[c][0]) fprintf(file, " [%s]", table->column_units[c]);
  }
  fputc('\n', file);
}

void fw_csv_row(FILE *file, int columns, const double *row) {
  char cell[FW_NUMBER_ROOM + 1];
  for (int c = 0; c < columns; c++) {
    int length = 1;
    if (fw_is_unknown(row[c]))
      length = 0;
    else if (row[c] == 0.0 && !signbit(row[c]))
      cell[0] = '0'; /* open points are nearly all of it */
    else
      length = fw_number_text(row[c], cell);
    cell[length++] = c + 1 < columns ? ',' : '\n';
    fwrite(cell, 1, (size_t)length, file);
  }
}

/* ---- reading ----------------------------------------------------------------------------- */

/* Cuts blanks off both ends, in place. */
static char *trim(char *text) {
  while (isspace((unsigned char)*text)) text++;
  size_t length = strlen(text);
  while (length && isspace((unsigned char)text[length - 1])) text[--length] = '\0';
  return text;
}

/* Spreadsheets put names between quotation marks. */
static char *unquote(char *cell) {
  size_t length = strlen(cell);
  if (length < 2 || cell[0] != '"' || cell[length - 1] != '"') return cell;
  cell[length - 1] = '\0';
  return trim(cell + 1);
}

/* Splits "name [unit]" or "name_unit" (units of rig data only) in place. */
static fw_column header_column(char *cell) {
  static const char *const suffixes[] = {"Hz", "N", "m", "mm", "W", "s", NULL};
  cell = unquote(trim(cell));
  char *bracket = strrchr(cell, '[');
  size_t length = strlen(cell);
  if (bracket && cell[length - 1] == ']') {
    cell[length - 1] = '\0';
    *bracket = '\0';
    return (fw_column){trim(cell), bracket + 1};
  }
  char *underscore = strrchr(cell, '_');
  for (int i = 0; underscore && suffixes[i]; i++)
    if (strcmp(underscore + 1, suffixes[i]) == 0) {
      *underscore = '\0';
      return (fw_column){cell, underscore + 1};
    }
  return (fw_column){cell, ""};
}

/* Splits a line at its commas in place. */
static int split(char *line, char **cells, int room) {
  int count = 0;
  for (char *at = line; at && count < room; count++) {
    cells[count] = at;
    at = strchr(at, ',');
    if (at) *at++ = '\0';
  }
  return count;
}

static fw_status read_row(fw_context *ctx, fw_place place, char **cells, int count, double *row) {
  for (int c = 0; c < count; c++) {
    char *cell = trim(cells[c]), *end;
    row[c] = *cell ? strtod(cell, &end) : fw_unknown();
    if (*cell && (*end || !isfinite(row[c])))
      return fw_fail_at(ctx, FW_ERR_IO, place, "column %d: \"%s\" is not a number", c + 1, cell);
  }
  return FW_OK;
}

/* One line: the first is the header, the others rows. */
static fw_status read_line(fw_context *ctx, fw_place place, char *line, char **cells, double *row, fw_sink *sink,
                           const char *analysis, const char *name, fw_data_table **table) {
  int count = split(line, cells, CSV_COLUMNS);
  if (!*table) {
    fw_column *columns;
    const char *other = count == 1 ? strpbrk(line, ";\t") : NULL;
    if (other)
      return fw_fail_at(ctx, FW_ERR_IO, place, "cells are separated by %s; they must be by commas, numbers with points",
                        *other == ';' ? "semicolons" : "tabs");
    FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *columns, &columns));
    for (int c = 0; c < count; c++) columns[c] = header_column(cells[c]);
    fw_status status = fw_sink_table(sink, ctx, analysis, name, columns, count, false, table);
    free(columns);
    return status;
  }
  if (count != (*table)->columns)
    return fw_fail_at(ctx, FW_ERR_IO, place, "%d cells where the header has %d", count, (*table)->columns);
  FW_TRY(read_row(ctx, place, cells, count, row));
  return fw_sink_row(sink, ctx, *table, row);
}

fw_status fw_csv_read(fw_context *ctx, const char *path, fw_sink *sink, const char *analysis, const char *name,
                      fw_data_table **table) {
  *table = NULL;
  char *text, **cells = NULL;
  double *row = NULL;
  FW_TRY(fw_file_read(ctx, path, &text, NULL));
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, CSV_COLUMNS, sizeof *cells, &cells));
  FW_TRY_DONE(fw_alloc(ctx, CSV_COLUMNS, sizeof *row, &row));
  fw_place place = {path, 0, NULL};
  char *begin = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text; /* a byte order mark */
  for (char *line = begin, *next; line; line = next) {
    place.line++;
    next = strchr(line, '\n');
    if (next) *next++ = '\0';
    char *content = trim(line);
    if (*content == '\0' || *content == '#') continue;
    FW_TRY_DONE(read_line(ctx, place, content, cells, row, sink, analysis, name, table));
  }
  if (!*table) status = fw_fail(ctx, FW_ERR_IO, "%s: no header line", path);
done:
  free(row);
  free(cells);
  free(text);
  return status;
}

fw_status fw_csv_read_folder(fw_context *ctx, const char *folder, fw_sink *sink, const char *analysis) {
  char **names;
  int count;
  if (!fw_path_exists(folder)) return FW_OK;
  FW_TRY(fw_folder_list(ctx, folder, ".csv", false, &names, &count));
  fw_status status = FW_OK;
  for (int i = 0; i < count && status == FW_OK; i++) {
    char *path = NULL;
    fw_data_table *table;
    status = fw_path_join(ctx, folder, names[i], &path);
    names[i][strlen(names[i]) - 4] = '\0';
    if (status == FW_OK) status = fw_csv_read(ctx, path, sink, analysis, names[i], &table);
    free(path);
  }
  free(names);
  return status;
}
