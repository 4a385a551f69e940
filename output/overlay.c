/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/overlay.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/markup.h"
#include "output/csv.h"
#include "output/files.h"
#include "output/plots.h"
#include "output/report_figures.h"

enum { MOST_COLUMNS = 256, NAME = 256 };

/* The tables of one analysis of each result. */
typedef struct overlay {
  fw_context *ctx;
  const char *analysis;
  fw_sink **sinks; /* of each folder */
  int count;
  fw_sink *joined;
} overlay;

/* Responses have a curve per table already: the run becomes part of its name. */
static fw_status copy_response(const overlay *o, const fw_data_table *table, int run) {
  fw_column columns[MOST_COLUMNS] = {0};
  char name[NAME];
  fw_data_table *copy;
  snprintf(name, sizeof name, "%s-run %d", table->name, run + 1);
  for (int c = 0; c < table->columns; c++) columns[c] = (fw_column){table->column_names[c], table->column_units[c]};
  FW_TRY(fw_sink_table(o->joined, o->ctx, o->analysis, name, columns, table->columns, false, &copy));
  for (size_t r = 0; r < table->rows; r++) {
    double row[MOST_COLUMNS] = {0};
    for (int c = 0; c < table->columns; c++) row[c] = table->values[c][r];
    FW_TRY(fw_sink_row(o->joined, o->ctx, copy, row));
  }
  return FW_OK;
}

static bool same_columns(const fw_data_table *a, const fw_data_table *b) {
  if (a->columns != b->columns) return false;
  for (int c = 0; c < a->columns; c++)
    if (strcmp(a->column_names[c], b->column_names[c]) != 0) return false;
  return true;
}

/* Other tables, those of the same columns, become one with a column `run` in front. */
static fw_status join(const overlay *o, const fw_data_table *first, int from) {
  fw_column columns[MOST_COLUMNS] = {{"run", ""}};
  fw_data_table *all;
  if (fw_sink_find(o->joined, o->analysis, first->name)) return FW_OK;
  for (int c = 0; c < first->columns; c++) columns[c + 1] = (fw_column){first->column_names[c], first->column_units[c]};
  FW_TRY(fw_sink_table(o->joined, o->ctx, o->analysis, first->name, columns, first->columns + 1, false, &all));
  for (int s = from; s < o->count; s++) {
    const fw_data_table *table = fw_sink_find(o->sinks[s], o->analysis, first->name);
    if (!table || !same_columns(first, table)) continue;
    for (size_t r = 0; r < table->rows; r++) {
      double row[MOST_COLUMNS] = {s + 1};
      for (int c = 0; c < table->columns; c++) row[c + 1] = table->values[c][r];
      FW_TRY(fw_sink_row(o->joined, o->ctx, all, row));
    }
  }
  return FW_OK;
}

static fw_status join_all(const overlay *o) {
  for (int s = 0; s < o->count; s++)
    for (int t = 0; t < o->sinks[s]->table_count; t++) {
      const fw_data_table *table = o->sinks[s]->tables[t];
      if (strcmp(table->analysis, o->analysis) != 0 || table->columns >= MOST_COLUMNS) continue;
      FW_TRY(fw_plots_in_family(table) ? copy_response(o, table, s) : join(o, table, s));
    }
  return FW_OK;
}

/* Draws into a folder that lives as long as this takes. */
static fw_status draw(const overlay *o, fw_page_figures *figures) {
  char folder[] = "/tmp/fretwork-XXXXXX";
  int from = figures->count;
  if (!mkdtemp(folder)) return fw_fail(o->ctx, FW_ERR_IO, "%s: cannot make the folder", folder);
  fw_status status = fw_plots_write(o->ctx, o->joined, o->analysis, folder);
  if (status == FW_OK) status = fw_page_figures_read(o->ctx, folder, ".", o->analysis, figures);
  for (int i = from; i < figures->count; i++) {
    char path[NAME + sizeof folder];
    snprintf(path, sizeof path, "%s/%s", folder, figures->items[i].name);
    unlink(path);
  }
  rmdir(folder);
  return status;
}

static fw_status overlay_analysis(overlay *o, fw_page_figures *figures) {
  FW_TRY(fw_sink_create(o->ctx, &o->joined));
  fw_status status = join_all(o);
  if (status == FW_OK) status = draw(o, figures);
  fw_sink_destroy(&o->joined);
  return status;
}

/* Reads an analysis of every folder; returns how many have it. */
static fw_status read_analysis(const overlay *o, const char *const *folders, int *have) {
  *have = 0;
  for (int s = 0; s < o->count; s++) {
    char *path;
    FW_TRY(fw_path_join(o->ctx, folders[s], o->analysis, &path));
    *have += fw_path_exists(path);
    fw_status status = fw_csv_read_folder(o->ctx, path, o->sinks[s], o->analysis);
    free(path);
    if (status != FW_OK) return status;
  }
  return FW_OK;
}

static void put_figures(FILE *out, fw_page_figures *figures, const char *analysis, size_t most) {
  fw_page_figures_choose(figures, most);
  if (figures->count == 0) return;
  fputs("<h2>", out);
  fw_put_text(out, analysis);
  fputs(": all runs</h2>\n", out);
  for (int i = 0; i < figures->count; i++) {
    figures->items[i].key = false; /* there is no overview */
    fw_page_figure_put(out, figures, i, false);
  }
}

fw_status fw_overlay_put(fw_context *ctx, FILE *out, const char *const *folders, int count, size_t most) {
  overlay o = {.ctx = ctx, .count = count};
  char **names = NULL;
  int analyses = 0, have = 0;
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *o.sinks, &o.sinks));
  for (int s = 0; s < count; s++) FW_TRY_DONE(fw_sink_create(ctx, &o.sinks[s]));
  FW_TRY_DONE(fw_folder_list(ctx, folders[0], "", true, &names, &analyses));
  for (int a = 0; a < analyses; a++) {
    fw_page_figures figures = {0};
    o.analysis = names[a];
    FW_TRY_DONE(read_analysis(&o, folders, &have));
    status = have > 1 ? overlay_analysis(&o, &figures) : FW_OK;
    if (status == FW_OK) put_figures(out, &figures, names[a], most / (size_t)analyses);
    fw_page_figures_clear(&figures);
    if (status != FW_OK) goto done;
  }
done:
  for (int s = 0; o.sinks && s < count; s++) fw_sink_destroy(&o.sinks[s]);
  free(o.sinks);
  free(names);
  return status;
}
