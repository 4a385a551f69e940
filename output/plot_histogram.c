/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often what happens, by its size: a staircase for each column over the classes that have any. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/plot_page.h"
#include "output/plots.h"

typedef struct histogram {
  size_t first, last; /* classes from the first that has any to the last */
  double *x, *y;      /* two points a class, for every column */
  char labels[FW_MOST_CURVES][FW_LABEL], title[FW_LABEL], x_label[FW_LABEL], y_label[FW_LABEL];
  fw_plot_curve curves[FW_MOST_CURVES];
  int count;
} histogram;

bool fw_plots_is_histogram(const fw_data_table *table) {
  return table->columns > 2 && fw_column_ends_with(table->column_names[0], " from") &&
         fw_column_ends_with(table->column_names[1], " to");
}

static bool is_empty(const fw_data_table *table, size_t row) {
  for (int c = 2; c < table->columns; c++)
    if (table->values[c][row] > 0.0) return false;
  return true;
}

/* False: there is nothing to show. */
static bool find_classes(const fw_data_table *table, histogram *h) {
  while (h->first < table->rows && is_empty(table, h->first)) h->first++;
  if (h->first == table->rows) return false;
  for (h->last = table->rows - 1; is_empty(table, h->last);) h->last--;
  return true;
}

static void add_staircase(const fw_data_table *table, int column, histogram *h) {
  size_t points = 2 * (h->last - h->first + 1);
  double *y = h->y + (size_t)h->count * points;
  for (size_t k = 0; k < points; k++) {
    size_t row = h->first + k / 2;
    h->x[k] = table->values[k % 2][row];
    y[k] = table->values[column][row];
  }
  fw_column_owner(table->column_names[column], h->labels[h->count]);
  h->curves[h->count] = (fw_plot_curve){.label = h->labels[h->count], .count = points, .x = h->x, .y = y};
  h->count++;
}

static void label(const fw_data_table *table, histogram *h) {
  const char *classes = table->column_names[0], *what = fw_column_quantity(table->column_names[2]);
  snprintf(h->title, sizeof h->title, "%.60s: %.60s", table->analysis, table->name);
  snprintf(h->x_label, sizeof h->x_label, "%.*s [%.40s]", (int)(strlen(classes) - strlen(" from")), classes,
           table->column_units[0]);
  snprintf(h->y_label, sizeof h->y_label, "%.60s [%.40s]", what ? what : table->column_names[2],
           table->column_units[2]);
}

static fw_status draw(fw_context *ctx, const fw_data_table *table, histogram *h, const char *folder) {
  const fw_panel panel = {.title = h->title,
                          .x_label = h->x_label,
                          .y_label = h->y_label,
                          .x_log = table->values[0][h->first] > 0.0,
                          .curves = h->curves,
                          .curve_count = h->count};
  return fw_plot_into(ctx, &panel, 1, folder, "%s", table->name);
}

fw_status fw_plots_histogram(fw_context *ctx, const fw_data_table *table, const char *folder) {
  histogram *h;
  fw_status status;
  FW_TRY(fw_alloc(ctx, 1, sizeof *h, &h));
  if (!find_classes(table, h)) {
    free(h);
    return FW_OK;
  }
  size_t points = 2 * (h->last - h->first + 1);
  FW_TRY_DONE(fw_alloc(ctx, points, sizeof *h->x, &h->x));
  FW_TRY_DONE(fw_alloc(ctx, points * FW_MOST_CURVES, sizeof *h->y, &h->y));
  for (int c = 2; c < table->columns && h->count < FW_MOST_CURVES; c++) add_staircase(table, c, h);
  label(table, h);
  FW_TRY_DONE(draw(ctx, table, h, folder));
done:
  free(h->x);
  free(h->y);
  free(h);
  return status;
}
