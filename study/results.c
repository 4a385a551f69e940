/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/results.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "output/csv.h"
#include "output/files.h"
#include "output/vtk.h"

/* ---- tables ------------------------------------------------------------------------------ */

/* The same numbers with all their digits, so that equal tables are equal files. */
static fw_status write_csv(fw_context *ctx, const fw_data_table *table, const char *path) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  fw_csv_header(out, table);
  for (size_t r = 0; r < table->rows; r++)
    for (int c = 0; c < table->columns; c++) {
      double value = table->values[c][r];
      if (isfinite(value)) fprintf(out, "%.17g", value);
      fputc(c + 1 < table->columns ? ',' : '\n', out);
    }
  fw_status status = fclose(out) == 0 ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (status == FW_OK) status = fw_file_write(ctx, path, text, length);
  free(text);
  return status;
}

static fw_status write_table(fw_context *ctx, const fw_data_table *table, const char *folder) {
  char *safe = NULL, name[512], *csv = NULL, *vtt = NULL;
  fw_status status;
  FW_TRY_DONE(fw_path_safe(ctx, table->name, &safe));
  snprintf(name, sizeof name, "%.500s.csv", safe);
  FW_TRY_DONE(fw_path_join(ctx, folder, name, &csv));
  snprintf(name, sizeof name, "%.500s.vtt", safe);
  FW_TRY_DONE(fw_path_join(ctx, folder, name, &vtt));
  FW_TRY_DONE(write_csv(ctx, table, csv));
  FW_TRY_DONE(fw_vtk_write_table(ctx, table, vtt));
done:
  free(safe);
  free(csv);
  free(vtt);
  return status;
}

static fw_status fill_samples(fw_context *ctx, const fw_study *study, const fw_samples *samples, fw_sink *sink,
                              fw_data_table *table) {
  double *row;
  fw_status status = FW_OK;
  int d = study->factor_count;
  FW_TRY(fw_alloc(ctx, (size_t)table->columns, sizeof *row, &row));
  for (long i = 0; i < samples->count && status == FW_OK; i++) {
    if (samples->states[i] == FW_SAMPLE_OPEN) continue;
    row[0] = (double)i;
    memcpy(row + 1, study->values + i * d, (size_t)d * sizeof *row);
    memcpy(row + 1 + d, samples->results + i * samples->columns, (size_t)study->figure_count * sizeof *row);
    row[table->columns - 1] = samples->states[i];
    status = fw_sink_row(sink, ctx, table, row);
  }
  free(row);
  return status;
}

static fw_status make_samples(fw_context *ctx, const fw_study *study, const fw_samples *samples, fw_sink *sink,
                              fw_data_table **table) {
  int count = 2 + study->factor_count + study->figure_count;
  fw_column *columns;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *columns, &columns));
  columns[0] = (fw_column){"sample", ""};
  for (int k = 0; k < study->factor_count; k++)
    columns[1 + k] = (fw_column){study->factors[k].name, study->factors[k].unit};
  for (int i = 0; i < study->figure_count; i++)
    columns[1 + study->factor_count + i] = (fw_column){study->figures[i].name, study->figures[i].unit};
  columns[count - 1] = (fw_column){"state", ""};
  fw_status status = fw_sink_table(sink, ctx, study->id, "samples", columns, count, false, table);
  free(columns);
  return status == FW_OK ? fill_samples(ctx, study, samples, sink, *table) : status;
}

fw_status fw_fan_bands(fw_context *ctx, const fw_samples *samples, const fw_fan *fan, int point,
                       double bands[FW_FAN_BANDS]) {
  static const double places[FW_FAN_BANDS] = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
  double *sorted;
  size_t n = 0;
  FW_TRY(fw_alloc(ctx, (size_t)samples->count, sizeof *sorted, &sorted));
  for (long i = 0; i < samples->count; i++) {
    double y = samples->results[i * samples->columns + fan->column + point];
    if (isfinite(y)) sorted[n++] = y;
  }
  gsl_sort(sorted, 1, n);
  for (int b = 0; b < FW_FAN_BANDS; b++)
    bands[b] = n ? gsl_stats_quantile_from_sorted_data(sorted, 1, n, places[b]) : fw_unknown();
  free(sorted);
  return FW_OK;
}

static fw_status make_fan(fw_context *ctx, const fw_study *study, const fw_samples *samples, const fw_fan *fan,
                          fw_sink *sink, fw_data_table **table) {
  const fw_column columns[] = {{fan->x, ""},   {"min", ""}, {"p05", ""}, {"p25", ""},
                               {"median", ""}, {"p75", ""}, {"p95", ""}, {"max", ""}};
  FW_TRY(fw_sink_table(sink, ctx, study->id, fan->name, columns, 1 + FW_FAN_BANDS, false, table));
  for (int p = 0; p < fan->points; p++) {
    double row[1 + FW_FAN_BANDS] = {fw_fan_x(fan, p)};
    FW_TRY(fw_fan_bands(ctx, samples, fan, p, row + 1));
    FW_TRY(fw_sink_row(sink, ctx, *table, row));
  }
  return FW_OK;
}

