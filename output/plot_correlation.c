/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Correlations of fitted parameters: a square for each two, with its number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/plot.h"
#include "output/plots.h"

enum { MOST = 30, LABEL = 160 };
static const char NAME[] = "correlation"; /* and what it is of */

bool fw_plots_is_correlation(const fw_data_table *table) {
  return strncmp(table->name, NAME, sizeof NAME - 1) == 0 && table->columns == (int)table->rows + 1 &&
         table->columns <= MOST;
}

typedef struct squares {
  fw_patch patches[MOST * MOST + 2]; /* the last two, of no size, are -1 and 1: colours mean the same in all pictures */
  fw_plot_note notes[MOST * MOST];
  char texts[MOST * MOST][8], names[MOST][LABEL];
  const char *named[MOST];
  int count;
} squares;

/* Parameter i to the right, parameter k upward, as the table counts them. */
static void add_square(squares *s, int i, int k, int parameters, double value) {
  int at = k * parameters + i;
  double x = i + 1, y = k + 1, half = 0.5;
  s->patches[at] =
      (fw_patch){4, {x - half, x + half, x + half, x - half}, {y - half, y - half, y + half, y + half}, value};
  snprintf(s->texts[at], sizeof s->texts[at], "%.2f", value);
  s->notes[at] = (fw_plot_note){x - 0.12, y, s->texts[at], value < 0.0};
  s->count = at + 1;
}

fw_status fw_plots_correlation(fw_context *ctx, const fw_data_table *table, const char *folder) {
  int n = (int)table->rows;
  char title[LABEL];
  squares *s;
  fw_status status;
  FW_TRY(fw_alloc(ctx, 1, sizeof *s, &s));
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) add_square(s, i, k, n, table->values[1 + i][k]);
  for (int i = 0; i < 2; i++) s->patches[s->count + i] = (fw_patch){4, {1, 1, 1, 1}, {1, 1, 1, 1}, 2 * i - 1};
  for (int i = 0; i < n; i++) {
    snprintf(s->names[i], LABEL, "%.100s: %d", table->column_names[1 + i], i + 1);
    s->named[i] = s->names[i];
  }
  const double low = 0.5, high = n + 0.5, x[] = {low, high, high, low, low}, y[] = {low, low, high, high, low};
  const fw_plot_curve frame = {.count = 5, .x = x, .y = y, .faint = true};
  const char *law = table->name + sizeof NAME - 1;
  snprintf(title, sizeof title, "%.60s: correlation of parameters%s%.40s", table->analysis, *law ? " of " : "",
           *law ? law + 1 : "");
  const fw_panel panel = {.title = title,
                          .x_label = "parameter",
                          .y_names = s->named,
                          .name_count = n,
                          .curves = &frame,
                          .curve_count = 1,
                          .notes = s->notes,
                          .note_count = s->count,
                          .patches = s->patches,
                          .patch_count = (size_t)s->count + 2,
                          .patch_label = "correlation"};
  status = fw_plot_into(ctx, &panel, 1, folder, "%s", table->name);
  free(s);
  return status;
}
