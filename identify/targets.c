/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/targets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/figures.h"
#include "contact/pair.h"
#include "core/unknown.h"
#include "identify/channels.h"
#include "identify/harmonics.h"
#include "output/compare.h"

void fw_targets_clear(fw_targets *targets) {
  free(targets->list);
  free(targets->criteria);
  *targets = (fw_targets){0};
}

fw_status fw_targets_add(const fw_identify_job *job, const fw_item *data, fw_targets *targets,
                         const fw_target *target) {
  if (!isfinite(target->value)) return FW_OK; /* an empty cell: not measured */
  if (!(target->deviation > 0.0 && isfinite(target->deviation)))
    return fw_channels_fail(job->ctx, data, "the deviation of %s at level %g is %g: not above 0", target->column,
                            target->level, target->deviation);
  FW_TRY(fw_grow(job->ctx, targets->count, &targets->room, sizeof *targets->list, &targets->list));
  targets->list[targets->count++] = *target;
  return FW_OK;
}

/* Deviation of a value: of its row, of the data, or a part of the value. That of <resonance> is one of frequencies. */
static void give_deviation(const fw_item *data, const fw_data_table *table, size_t row, const char *column,
                           double percent, fw_target *target) {
  char name[FW_TARGET_NAME + 16];
  snprintf(name, sizeof name, "%s.deviation", column);
  int own = fw_data_table_column(table, name);
  bool given =
      fw_args_given(&data->args, "deviation") && strcmp(column, "amplitude") != 0 && strcmp(column, "bandwidth") != 0;
  target->assumed = own < 0 && !given;
  target->deviation = own >= 0 ? table->values[own][row]
                      : given  ? fw_args_number(&data->args, "deviation")
                               : 0.01 * percent * fabs(target->value);
}

/* ---- resonances -------------------------------------------------------------------------- */

/* Columns of <resonance> beside level, frequency and amplitude: figures of the contact. */
static const struct {
  const char *name, *si;
  fw_contact_figure_index figure;
} contact_columns[] = {{"slip", "m", FW_SLIP_AMPLITUDE},
                       {"slip_velocity", "m/s", FW_SLIP_VELOCITY_MAX},
                       {"friction", "N", FW_TANGENTIAL_MAX},
                       {"normal", "N", FW_NORMAL_MAX}};
enum { CONTACT_COLUMNS = sizeof contact_columns / sizeof *contact_columns };

static bool is_known(const char *name) {
  static const char *const others[] = {"force",     "level",
                                       "frequency", "frequency.deviation",
                                       "amplitude", "amplitude.deviation",
                                       "bandwidth", "bandwidth.deviation"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(others[i], name) == 0) return true;
  for (int i = 0; i < CONTACT_COLUMNS; i++)
    if (strcmp(contact_columns[i].name, name) == 0) return true;
  return false;
}

static fw_status check_columns(const fw_identify_job *job, const fw_item *data, const fw_data_table *table) {
  for (int c = 0; c < table->columns; c++)
    if (!is_known(table->column_names[c]))
      return fw_channels_fail(
          job->ctx, data,
          "column '%s' is none of force (or level), frequency, amplitude, bandwidth, slip, slip_velocity, "
          "friction, normal and their deviations",
          table->column_names[c]);
  return FW_OK;
}

static fw_status read_criterion(const fw_identify_job *job, const fw_item *data, fw_data_table *table, int level,
                                int which, fw_targets *targets) {
  int column = fw_data_table_column(table, contact_columns[which].name);
  if (column < 0) return FW_OK;
  if (job->built->model->pair_count != 1)
    return fw_channels_fail(job->ctx, data, "column '%s' asks for a model with one pair; there are %d",
                            contact_columns[which].name, job->built->model->pair_count);
  FW_TRY(fw_channels_to_si(job->ctx, data, table, column, contact_columns[which].si));
  for (size_t r = 0; r < table->rows; r++) {
    fw_target target = {.level = table->values[level][r], .value = table->values[column][r]};
    if (!isfinite(target.value)) continue;
    snprintf(target.column, sizeof target.column, "%.40s.%s", job->built->model->pairs[0]->id,
             fw_contact_figures[contact_columns[which].figure].name);
    snprintf(target.unit, sizeof target.unit, "%s", contact_columns[which].si);
    FW_TRY(fw_grow(job->ctx, targets->criteria_count, &targets->criteria_room, sizeof *targets->criteria,
                   &targets->criteria));
    targets->criteria[targets->criteria_count++] = target;
  }
  return FW_OK;
}

