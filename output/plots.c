/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/files.h"
#include "output/plot.h"

enum { MOST_PANELS = 6, MOST_CURVES = 14, LABEL = 160, FEW = 12 };

/* ---- how a table is cut into curves ------------------------------------------------------ */

/* Rows first..first+count-1 are one curve. */
typedef struct run {
  size_t first, count;
  char label[LABEL];
} run;

typedef struct table_view {
  const fw_data_table *table;
  int x; /* column of the abscissa */
  int keys[8], key_count;
  run *runs;
  int run_count;
} table_view;

static bool tells_curves_apart(const char *name) {
  static const char *const names[] = {"level", "sweep",  "direction", "branch", "pair",
                                      "point", "sensor", "mode",      "at",     NULL};
  for (int i = 0; names[i]; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static bool same_curve(const table_view *view, size_t a, size_t b) {
  for (int k = 0; k < view->key_count; k++)
    if (view->table->values[view->keys[k]][a] != view->table->values[view->keys[k]][b]) return false;
  return true;
}

static void label_run(const table_view *view, run *r) {
  size_t at = 0;
  r->label[0] = '\0';
  for (int k = 0; k < view->key_count && at < sizeof r->label; k++) {
    int c = view->keys[k];
    double value = view->table->values[c][r->first];
    const char *unit = view->table->column_units[c], *comma = at ? ", " : "";
    int n = unit[0]
                ? snprintf(r->label + at, sizeof r->label - at, "%s%g %s", comma, value, unit)
                : snprintf(r->label + at, sizeof r->label - at, "%s%s %g", comma, view->table->column_names[c], value);
    if (n > 0) at += (size_t)n;
  }
}

static fw_status cut_runs(fw_context *ctx, table_view *view) {
  size_t rows = view->table->rows, count = 1;
  for (size_t r = 1; r < rows; r++) count += !same_curve(view, r - 1, r);
  FW_TRY(fw_alloc(ctx, count, sizeof *view->runs, &view->runs));
  view->run_count = (int)count;
  run *now = view->runs;
  for (size_t r = 0; r < rows; r++) {
    if (r > 0 && !same_curve(view, r - 1, r)) {
      now++;
      now->first = r;
    }
    now->count++;
  }
  for (int i = 0; i < view->run_count; i++) label_run(view, &view->runs[i]);
  return FW_OK;
}

/* Finds keys, abscissa and curves. Keys that would leave curves of a point or two are abscissas. */
static fw_status view_table(fw_context *ctx, const fw_data_table *table, table_view *view) {
  *view = (table_view){.table = table};
  while (view->x < table->columns - 1 && view->key_count < 8 && tells_curves_apart(table->column_names[view->x]))
    view->keys[view->key_count++] = view->x++;
  FW_TRY(cut_runs(ctx, view));
  if (view->key_count == 0 || table->rows >= 3 * (size_t)view->run_count) return FW_OK;
  free(view->runs);
  view->key_count = 0;
  view->x = 0;
  return cut_runs(ctx, view);
}

/* ---- panels ------------------------------------------------------------------------------ */

static bool spans_decades(const fw_data_table *table, int column, double decades) {
  double low = INFINITY, high = 0.0;
  for (size_t r = 0; r < table->rows; r++) {
    double value = table->values[column][r];
    if (!isfinite(value)) continue;
    if (value <= 0.0) return false;
    low = fmin(low, value);
    high = fmax(high, value);
  }
  return high > low * pow(10.0, decades);
}

static void label_column(const fw_data_table *table, int column, char *label) {
  snprintf(label, LABEL, table->column_units[column][0] ? "%s [%s]" : "%s", table->column_names[column],
           table->column_units[column]);
}

typedef struct page {
  fw_panel panels[MOST_PANELS];
  fw_plot_curve curves[MOST_PANELS][MOST_CURVES];
  char x_label[LABEL], y_labels[MOST_PANELS][LABEL], title[LABEL];
  int count;
} page;

static fw_panel *add_panel(page *p, const table_view *view, int column) {
  fw_panel *panel = &p->panels[p->count];
  *panel = (fw_panel){.title = p->count == 0 ? p->title : NULL,
                      .x_label = p->x_label,
                      .y_label = p->y_labels[p->count],
                      .x_log = spans_decades(view->table, view->x, 2.5),
                      .y_log = spans_decades(view->table, column, 1.5),
                      .curves = p->curves[p->count]};
  label_column(view->table, column, p->y_labels[p->count]);
  p->count++;
  return panel;
}

static void add_curve(fw_panel *panel, const table_view *view, const run *r, int column, const char *label) {
  if (panel->curve_count == MOST_CURVES) return;
  fw_plot_curve *curve = (fw_plot_curve *)&panel->curves[panel->curve_count++];
  *curve = (fw_plot_curve){.label = label,
                           .count = r->count,
                           .x = view->table->values[view->x] + r->first,
                           .y = view->table->values[column] + r->first,
                           .markers = r->count <= FEW};
}

/* Phases, and amplitudes of higher harmonics ("drive.amplitude-3"), of which tables of responses are full. */
static bool is_detail(const char *name) {
  const char *last = strrchr(name, '.');
  return last && (strncmp(last, ".phase", 6) == 0 || strncmp(last, ".amplitude-", 11) == 0);
}

/* One panel per column, one curve per run. */
static void panels_by_column(page *p, const table_view *view) {
  for (int c = view->x + 1; c < view->table->columns && p->count < MOST_PANELS; c++) {
    if (is_detail(view->table->column_names[c])) continue;
    fw_panel *panel = add_panel(p, view, c);
    for (int i = 0; i < view->run_count; i++)
      add_curve(panel, view, &view->runs[i], c, p->count == 1 ? view->runs[i].label : NULL);
  }
}

static bool ends_with(const char *name, const char *ending) {
  size_t length = strlen(name), tail = strlen(ending);
  return length >= tail && strcmp(name + length - tail, ending) == 0;
}

/* Columns of one unit share a panel, but the distance slid grows without end beside slip and gap, and states of a
 * contact have names. */
static bool share_panel(const table_view *view, int a, int b) {
  static const char *const apart[] = {" distance", " state"};
  const char *name_a = view->table->column_names[a], *name_b = view->table->column_names[b];
  if (a == view->x || b == view->x || is_detail(name_a) || is_detail(name_b)) return false;
  for (int i = 0; i < 2; i++)
    if (ends_with(name_a, apart[i]) != ends_with(name_b, apart[i])) return false;
  return strcmp(view->table->column_units[a], view->table->column_units[b]) == 0;
}

/* One panel per unit, one curve per column. */
static void panels_by_unit(page *p, const table_view *view) {
  static const char *const states[] = {"open", "stick", "slip"};
  const fw_data_table *table = view->table;
  for (int c = 0; c < table->columns && p->count < MOST_PANELS; c++) {
    int first = 0; /* column of this panel */
    while (first < c && !share_panel(view, first, c)) first++;
    if (first != c || !share_panel(view, c, c)) continue;
    fw_panel *panel = add_panel(p, view, c);
    for (int other = c; other < table->columns; other++)
      if (share_panel(view, c, other)) {
        add_curve(panel, view, &view->runs[0], other, table->column_names[other]);
        panel->y_log = panel->y_log && spans_decades(table, other, 0.0);
      }
    if (panel->curve_count == 1)
      ((fw_plot_curve *)panel->curves)->label = NULL;
    else
      snprintf(p->y_labels[p->count - 1], LABEL, table->column_units[c][0] ? "[%s]" : "%s", table->column_units[c]);
    if (!ends_with(table->column_names[c], " state")) continue;
    panel->y_names = states;
    panel->name_count = 3;
    panel->from_zero = true;
  }
}

/* ---- hysteresis loops -------------------------------------------------------------------- */

/* The column "X tangential" that goes with "X slip", or -1. */
static int partner(const fw_data_table *table, int column) {
  const char *name = table->column_names[column], *tail = strstr(name, "slip");
  char wanted[LABEL];
  if (!tail || strcmp(tail, "slip") != 0) return -1;
  snprintf(wanted, sizeof wanted, "%.*stangential", (int)(tail - name), name);
  return fw_data_table_column(table, wanted);
}

static bool has_loops(const fw_data_table *table) {
  for (int c = 0; c < table->columns; c++)
    if (partner(table, c) >= 0) return true;
  return false;
}

/* How often the force goes through the middle of its range. */
static int crossings(const double *force, size_t count) {
  double low = INFINITY, high = -INFINITY;
  int found = 0;
  for (size_t i = 0; i < count; i++) {
    low = fmin(low, force[i]);
    high = fmax(high, force[i]);
  }
  for (size_t i = 1; i < count; i++) found += (force[i - 1] > (low + high) / 2) != (force[i] > (low + high) / 2);
  return found;
}

/* How many rows at the end of a long history show its loops: the last tenth, where it has settled, or more until
 * there are two. */
static size_t settled_rows(const double *force, size_t count) {
  size_t rows = count / 10;
  while (rows < count && crossings(force + count - rows, rows) < 5) rows *= 2;
  return rows < count ? rows : count;
}

/* A loop of one run: all of it, or of a long history the settled part. */
static void add_loop(page *p, const table_view *view, const run *r, int slip, int force) {
  const fw_data_table *table = view->table;
  fw_panel *panel = &p->panels[0];
  bool whole = view->key_count > 0 || r->count <= 1000;
  size_t skip = whole ? 0 : r->count - settled_rows(table->values[force] + r->first, r->count);
  if (panel->curve_count == MOST_CURVES) return;
  p->curves[0][panel->curve_count++] =
      (fw_plot_curve){.label = view->run_count > 1 ? r->label : table->column_names[force],
                      .count = r->count - skip,
                      .x = table->values[slip] + r->first + skip,
                      .y = table->values[force] + r->first + skip};
}

/* Tangential force over slip; of many runs some, evenly spread. */
static void panel_of_loops(page *p, const table_view *view) {
  const fw_data_table *table = view->table;
  fw_panel *panel = &p->panels[0];
  *panel = (fw_panel){.title = p->title, .x_label = "slip [m]", .y_label = "tangential [N]", .curves = p->curves[0]};
  int every = (view->run_count + FEW - 1) / FEW;
  for (int c = 0; c < table->columns; c++)
    for (int i = 0; partner(table, c) >= 0 && i < view->run_count; i += every)
      add_loop(p, view, &view->runs[i], c, partner(table, c));
  if (panel->curve_count == 1) p->curves[0][0].label = NULL;
  p->count = panel->curve_count > 0;
}

/* ---- files ------------------------------------------------------------------------------- */

static fw_status write_page(fw_context *ctx, const page *p, const fw_data_table *table, const char *suffix,
                            const char *folder) {
  if (p->count == 0) return FW_OK;
  char *safe, *path = NULL, name[LABEL];
  FW_TRY(fw_path_safe(ctx, table->name, &safe));
  snprintf(name, sizeof name, "%s%s.svg", safe, suffix);
  fw_status status = fw_path_join(ctx, folder, name, &path);
  if (status == FW_OK) status = fw_plot_file(ctx, p->panels, p->count, path);
  free(path);
  free(safe);
  return status;
}

static void fill_page(page *p, const table_view *view) {
  snprintf(p->title, LABEL, "%s: %s", view->table->analysis, view->table->name);
  label_column(view->table, view->x, p->x_label);
  if (view->run_count > 1)
    panels_by_column(p, view);
  else
    panels_by_unit(p, view);
}

fw_status fw_plots_table(fw_context *ctx, const fw_data_table *table, const char *folder) {
  if (table->stream || table->rows < 2 || table->columns < 2) return FW_OK;
  table_view view = {0};
  page *p = NULL;
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof *p, &p));
  FW_TRY_DONE(view_table(ctx, table, &view));
  if (strcmp(table->column_names[view.x], "mode") == 0) goto done;
  fill_page(p, &view);
  bool loops = view.key_count > 0 && has_loops(table); /* periods of several motions: no histories */
  if (!loops) FW_TRY_DONE(write_page(ctx, p, table, "", folder));
  panel_of_loops(p, &view);
  FW_TRY_DONE(write_page(ctx, p, table, loops ? "" : "-loops", folder));
done:
  free(view.runs);
  free(p);
  return status;
}

fw_status fw_plots_write(fw_context *ctx, const fw_sink *sink, const char *analysis, const char *folder) {
  for (int i = 0; i < sink->table_count; i++) {
    const fw_data_table *table = sink->tables[i];
    if (strcmp(table->analysis, analysis) == 0 && !fw_plots_in_family(table))
      FW_TRY(fw_plots_table(ctx, table, folder));
  }
  return fw_plots_family(ctx, sink, analysis, folder);
}
