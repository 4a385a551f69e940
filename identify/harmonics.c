/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/harmonics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sheet.h"
#include "identify/channels.h"
#include "identify/signals.h"
#include "identify/spectrum.h"
#include "output/compare.h"

static const double degree = M_PI / 180.0;

void fw_harmonics_clear(fw_harmonics *h) {
  free(h->sensor);
  free(h->amplitude);
  free(h->value);
  free(h->spread);
  free(h->amplitude_error);
  free(h->phase_error);
  *h = (fw_harmonics){0};
}

static bool ends_with(const char *name, const char *tail) {
  const char *dot = strrchr(name, '.');
  return dot && strcmp(dot, tail) == 0;
}

static bool is_phase(const char *name) { return ends_with(name, ".phase"); }

bool fw_harmonics_is_beside(const char *name) { return is_phase(name) || ends_with(name, ".deviation"); }

static int find_sensor(const fw_model *model, const char *column) {
  for (int i = 0; i < model->sensor_count; i++)
    if (model->sensors[i].quantity == FW_ACCELERATION && fw_compare_belongs(column, model->sensors[i].id)) return i;
  return -1;
}

/* Orders must be 1, 2, 3 ... in this order. */
static fw_status check_orders(fw_context *ctx, const fw_item *data, const fw_data_table *table, int order) {
  if (order < 0) return fw_channels_fail(ctx, data, "there is no column 'harmonic'");
  if (table->rows == 0) return fw_channels_fail(ctx, data, "there are no rows");
  for (size_t r = 0; r < table->rows; r++)
    if (table->values[order][r] != (double)(r + 1))
      return fw_channels_fail(ctx, data, "row %zu is not harmonic %zu", r + 1, r + 1);
  return FW_OK;
}

static double phase_of_force(const fw_data_table *table) {
  int column = fw_data_table_column(table, "force.phase");
  return column < 0 ? 0.0 : table->values[column][0];
}

/* Column NAME.what beside a column of amplitudes, or -1. */
static int column_beside(const fw_data_table *table, const char *name, const char *what) {
  char wanted[160];
  snprintf(wanted, sizeof wanted, "%.140s.%s", name, what);
  return fw_data_table_column(table, wanted);
}

static fw_status check_column(const fw_identify_job *job, const fw_item *data, fw_data_table *table, int column,
                              bool phases) {
  const char *name = table->column_names[column];
  int phase = column_beside(table, name, "phase");
  if (find_sensor(job->built->model, name) < 0)
    return fw_channels_fail(job->ctx, data, "column '%s' is no sensor of acceleration of the deck", name);
  FW_TRY(fw_channels_to_si(job->ctx, data, table, column, "m/s^2"));
  if ((phase >= 0) != phases)
    return fw_channels_fail(job->ctx, data, "column '%s' has %s phase: all or none", name, phase >= 0 ? "a" : "no");
  for (size_t r = 0; r < table->rows; r++)
    if (!isfinite(table->values[column][r]) || (phases && !isfinite(table->values[phase][r])))
      return fw_channels_fail(job->ctx, data, "column '%s' has a gap in row %zu", name, r + 1);
  for (size_t r = 0; r < table->rows; r++)
    if (table->values[column][r] < 0.0 || (r == 0 && table->values[column][r] == 0.0))
      return fw_channels_fail(job->ctx, data, "column '%s' is %g in row %zu: no amplitude", name,
                              table->values[column][r], r + 1);
  return FW_OK;
}

