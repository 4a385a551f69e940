/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/results.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sheet.h"
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

static fw_status fill_samples(const fw_study *study, const fw_samples *samples, fw_sheet *sheet) {
  int d = study->factor_count;
  for (long i = 0; i < samples->count; i++) {
    if (samples->states[i] == FW_SAMPLE_OPEN) continue;
    fw_sheet_put(sheet, (double)i);
    for (int k = 0; k < d; k++) fw_sheet_put(sheet, study->values[i * d + k]);
    for (int k = 0; k < study->figure_count; k++) fw_sheet_put(sheet, samples->results[i * samples->columns + k]);
    fw_sheet_put(sheet, samples->states[i]);
    FW_TRY(fw_sheet_row(sheet));
  }
  return FW_OK;
}

static fw_status make_samples(fw_context *ctx, const fw_study *study, const fw_samples *samples, fw_sink *sink,
                              fw_data_table **table) {
  char unit[FW_UNIT];
  fw_sheet sheet = fw_sheet_of(ctx, sink, study->id);
  fw_sheet_column(&sheet, "", "sample");
  for (int k = 0; k < study->factor_count; k++)
    fw_sheet_column(&sheet, study->factors[k].unit, "%s", study->factors[k].name);
  for (int i = 0; i < study->figure_count; i++)
    fw_sheet_column(&sheet, fw_sample_unit(samples->units, i, unit), "%s", study->figures[i].name);
  fw_sheet_column(&sheet, "", "state");
  fw_status status = fw_sheet_open(&sheet, "samples");
  if (status == FW_OK) status = fill_samples(study, samples, &sheet);
  *table = sheet.table;
  fw_sheet_close(&sheet);
  return status;
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
  char x[FW_UNIT], y[FW_UNIT];
  int first = study->figure_count + 2 * (int)(fan - study->fans); /* of its units */
  fw_sample_unit(samples->units, first, x);
  fw_sample_unit(samples->units, first + 1, y);
  const fw_column columns[] = {{fan->x, x},   {"min", y}, {"p05", y}, {"p25", y},
                               {"median", y}, {"p75", y}, {"p95", y}, {"max", y}};
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
  char unit[FW_UNIT];
  FW_TRY(fw_spread_of(ctx, samples, column, &s));
  fw_sample_unit(samples->units, column, unit);
  const struct {
    const char *name;
    double value;
  } all[] = {{"mean", s.mean}, {"deviation", s.deviation}, {"min", s.min},
             {"p05", s.p05},   {"median", s.median},       {"p95", s.p95},
             {"max", s.max}};
  FW_TRY(fw_record_set_number(to, (double)s.count, "results.%s.count", figure->name));
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    FW_TRY(fw_record_set_figure(to, all[i].value, unit, "results.%s.%s", figure->name, all[i].name));
  if (s.count > 0 || samples->done == samples->failed) return FW_OK;
  fw_log(ctx, "result %s: no sample has it; is its quantity spelt as in summary.json?", figure->name);
  return fw_record_set_text(to, "no sample has it", "results.%s.note", figure->name);
}

/* Curves of which no sample has a point. */
static fw_status summarise_curve(fw_context *ctx, const fw_samples *samples, const fw_fan *fan, fw_record *to) {
  double bands[FW_FAN_BANDS];
  bool any = samples->done == samples->failed;
  for (int p = 0; p < fan->points && !any; p++) {
    FW_TRY(fw_fan_bands(ctx, samples, fan, p, bands));
    any = isfinite(bands[0]);
  }
  if (any) return FW_OK;
  fw_log(ctx, "curve %s: no sample has it between %g and %g; are table and columns spelt as in the result folder?",
         fan->name, fan->from, fan->to);
  return fw_record_set_text(to, "no sample has it", "curves.%s.note", fan->name);
}

/* Where a result lies at one end of its range: the sample and its parameters, each with its unit. */
static fw_status summarise_place(const fw_study *study, long sample, const char *path, fw_record *to) {
  FW_TRY(fw_record_set_number(to, (double)sample, "%s.sample", path));
  for (int k = 0; k < study->factor_count; k++)
    FW_TRY(fw_record_set_figure(to, study->values[sample * study->factor_count + k], study->factors[k].unit, "%s.%s",
                                path, study->factors[k].name));
  return FW_OK;
}