/* The tables are built in a sink without files: a directory sink would write every row by itself. */
fw_status fw_study_tables(fw_context *ctx, const fw_study *study, const fw_samples *samples, fw_sink *sink,
                          const char *folder) {
  fw_data_table *table;
  FW_TRY(make_samples(ctx, study, samples, sink, &table));
  if (folder) FW_TRY(write_table(ctx, table, folder));
  for (int i = 0; i < study->fan_count; i++) {
    FW_TRY(make_fan(ctx, study, samples, &study->fans[i], sink, &table));
    if (folder) FW_TRY(write_table(ctx, table, folder));
  }
  return FW_OK;
}

/* ---- summary ----------------------------------------------------------------------------- */

static fw_status summarise_spread(fw_context *ctx, const fw_samples *samples, const fw_figure *figure, int column,
                                  fw_record *to) {
  fw_spread s;
  FW_TRY(fw_spread_of(ctx, samples, column, &s));
  const struct {
    const char *name;
    double value;
  } all[] = {{"count", (double)s.count},
             {"mean", s.mean},
             {"deviation", s.deviation},
             {"min", s.min},
             {"p05", s.p05},
             {"median", s.median},
             {"p95", s.p95},
             {"max", s.max}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    FW_TRY(fw_record_set_number(to, all[i].value, "results.%s.%s", figure->name, all[i].name));
  if (s.count > 0 || samples->done == samples->failed) return FW_OK;
  fw_log(ctx, "result %s: no sample has it; is its quantity spelt as in summary.json?", figure->name);
  return fw_record_set_text(to, "no sample has it", "results.%s.note", figure->name);
}

/* Figures of one parameter that its sampling gives. */
static fw_status summarise_effect(fw_record *to, const fw_effect *e, const char *parameter, const char *figure, int i) {
  const struct {
    const char *name;
    double value;
  } all[] = {{"measure", e->measure},
             {"low", e->low},
             {"high", e->high},
             {"derivative", e->derivative},
             {"correlation", e->correlation},
             {"mu", e->mu},
             {"mu_star", e->mu_star},
             {"sigma", e->sigma},
             {"first", e->first},
             {"first_low", e->first_low},
             {"first_high", e->first_high},
             {"total", e->total},
             {"total_low", e->total_low},
             {"total_high", e->total_high}};
  FW_TRY(fw_record_set_text(to, parameter, "ranking.%s[%d].parameter", figure, i));
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (isfinite(all[k].value))
      FW_TRY(fw_record_set_number(to, all[k].value, "ranking.%s[%d].%s", figure, i, all[k].name));
  return FW_OK;
}

static fw_status summarise_ranking(const fw_study *study, const fw_effects *all, int column, fw_record *to) {
  size_t first = (size_t)study->factor_count * (size_t)column;
  for (int i = 0; i < study->factor_count; i++) {
    int k = all->order[first + (size_t)i];
    FW_TRY(
        summarise_effect(to, &all->effects[first + (size_t)k], study->factors[k].name, study->figures[column].name, i));
  }
  return FW_OK;
}

fw_status fw_study_summarise(fw_context *ctx, const fw_study *study, const fw_samples *samples,
                             const fw_effects *effects, fw_record *to) {
  double seconds = 0;
  for (long i = 0; i < samples->count; i++) seconds += samples->seconds[i];
  FW_TRY(fw_record_set_text(to, study->sampling->entry.name, "sampling"));
  FW_TRY(fw_record_set_number(to, (double)samples->count, "samples"));
  FW_TRY(fw_record_set_number(to, (double)samples->done, "done"));
  FW_TRY(fw_record_set_number(to, (double)samples->failed, "failed"));
  FW_TRY(
      fw_record_set_number(to, samples->done ? seconds / (double)samples->done : fw_unknown(), "seconds_per_sample"));
  int told = 0;
  for (long i = 0; i < samples->count && told < 20; i++) {
    if (!samples->reasons[i]) continue;
    FW_TRY(fw_record_set_number(to, (double)i, "failures[%d].sample", told));
    FW_TRY(fw_record_set_text(to, samples->reasons[i], "failures[%d].reason", told++));
  }
  for (int i = 0; i < study->figure_count; i++) FW_TRY(summarise_spread(ctx, samples, &study->figures[i], i, to));
  for (int i = 0; i < study->figure_count; i++) FW_TRY(summarise_ranking(study, effects, i, to));
  return FW_OK;
}
