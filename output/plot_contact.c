/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forces along the surfaces of pairs with several points: at rest, and over time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "output/plot.h"
#include "output/plots.h"

enum { FEWEST = 3, WIDE = 80, TALL = 60, LABEL = 200 };

/* The length that a point stands for: to the middle between it and its neighbours. */
static double share_of(const double *along, int count, int i) {
  double before = i > 0 ? along[i] - along[i - 1] : 0.0, after = i < count - 1 ? along[i + 1] - along[i] : 0.0;
  return 0.5 * (before + after);
}

static bool has_lengths(const double *along, int count) {
  for (int i = 0; i < count; i++)
    if (!(share_of(along, count, i) > 0.0)) return false;
  return true;
}

static fw_status write_panels(fw_context *ctx, const fw_panel *panels, int count, const char *folder,
                              const char *before, const char *pair) {
  return fw_plot_into(ctx, panels, count, folder, "%s%s", before, pair);
}

/* ---- at rest ----------------------------------------------------------------------------- */

static fw_status draw_rest(fw_context *ctx, const fw_state *state, const fw_pair *pair, const char *folder) {
  int n = pair->count;
  double *memory;
  fw_status status = FW_OK;
  FW_TRY(fw_alloc(ctx, 3 * (size_t)n, sizeof *memory, &memory));
  double *along = memory, *normal = memory + n, *tangential = memory + 2 * (size_t)n;
  fw_pair_along(state->model, pair, along);
  if (!has_lengths(along, n)) goto done;
  for (int i = 0; i < n; i++) {
    const fw_touch *touch = &state->touch[pair->first_contact + i];
    normal[i] = touch->N / share_of(along, n, i);
    tangential[i] = touch->T / share_of(along, n, i);
  }
  const fw_plot_curve curves[] = {{.count = (size_t)n, .x = along, .y = normal},
                                  {.count = (size_t)n, .x = along, .y = tangential}};
  const fw_panel panels[] = {{.title = pair->id,
                              .x_label = "along the surface [m]",
                              .y_label = "normal [N/m]",
                              .curves = curves,
                              .curve_count = 1},
                             {.x_label = "along the surface [m]",
                              .y_label = "tangential [N/m]",
                              .beside = true,
                              .curves = curves + 1,
                              .curve_count = 1}};
  FW_TRY_DONE(write_panels(ctx, panels, 2, folder, "pressure-", pair->id));
done:
  free(memory);
  return status;
}

fw_status fw_plots_pressure(fw_context *ctx, const fw_state *state, const char *folder) {
  const fw_model *model = state->model;
  for (int p = 0; p < model->pair_count; p++)
    if (model->pairs[p]->target && model->pairs[p]->count >= FEWEST)
      FW_TRY(draw_rest(ctx, state, model->pairs[p], folder));
  return FW_OK;
}

/* ---- over time --------------------------------------------------------------------------- */

/* A pair in the table `contact`: its points and the columns of their normal forces. */
typedef struct surface {
  const fw_data_table *table;
  const double *along; /* [count] */
  int count;
  int *columns;
  char name[LABEL];
} surface;

/* Normal force per length of a point in a row of the table. */
static double pressure(const surface *s, int point, size_t row) {
  return s->table->values[s->columns[point]][row] / share_of(s->along, s->count, point);
}

/* Mean, largest and last of every point; each [count]. */
static void condense(const surface *s, double *mean, double *most, double *last) {
  size_t rows = s->table->rows;
  for (int i = 0; i < s->count; i++) {
    mean[i] = most[i] = 0.0;
    for (size_t r = 0; r < rows; r++) {
      double value = pressure(s, i, r);
      mean[i] += value / (double)rows;
      most[i] = fmax(most[i], value);
    }
    last[i] = pressure(s, i, rows - 1);
  }
}

