/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/csv.h"
#include "output/files.h"
#include "output/uff58.h"

typedef struct functions {
  fw_uff58 *list;
  int count, room;
} functions;

static int kind_of_unit(const char *unit) {
  if (strcmp(unit, "m") == 0) return FW_UFF_DISPLACEMENT;
  if (strcmp(unit, "m/s") == 0) return FW_UFF_VELOCITY;
  if (strcmp(unit, "m/s^2") == 0) return FW_UFF_ACCELERATION;
  return strcmp(unit, "N") == 0 ? FW_UFF_FORCE : FW_UFF_UNKNOWN;
}

/* A new function over a table's first column with real part (and imaginary part if `complex`) to be filled. */
static fw_status add_function(fw_context *ctx, functions *all, const fw_data_table *table, int column, int type,
                              bool complex, fw_uff58 **function) {
  FW_TRY(fw_grow(ctx, all->count, &all->room, sizeof *all->list, &all->list));
  fw_uff58 *f = &all->list[all->count++];
  memset(f, 0, sizeof *f);
  snprintf(f->id[0], sizeof f->id[0], "%s", table->column_names[column]);
  snprintf(f->id[1], sizeof f->id[1], "%.30s: %.40s", table->analysis, table->name);
  f->function = type;
  f->response.node = column;
  f->abscissa.kind = type == FW_UFF_TIME ? FW_UFF_AXIS_TIME : FW_UFF_AXIS_FREQUENCY;
  snprintf(f->abscissa.label, sizeof f->abscissa.label, "%s", type == FW_UFF_TIME ? "Time" : "Frequency");
  snprintf(f->abscissa.unit, sizeof f->abscissa.unit, "%s", table->column_units[0]);
  f->ordinate.kind = kind_of_unit(table->column_units[column]);
  snprintf(f->ordinate.unit, sizeof f->ordinate.unit, "%s", table->column_units[column]);
  f->count = table->rows;
  FW_TRY(fw_alloc(ctx, f->count, sizeof *f->x, &f->x));
  FW_TRY(fw_alloc(ctx, f->count, sizeof *f->re, &f->re));
  if (complex) FW_TRY(fw_alloc(ctx, f->count, sizeof *f->im, &f->im));
  memcpy(f->x, table->values[0], f->count * sizeof *f->x);
  *function = f;
  return FW_OK;
}

/* SENSOR.amplitude and SENSOR.phase (deg) as a complex amplitude. */
static fw_status add_spectra(fw_context *ctx, functions *all, const fw_data_table *table) {
  const char *tail = strchr(table->name, '-');
  for (int c = 1; c < table->columns; c++) {
    const char *name = table->column_names[c], *dot = strrchr(name, '.');
    char other[256];
    if (!dot || strcmp(dot, ".amplitude") != 0) continue;
    snprintf(other, sizeof other, "%.*s.phase", (int)(dot - name), name);
    int phase = fw_data_table_column(table, other);
    fw_uff58 *f;
    if (phase < 0) continue;
    FW_TRY(add_function(ctx, all, table, c, FW_UFF_SPECTRUM, true, &f));
    f->z = tail ? strtod(tail + 1, NULL) : 0.0;
    for (size_t r = 0; r < f->count; r++) {
      double angle = table->values[phase][r] * M_PI / 180.0;
      f->re[r] = table->values[c][r] * cos(angle);
      f->im[r] = table->values[c][r] * sin(angle);
    }
  }
  return FW_OK;
}

static fw_status add_signals(fw_context *ctx, functions *all, const fw_data_table *table) {
  for (int c = 1; c < table->columns; c++) {
    fw_uff58 *f;
    FW_TRY(add_function(ctx, all, table, c, FW_UFF_TIME, false, &f));
    memcpy(f->re, table->values[c], f->count * sizeof *f->re);
  }
  return FW_OK;
}

fw_status fw_export_uff58(fw_context *ctx, const fw_sink *sink, const char *path, bool binary) {
  functions all = {0};
  fw_status status = FW_OK;
  for (int i = 0; i < sink->table_count; i++) {
    const fw_data_table *table = sink->tables[i];
    if (table->stream || table->rows == 0) continue;
    if (strcmp(table->column_names[0], "frequency") == 0) FW_TRY_DONE(add_spectra(ctx, &all, table));
    if (strcmp(table->column_names[0], "time") == 0) FW_TRY_DONE(add_signals(ctx, &all, table));
  }
  status = all.count ? fw_uff58_write(ctx, path, all.list, all.count, binary)
                     : fw_fail(ctx, FW_ERR_ARGUMENT, "the result has neither responses nor histories");
done:
  fw_uff58_destroy(&all.list, all.count);
  return status;
}

/* ---- loading ----------------------------------------------------------------------------- */

fw_status fw_export_load(fw_context *ctx, const char *folder, fw_sink *sink) {
  char **names;
  int count;
  FW_TRY(fw_folder_list(ctx, folder, "", true, &names, &count));
  fw_status status = FW_OK;
  for (int i = 0; i < count && status == FW_OK; i++) {
    char *path = NULL;
    status = fw_path_join(ctx, folder, names[i], &path);
    if (status == FW_OK) status = fw_csv_read_folder(ctx, path, sink, names[i]);
    free(path);
  }
  free(names);
  return status;
}