static fw_status read_bandwidth(const fw_identify_job *job, const fw_item *data, const fw_data_table *table, size_t r,
                                const fw_targets_options *options, fw_target target, fw_targets *targets) {
  int column = fw_data_table_column(table, "bandwidth");
  if (column < 0) return FW_OK;
  target.kind = FW_TARGET_BANDWIDTH;
  snprintf(target.column, sizeof target.column, "bandwidth");
  snprintf(target.unit, sizeof target.unit, "Hz");
  target.value = table->values[column][r];
  give_deviation(data, table, r, "bandwidth", options->amplitude_percent, &target);
  return fw_targets_add(job, data, targets, &target);
}

/* Frequency, amplitude and bandwidth of a row. */
static fw_status read_row(const fw_identify_job *job, const fw_item *data, const fw_data_table *table, size_t r,
                          int level, const fw_targets_options *options, fw_targets *targets) {
  int frequency = fw_data_table_column(table, "frequency"), amplitude = fw_data_table_column(table, "amplitude");
  fw_target target = {
      .level = table->values[level][r], .column = "frequency", .unit = "Hz", .value = table->values[frequency][r]};
  if (!(target.level > 0.0)) return fw_channels_fail(job->ctx, data, "row %zu has no level of the drive", r + 1);
  give_deviation(data, table, r, "frequency", options->frequency_percent, &target);
  FW_TRY(fw_targets_add(job, data, targets, &target));
  FW_TRY(read_bandwidth(job, data, table, r, options, target, targets));
  if (amplitude < 0) return FW_OK;
  snprintf(target.column, sizeof target.column, "%.70s.amplitude", options->response);
  snprintf(target.unit, sizeof target.unit, "m");
  target.value = table->values[amplitude][r];
  give_deviation(data, table, r, "amplitude", options->amplitude_percent, &target);
  return fw_targets_add(job, data, targets, &target);
}

/* A column and that of its deviation, where they are. */
static fw_status convert(const fw_identify_job *job, const fw_item *data, fw_data_table *table, const char *name,
                         const char *si) {
  char own[64];
  snprintf(own, sizeof own, "%s.deviation", name);
  int column = fw_data_table_column(table, name), deviation = fw_data_table_column(table, own);
  if (column >= 0) FW_TRY(fw_channels_to_si(job->ctx, data, table, column, si));
  return deviation < 0 ? FW_OK : fw_channels_to_si(job->ctx, data, table, deviation, si);
}

static fw_status read_resonances(const fw_identify_job *job, const fw_item *data, fw_data_table *table,
                                 const fw_targets_options *options, fw_targets *targets) {
  int level = fw_data_table_column(table, "force"), frequency = fw_data_table_column(table, "frequency");
  if (level < 0) level = fw_data_table_column(table, "level");
  if (level < 0 || frequency < 0)
    return fw_channels_fail(job->ctx, data, "the columns force (or level) and frequency are needed");
  FW_TRY(check_columns(job, data, table));
  if (fw_data_table_column(table, "bandwidth") >= 0 && !options->curves)
    return fw_channels_fail(job->ctx, data, "column 'bandwidth' asks for an <frf>: attribute 'curves' names none");
  FW_TRY(convert(job, data, table, "frequency", "Hz"));
  FW_TRY(convert(job, data, table, "amplitude", "m"));
  FW_TRY(convert(job, data, table, "bandwidth", "Hz"));
  for (size_t r = 0; r < table->rows; r++) FW_TRY(read_row(job, data, table, r, level, options, targets));
  for (int k = 0; k < CONTACT_COLUMNS; k++) FW_TRY(read_criterion(job, data, table, level, k, targets));
  return FW_OK;
}

/* ---- harmonics --------------------------------------------------------------------------- */

static const fw_sensor *sensor_of(const fw_model *model, const char *column) {
  for (int i = 0; i < model->sensor_count; i++)
    if (model->sensors[i].quantity == FW_ACCELERATION && fw_compare_belongs(column, model->sensors[i].id))
      return &model->sensors[i];
  return NULL;
}

