/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/channels.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "output/compare.h"
#include "output/csv.h"
#include "output/measured.h"
#include "output/uff58.h"

static const char *file_of(const fw_item *data) { return fw_args_text(&data->args, "file"); }

fw_status fw_channels_fail(fw_context *ctx, const fw_item *data, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fw_place place = data->args.place;
  place.line = fw_args_value(&data->args, "file")->line;
  return fw_fail_at(ctx, FW_ERR_DECK, place, "%s: %s", file_of(data), text);
}

/* ---- reading ----------------------------------------------------------------------------- */

static bool is_uff(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".uff") == 0 || strcmp(dot, ".unv") == 0 || strcmp(dot, ".uf") == 0);
}

/* All functions of a file must share the clock of the first. */
static fw_status check_clocks(fw_context *ctx, const fw_item *data, const fw_uff58 *list, int count) {
  for (int i = 0; i < count; i++) {
    if (list[i].count != list[0].count)
      return fw_channels_fail(ctx, data, "'%s' has %zu samples where '%s' has %zu", list[i].id[0], list[i].count,
                              list[0].id[0], list[0].count);
    for (size_t k = 0; k < list[i].count; k++)
      if (list[i].x[k] != list[0].x[k])
        return fw_channels_fail(ctx, data, "'%s' and '%s' were not sampled at the same places", list[i].id[0],
                                list[0].id[0]);
  }
  return FW_OK;
}

enum { MOST_CHANNELS = 255 };

static fw_status table_of_functions(fw_context *ctx, const fw_item *data, const fw_uff58 *list, int count,
                                    fw_sink *sink, fw_data_table **table) {
  fw_column columns[MOST_CHANNELS + 1] = {{"time", "s"}};
  double row[MOST_CHANNELS + 1];
  if (count > MOST_CHANNELS) return fw_channels_fail(ctx, data, "more than %d channels", MOST_CHANNELS);
  FW_TRY(check_clocks(ctx, data, list, count));
  for (int i = 0; i < count; i++) columns[i + 1] = (fw_column){list[i].id[0], list[i].ordinate.unit};
  FW_TRY(fw_sink_table(sink, ctx, "data", "signals", columns, count + 1, false, table));
  for (size_t k = 0; count > 0 && k < list[0].count; k++) {
    row[0] = list[0].x[k];
    for (int i = 0; i < count; i++) row[i + 1] = list[i].re[k];
    FW_TRY(fw_sink_row(sink, ctx, *table, row));
  }
  return FW_OK;
}

/* Amplitude and phase of each. */
static fw_status table_of_spectra(fw_context *ctx, const fw_item *data, const fw_uff58 *list, int count, fw_sink *sink,
                                  fw_data_table **table) {
  fw_column columns[2 * MOST_CHANNELS + 1] = {{"frequency", "Hz"}};
  char names[2 * MOST_CHANNELS][96];
  double row[2 * MOST_CHANNELS + 1];
  if (count > MOST_CHANNELS) return fw_channels_fail(ctx, data, "more than %d channels", MOST_CHANNELS);
  FW_TRY(check_clocks(ctx, data, list, count));
  for (int i = 0; i < count; i++) {
    const char *id = list[i].id[0], *tail = strstr(id, ".amplitude");
    int length = tail ? (int)(tail - id) : (int)strlen(id);
    snprintf(names[2 * i], sizeof *names, "%.*s.amplitude", length, id);
    snprintf(names[2 * i + 1], sizeof *names, "%.*s.phase", length, id);
    columns[2 * i + 1] = (fw_column){names[2 * i], list[i].ordinate.unit};
    columns[2 * i + 2] = (fw_column){names[2 * i + 1], "deg"};
    if (!list[i].im) return fw_channels_fail(ctx, data, "'%s' is not complex", id);
  }
  FW_TRY(fw_sink_table(sink, ctx, "data", "signals", columns, 2 * count + 1, false, table));
  for (size_t k = 0; count > 0 && k < list[0].count; k++) {
    row[0] = list[0].x[k];
    for (int i = 0; i < count; i++) {
      row[2 * i + 1] = hypot(list[i].re[k], list[i].im[k]);
      row[2 * i + 2] = atan2(list[i].im[k], list[i].re[k]) * 180.0 / M_PI;
    }
    FW_TRY(fw_sink_row(sink, ctx, *table, row));
  }
  return FW_OK;
}

