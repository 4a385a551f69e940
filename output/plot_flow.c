/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes over the flow of fluid-elastic forces: frequency and damping side by side, a curve for each mode. Where damping
 * goes through zero the mode begins to grow. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/plot.h"
#include "output/plots.h"

enum { PANELS = 2, MOST_MODES = 12, LABEL = 160, FLOW = 0, MODE = 1 };

bool fw_plots_is_flow(const fw_data_table *table) {
  return table->columns > 2 && strcmp(table->column_names[FLOW], "flow") == 0 &&
         strcmp(table->column_names[MODE], "mode") == 0 && fw_data_table_column(table, "frequency") >= 0 &&
         fw_data_table_column(table, "damping") >= 0;
}

typedef struct modes {
  fw_plot_curve curves[PANELS][MOST_MODES + 1]; /* the last of damping: zero */
  char labels[MOST_MODES][LABEL];
  double numbers[MOST_MODES];
  int count;
} modes;

static void find_modes(const fw_data_table *table, modes *m) {
  for (size_t r = 0; r < table->rows; r++) {
    int at = 0;
    while (at < m->count && m->numbers[at] != table->values[MODE][r]) at++;
    if (at < m->count || m->count == MOST_MODES) continue;
    m->numbers[m->count] = table->values[MODE][r];
    snprintf(m->labels[m->count], LABEL, "mode %g", m->numbers[m->count]);
    m->count++;
  }
}

/* The rows of each mode one after the other: flow, frequency, damping, each with room for all rows. */
static void gather(const fw_data_table *table, modes *m, double *work) {
  const int column[PANELS] = {fw_data_table_column(table, "frequency"), fw_data_table_column(table, "damping")};
  double *x = work, *y[PANELS] = {work + table->rows, work + 2 * table->rows};
  for (int i = 0; i < m->count; i++) {
    size_t n = 0;
    for (size_t r = 0; r < table->rows; r++) {
      if (table->values[MODE][r] != m->numbers[i]) continue;
      x[n] = table->values[FLOW][r];
      for (int p = 0; p < PANELS; p++) y[p][n] = table->values[column[p]][r];
      n++;
    }
    for (int p = 0; p < PANELS; p++) {
      m->curves[p][i] = (fw_plot_curve){.label = p == PANELS - 1 ? m->labels[i] : NULL, .count = n, .x = x, .y = y[p]};
      y[p] += n;
    }
    x += n;
  }
}

fw_status fw_plots_flow(fw_context *ctx, const fw_data_table *table, const char *folder) {
  double *work, ends[2] = {INFINITY, -INFINITY};
  static const double zero[2] = {0.0, 0.0};
  char title[LABEL], x_label[LABEL];
  modes *m;
  FW_TRY(fw_alloc(ctx, 3 * table->rows, sizeof *work, &work));
  fw_status status = fw_alloc(ctx, 1, sizeof *m, &m);
  if (status != FW_OK) {
    free(work);
    return status;
  }
  find_modes(table, m);
  gather(table, m, work);
  for (size_t r = 0; r < table->rows; r++) {
    ends[0] = fmin(ends[0], table->values[FLOW][r]);
    ends[1] = fmax(ends[1], table->values[FLOW][r]);
  }
  m->curves[1][m->count] = (fw_plot_curve){.count = 2, .x = ends, .y = zero, .faint = true};
  snprintf(title, sizeof title, "%.60s: modes over the flow", table->analysis);
  const char *unit = table->column_units[FLOW];
  snprintf(x_label, sizeof x_label, unit[0] ? "flow [%.100s]" : "flow", unit);
  const fw_panel panels[PANELS] = {
      {.title = title,
       .x_label = x_label,
       .y_label = "frequency [Hz]",
       .curves = m->curves[0],
       .curve_count = m->count},
      {.x_label = x_label, .y_label = "damping", .beside = true, .curves = m->curves[1], .curve_count = m->count + 1}};
  status = fw_plot_into(ctx, panels, PANELS, folder, "%s", table->name);
  free(m);
  free(work);
  return status;
}