static fw_status read_harmonics(const fw_identify_job *job, const fw_item *data, fw_data_table *table,
                                const fw_targets_options *options, fw_targets *targets) {
  double level, frequency;
  int order = fw_data_table_column(table, "harmonic");
  FW_TRY(fw_compare_conditions(job->ctx, fw_args_text(&data->args, "file"), &level, &frequency));
  if (isnan(level)) return fw_channels_fail(job->ctx, data, "no comment says \"drive ... N at ... Hz\"");
  if (order < 0) return fw_channels_fail(job->ctx, data, "there is no column 'harmonic'");
  for (int c = 0; c < table->columns; c++) {
    if (c == order || fw_harmonics_is_beside(table->column_names[c])) continue;
    const fw_sensor *sensor = sensor_of(job->built->model, table->column_names[c]);
    if (!sensor)
      return fw_channels_fail(job->ctx, data, "column '%s' is no sensor of acceleration of the deck",
                              table->column_names[c]);
    FW_TRY(convert(job, data, table, table->column_names[c], "m/s^2"));
    for (size_t r = 0; r < table->rows; r++) {
      int k = (int)table->values[order][r];
      fw_target target = {.level = level, .unit = "m/s^2", .value = table->values[c][r]};
      if (k < 1 || k > options->harmonics) continue;
      snprintf(target.column, sizeof target.column, k > 1 ? "%.70s.amplitude-%d" : "%.70s.amplitude", sensor->id, k);
      give_deviation(data, table, r, table->column_names[c], options->amplitude_percent, &target);
      FW_TRY(fw_targets_add(job, data, targets, &target));
    }
  }
  return FW_OK;
}

/* ---- all of them ------------------------------------------------------------------------- */

static fw_status read_one(const fw_identify_job *job, const fw_item *data, const fw_targets_options *options,
                          fw_targets *targets) {
  fw_sink *sink;
  fw_data_table *table;
  FW_TRY(fw_sink_create(job->ctx, &sink));
  fw_status status = fw_channels_read(job->ctx, data, sink, &table);
  if (status == FW_OK && strcmp(data->name, "resonance") == 0)
    status = read_resonances(job, data, table, options, targets);
  else if (status == FW_OK && strcmp(data->name, "harmonics") == 0)
    status = read_harmonics(job, data, table, options, targets);
  else if (status == FW_OK && strcmp(data->name, "frf") == 0)
    status = fw_targets_read_response(job, data, table, options, targets);
  else if (status == FW_OK)
    status = fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place,
                        "attribute 'data': '%s' is <%s>; <resonance>, <harmonics> or <frf> are needed",
                        fw_args_text(&data->args, "id"), data->name);
  fw_sink_destroy(&sink);
  return status;
}

fw_status fw_targets_read(const fw_identify_job *job, const fw_targets_options *options, fw_targets *targets) {
  const fw_item *list[64];
  int count;
  *targets = (fw_targets){0};
  FW_TRY(fw_identify_data_list(job, list, 64, &count));
  fw_status status = FW_OK;
  for (int i = 0; i < count && status == FW_OK; i++) status = read_one(job, list[i], options, targets);
  if (status == FW_OK && targets->count == 0)
    status = fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place, "attribute 'data': there is nothing to meet");
  if (status != FW_OK) fw_targets_clear(targets);
  return status;
}

/* ---- curves ------------------------------------------------------------------------------ */

double fw_resonance_curve_at(const fw_data_table *curve, const char *column, double level) {
  int l = fw_data_table_column(curve, "level"), c = fw_data_table_column(curve, column);
  if (l < 0 || c < 0) return fw_unknown();
  const double *x = curve->values[l], *y = curve->values[c];
  for (size_t r = 0; r < curve->rows; r++) {
    if (x[r] == level) return y[r];
    if (r == 0 || (x[r] - level) * (x[r - 1] - level) > 0.0) continue;
    return y[r - 1] + (level - x[r - 1]) / (x[r] - x[r - 1]) * (y[r] - y[r - 1]);
  }
  return fw_unknown();
}

double fw_resonance_curve_reach(const fw_data_table *curve) {
  int l = fw_data_table_column(curve, "level");
  double most = 0.0;
  for (size_t r = 0; l >= 0 && r < curve->rows; r++) most = fmax(most, curve->values[l][r]);
  return most;
}
