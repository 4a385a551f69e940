/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables with their units as JSON, column by column: what a script reads in one call. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/export.h"
#include "output/files.h"

static void put_text(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < 0x20)
      fprintf(out, "\\u%04x", c);
    else
      fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
  }
  fputc('"', out);
}

static void put_member(FILE *out, const char *name, const char *value) {
  fprintf(out, "\"%s\": ", name);
  put_text(out, value);
  fputs(", ", out);
}

/* What is not known is null. */
static void put_values(FILE *out, const double *values, size_t rows) {
  fputs("\"values\": [", out);
  for (size_t r = 0; r < rows; r++)
    if (isfinite(values[r]))
      fprintf(out, "%s%.17g", r ? ", " : "", values[r]);
    else
      fprintf(out, "%snull", r ? ", " : "");
  fputs("]", out);
}

static void put_table(FILE *out, const fw_data_table *table) {
  fputs("{", out);
  put_member(out, "analysis", table->analysis);
  put_member(out, "table", table->name);
  fputs("\"columns\": [", out);
  for (int c = 0; c < table->columns; c++) {
    fputs(c ? ",\n  {" : "\n  {", out);
    put_member(out, "name", table->column_names[c]);
    put_member(out, "unit", table->column_units[c]);
    put_values(out, table->values[c], table->rows);
    fputs("}", out);
  }
  fputs("]}", out);
}

fw_status fw_export_json(fw_context *ctx, const fw_sink *sink, const char *path) {
  char *text = NULL;
  size_t length;
  int count = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fputs("{\"format\": \"fretwork tables 1\", \"tables\": [", out);
  for (int i = 0; i < sink->table_count; i++) {
    if (sink->tables[i]->stream || sink->tables[i]->rows == 0) continue;
    fputs(count++ ? ",\n" : "\n", out);
    put_table(out, sink->tables[i]);
  }
  fputs("\n]}\n", out);
  fw_status status = fclose(out) == 0 ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (status == FW_OK && count == 0) status = fw_fail(ctx, FW_ERR_ARGUMENT, "the result has no tables");
  if (status == FW_OK) status = fw_file_write(ctx, path, text, length);
  free(text);
  return status;
}
