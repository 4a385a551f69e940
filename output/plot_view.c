/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/figures.h"
#include "output/plot_page.h"

static bool tells_curves_apart(const char *name) {
  static const char *const names[] = {"run",   "level",  "sweep", "direction", "branch", "pair",
                                      "point", "sensor", "mode",  "at",        NULL};
  for (int i = 0; names[i]; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static bool same_curve(const fw_table_view *view, size_t a, size_t b) {
  for (int k = 0; k < view->key_count; k++)
    if (view->table->values[view->keys[k]][a] != view->table->values[view->keys[k]][b]) return false;
  return true;
}

static void label_run(const fw_table_view *view, fw_table_run *r) {
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

static fw_status cut_runs(fw_context *ctx, fw_table_view *view) {
  size_t rows = view->table->rows, count = 1;
  for (size_t r = 1; r < rows; r++) count += !same_curve(view, r - 1, r);
  FW_TRY(fw_alloc(ctx, count, sizeof *view->runs, &view->runs));
  view->run_count = (int)count;
  fw_table_run *now = view->runs;
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

static fw_status find_most(fw_context *ctx, fw_table_view *view) {
  const fw_data_table *table = view->table;
  FW_TRY(fw_alloc(ctx, (size_t)table->columns, sizeof *view->most, &view->most));
  for (int c = 0; c < table->columns; c++)
    for (size_t r = 0; r < table->rows; r++)
      if (isfinite(table->values[c][r])) view->most[c] = fmax(view->most[c], fabs(table->values[c][r]));
  return FW_OK;
}

void fw_view_clear(fw_table_view *view) {
  free(view->runs);
  free(view->most);
  *view = (fw_table_view){0};
}

/* Finds keys, abscissa and curves. Keys that would leave curves of a point or two are abscissas. */
fw_status fw_view_table(fw_context *ctx, const fw_data_table *table, fw_table_view *view) {
  *view = (fw_table_view){.table = table};
  while (view->x < table->columns - 1 && view->key_count < 8 && tells_curves_apart(table->column_names[view->x]))
    view->keys[view->key_count++] = view->x++;
  FW_TRY(find_most(ctx, view));
  FW_TRY(cut_runs(ctx, view));
  if (view->key_count == 0 || table->rows >= 3 * (size_t)view->run_count) return FW_OK;
  free(view->runs);
  view->key_count = 0;
  view->x = 0;
  return cut_runs(ctx, view);
}

bool fw_view_over_time(const fw_table_view *view) { return strcmp(view->table->column_names[view->x], "time") == 0; }

/* How something spreads over places x, y. */
bool fw_view_over_places(const fw_table_view *view) {
  return view->x + 1 < view->table->columns && strcmp(view->table->column_names[view->x], "x") == 0 &&
         strcmp(view->table->column_names[view->x + 1], "y") == 0;
}

bool fw_column_ends_with(const char *name, const char *ending) {
  size_t length = strlen(name), tail = strlen(ending);
  return length >= tail && strcmp(name + length - tail, ending) == 0;
}

/* What a column tells of its owner: "work_rate" of "foot.work_rate", "slip velocity" of "plate 1 slip velocity"; NULL:
 * it has no owner. */
const char *fw_column_quantity(const char *name) {
  static const char *const told[] = {"irreversible work rate",
                                     "dissipated power",
                                     "slip velocity",
                                     "work rate",
                                     "tangential",
                                     "distance",
                                     "normal",
                                     "state",
                                     "slip",
                                     "gap",
                                     "fx",
                                     "fy",
                                     "mz"};
  const char *dot = strrchr(name, '.');
  if (dot) return dot + 1;
  for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
    size_t length = strlen(name), tail = strlen(told[i]);
    if (fw_column_ends_with(name, told[i]) && length > tail && name[length - tail - 1] == ' ')
      return name + length - tail;
  }
  return NULL;
}

/* "plate 1" of "plate 1 gap", into `label`. */
void fw_column_owner(const char *name, char *label) {
  const char *what = fw_column_quantity(name);
  snprintf(label, FW_LABEL, "%.*s", what ? (int)(what - name) - 1 : (int)strlen(name), name);
}

static bool same_quantity(const fw_data_table *table, int a, int b) {
  const char *what_a = fw_column_quantity(table->column_names[a]), *what_b = fw_column_quantity(table->column_names[b]);
  if (strcmp(table->column_units[a], table->column_units[b]) != 0) return false;
  return what_a && what_b ? strcmp(what_a, what_b) == 0 : what_a == what_b;
}

double fw_least_meant(const char *quantity, const char *unit, double newtons) {
  if (strcmp(unit, "W") == 0) return FW_SLIP_RATE_ROUNDING * fmax(newtons, 1.0);
  if (!strstr(quantity, "slip") && !strstr(quantity, "gap") && !strstr(quantity, "distance")) return 0.0;
  return strcmp(unit, "m") == 0 ? FW_SLIP_ROUNDING : strcmp(unit, "m/s") == 0 ? FW_SLIP_RATE_ROUNDING : 0.0;
}

/* Moments of forces are as exact as these, at arms of a metre. Energies are sums over all steps of what rounding leaves
 * of their work. */
double fw_view_rounding(const fw_table_view *view, int column) {
  static const double ROUNDING = 1e-12, OF_SUMS = 1e-9;
  const fw_data_table *table = view->table;
  const char *unit = table->column_units[column];
  double most = 0.0, newtons = 0.0;
  for (int c = 0; c < table->columns; c++) {
    if (c != view->x && same_quantity(table, column, c)) most = fmax(most, view->most[c]);
    if (strcmp(table->column_units[c], "N") == 0) newtons = fmax(newtons, view->most[c]);
  }
  if (strcmp(unit, "N m") == 0) most = fmax(most, newtons);
  double part = strcmp(unit, "J") == 0 ? OF_SUMS : ROUNDING;
  return fmax(part * most, fw_least_meant(table->column_names[column], unit, newtons));
}
