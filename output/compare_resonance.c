/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resonance frequency against drive level. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "output/compare.h"
#include "output/plot.h"

/* Computed resonances by level, from the levels of an frf or from the table of a resonance curve. */
typedef struct resonances {
  size_t count;
  double *level, *frequency;
  bool whole; /* a curve, not single levels */
} resonances;

static fw_status resonances_make(fw_context *ctx, size_t room, resonances *l) {
  FW_TRY(fw_alloc(ctx, 2 * room, sizeof(double), &l->level));
  l->frequency = l->level + room;
  return FW_OK;
}

static fw_status resonances_of_levels(const fw_comparison *c, resonances *l) {
  char path[512];
  snprintf(path, sizeof path, "analyses.%s.levels", c->analysis);
  int count = fw_record_count(c->summary, path);
  FW_TRY(resonances_make(c->ctx, (size_t)count, l));
  for (int i = 0; i < count; i++) {
    double level, frequency;
    snprintf(path, sizeof path, "analyses.%s.levels[%d].level", c->analysis, i);
    if (fw_record_number(c->summary, path, &level) != FW_OK) continue;
    snprintf(path, sizeof path, "analyses.%s.levels[%d].resonance.frequency", c->analysis, i);
    if (fw_record_number(c->summary, path, &frequency) != FW_OK) continue; /* lost at this level */
    l->level[l->count] = level;
    l->frequency[l->count++] = frequency;
  }
  return FW_OK;
}

static fw_status resonances_of_table(const fw_comparison *c, resonances *l) {
  for (int i = 0; i < c->result->table_count; i++) {
    const fw_data_table *table = c->result->tables[i];
    int level = fw_data_table_column(table, "level"), frequency = fw_data_table_column(table, "frequency");
    if (level < 0 || frequency < 0) continue;
    FW_TRY(resonances_make(c->ctx, table->rows, l));
    for (size_t r = 0; r < table->rows; r++) {
      l->level[r] = table->values[level][r];
      l->frequency[r] = table->values[frequency][r];
    }
    l->count = table->rows;
    l->whole = true;
    return FW_OK;
  }
  return FW_OK;
}

/* Frequency where they first pass the level; NaN if it never does. */
static double resonance_at(const resonances *l, double level) {
  for (size_t i = 0; i < l->count; i++) {
    if (fabs(l->level[i] - level) <= 1e-9 * fabs(level)) return l->frequency[i];
    if (i == 0 || (l->level[i] - level) * (l->level[i - 1] - level) > 0.0) continue;
    double part = (level - l->level[i - 1]) / (l->level[i] - l->level[i - 1]);
    return l->frequency[i - 1] + part * (l->frequency[i] - l->frequency[i - 1]);
  }
  return fw_unknown();
}

/* ---- pictures ---------------------------------------------------------------------------- */

enum { MOST_LEVELS = 12, LABEL = 64 };

/* Responses at all levels, and on each the measured resonance of that level. */
typedef struct responses {
  fw_plot_curve curves[MOST_LEVELS + 1];
  char labels[MOST_LEVELS][LABEL], title[LABEL * 3], y_label[LABEL * 2];
  double x[MOST_LEVELS], y[MOST_LEVELS];
  int count;
  size_t marks;
} responses;

/* Level of a table over frequency, "frf-6.5": 6.5; NaN for others. */
static double table_level(const fw_comparison *c, const fw_data_table *table) {
  const char *tail = strchr(table->name, '-');
  char *end;
  if (strcmp(table->analysis, c->analysis) != 0 || strcmp(table->column_names[0], "frequency") != 0 || !tail)
    return fw_unknown();
  double level = strtod(tail + 1, &end);
  return end == tail + 1 ? fw_unknown() : level;
}

/* The first harmonic of the first sensor: its column, or -1. */
static int first_amplitude(const fw_data_table *table) {
  for (int i = 1; i < table->columns; i++) {
    const char *dot = strrchr(table->column_names[i], '.');
    if (dot && strcmp(dot, ".amplitude") == 0) return i;
  }
  return -1;
}

/* Where the curve first passes a frequency; false if it never does. */
static bool value_at(const fw_data_table *table, int column, double frequency, double *value) {
  const double *x = table->values[0], *y = table->values[column];
  for (size_t r = 1; r < table->rows; r++) {
    if ((x[r - 1] - frequency) * (x[r] - frequency) > 0.0 || x[r] == x[r - 1]) continue;
    *value = y[r - 1] + (frequency - x[r - 1]) / (x[r] - x[r - 1]) * (y[r] - y[r - 1]);
    return true;
  }
  return false;
}

