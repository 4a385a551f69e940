/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/channels.h"

void fw_signal_clear(fw_signal *signal) {
  free(signal->t);
  free(signal->x);
  *signal = (fw_signal){0};
}

/* ---- the data of a job ------------------------------------------------------------------- */

fw_status fw_identify_data(const fw_identify_job *job, const char *kind, const fw_item **data) {
  const fw_item *list[2];
  int count;
  FW_TRY(fw_identify_data_list(job, list, 2, &count));
  if (count != 1)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place, "attribute 'data': the name of one <%s> is needed",
                      kind);
  *data = list[0];
  if (strcmp((*data)->name, kind) != 0)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place, "attribute 'data': '%s' is <%s>, not <%s>",
                      fw_args_text(&(*data)->args, "id"), (*data)->name, kind);
  return FW_OK;
}

/* ---- columns ----------------------------------------------------------------------------- */

static bool is_time(const char *name) { return strcmp(name, "time") == 0 || strcmp(name, "t") == 0; }

/* Length of the sensor's name in "SENSOR.deviation", or 0. */
static size_t deviation_of(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && strcmp(dot, ".deviation") == 0 ? (size_t)(dot - name) : 0;
}

static const fw_sensor *find_sensor(const fw_model *model, const char *name) {
  char cut[256];
  size_t length = deviation_of(name);
  snprintf(cut, sizeof cut, "%.*s", (int)(length ? length : strlen(name)), name);
  int found = fw_model_sensor(model, cut);
  return found < 0 ? NULL : &model->sensors[found];
}

