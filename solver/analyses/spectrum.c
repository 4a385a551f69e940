/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/spectrum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sheet.h"
#include "solver/analyses/welch.h"

enum { SHORTEST = 16, WANTED_RECORDS = 8 };

/* How a history is cut into records. */
typedef struct cut {
  const fw_data_table *history;
  size_t first, rows; /* those that count */
  double step;        /* between rows */
  int length, records, last_bin;
} cut;

/* ---- cutting ----------------------------------------------------------------------------- */

static fw_status check_steps(fw_context *ctx, const cut *c) {
  const double *time = c->history->values[0] + c->first;
  for (size_t i = 1; i < c->rows; i++)
    if (fabs(time[i] - time[0] - (double)i * c->step) > 1e-6 * c->step * (double)c->rows)
      return fw_fail(ctx, FW_ERR_ARGUMENT, "a spectrum needs rows at equal times: those of %s.%s are not, from %g s on",
                     c->history->analysis, c->history->name, time[i]);
  return FW_OK;
}

/* The largest power of two of which a few records fit. */
static int usual_length(size_t rows) {
  int length = SHORTEST;
  while ((size_t)length * (WANTED_RECORDS + 1) <= 2 * rows) length *= 2;
  return length;
}

static fw_status cut_history(fw_context *ctx, const fw_data_table *history, const fw_spectrum_options *options,
                             cut *c) {
  *c = (cut){.history = history};
  while (c->first < history->rows && history->values[0][c->first] < options->from * (1.0 - 1e-12)) c->first++;
  c->rows = history->rows - c->first;
  c->length = options->record ? options->record : usual_length(c->rows);
  if (c->rows < (size_t)c->length)
    return fw_fail(ctx, FW_ERR_ARGUMENT, "a spectrum of records of %d rows: there are %zu from %g s on", c->length,
                   c->rows, options->from);
  const double *time = history->values[0] + c->first;
  c->step = (time[c->rows - 1] - time[0]) / (double)(c->rows - 1);
  FW_TRY(check_steps(ctx, c));
  c->records = 1 + (int)((c->rows - (size_t)c->length) / (size_t)(c->length / 2));
  c->last_bin = c->length / 2;
  double bins = options->f_max * c->length * c->step;
  if (options->f_max > 0.0 && bins < c->last_bin) c->last_bin = (int)ceil(bins);
  return FW_OK;
}

static double frequency_of(const cut *c, int bin) { return bin / (c->length * c->step); }

static const double *record_of(const cut *c, int column, int record) {
  return c->history->values[column] + c->first + (size_t)record * (size_t)(c->length / 2);
}

/* ---- densities --------------------------------------------------------------------------- */

/* Of the records `from` to before `to`; density: length / 2 + 1 values. */
static fw_status average(fw_context *ctx, const cut *c, int column, int from, int to, double *density) {
  fw_welch welch;
  FW_TRY(fw_welch_init(ctx, c->length, 0, true, &welch));
  for (int r = from; r < to; r++) fw_welch_add(&welch, record_of(c, column, r));
  for (int k = 0; k <= c->length / 2; k++) density[k] = fw_welch_density(&welch, k, c->step);
  fw_welch_clear(&welch);
  return FW_OK;
}

static fw_status report(const cut *c, int column, const double *density, fw_record *summary) {
  const char *name = c->history->column_names[column];
  double square = 0.0, width = frequency_of(c, 1);
  int peak = 1;
  for (int k = 0; k <= c->length / 2; k++) {
    square += density[k] * width;
    if (k > 0 && density[k] > density[peak]) peak = k;
  }
  FW_TRY(fw_record_set_figure(summary, sqrt(square), c->history->column_units[column], "spectrum.%s.rms", name));
  return fw_record_set_figure(summary, frequency_of(c, peak), "Hz", "spectrum.%s.peak_frequency", name);
}

/* "m^2/Hz" of "m", "(m/s)^2/Hz" of "m/s". */
static void density_unit(const char *unit, char *out, size_t room) {
  bool simple = strpbrk(unit, "/^ ") == NULL;
  snprintf(out, room, simple ? "%s^2/Hz" : "(%s)^2/Hz", unit);
}

