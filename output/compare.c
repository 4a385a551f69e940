/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "output/csv.h"
#include "output/files.h"
#include "output/measured.h"
#include "output/plot.h"
#include "output/summary.h"
#include "output/uff58.h"

enum { NAME = 256 };

/* ---- what the parts use ------------------------------------------------------------------ */

const fw_data_table *fw_compare_table(const fw_comparison *c) {
  for (int i = 0; i < c->result->table_count; i++) {
    const fw_data_table *table = c->result->tables[i];
    const char *tail = strchr(table->name, '-');
    if (strcmp(table->analysis, c->analysis) != 0 || strcmp(table->column_names[0], "frequency") != 0) continue;
    if (isnan(c->level) || (tail && fabs(strtod(tail + 1, NULL) - c->level) <= 1e-9 * fabs(c->level))) return table;
  }
  return NULL;
}

fw_status fw_compare_unit(const fw_comparison *c, int column, const char *si) {
  const char *unit = c->data->column_units[column];
  if (unit[0] == '\0' || strcmp(unit, si) == 0) return FW_OK;
  return fw_fail(c->ctx, FW_ERR_ARGUMENT, "%s: column '%s' is in %s, not in %s", c->name, c->data->column_names[column],
                 unit, si);
}

fw_status fw_compare_plot(const fw_comparison *c, const struct fw_panel *panels, int count) {
  return fw_plot_into(c->ctx, panels, count, c->folder, "compare-%s-%s", c->name, c->analysis);
}

/* ---- the data ---------------------------------------------------------------------------- */

static bool has_ending(const char *text, const char *ending) {
  size_t length = strlen(text), tail = strlen(ending);
  return length >= tail && strcmp(text + length - tail, ending) == 0;
}

