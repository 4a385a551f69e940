/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots a deck asks for: any column over any other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/plot.h"
#include "output/plots.h"

enum { MOST_PANELS = 12, MOST_CURVES = 12, LABEL = 160 };

typedef struct chosen {
  fw_context *ctx;
  const fw_sink *sink;
  const char *analysis;
  const fw_plot_options *options;
  fw_panel panels[MOST_PANELS];
  fw_plot_curve curves[MOST_PANELS][MOST_CURVES];
  char title[LABEL], x_label[LABEL], y_labels[MOST_PANELS][LABEL];
  int count;
} chosen;

static bool is_of(const chosen *c, const fw_data_table *table) {
  return strcmp(table->analysis, c->analysis) == 0 && !table->stream && table->rows > 0;
}

/* Rows of both are of the same times, frequencies, ... */
static bool go_together(const fw_data_table *a, const fw_data_table *b) {
  return a->rows == b->rows && strcmp(a->column_names[0], b->column_names[0]) == 0 &&
         memcmp(a->values[0], b->values[0], a->rows * sizeof(double)) == 0;
}

/* The table with a column `y` whose rows are those of `table`: itself, or another one. */
static const fw_data_table *partner(const chosen *c, const fw_data_table *table, const char *y) {
  if (fw_data_table_column(table, y) >= 0) return table;
  for (int i = 0; i < c->sink->table_count; i++) {
    const fw_data_table *other = c->sink->tables[i];
    if (is_of(c, other) && fw_data_table_column(other, y) >= 0 && go_together(table, other)) return other;
  }
  return NULL;
}

static void label_column(const fw_data_table *table, const char *name, char label[LABEL]) {
  const char *unit = table->column_units[fw_data_table_column(table, name)];
  snprintf(label, LABEL, unit[0] ? "%.100s [%.40s]" : "%.100s", name, unit);
}

/* Tables of levels are alike; one in which a column of that name has another unit is left alone. */
static bool is_alike(const char *label, const char *first) { return !first[0] || strcmp(label, first) == 0; }

/* What there is to choose from, for the message. */
static void list_columns(const chosen *c, char *list, size_t room) {
  size_t at = 0;
  list[0] = '\0';
  for (int i = 0; i < c->sink->table_count; i++) {
    const fw_data_table *table = c->sink->tables[i];
    for (int k = 0; is_of(c, table) && k < table->columns && at < room; k++)
      if (!strstr(list, table->column_names[k]))
        at += (size_t)snprintf(list + at, room - at, "%s%s", at ? ", " : "", table->column_names[k]);
  }
}

static fw_status add_panel(chosen *c, const char *y) {
  int at = c->count;
  fw_panel *panel = &c->panels[at];
  char list[1500];
  for (int i = 0; i < c->sink->table_count; i++) {
    const fw_data_table *table = c->sink->tables[i], *other;
    if (!is_of(c, table) || fw_data_table_column(table, c->options->x) < 0 || !(other = partner(c, table, y))) continue;
    if (panel->curve_count == MOST_CURVES) break;
    char x_label[LABEL], y_label[LABEL];
    label_column(table, c->options->x, x_label);
    label_column(other, y, y_label);
    if (!is_alike(x_label, c->x_label) || !is_alike(y_label, c->y_labels[at])) continue;
    memcpy(c->x_label, x_label, LABEL);
    memcpy(c->y_labels[at], y_label, LABEL);
    c->curves[at][panel->curve_count++] =
        (fw_plot_curve){.label = at == 0 ? table->name : NULL,
                        .count = table->rows,
                        .x = table->values[fw_data_table_column(table, c->options->x)],
                        .y = other->values[fw_data_table_column(other, y)],
                        .markers = table->rows <= 12};
  }
  if (panel->curve_count == 0) {
    list_columns(c, list, sizeof list);
    return fw_fail(c->ctx, FW_ERR_ARGUMENT, "analysis %s has no table with '%s' over '%s'; its columns are: %s",
                   c->analysis, y, c->options->x, list);
  }
  c->count++;
  return FW_OK;
}

static void dress(chosen *c) {
  const fw_plot_options *options = c->options;
  if (options->title && options->title[0])
    snprintf(c->title, LABEL, "%s", options->title);
  else
    snprintf(c->title, LABEL, "%.50s: %.50s over %.50s", c->analysis, options->y, options->x);
  for (int i = 0; i < c->count; i++) {
    fw_panel *panel = &c->panels[i];
    panel->title = i == 0 ? c->title : NULL;
    panel->x_label = c->x_label;
    panel->y_label = c->y_labels[i];
    panel->x_log = c->options->x_log;
    panel->y_log = c->options->y_log;
    panel->equal = c->options->equal;
    panel->curves = c->curves[i];
    if (panel->curve_count == 1) {
      c->curves[i][0].label = NULL;
      panel->play = c->curves[i][0].markers ? FW_PLAY_NONE : FW_PLAY_ORBIT;
    }
  }
}

fw_status fw_plots_chosen(fw_context *ctx, const fw_sink *sink, const char *analysis, const fw_plot_options *options,
                          const char *folder) {
  chosen *c;
  char *rest = NULL, *names = NULL;
  fw_status status;
  FW_TRY(fw_alloc(ctx, 1, sizeof *c, &c));
  c->ctx = ctx, c->sink = sink, c->analysis = analysis, c->options = options;
  FW_TRY_DONE(fw_copy_text(ctx, options->y, &names));
  for (char *y = strtok_r(names, ",", &rest); y && c->count < MOST_PANELS; y = strtok_r(NULL, ",", &rest)) {
    y += strspn(y, " \t\r\n");
    for (size_t n = strlen(y); n > 0 && strchr(" \t\r\n", y[n - 1]); n--) y[n - 1] = '\0';
    FW_TRY_DONE(add_panel(c, y));
  }
  dress(c);
  status = fw_plot_into(ctx, c->panels, c->count, folder, "plot-%s", options->id);
done:
  free(names);
  free(c);
  return status;
}