static void add_response(const fw_comparison *c, const fw_data_table *table, double level, const double *force,
                         const double *measured, responses *all) {
  int column = first_amplitude(table);
  if (column < 0 || all->count == MOST_LEVELS) return;
  const char *name = table->column_names[column];
  snprintf(all->labels[all->count], LABEL, "%g N", level);
  snprintf(all->y_label, sizeof all->y_label, "%.60s [%.20s]", name, table->column_units[column]);
  all->curves[all->count] = (fw_plot_curve){
      .label = all->labels[all->count], .count = table->rows, .x = table->values[0], .y = table->values[column]};
  all->count++;
  for (size_t r = 0; r < c->data->rows && all->marks < MOST_LEVELS; r++)
    if (fabs(force[r] - level) <= 1e-9 * level && value_at(table, column, measured[r], &all->y[all->marks]))
      all->x[all->marks++] = measured[r];
}

/* One panel of all responses; false if the analysis has none. */
static bool responses_panel(const fw_comparison *c, const double *force, const double *measured, responses *all,
                            fw_panel *panel) {
  for (int i = 0; i < c->result->table_count; i++) {
    double level = table_level(c, c->result->tables[i]);
    if (!isnan(level)) add_response(c, c->result->tables[i], level, force, measured, all);
  }
  if (all->count == 0) return false;
  all->curves[all->count] =
      (fw_plot_curve){.label = "measured resonance", .count = all->marks, .x = all->x, .y = all->y, .markers = true};
  snprintf(all->title, sizeof all->title, "%.60s: response, and where the resonance was measured", c->analysis);
  *panel = (fw_panel){.title = all->title,
                      .x_label = "frequency [Hz]",
                      .y_label = all->y_label,
                      .y_log = true,
                      .curves = all->curves,
                      .curve_count = all->count + (all->marks > 0)};
  return true;
}

static fw_status draw(const fw_comparison *c, const resonances *l, const double *force, const double *measured) {
  char title[256];
  responses *all;
  FW_TRY(fw_alloc(c->ctx, 1, sizeof *all, &all));
  snprintf(title, sizeof title, "%s against %s", c->analysis, c->name);
  const fw_plot_curve curves[] = {
      {.label = "computed", .count = l->count, .x = l->level, .y = l->frequency, .markers = !l->whole},
      {.label = "measured", .count = c->data->rows, .x = force, .y = measured, .markers = true}};
  fw_panel panels[2];
  int count = responses_panel(c, force, measured, all, &panels[0]);
  panels[count++] = (fw_panel){
      .title = title, .x_label = "level [N]", .y_label = "resonance [Hz]", .curves = curves, .curve_count = 2};
  fw_status status = fw_compare_plot(c, panels, count);
  free(all);
  return status;
}

/* A row per measured level; the misfit over those that were computed. */
static fw_status tabulate(fw_comparison *c, const resonances *l, const double *force, const double *measured) {
  double sum = 0.0;
  int count = 0;
  for (size_t r = 0; r < c->data->rows; r++) {
    double computed = resonance_at(l, force[r]), relative = (computed - measured[r]) / measured[r];
    FW_TRY(fw_record_set_number(c->record, force[r], "rows[%zu].level", r));
    FW_TRY(fw_record_set_figure(c->record, measured[r], "Hz", "rows[%zu].measured.frequency", r));
    FW_TRY(fw_record_set_figure(c->record, computed, "Hz", "rows[%zu].computed.frequency", r));
    FW_TRY(fw_record_set_number(c->record, 100.0 * relative, "rows[%zu].difference_percent", r));
    if (isnan(relative)) continue;
    sum += relative * relative;
    count++;
  }
  c->found = count > 0;
  FW_TRY(fw_record_set_text(c->record, "N", "units.level"));
  return fw_record_set_number(c->record, count ? 100.0 * sqrt(sum / count) : fw_unknown(), "misfit_percent");
}

fw_status fw_compare_resonance(fw_comparison *c) {
  int column = fw_data_table_column(c->data, "force");
  if (column < 0) column = fw_data_table_column(c->data, "level");
  int frequency = fw_data_table_column(c->data, "frequency");
  const double *force = c->data->values[column], *measured = c->data->values[frequency];
  resonances l = {0};
  fw_status status;
  FW_TRY_DONE(fw_compare_unit(c, frequency, "Hz"));
  if (strcmp(c->data->column_names[column], "force") == 0) FW_TRY_DONE(fw_compare_unit(c, column, "N"));
  FW_TRY_DONE(resonances_of_levels(c, &l));
  if (l.count == 0) {
    free(l.level);
    l = (resonances){0};
    FW_TRY_DONE(resonances_of_table(c, &l));
  }
  if (l.count == 0) goto done;
  FW_TRY_DONE(tabulate(c, &l, force, measured));
  if (c->found) FW_TRY_DONE(draw(c, &l, force, measured));
done:
  free(l.level);
  return status;
}
