/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Targets of whole response curves: <frf>, amplitudes and perhaps phases of sensors over frequency at one level. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "identify/channels.h"
#include "identify/targets.h"

typedef struct reading {
  const fw_identify_job *job;
  const fw_item *data;
  fw_data_table *table;
  const fw_targets_options *options;
  fw_targets *targets;
  double level;
} reading;

/* ---- what the <frf> analysis covers ------------------------------------------------------- */

static fw_status check_level(const reading *r) {
  const fw_value *levels = fw_args_value(&r->options->curves->entry_args, "levels");
  for (int i = 0; i < levels->count; i++)
    if (fabs(levels->numbers[i] - r->level) <= 1e-9 * fabs(r->level)) return FW_OK;
  return fw_channels_fail(r->job->ctx, r->data, "was measured at level %g, which is none of the levels of <frf> '%s'",
                          r->level, fw_args_text(&r->options->curves->args, "id"));
}

static fw_status check_range(const reading *r) {
  const fw_args *args = &r->options->curves->entry_args;
  double low = fw_args_number(args, "f-min"), high = fw_args_number(args, "f-max");
  const double *f = r->table->values[0];
  for (size_t row = 0; row < r->table->rows; row++) {
    if (f[row] >= low && f[row] <= high) continue;
    return fw_channels_fail(r->job->ctx, r->data, "row %zu, %g Hz, is outside <frf> '%s', %g to %g Hz", row + 1, f[row],
                            fw_args_text(&r->options->curves->args, "id"), low, high);
  }
  return FW_OK;
}

/* ---- columns ------------------------------------------------------------------------------ */

/* What a column is: WHAT ("amplitude", "phase") of a sensor; without a sensor of the response. NULL: neither, nor a
 * deviation. */
static const fw_sensor *sensor_of(const reading *r, const char *column, const char *what) {
  char name[FW_TARGET_NAME];
  const fw_model *model = r->job->built->model;
  if (strcmp(column, what) == 0) return &model->sensors[fw_model_sensor(model, r->options->response)];
  for (int i = 0; i < model->sensor_count; i++) {
    snprintf(name, sizeof name, "%.70s.%s", model->sensors[i].id, what);
    if (strcmp(name, column) == 0) return &model->sensors[i];
  }
  return NULL;
}

/* The column of a value whose deviations this column has; -1: it has none. */
static int deviates(const reading *r, const char *column) {
  char of[FW_TARGET_NAME];
  const char *tail = strstr(column, ".deviation");
  if (!tail || tail[strlen(".deviation")]) return -1;
  snprintf(of, sizeof of, "%.*s", (int)(tail - column), column);
  return fw_data_table_column(r->table, of);
}

static double deviation_at(const reading *r, int column, size_t row, bool phase, bool *assumed) {
  double value = r->table->values[column][row];
  for (int c = 1; c < r->table->columns; c++)
    if (deviates(r, r->table->column_names[c]) == column) return r->table->values[c][row];
  if (!phase && fw_args_given(&r->data->args, "deviation")) return fw_args_number(&r->data->args, "deviation");
  *assumed = true;
  return phase ? r->options->phase_degrees : 0.01 * r->options->amplitude_percent * fabs(value);
}

static fw_status read_column(const reading *r, int column, const fw_sensor *sensor, bool phase) {
  for (size_t row = 0; row < r->table->rows; row++) {
    fw_target target = {.kind = FW_TARGET_RESPONSE,
                        .level = r->level,
                        .frequency = r->table->values[0][row],
                        .value = r->table->values[column][row]};
    snprintf(target.column, sizeof target.column, "%.70s.%s", sensor->id, phase ? "phase" : "amplitude");
    snprintf(target.unit, sizeof target.unit, "%s", phase ? "deg" : fw_sensor_unit(sensor));
    target.deviation = deviation_at(r, column, row, phase, &target.assumed);
    FW_TRY(fw_targets_add(r->job, r->data, r->targets, &target));
  }
  return FW_OK;
}

static fw_status take_column(const reading *r, int column) {
  const char *name = r->table->column_names[column];
  int of = deviates(r, name);
  const char *value = of > 0 ? r->table->column_names[of] : name;
  const fw_sensor *amplitude = sensor_of(r, value, "amplitude"), *phase = sensor_of(r, value, "phase");
  if (!amplitude && !phase)
    return fw_channels_fail(r->job->ctx, r->data,
                            "column '%s' is neither amplitude nor phase of a sensor of the deck (SENSOR.amplitude, "
                            "SENSOR.phase), nor a deviation of one",
                            name);
  FW_TRY(fw_channels_to_si(r->job->ctx, r->data, r->table, column, amplitude ? fw_sensor_unit(amplitude) : "deg"));
  if (of > 0) return FW_OK;
  return fw_channels_check(r->job->ctx, r->data, r->table, column);
}

static fw_status read_columns(const reading *r) {
  for (int c = 1; c < r->table->columns; c++) FW_TRY(take_column(r, c));
  for (int c = 1; c < r->table->columns; c++) {
    const fw_sensor *amplitude = sensor_of(r, r->table->column_names[c], "amplitude"),
                    *phase = sensor_of(r, r->table->column_names[c], "phase");
    if (amplitude || phase) FW_TRY(read_column(r, c, amplitude ? amplitude : phase, phase != NULL));
  }
  return FW_OK;
}

fw_status fw_targets_read_response(const fw_identify_job *job, const fw_item *data, fw_data_table *table,
                                   const fw_targets_options *options, fw_targets *targets) {
  reading r = {job, data, table, options, targets, NAN};
  if (!options->curves)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->args->place,
                      "attribute 'data': '%s' is an <frf>: attribute 'curves' names no analysis that computes it",
                      fw_args_text(&data->args, "id"));
  if (strcmp(table->column_names[0], "frequency") != 0 || table->columns < 2)
    return fw_channels_fail(job->ctx, data, "the first column is to be frequency, others SENSOR.amplitude");
  FW_TRY(fw_channels_to_si(job->ctx, data, table, 0, "Hz"));
  FW_TRY(fw_channels_check_gaps(job->ctx, data, table, 0));
  FW_TRY(fw_channels_level(job->ctx, data, &r.level));
  FW_TRY(check_level(&r));
  FW_TRY(check_range(&r));
  return read_columns(&r);
}