/* Deviations of a sensor's amplitudes, of all sensors or of none. */
static fw_status take_deviations(const fw_identify_job *job, const fw_item *data, fw_data_table *table, int column,
                                 int at, fw_harmonics *h) {
  const char *name = table->column_names[column];
  int deviation = column_beside(table, name, "deviation");
  if (deviation < 0 && !h->given) return FW_OK;
  if (deviation < 0) return fw_channels_fail(job->ctx, data, "column '%s' has no deviation: all or none", name);
  FW_TRY(fw_channels_to_si(job->ctx, data, table, deviation, "m/s^2"));
  for (int r = 0; r < h->orders; r++) {
    double value = table->values[deviation][r];
    if (!(value > 0.0 && isfinite(value)))
      return fw_channels_fail(job->ctx, data, "column '%s.deviation' is %g in row %d: not above 0", name, value, r + 1);
    h->spread[r * h->sensors + at] = value;
  }
  return FW_OK;
}

static fw_status check_new(const fw_identify_job *job, const fw_item *data, const char *name, int at,
                           const fw_harmonics *h) {
  for (int j = 0; j < at; j++)
    if (h->sensor[j] == h->sensor[at])
      return fw_channels_fail(job->ctx, data, "column '%s' is of a sensor that has one already", name);
  return FW_OK;
}

static int count_sensors(const fw_data_table *table, int order) {
  int count = 0;
  for (int c = 0; c < table->columns; c++) count += c != order && !fw_harmonics_is_beside(table->column_names[c]);
  return count;
}

static fw_status take_table(const fw_identify_job *job, const fw_item *data, fw_data_table *table, fw_harmonics *h) {
  int order = fw_data_table_column(table, "harmonic"), at = 0;
  FW_TRY(check_orders(job->ctx, data, table, order));
  h->orders = (int)table->rows;
  h->sensors = count_sensors(table, order);
  if (h->sensors == 0) return fw_channels_fail(job->ctx, data, "there is no column of a sensor");
  size_t all = (size_t)h->orders * (size_t)h->sensors;
  bool phases = false;
  for (int c = 0; c < table->columns; c++)
    phases |= is_phase(table->column_names[c]) && strcmp(table->column_names[c], "force.phase") != 0;
  FW_TRY(fw_alloc(job->ctx, (size_t)h->sensors, sizeof *h->sensor, &h->sensor));
  FW_TRY(fw_alloc(job->ctx, all, sizeof *h->amplitude, &h->amplitude));
  if (phases) FW_TRY(fw_alloc(job->ctx, all, sizeof *h->value, &h->value));
  for (int c = 0; c < table->columns; c++) h->given |= ends_with(table->column_names[c], ".deviation");
  if (h->given) FW_TRY(fw_alloc(job->ctx, all, sizeof *h->spread, &h->spread));
  double force = phase_of_force(table);
  for (int c = 0; c < table->columns; c++) {
    if (c == order || fw_harmonics_is_beside(table->column_names[c])) continue;
    int phase = column_beside(table, table->column_names[c], "phase");
    FW_TRY(check_column(job, data, table, c, phases));
    h->sensor[at] = find_sensor(job->built->model, table->column_names[c]);
    FW_TRY(check_new(job, data, table->column_names[c], at, h));
    FW_TRY(take_deviations(job, data, table, c, at, h));
    for (int r = 0; r < h->orders; r++) {
      double size = table->values[c][r];
      h->amplitude[r * h->sensors + at] = size;
      if (!phases) continue;
      double angle = degree * (table->values[phase][r] - (r + 1) * force);
      h->value[r * h->sensors + at] = size * cexp(_Complex_I * angle);
    }
    at++;
  }
  return FW_OK;
}

static fw_status read_table(const fw_identify_job *job, const fw_item *data, fw_harmonics *h) {
  fw_sink *sink;
  fw_data_table *table;
  FW_TRY(fw_compare_conditions(job->ctx, fw_args_text(&data->args, "file"), &h->level, &h->frequency));
  if (isnan(h->level) || isnan(h->frequency))
    return fw_channels_fail(job->ctx, data, "no comment says \"drive ... N at ... Hz\"");
  FW_TRY(fw_sink_create(job->ctx, &sink));
  fw_status status = fw_channels_read(job->ctx, data, sink, &table);
  if (status == FW_OK) status = take_table(job, data, table, h);
  fw_sink_destroy(&sink);
  return status;
}