/* Squares over time and along the surface with the largest force per length of the rows and points in each. */
static fw_status make_map(fw_context *ctx, const surface *s, fw_patch **patches, size_t *count) {
  size_t rows = s->table->rows;
  int wide = rows < WIDE ? (int)rows : WIDE, tall = s->count < TALL ? s->count : TALL;
  const double *time = s->table->values[0];
  double dt = (time[rows - 1] - time[0]) / wide;
  FW_TRY(fw_alloc(ctx, (size_t)wide * (size_t)tall, sizeof **patches, patches));
  *count = (size_t)wide * (size_t)tall;
  for (int j = 0; j < tall; j++) {
    int first = j * s->count / tall, end = (j + 1) * s->count / tall;
    double low = s->along[first] - (first > 0 ? 0.5 * (s->along[first] - s->along[first - 1]) : 0.0);
    double high = s->along[end - 1] + (end < s->count ? 0.5 * (s->along[end] - s->along[end - 1]) : 0.0);
    for (int i = 0; i < wide; i++) {
      double left = time[0] + i * dt, most = 0.0;
      for (size_t r = (size_t)i * rows / (size_t)wide; r < (size_t)(i + 1) * rows / (size_t)wide; r++)
        for (int k = first; k < end; k++) most = fmax(most, pressure(s, k, r));
      (*patches)[j * wide + i] = (fw_patch){4, {left, left + dt, left + dt, left}, {low, low, high, high}, most};
    }
  }
  return FW_OK;
}

static fw_status draw_surface(fw_context *ctx, const surface *s, const char *folder) {
  size_t n = (size_t)s->count, rows = s->table->rows, patch_count = 0;
  double *memory = NULL, from = s->table->values[0][0], to = s->table->values[0][rows - 1];
  fw_patch *patches = NULL;
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, 3 * n, sizeof *memory, &memory));
  condense(s, memory, memory + n, memory + 2 * n);
  FW_TRY_DONE(make_map(ctx, s, &patches, &patch_count));
  static const char *const labels[] = {"mean", "largest", "at the end"};
  fw_plot_curve curves[3];
  for (size_t k = 0; k < 3; k++)
    curves[k] = (fw_plot_curve){.label = labels[k], .count = n, .x = s->along, .y = memory + k * n};
  const double x[] = {from, to, to, from, from}, low = s->along[0], high = s->along[s->count - 1];
  const double y[] = {low, low, high, high, low};
  const fw_plot_curve frame = {.count = 5, .x = x, .y = y, .faint = true};
  const fw_panel panels[] = {{.title = s->name,
                              .x_label = "along the surface [m]",
                              .y_label = "normal [N/m]",
                              .curves = curves,
                              .curve_count = 3},
                             {.x_label = "time [s]",
                              .y_label = "along the surface [m]",
                              .curves = &frame,
                              .curve_count = 1,
                              .patches = patches,
                              .patch_count = patch_count,
                              .patch_label = "normal [N/m]"}};
  FW_TRY_DONE(write_panels(ctx, panels, 2, folder, "pressure-", s->name));
done:
  free(memory);
  free(patches);
  return status;
}

/* The columns "... normal", one for each contact point, in their order. */
static int normal_columns(const fw_data_table *table, int *columns) {
  static const char wanted[] = " normal";
  int count = 0;
  for (int c = 1; c < table->columns; c++) {
    size_t length = strlen(table->column_names[c]), tail = sizeof wanted - 1;
    if (length > tail && strcmp(table->column_names[c] + length - tail, wanted) == 0) columns[count++] = c;
  }
  return count;
}

/* "lap" of "lap 3 normal". */
static void name_pair(const char *column, char name[LABEL]) {
  snprintf(name, LABEL, "%s", column);
  for (int i = 0; i < 2; i++) {
    char *space = strrchr(name, ' ');
    if (space) *space = '\0';
  }
}

fw_status fw_plots_pressure_history(fw_context *ctx, const fw_sink *sink, const char *analysis, const char *folder) {
  const fw_data_table *table = fw_sink_find(sink, analysis, "contact");
  const fw_data_table *points = fw_sink_find(sink, analysis, "contact-points");
  if (!table || !points || table->stream || table->rows < 2 || points->columns < 5) return FW_OK;
  int *columns;
  FW_TRY(fw_alloc(ctx, (size_t)table->columns, sizeof *columns, &columns));
  fw_status status = FW_OK;
  bool fits = normal_columns(table, columns) == (int)points->rows;
  for (size_t first = 0, end; fits && first < points->rows && status == FW_OK; first = end) {
    for (end = first + 1; end < points->rows && points->values[0][end] == points->values[0][first];) end++;
    surface s = {table, points->values[4] + first, (int)(end - first), columns + first, ""};
    name_pair(table->column_names[columns[first]], s.name);
    if (s.count >= FEWEST && has_lengths(s.along, s.count)) status = draw_surface(ctx, &s, folder);
  }
  free(columns);
  return status;
}