static fw_status unknown_column(const fw_identify_job *job, const fw_item *data, const char *name) {
  const fw_model *model = job->built->model;
  const char **names;
  FW_TRY(fw_alloc(job->ctx, (size_t)model->sensor_count + 3, sizeof *names, &names));
  for (int i = 0; i < model->sensor_count; i++) names[i] = model->sensors[i].id;
  names[model->sensor_count] = "time";
  names[model->sensor_count + 1] = "force";
  const char *near = fw_nearest(names, name);
  free(names);
  return fw_channels_fail(job->ctx, data, "column '%s' is neither time, force nor a sensor of the deck%s%s%s", name,
                          near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Checks every column and turns it into SI; *clock is the column of time. */
static fw_status check_columns(const fw_identify_job *job, const fw_item *data, fw_data_table *table, int *clock) {
  *clock = -1;
  for (int c = 0; c < table->columns; c++) {
    const char *name = table->column_names[c], *unit = "N";
    if (is_time(name)) {
      *clock = c;
      unit = "s";
    } else if (strcmp(name, "force") != 0) {
      const fw_sensor *sensor = find_sensor(job->built->model, name);
      if (!sensor) return unknown_column(job, data, name);
      unit = fw_sensor_unit(sensor);
    }
    FW_TRY(fw_channels_to_si(job->ctx, data, table, c, unit));
    if (!deviation_of(name)) FW_TRY(fw_channels_check(job->ctx, data, table, c));
  }
  if (*clock < 0) return fw_channels_fail(job->ctx, data, "there is no column 'time'");
  return fw_channels_check_clock(job->ctx, data, table, *clock);
}

/* The column of a sensor; `name` NULL: of the only one. */
static fw_status choose_column(const fw_identify_job *job, const fw_item *data, const fw_data_table *table,
                               const char *name, int *column) {
  int found = 0;
  for (int c = 0; c < table->columns; c++) {
    const char *own = table->column_names[c];
    if (is_time(own) || strcmp(own, "force") == 0 || deviation_of(own)) continue;
    if (name && strcmp(own, name) != 0) continue;
    *column = c;
    found++;
  }
  if (found == 1) return FW_OK;
  if (name) return fw_channels_fail(job->ctx, data, "there is no column '%s'", name);
  return fw_channels_fail(job->ctx, data, "%d columns of sensors: attribute 'sensor' must say which", found);
}

static double mean_of(const fw_data_table *table, int column) {
  double sum = 0.0;
  for (size_t r = 0; r < table->rows; r++) sum += table->values[column][r];
  return sum / (double)table->rows;
}

/* As a column or an attribute says it. */
static double read_deviation(const fw_item *data, const fw_data_table *table, int column) {
  char name[300];
  snprintf(name, sizeof name, "%s.deviation", table->column_names[column]);
  int own = fw_data_table_column(table, name);
  if (own >= 0) return mean_of(table, own);
  return fw_args_given(&data->args, "deviation") ? fw_args_number(&data->args, "deviation") : NAN;
}

/* ---- signals ----------------------------------------------------------------------------- */

static fw_status take_columns(fw_context *ctx, const fw_data_table *table, int clock, int column, fw_signal *signal) {
  FW_TRY(fw_alloc(ctx, table->rows, sizeof *signal->t, &signal->t));
  FW_TRY(fw_alloc(ctx, table->rows, sizeof *signal->x, &signal->x));
  signal->count = table->rows;
  memcpy(signal->t, table->values[clock], table->rows * sizeof *signal->t);
  memcpy(signal->x, table->values[column], table->rows * sizeof *signal->x);
  return FW_OK;
}

static fw_status check_quantity(const fw_identify_job *job, const fw_item *data, const char *name,
                                fw_quantity quantity) {
  static const char *const words[] = {"displacement", "velocity", "acceleration"};
  const fw_sensor *sensor = find_sensor(job->built->model, name);
  if (!sensor || sensor->quantity == quantity) return FW_OK;
  return fw_channels_fail(job->ctx, data, "sensor '%s' reads %s; %s is needed", name, words[sensor->quantity],
                          words[quantity]);
}

fw_status fw_signals_table(const fw_identify_job *job, const fw_item *data, fw_sink *sink, fw_data_table **table,
                           int *clock) {
  FW_TRY(fw_channels_read(job->ctx, data, sink, table));
  return check_columns(job, data, *table, clock);
}

static fw_status read_channel(const fw_identify_job *job, const fw_item *data, const char *sensor, fw_quantity quantity,
                              fw_sink *sink, fw_signal *signal) {
  fw_data_table *table;
  int clock, column = 0;
  FW_TRY(fw_signals_table(job, data, sink, &table, &clock));
  FW_TRY(choose_column(job, data, table, sensor, &column));
  FW_TRY(check_quantity(job, data, table->column_names[column], quantity));
  signal->deviation = read_deviation(data, table, column);
  return take_columns(job->ctx, table, clock, column, signal);
}

fw_status fw_signals_read(const fw_identify_job *job, const fw_item *data, const char *sensor, fw_quantity quantity,
                          fw_signal *signal) {
  fw_sink *sink;
  *signal = (fw_signal){.deviation = NAN};
  FW_TRY(fw_sink_create(job->ctx, &sink));
  fw_status status = read_channel(job, data, sensor, quantity, sink, signal);
  fw_sink_destroy(&sink);
  if (status != FW_OK) fw_signal_clear(signal);
  return status;
}

/* Rows of a history that repeat a time (both sides of an impact) count once. */
static void drop_repeated(fw_signal *signal) {
  size_t kept = 0;
  for (size_t r = 0; r < signal->count; r++) {
    if (kept > 0 && !(signal->t[r] > signal->t[kept - 1])) continue;
    signal->t[kept] = signal->t[r];
    signal->x[kept++] = signal->x[r];
  }
  signal->count = kept;
}

fw_status fw_signals_history(const fw_identify_job *job, const char *analysis, const char *sensor, fw_signal *signal) {
  *signal = (fw_signal){.deviation = NAN};
  const fw_data_table *table = job->computed ? fw_sink_find(job->computed, analysis, "history") : NULL;
  if (!table || table->rows == 0)
    return fw_fail_at(job->ctx, FW_ERR_ANALYSIS, job->common->place, "analysis '%s' has left no history", analysis);
  int clock = fw_data_table_column(table, "time");
  int column = fw_data_table_column(table, "displacement"); /* of a ring-down */
  if (column < 0) column = sensor ? fw_data_table_column(table, sensor) : table->columns == 2 ? 1 : -1;
  if (clock < 0 || column < 0)
    return fw_fail_at(job->ctx, FW_ERR_ANALYSIS, job->common->place,
                      "the history of analysis '%s' has several sensors: attribute 'sensor' must say which", analysis);
  FW_TRY(take_columns(job->ctx, table, clock, column, signal));
  drop_repeated(signal);
  return FW_OK;
}

void fw_signal_cut(fw_signal *signal, double from, double to) {
  size_t kept = 0;
  for (size_t r = 0; r < signal->count; r++) {
    if (signal->t[r] < from || signal->t[r] > to) continue; /* NaN: neither */
    signal->t[kept] = signal->t[r];
    signal->x[kept++] = signal->x[r];
  }
  signal->count = kept;
}