fw_status fw_harmonics_read(const fw_identify_job *job, int orders, int windows, fw_harmonics *h) {
  const fw_item *list[2], *data;
  int count;
  *h = (fw_harmonics){.deviation = NAN};
  FW_TRY(fw_identify_data_list(job, list, 2, &count));
  bool signals = count == 1 && strcmp(list[0]->name, "signals") == 0;
  FW_TRY(fw_identify_data(job, signals ? "signals" : "harmonics", &data));
  if (fw_args_given(&data->args, "deviation")) h->deviation = fw_args_number(&data->args, "deviation");
  fw_status status = signals ? fw_spectrum_read(job, data, orders, windows, h) : read_table(job, data, h);
  if (status != FW_OK) fw_harmonics_clear(h);
  return status;
}

fw_status fw_harmonics_tell(fw_identify_job *job, const fw_harmonics *h) {
  fw_sheet sheet = fw_sheet_of(job->ctx, job->sink, job->id);
  if (!h->amplitude_error) return FW_OK;
  fw_sheet_column(&sheet, "", "harmonic");
  for (int j = 0; j < h->sensors; j++) {
    const char *id = job->built->model->sensors[h->sensor[j]].id;
    fw_sheet_column(&sheet, "m/s^2", "%s", id);
    fw_sheet_column(&sheet, "deg", "%s.phase", id);
    fw_sheet_column(&sheet, "%", "%s.amplitude-error", id);
    fw_sheet_column(&sheet, "deg", "%s.phase-error", id);
  }
  fw_status status = fw_sheet_open(&sheet, "harmonics");
  for (int r = 1; r <= h->orders && status == FW_OK; r++) {
    fw_sheet_put(&sheet, r);
    for (int j = 0; j < h->sensors; j++) {
      int at = (r - 1) * h->sensors + j;
      fw_sheet_put(&sheet, h->amplitude[at]);
      fw_sheet_put(&sheet, carg(h->value[at]) / degree);
      fw_sheet_put(&sheet, 100 * h->amplitude_error[at]);
      fw_sheet_put(&sheet, h->phase_error[at]);
    }
    status = fw_sheet_row(&sheet);
  }
  fw_sheet_close(&sheet);
  return status;
}

/* ---- limits of the sensors --------------------------------------------------------------- */

/* Sensors whose harmonic r lies below that part of their limit. */
static int count_below(const fw_harmonics *h, const fw_value *limits, int r, double part) {
  int count = 0;
  for (int j = 0; j < h->sensors; j++)
    count += h->amplitude[(r - 1) * h->sensors + j] < part * limits->numbers[limits->count > 1 ? j : 0];
  return count;
}

/* Below 0.4 of its limit a sensor is not to be trusted, below 0.2 it reads noise. */
fw_status fw_harmonics_tell_limits(fw_identify_job *job, const fw_harmonics *h, const fw_value *limits) {
  if (limits->count == 0) return FW_OK;
  for (int r = 1; r <= h->orders; r++) {
    int doubtful = count_below(h, limits, r, 0.4), noise = count_below(h, limits, r, 0.2);
    FW_TRY(fw_record_set_number(job->summary, doubtful, "limits[%d].below_40_percent", r - 1));
    FW_TRY(fw_record_set_number(job->summary, noise, "limits[%d].below_20_percent", r - 1));
    if (noise == h->sensors)
      FW_TRY(fw_identify_warn(job, "harmonic %d is noise: all %d sensors read less than 0.2 of their limit", r, noise));
    else if (doubtful == h->sensors)
      FW_TRY(fw_identify_warn(job, "harmonic %d is doubtful: all %d sensors read less than 0.4 of their limit", r,
                              doubtful));
  }
  return FW_OK;
}
