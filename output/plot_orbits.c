/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orbits of tubes in the clearances of their supports: y over x, a panel for each ring, with where the axis may go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/plot.h"
#include "output/plots.h"

enum { MOST = 12, CURVES = 2, LABEL = 160 };

bool fw_plots_in_orbits(const fw_data_table *table) {
  return strcmp(table->name, "orbits") == 0 || strcmp(table->name, "clearances") == 0;
}

/* The columns RING.x and RING.y of a table as a curve; nothing where it has none. */
static fw_plot_curve curve_of(const fw_data_table *table, const char *x_name) {
  char y_name[LABEL];
  snprintf(y_name, sizeof y_name, "%.*sy", (int)strlen(x_name) - 1, x_name);
  int x = table ? fw_data_table_column(table, x_name) : -1, y = table ? fw_data_table_column(table, y_name) : -1;
  if (x < 0 || y < 0) return (fw_plot_curve){0};
  return (fw_plot_curve){.count = table->rows, .x = table->values[x], .y = table->values[y]};
}

typedef struct orbit_page {
  fw_panel panels[MOST];
  fw_plot_curve curves[MOST][CURVES];
  char titles[MOST][LABEL];
  int count;
} orbit_page;

static void add_panel(const fw_data_table *orbits, const fw_data_table *clearances, int column, orbit_page *p) {
  const char *name = orbits->column_names[column];
  int at = p->count++;
  p->curves[at][0] = curve_of(clearances, name);
  p->curves[at][0].faint = true;
  p->curves[at][1] = curve_of(orbits, name);
  p->curves[at][1].thin = true;
  snprintf(p->titles[at], LABEL, "%.*s", (int)strlen(name) - 2, name);
  p->panels[at] = (fw_panel){.title = p->titles[at],
                             .x_label = "x [m]",
                             .y_label = "y [m]",
                             .equal = true,
                             .beside = at % 3 != 0,
                             .curves = p->curves[at],
                             .curve_count = CURVES};
}

fw_status fw_plots_orbits(fw_context *ctx, const fw_sink *sink, const char *analysis, const char *folder) {
  const fw_data_table *orbits = fw_sink_find(sink, analysis, "orbits");
  const fw_data_table *clearances = fw_sink_find(sink, analysis, "clearances");
  if (!orbits || orbits->stream || orbits->rows < 2) return FW_OK;
  orbit_page *p;
  FW_TRY(fw_alloc(ctx, 1, sizeof *p, &p));
  for (int c = 1; c + 1 < orbits->columns && p->count < MOST; c += 2) add_panel(orbits, clearances, c, p);
  fw_status status = fw_plot_into(ctx, p->panels, p->count, folder, "orbits");
  free(p);
  return status;
}
