/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of one analysis over frequency, a table per level: one plot per sensor (amplitude and phase) and
 * per contact pair (work rate, slip, forces), with a curve per table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/files.h"
#include "output/plot.h"
#include "output/plots.h"

enum { MOST_TABLES = 12, MOST_PANELS = 4, LABEL = 160 };

typedef struct family {
  const fw_data_table *tables[MOST_TABLES];
  char labels[MOST_TABLES][LABEL];
  int count;
  double *work; /* y of stable and of unstable motions, for all panels and tables */
  size_t room;  /* of one curve in it */
} family;

/* What belongs on one plot, and the quantity that calls for it. */
typedef struct view {
  const char *key, *panels[MOST_PANELS + 1];
} view;

static const view views[] = {
    {"amplitude", {"amplitude", "phase", "gain"}},
    {"coherence", {"gain", "phase", "coherence"}},
    {"work_rate", {"work_rate", "slip_amplitude", "tangential_max", "normal_max"}},
    {"level", {"level"}}, /* of the loads, where a response is held */
};

bool fw_plots_in_family(const fw_data_table *table) {
  if (table->stream || table->rows < 2 || strcmp(table->column_names[0], "frequency") != 0) return false;
  for (int c = 1; c < table->columns; c++)
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
      const char *dot = strrchr(table->column_names[c], '.');
      if (dot && strcmp(dot + 1, views[v].key) == 0) return true;
    }
  return false;
}

/* "frf-6.5-up": "level 6.5 up". */
static void label_table(const fw_data_table *table, char *label) {
  const char *tail = strchr(table->name, '-');
  snprintf(label, LABEL, "%s%s", tail ? "level " : "", tail ? tail + 1 : table->name);
  for (char *c = label; *c; c++)
    if (*c == '-') *c = ' ';
}

/* Widens low..high by a column; false if it has a value that a log axis cannot show. */
static bool stretch(const fw_data_table *table, int column, double *low, double *high) {
  for (size_t r = 0; r < table->rows; r++) {
    double value = table->values[column][r];
    if (value <= 0.0) return false;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
  }
  return true;
}

/* Room for a curve of a panel and for its unstable part. */
typedef struct parts {
  double *whole, *unstable;
} parts;

static bool unstable_at(const fw_data_table *table, int growing, size_t row) {
  return growing >= 0 && row < table->rows && table->values[growing][row] > 0.0;
}

/* The values of a column, angles without jumps of a turn, cut into what is stable and, from the last stable point to
 * the next, what is not; false if all is stable. */
static bool split(const fw_data_table *table, int column, const parts *to) {
  int growing = fw_data_table_column(table, "growing");
  bool angle = strcmp(table->column_units[column], "deg") == 0, any = false;
  double turn = 0.0;
  for (size_t r = 0; r < table->rows; r++) {
    const double *values = table->values[column];
    if (angle && r > 0 && isfinite(values[r] - values[r - 1]))
      turn -= 360.0 * round((values[r] - values[r - 1]) / 360.0);
    bool here = unstable_at(table, growing, r);
    bool beside = (r > 0 && unstable_at(table, growing, r - 1)) || unstable_at(table, growing, r + 1);
    to->whole[r] = here ? NAN : values[r] + turn;
    to->unstable[r] = here || beside ? values[r] + turn : NAN;
    any = any || here;
  }
  return any;
}