static fw_status read_uff(fw_context *ctx, const fw_item *data, fw_sink *sink, fw_data_table **table) {
  fw_uff58 *list;
  int count, kept = 0;
  bool spectra = strcmp(data->name, "frf") == 0;
  FW_TRY(fw_uff58_read(ctx, file_of(data), &list, &count));
  for (int i = 0; i < count; i++) { /* only functions of time are signals */
    bool signal = list[i].function == FW_UFF_TIME || list[i].abscissa.kind == FW_UFF_AXIS_TIME;
    if (signal == spectra) continue;
    fw_uff58 one = list[i];
    list[i] = list[kept];
    list[kept++] = one;
  }
  fw_status status = spectra ? table_of_spectra(ctx, data, list, kept, sink, table)
                             : table_of_functions(ctx, data, list, kept, sink, table);
  fw_uff58_destroy(&list, count);
  return status;
}

/* z of the functions over frequency. */
static fw_status level_of_uff(fw_context *ctx, const fw_item *data, double *level) {
  fw_uff58 *list;
  int count;
  fw_status status = FW_OK;
  FW_TRY(fw_uff58_read(ctx, file_of(data), &list, &count));
  for (int i = 0; i < count && status == FW_OK; i++) {
    if (list[i].function == FW_UFF_TIME || list[i].z == 0.0) continue;
    if (isfinite(*level) && list[i].z != *level)
      status = fw_channels_fail(ctx, data, "'%s' is of level %g, others of %g: a file each, please", list[i].id[0],
                                list[i].z, *level);
    *level = list[i].z;
  }
  fw_uff58_destroy(&list, count);
  return status;
}

fw_status fw_channels_level(fw_context *ctx, const fw_item *data, double *level) {
  double frequency;
  *level = NAN;
  FW_TRY(is_uff(file_of(data)) ? level_of_uff(ctx, data, level)
                               : fw_compare_conditions(ctx, file_of(data), level, &frequency));
  if (isfinite(*level)) return FW_OK;
  return fw_channels_fail(
      ctx, data,
      "nothing says the level of the drive: a comment \"# drive 6.5 N\" in the first line, or a name "
      "that ends in \"-6.5N\"");
}

fw_status fw_channels_read(fw_context *ctx, const fw_item *data, fw_sink *sink, fw_data_table **table) {
  const char *path = file_of(data);
  FW_TRY(is_uff(path) ? read_uff(ctx, data, sink, table) : fw_csv_read(ctx, path, sink, "data", "signals", table));
  return FW_OK;
}

/* ---- units ------------------------------------------------------------------------------- */

fw_status fw_channels_to_si(fw_context *ctx, const fw_item *data, fw_data_table *table, int column, const char *si) {
  const char *unit = table->column_units[column];
  double factor;
  if (!fw_measured_factor(unit, si, &factor))
    return fw_channels_fail(ctx, data, "column '%s' is in %s, not in %s", table->column_names[column], unit, si);
  for (size_t r = 0; r < table->rows; r++) table->values[column][r] *= factor;
  return FW_OK;
}

/* ---- checks ------------------------------------------------------------------------------ */

fw_status fw_channels_check_gaps(fw_context *ctx, const fw_item *data, const fw_data_table *table, int column) {
  for (size_t r = 0; r < table->rows; r++)
    if (!isfinite(table->values[column][r]))
      return fw_channels_fail(ctx, data, "column '%s' has a gap in row %zu", table->column_names[column], r + 1);
  return FW_OK;
}

fw_status fw_channels_check(fw_context *ctx, const fw_item *data, const fw_data_table *table, int column) {
  double low = INFINITY, high = -INFINITY;
  FW_TRY(fw_channels_check_gaps(ctx, data, table, column));
  for (size_t r = 0; r < table->rows; r++) {
    low = fmin(low, table->values[column][r]);
    high = fmax(high, table->values[column][r]);
  }
  return low < high ? FW_OK : fw_channels_fail(ctx, data, "column '%s' is constant", table->column_names[column]);
}

fw_status fw_channels_check_clock(fw_context *ctx, const fw_item *data, const fw_data_table *table, int column) {
  enum { LEAST = 8 };
  const double *t = table->values[column];
  if (table->rows < LEAST) return fw_channels_fail(ctx, data, "%zu rows; %d are needed at least", table->rows, LEAST);
  for (size_t r = 1; r < table->rows; r++)
    if (!(t[r] > t[r - 1]))
      return fw_channels_fail(ctx, data, "time does not go on from row %zu (%g s) to row %zu (%g s)", r, t[r - 1],
                              r + 1, t[r]);
  double usual = (t[table->rows - 1] - t[0]) / (double)(table->rows - 1);
  for (size_t r = 1; r < table->rows; r++) {
    if (t[r] - t[r - 1] > 3.0 * usual)
      return fw_channels_fail(ctx, data, "a gap in time from %g s to %g s (rows %zu and %zu)", t[r - 1], t[r], r,
                              r + 1);
  }
  return FW_OK;
}
