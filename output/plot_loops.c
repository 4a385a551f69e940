/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/plot_page.h"

/* The column "X tangential" that goes with "X slip", or -1. */
static int partner(const fw_data_table *table, int column) {
  const char *name = table->column_names[column], *tail = strstr(name, "slip");
  char wanted[FW_LABEL];
  if (!tail || strcmp(tail, "slip") != 0) return -1;
  snprintf(wanted, sizeof wanted, "%.*stangential", (int)(tail - name), name);
  return fw_data_table_column(table, wanted);
}

bool fw_plot_has_loops(const fw_table_view *view) {
  for (int c = 0; c < view->table->columns && !fw_view_over_places(view); c++)
    if (partner(view->table, c) >= 0) return true;
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
static void add_loop(fw_plot_page *p, const fw_table_view *view, const fw_table_run *r, int slip, int force,
                     double rounding, double slip_rounding) {
  const fw_data_table *table = view->table;
  bool whole = view->key_count > 0 || r->count <= 1000;
  size_t skip = whole ? 0 : r->count - settled_rows(table->values[force] + r->first, r->count);
  if (p->count == FW_MOST_PANELS) {
    p->left_out++;
    return;
  }
  int at = p->count++, hertz = fw_data_table_column(table, "at");
  char owner[FW_LABEL];
  fw_column_owner(table->column_names[slip], owner);
  snprintf(p->titles[at], FW_LABEL, "%.80s%s%.70s", owner, r->label[0] ? ": " : "", r->label);
  p->curves[at][0] = (fw_plot_curve){.count = r->count - skip,
                                     .x = table->values[slip] + r->first + skip,
                                     .y = table->values[force] + r->first + skip};
  p->panels[at] = (fw_panel){.title = p->titles[at],
                             .x_label = "slip [m]",
                             .y_label = "tangential [N]",
                             .rounding = rounding,
                             .x_rounding = slip_rounding,
                             .beside = at % 3 != 0,
                             .play = view->key_count > 0 ? FW_PLAY_CHOICE : FW_PLAY_ORBIT,
                             .choice = p->titles[at],
                             .at = hertz >= 0 ? table->values[hertz][r->first] : 0.0,
                             .curves = p->curves[at],
                             .curve_count = 1};
}

/* Tangential force over slip, each loop in a panel of its own; of many runs some, evenly spread. */
void fw_plot_loops(fw_plot_page *p, const fw_table_view *view) {
  const fw_data_table *table = view->table;
  int every = (view->run_count + FW_FEW_POINTS - 1) / FW_FEW_POINTS;
  p->count = p->left_out = 0;
  for (int c = 0; c < table->columns; c++) {
    int force = partner(table, c);
    if (force < 0) continue;
    double rounding = fw_view_rounding(view, force), slip_rounding = fw_view_rounding(view, c);
    for (int i = 0; i < view->run_count; i += every)
      add_loop(p, view, &view->runs[i], c, force, rounding, slip_rounding);
  }
}
