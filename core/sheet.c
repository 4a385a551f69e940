/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/sheet.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256 };

fw_sheet fw_sheet_of(fw_context *ctx, fw_sink *sink, const char *analysis) {
  return (fw_sheet){.ctx = ctx, .sink = sink, .analysis = analysis};
}

static void forget_columns(fw_sheet *sheet) {
  for (int i = 0; sheet->columns && i < sheet->count; i++) {
    free((char *)sheet->columns[i].name);
    free((char *)sheet->columns[i].unit);
  }
  free(sheet->columns);
  sheet->columns = NULL;
  sheet->room = 0;
}

void fw_sheet_close(fw_sheet *sheet) {
  forget_columns(sheet);
  free(sheet->row);
  *sheet = (fw_sheet){0};
}

static fw_status make_room(fw_sheet *sheet) {
  if (sheet->count < sheet->room) return FW_OK;
  int room = sheet->room ? 2 * sheet->room : 16;
  fw_column *columns = realloc(sheet->columns, (size_t)room * sizeof *columns);
  if (!columns) return fw_fail(sheet->ctx, FW_ERR_MEMORY, "out of memory");
  sheet->columns = columns;
  sheet->room = room;
  return FW_OK;
}

static fw_status add_column(fw_sheet *sheet, const char *unit, const char *name) {
  char *own_name, *own_unit;
  FW_TRY(make_room(sheet));
  FW_TRY(fw_copy_text(sheet->ctx, name, &own_name));
  fw_status status = fw_copy_text(sheet->ctx, unit, &own_unit);
  if (status == FW_OK)
    sheet->columns[sheet->count++] = (fw_column){own_name, own_unit};
  else
    free(own_name);
  return status;
}

void fw_sheet_column(fw_sheet *sheet, const char *unit, const char *name, ...) {
  char text[NAME];
  va_list args;
  va_start(args, name);
  vsnprintf(text, sizeof text, name, args);
  va_end(args);
  if (sheet->status == FW_OK) sheet->status = add_column(sheet, unit, text);
}

fw_status fw_sheet_open(fw_sheet *sheet, const char *name, ...) {
  char text[NAME];
  va_list args;
  va_start(args, name);
  vsnprintf(text, sizeof text, name, args);
  va_end(args);
  FW_TRY(sheet->status);
  FW_TRY(fw_alloc(sheet->ctx, (size_t)sheet->count, sizeof *sheet->row, &sheet->row));
  FW_TRY(fw_sink_table(sheet->sink, sheet->ctx, sheet->analysis, text, sheet->columns, sheet->count, false,
                       &sheet->table));
  forget_columns(sheet);
  return FW_OK;
}

void fw_sheet_put(fw_sheet *sheet, double value) {
  if (sheet->at < sheet->count) sheet->row[sheet->at] = value;
  sheet->at++;
}

fw_status fw_sheet_row(fw_sheet *sheet) {
  int put = sheet->at;
  sheet->at = 0;
  if (put && put != sheet->count)
    return fw_fail(sheet->ctx, FW_ERR_ARGUMENT, "table %s: %d cells for %d columns", sheet->table->name, put,
                   sheet->count);
  return fw_sink_row(sheet->sink, sheet->ctx, sheet->table, sheet->row);
}