/* One panel of quantity OWNER.WHAT, if the tables have it. */
static bool fill_panel(const family *f, const char *owner, const char *what, fw_panel *panel, fw_plot_curve *curves,
                       double *work, char *label) {
  char name[LABEL];
  snprintf(name, sizeof name, "%s.%s", owner, what);
  *panel = (fw_panel){.x_label = "frequency [Hz]", .y_label = label, .curves = curves};
  double low = INFINITY, high = 0.0;
  bool positive = true, told = false;
  for (int i = 0; i < f->count; i++) {
    const fw_data_table *table = f->tables[i];
    const parts to = {work + 2 * (size_t)i * f->room, work + (2 * (size_t)i + 1) * f->room};
    int c = fw_data_table_column(table, name);
    if (c < 0) continue;
    snprintf(label, LABEL, table->column_units[c][0] ? "%s [%s]" : "%s", what, table->column_units[c]);
    for (char *bar; (bar = strchr(label, '_'));) *bar = ' ';
    positive = stretch(table, c, &low, &high) && positive;
    bool unstable = split(table, c, &to);
    fw_plot_curve curve = {.label = f->labels[i], .count = table->rows, .x = table->values[0], .y = to.whole};
    curves[panel->curve_count++] = curve;
    if (!unstable) continue;
    curve.label = told ? NULL : "unstable";
    curve.dashed = told = true;
    curve.y = to.unstable;
    curves[panel->curve_count++] = curve;
  }
  panel->y_log = positive && high > 20.0 * low && strcmp(what, "phase") != 0;
  return panel->curve_count > 0;
}

static fw_status draw_owner(fw_context *ctx, const family *f, const char *owner, const char *const *quantities,
                            const char *folder) {
  fw_panel panels[MOST_PANELS];
  fw_plot_curve curves[MOST_PANELS][2 * MOST_TABLES];
  char labels[MOST_PANELS][LABEL], title[LABEL], name[LABEL], *safe = NULL, *path = NULL;
  int count = 0;
  for (int q = 0; quantities[q]; q++)
    if (fill_panel(f, owner, quantities[q], &panels[count], curves[count],
                   f->work + (size_t)(2 * count * MOST_TABLES) * f->room, labels[count]))
      count++;
  snprintf(title, sizeof title, "%s: %s", f->tables[0]->analysis, owner);
  panels[0].title = title;
  for (int p = 1; p < count; p++) /* one legend is enough */
    for (int c = 0; c < panels[p].curve_count; c++) curves[p][c].label = NULL;
  fw_status status = fw_path_safe(ctx, owner, &safe);
  if (status == FW_OK) {
    snprintf(name, sizeof name, "over-frequency-%s.svg", safe);
    status = fw_path_join(ctx, folder, name, &path);
  }
  if (status == FW_OK) status = fw_plot_file(ctx, panels, count, path);
  free(path);
  free(safe);
  return status;
}

/* The owners of a view's key, in the order of the first table. */
static fw_status draw_view(fw_context *ctx, const family *f, const view *v, const char *folder) {
  const fw_data_table *first = f->tables[0];
  for (int c = 1; c < first->columns; c++) {
    const char *name = first->column_names[c], *dot = strrchr(name, '.');
    char owner[LABEL];
    if (!dot || strcmp(dot + 1, v->key) != 0) continue;
    snprintf(owner, sizeof owner, "%.*s", (int)(dot - name), name);
    FW_TRY(draw_owner(ctx, f, owner, v->panels, folder));
  }
  return FW_OK;
}

fw_status fw_plots_family(fw_context *ctx, const fw_sink *sink, const char *analysis, const char *folder) {
  family *f;
  FW_TRY(fw_alloc(ctx, 1, sizeof *f, &f));
  for (int i = 0; i < sink->table_count && f->count < MOST_TABLES; i++) {
    if (strcmp(sink->tables[i]->analysis, analysis) != 0 || !fw_plots_in_family(sink->tables[i])) continue;
    label_table(sink->tables[i], f->labels[f->count]);
    f->tables[f->count++] = sink->tables[i];
  }
  for (int i = 0; i < f->count; i++) f->room = f->tables[i]->rows > f->room ? f->tables[i]->rows : f->room;
  fw_status status = fw_alloc(ctx, (size_t)(2 * MOST_PANELS * MOST_TABLES) * f->room, sizeof *f->work, &f->work);
  for (size_t v = 0; v < sizeof views / sizeof *views && f->count && status == FW_OK; v++)
    status = draw_view(ctx, f, &views[v], folder);
  free(f->work);
  free(f);
  return status;
}