/* The sample whose result is least, or greatest with sign -1, from `first` up to `end`; -1: none has it. */
static long find_least(const fw_samples *samples, int column, double sign, long first, long end) {
  long best = -1;
  for (long i = first; i < end; i++) {
    double value = sign * samples->results[i * samples->columns + column];
    if (isfinite(value) && (best < 0 || value < sign * samples->results[best * samples->columns + column])) best = i;
  }
  return best;
}

static fw_status summarise_ends(const fw_study *study, const fw_samples *samples, int column, fw_record *to) {
  static const char *const ends[] = {"at_min", "at_max"};
  char path[256];
  for (int e = 0; e < 2; e++) {
    long i = find_least(samples, column, e ? -1 : 1, 0, samples->count);
    snprintf(path, sizeof path, "results.%.200s.%s", study->figures[column].name, ends[e]);
    if (i >= 0) FW_TRY(summarise_place(study, i, path, to));
  }
  return FW_OK;
}

/* ---- searches ---------------------------------------------------------------------------- */

static long count_wanted(const fw_study *study, long first, long end) {
  long count = 0;
  for (long i = first; i < end; i++) count += !study->wanted || study->wanted[i];
  return count;
}

/* The best of one search: value, place, and how many samples it took. */
static fw_status summarise_best(const fw_study *study, const fw_samples *samples, long first, long end,
                                const char *path, fw_record *to) {
  char unit[FW_UNIT];
  long i = find_least(samples, study->objective, 1, first, end), used = count_wanted(study, first, end);
  FW_TRY(fw_record_set_number(to, (double)used, "%s.samples", path));
  if (i < 0) return FW_OK;
  FW_TRY(fw_record_set_figure(to, samples->results[i * samples->columns + study->objective],
                              fw_sample_unit(samples->units, study->objective, unit), "%s.%s", path,
                              study->figures[study->objective].name));
  return summarise_place(study, i, path, to);
}

static fw_status summarise_search(const fw_study *study, const fw_samples *samples, fw_record *to) {
  char path[64];
  if (!study->wanted) return FW_OK;
  long starts = fw_args_integer(study->sampling_args, "starts"), room = samples->count / starts;
  FW_TRY(summarise_best(study, samples, 0, samples->count, "least", to));
  for (long n = 0; n < starts; n++) {
    snprintf(path, sizeof path, "searches[%ld]", n);
    FW_TRY(summarise_best(study, samples, n * room, (n + 1) * room, path, to));
    bool ended = count_wanted(study, n * room, (n + 1) * room) < room;
    FW_TRY(fw_record_set_text(to, ended ? "ended" : "out of samples", "%s.search", path));
  }
  return FW_OK;
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
  FW_TRY(fw_record_set_number(to, (double)count_wanted(study, 0, samples->count), "samples"));
  FW_TRY(fw_record_set_number(to, (double)samples->done, "done"));
  FW_TRY(fw_record_set_number(to, (double)samples->failed, "failed"));
  FW_TRY(fw_record_set_figure(to, samples->done ? seconds / (double)samples->done : fw_unknown(), "s",
                              "seconds_per_sample"));
  int told = 0;
  for (long i = 0; i < samples->count && told < 20; i++) {
    if (!samples->reasons[i]) continue;
    FW_TRY(fw_record_set_number(to, (double)i, "failures[%d].sample", told));
    FW_TRY(fw_record_set_text(to, samples->reasons[i], "failures[%d].reason", told++));
  }
  FW_TRY(summarise_search(study, samples, to));
  for (int i = 0; i < study->figure_count; i++) {
    FW_TRY(summarise_spread(ctx, samples, &study->figures[i], i, to));
    FW_TRY(summarise_ends(study, samples, i, to));
  }
  for (int i = 0; i < study->fan_count; i++) FW_TRY(summarise_curve(ctx, samples, &study->fans[i], to));
  for (int i = 0; i < study->figure_count; i++) FW_TRY(summarise_ranking(study, effects, i, to));
  return FW_OK;
}
