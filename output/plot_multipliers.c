/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floquet multipliers: in the complex plane with the unit circle, which unstable motions leave, and their size over
 * frequency, or over what the motions were followed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/plot.h"
#include "output/plots.h"

enum { CIRCLE = 181, LABEL = 160 };

bool fw_plots_are_multipliers(const fw_data_table *table) {
  return strncmp(table->name, "multipliers", 11) == 0 && fw_data_table_column(table, "imaginary") >= 0;
}

fw_status fw_plots_multipliers(fw_context *ctx, const fw_data_table *table, const char *folder) {
  const double *real = table->values[fw_data_table_column(table, "real")];
  const double *imaginary = table->values[fw_data_table_column(table, "imaginary")], *over = table->values[0];
  double circle[2][CIRCLE], ends[2] = {INFINITY, -INFINITY}, one[2] = {1.0, 1.0}, *size = NULL;
  char title[LABEL], x_label[LABEL];
  FW_TRY(fw_alloc(ctx, table->rows, sizeof *size, &size));
  for (int i = 0; i < CIRCLE; i++) {
    circle[0][i] = cos(2 * M_PI * i / (CIRCLE - 1));
    circle[1][i] = sin(2 * M_PI * i / (CIRCLE - 1));
  }
  for (size_t r = 0; r < table->rows; r++) {
    size[r] = hypot(real[r], imaginary[r]);
    ends[0] = fmin(ends[0], over[r]);
    ends[1] = fmax(ends[1], over[r]);
  }
  const fw_plot_curve plane[] = {{.count = CIRCLE, .x = circle[0], .y = circle[1], .faint = true},
                                 {.count = table->rows, .x = real, .y = imaginary, .markers = true}};
  const fw_plot_curve sizes[] = {{.count = 2, .x = ends, .y = one, .faint = true},
                                 {.count = table->rows, .x = over, .y = size, .markers = true}};
  snprintf(title, sizeof title, "%.60s: multipliers%s%.40s", table->analysis, table->name[11] ? ", level " : "",
           table->name[11] ? table->name + 12 : "");
  const char *unit = table->column_units[0];
  snprintf(x_label, sizeof x_label, unit[0] ? "%.60s [%.40s]" : "%.60s", table->column_names[0], unit);
  const fw_panel panels[] = {
      {.title = title, .x_label = "real", .y_label = "imaginary", .equal = true, .curves = plane, .curve_count = 2},
      {.x_label = x_label, .y_label = "size", .beside = true, .curves = sizes, .curve_count = 2}};
  fw_status status = fw_plot_into(ctx, panels, 2, folder, "%s", table->name);
  free(size);
  return status;
}