static bool is_wanted(const fw_spectrum_options *options, const char *name) {
  size_t length = strlen(name);
  for (const char *at = options->sensors; at && *at;) {
    size_t word = strcspn(at, ", \t\r\n");
    if (word == length && strncmp(at, name, length) == 0) return true;
    at += word + strspn(at + word, ", \t\r\n");
  }
  return options->sensors == NULL;
}

static fw_status write_over_time(fw_context *ctx, fw_sink *sink, const cut *c, int column, double *density) {
  char name[200], unit[80];
  fw_data_table *table;
  density_unit(c->history->column_units[column], unit, sizeof unit);
  snprintf(name, sizeof name, "spectrogram-%s", c->history->column_names[column]);
  const fw_column columns[] = {{"time", "s"}, {"frequency", "Hz"}, {"density", unit}};
  FW_TRY(fw_sink_table(sink, ctx, c->history->analysis, name, columns, 3, false, &table));
  for (int r = 0; r < c->records; r++) {
    double middle = *record_of(c, 0, r) + 0.5 * c->length * c->step;
    FW_TRY(average(ctx, c, column, r, r + 1, density));
    for (int k = 1; k <= c->last_bin; k++)
      FW_TRY(fw_sink_row(sink, ctx, table, (const double[]){middle, frequency_of(c, k), density[k]}));
  }
  return FW_OK;
}

/* densities: [columns x (length / 2 + 1)], of the columns wanted. */
static fw_status write_table(fw_context *ctx, fw_sink *sink, const cut *c, const fw_spectrum_options *options,
                             const double *densities) {
  fw_sheet sheet = fw_sheet_of(ctx, sink, c->history->analysis);
  fw_status status;
  char unit[80];
  size_t bins = (size_t)c->length / 2 + 1;
  fw_sheet_column(&sheet, "Hz", "frequency");
  for (int s = 1; s < c->history->columns; s++) {
    density_unit(c->history->column_units[s], unit, sizeof unit);
    if (is_wanted(options, c->history->column_names[s]))
      fw_sheet_column(&sheet, unit, "%s.density", c->history->column_names[s]);
  }
  FW_TRY_DONE(fw_sheet_open(&sheet, "spectrum"));
  for (int k = 1; k <= c->last_bin; k++) {
    fw_sheet_put(&sheet, frequency_of(c, k));
    for (int s = 1; s < c->history->columns; s++)
      if (is_wanted(options, c->history->column_names[s]))
        fw_sheet_put(&sheet, densities[(size_t)s * bins + (size_t)k]);
    FW_TRY_DONE(fw_sheet_row(&sheet));
  }
done:
  fw_sheet_close(&sheet);
  return status;
}

fw_status fw_spectrum_write(fw_context *ctx, fw_sink *sink, const fw_data_table *history,
                            const fw_spectrum_options *options, fw_record *summary) {
  cut c;
  double *densities = NULL;
  fw_status status;
  FW_TRY_DONE(cut_history(ctx, history, options, &c));
  size_t bins = (size_t)c.length / 2 + 1;
  FW_TRY_DONE(fw_alloc(ctx, bins * (size_t)history->columns, sizeof *densities, &densities));
  FW_TRY_DONE(fw_record_set_figure(summary, frequency_of(&c, 1), "Hz", "spectrum.resolution"));
  FW_TRY_DONE(fw_record_set_number(summary, c.records, "spectrum.records"));
  for (int s = 1; s < history->columns; s++) {
    if (!is_wanted(options, history->column_names[s])) continue;
    FW_TRY_DONE(average(ctx, &c, s, 0, c.records, densities + (size_t)s * bins));
    FW_TRY_DONE(report(&c, s, densities + (size_t)s * bins, summary));
    if (options->over_time) FW_TRY_DONE(write_over_time(ctx, sink, &c, s, densities)); /* time has no density */
  }
  FW_TRY_DONE(write_table(ctx, sink, &c, options, densities));
done:
  free(densities);
  return status;
}