/* The file's name without folder and extension. */
static void stem(const char *path, char *name) {
  const char *slash = strrchr(path, '/');
  snprintf(name, NAME, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(name, '.');
  if (dot && dot != name) *dot = '\0';
}

fw_status fw_compare_conditions(fw_context *ctx, const char *path, double *level, double *frequency) {
  char *text, name[NAME];
  stem(path, name);
  *level = *frequency = fw_unknown();
  FW_TRY(fw_file_read(ctx, path, &text, NULL));
  const char *drive = text[0] == '#' ? strstr(text, "drive ") : NULL;
  if (!drive || sscanf(drive, "drive %lf N at %lf Hz", level, frequency) < 1) *level = *frequency = fw_unknown();
  free(text);
  const char *dash = strrchr(name, '-');
  char *end;
  if (isnan(*level) && dash) {
    double value = strtod(dash + 1, &end);
    if (end != dash + 1 && strcmp(end, "N") == 0) *level = value;
  }
  return FW_OK;
}

/* A UFF-58 function over frequency as a table: frequency, amplitude. */
static fw_status table_of_function(fw_context *ctx, const fw_uff58 *f, fw_sink *sink, const char *name,
                                   fw_data_table **table) {
  const fw_column columns[] = {{"frequency", "Hz"}, {"amplitude", f->ordinate.unit}};
  FW_TRY(fw_sink_table(sink, ctx, "data", name, columns, 2, false, table));
  for (size_t i = 0; i < f->count; i++) {
    const double row[] = {f->x[i], f->im ? hypot(f->re[i], f->im[i]) : fabs(f->re[i])};
    FW_TRY(fw_sink_row(sink, ctx, *table, row));
  }
  return FW_OK;
}

static fw_status read_uff(fw_context *ctx, const char *path, const char *name, fw_sink *sink, double *level,
                          fw_data_table **table) {
  fw_uff58 *functions;
  int count;
  FW_TRY(fw_uff58_read(ctx, path, &functions, &count));
  if (functions->z != 0.0) *level = functions->z;
  fw_status status = table_of_function(ctx, functions, sink, name, table);
  fw_uff58_destroy(&functions, count);
  return status;
}

static fw_compare_kind kind_of(const fw_data_table *data) {
  if (strcmp(data->column_names[0], "harmonic") == 0) return fw_compare_harmonics;
  if (strcmp(data->column_names[0], "frequency") == 0) return fw_compare_response;
  bool force = fw_data_table_column(data, "force") >= 0 || fw_data_table_column(data, "level") >= 0;
  return force && fw_data_table_column(data, "frequency") >= 0 ? fw_compare_resonance : NULL;
}

/* ---- the result -------------------------------------------------------------------------- */

static fw_status load_tables(fw_context *ctx, const char *folder, const char *analysis, fw_sink *sink) {
  char *below;
  FW_TRY(fw_path_join(ctx, folder, analysis, &below));
  fw_status status = fw_csv_read_folder(ctx, below, sink, analysis);
  free(below);
  return status;
}

/* ---- comparing --------------------------------------------------------------------------- */

static fw_status compare_analysis(fw_comparison *c, fw_compare_kind kind, fw_record *all, bool *found) {
  fw_sink *result = NULL;
  fw_status status;
  FW_TRY_DONE(fw_sink_create(c->ctx, &result));
  FW_TRY_DONE(load_tables(c->ctx, c->folder, c->analysis, result));
  FW_TRY_DONE(fw_record_create(&c->record));
  c->result = result;
  c->found = false;
  FW_TRY_DONE(kind(c));
  char key[NAME];
  snprintf(key, sizeof key, "%s", c->name);
  for (char *dot; (dot = strchr(key, '.'));) *dot = '_'; /* dots part the names of a path */
  if (c->found) FW_TRY_DONE(fw_record_set_record(all, c->record, "%s.%s", key, c->analysis));
  *found = *found || c->found;
done:
  fw_record_destroy(&c->record);
  fw_sink_destroy(&result);
  return status;
}

static fw_status compare_all(fw_comparison *c, const char *analysis, fw_record *record) {
  bool found = false;
  fw_compare_kind kind = kind_of(c->data);
  for (int i = 0; kind && i < fw_record_count(c->summary, "analyses"); i++) {
    c->analysis = fw_record_key(c->summary, "analyses", i);
    if (!analysis || strcmp(analysis, c->analysis) == 0) FW_TRY(compare_analysis(c, kind, record, &found));
  }
  if (found) return FW_OK;
  return fw_fail(
      c->ctx, FW_ERR_ARGUMENT, "%s: %s", c->name,
      kind ? "no analysis of the result can be compared with it"
           : "neither resonances, harmonics nor a response over frequency; columns are level (or force_N) and "
             "frequency_Hz, harmonic and sensors, or frequency and SENSOR.amplitude");
}

fw_status fw_compare_data(fw_context *ctx, const char *folder, const char *data, const char *analysis, double level,
                          fw_record *record) {
  char name[NAME];
  fw_record *summary = NULL;
  fw_sink *sink = NULL;
  fw_data_table *table;
  fw_comparison c = {.ctx = ctx, .folder = folder, .name = name};
  fw_status status;
  stem(data, name);
  FW_TRY_DONE(fw_summary_read(ctx, folder, &summary));
  FW_TRY_DONE(fw_compare_conditions(ctx, data, &c.level, &c.frequency));
  FW_TRY_DONE(fw_sink_create(ctx, &sink));
  bool uff = has_ending(data, ".uff") || has_ending(data, ".unv") || has_ending(data, ".uf");
  FW_TRY_DONE(uff ? read_uff(ctx, data, name, sink, &c.level, &table)
                  : fw_csv_read(ctx, data, sink, "data", name, &table));
  FW_TRY_DONE(fw_measured_to_si(ctx, table));
  if (!fw_is_unknown(level)) c.level = level;
  c.summary = summary;
  c.data = table;
  FW_TRY_DONE(compare_all(&c, analysis, record));
done:
  fw_sink_destroy(&sink);
  fw_record_destroy(&summary);
  return status;
}
