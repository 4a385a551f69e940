/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of one analysis over frequency, a table per level: one plot per sensor (amplitude and phase) and
 * per contact pair (work rate, slip, forces), with a curve per table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/plot_page.h"
#include "output/plots.h"

/* Each table has a curve, its unstable part, its motions by shooting, and what two other methods found beside it. */
enum { MOST_TABLES = 12, MOST_PANELS = 4, LABEL = 160, CURVES_EACH = 5 };

typedef struct family {
  const fw_data_table *tables[MOST_TABLES];
  char labels[MOST_TABLES][LABEL];
  const fw_data_table *checks[MOST_TABLES]; /* by other methods, of the same level; NULL: none */
  int count;
  double *work; /* y of all curves, for all panels and tables */
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

/* Room for the curves of one table in a panel. */
typedef struct parts {
  double *whole, *unstable, *shot, *time, *shooting;
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

/* The table agreement-LEVEL that goes with a table of a response, or NULL. */
static const fw_data_table *check_of(const fw_sink *sink, const fw_data_table *table) {
  const char *tail = strchr(table->name, '-');
  char name[LABEL];
  snprintf(name, sizeof name, "agreement%s", tail ? tail : "");
  return fw_sink_find(sink, table->analysis, name);
}

/* A value at the frequency of a curve that is nearest to one. */
static double value_near(const fw_plot_curve *curve, double frequency) {
  size_t best = 0;
  for (size_t i = 1; i < curve->count; i++)
    if (fabs(curve->x[i] - frequency) < fabs(curve->x[best] - frequency)) best = i;
  return curve->y[best];
}

/* What stands beside a curve as marks in its colour. */
typedef struct marks {
  const char *method, *label;
  bool hollow;
} marks;

static const marks by_time = {"time", "time integration", false}, by_shooting = {"shooting", "shooting", true};

/* Adds what another method found of a quantity, angles in the turn of `beside`; `y` has room for them. True if there is
 * any. */
static bool add_check(const fw_data_table *check, const char *name, const marks *kind, const fw_plot_curve *beside,
                      double *y, fw_panel *panel, fw_plot_curve *curves) {
  char found[LABEL];
  snprintf(found, sizeof found, "%.140s.%s", name, kind->method);
  int c = check ? fw_data_table_column(check, found) : -1;
  bool any = false;
  for (size_t r = 0; c >= 0 && r < check->rows; r++) {
    double turns = (value_near(beside, check->values[0][r]) - check->values[c][r]) / 360.0;
    bool angle = strcmp(check->column_units[c], "deg") == 0 && isfinite(turns);
    y[r] = check->values[c][r] + (angle ? 360.0 * round(turns) : 0.0);
    any = any || isfinite(y[r]);
  }
  if (any)
    curves[panel->curve_count++] = (fw_plot_curve){
        .count = check->rows, .x = check->values[0], .y = y, .markers = true, .hollow = kind->hollow, .same = true};
  return any;
}

/* Adds rings around the motions of a curve that shooting found. True if there is any. */
static bool add_shot(const fw_data_table *table, const fw_plot_curve *curve, const parts *of, fw_panel *panel,
                     fw_plot_curve *curves) {
  int method = fw_data_table_column(table, "method");
  bool any = false;
  for (size_t r = 0; method >= 0 && r < table->rows; r++) {
    bool shot = table->values[method][r] > 0.0;
    of->shot[r] = !shot ? NAN : isfinite(of->whole[r]) ? of->whole[r] : of->unstable[r];
    any = any || shot;
  }
  if (any)
    curves[panel->curve_count++] = (fw_plot_curve){
        .count = table->rows, .x = curve->x, .y = of->shot, .markers = true, .hollow = true, .same = true};
  return any;
}

/* The legend names each kind of marks once. */
static void tell(fw_panel *panel, fw_plot_curve *curves, const char *label, bool added, bool *told) {
  if (added && !*told) curves[panel->curve_count - 1].label = label;
  *told = *told || added;
}

/* The largest normal force of a pair at any level; 0: that is no pair. */
static double newtons_of(const family *f, const char *owner) {
  char name[LABEL];
  double most = 0.0;
  snprintf(name, sizeof name, "%.140s.normal_max", owner);
  for (int i = 0; i < f->count; i++) {
    int c = fw_data_table_column(f->tables[i], name);
    for (size_t r = 0; c >= 0 && r < f->tables[i]->rows; r++) most = fmax(most, f->tables[i]->values[c][r]);
  }
  return most;
}

/* One panel of quantity OWNER.WHAT, if the tables have it. */
static bool fill_panel(const family *f, const char *owner, const char *what, fw_panel *panel, fw_plot_curve *curves,
                       double *work, char *label) {
  char name[LABEL];
  snprintf(name, sizeof name, "%s.%s", owner, what);
  *panel = (fw_panel){.x_label = "frequency [Hz]", .y_label = label, .curves = curves};
  double low = INFINITY, high = 0.0;
  bool positive = true, told = false, timed = false, shot = false;
  for (int i = 0; i < f->count; i++) {
    const fw_data_table *table = f->tables[i];
    double *mine = work + (size_t)(CURVES_EACH * i) * f->room;
    const parts to = {mine, mine + f->room, mine + 2 * f->room, mine + 3 * f->room, mine + 4 * f->room};
    int c = fw_data_table_column(table, name);
    if (c < 0) continue;
    snprintf(label, LABEL, table->column_units[c][0] ? "%s [%s]" : "%s", what, table->column_units[c]);
    panel->rounding = fw_least_meant(what, table->column_units[c], newtons_of(f, owner));
    for (char *bar; (bar = strchr(label, '_'));) *bar = ' ';
    positive = stretch(table, c, &low, &high) && positive;
    bool unstable = split(table, c, &to);
    fw_plot_curve curve = {.label = f->labels[i], .count = table->rows, .x = table->values[0], .y = to.whole};
    const fw_plot_curve shown = curve;
    curves[panel->curve_count++] = curve;
    if (unstable) {
      curve.label = told ? NULL : "unstable";
      curve.dashed = told = true;
      curve.y = to.unstable;
      curves[panel->curve_count++] = curve;
    }
    tell(panel, curves, by_shooting.label, add_shot(table, &shown, &to, panel, curves), &shot);
    tell(panel, curves, by_time.label, add_check(f->checks[i], name, &by_time, &shown, to.time, panel, curves), &timed);
    bool found = add_check(f->checks[i], name, &by_shooting, &shown, to.shooting, panel, curves);
    tell(panel, curves, by_shooting.label, found, &shot);
  }
  panel->y_log = positive && high > 20.0 * low && strcmp(what, "phase") != 0;
  return panel->curve_count > 0;
}

static fw_status draw_owner(fw_context *ctx, const family *f, const char *owner, const char *const *quantities,
                            const char *folder) {
  fw_panel panels[MOST_PANELS] = {0};
  fw_plot_curve curves[MOST_PANELS][CURVES_EACH * MOST_TABLES];
  char labels[MOST_PANELS][LABEL], title[LABEL];
  int count = 0;
  for (int q = 0; quantities[q]; q++)
    if (fill_panel(f, owner, quantities[q], &panels[count], curves[count],
                   f->work + (size_t)(CURVES_EACH * count * MOST_TABLES) * f->room, labels[count]))
      count++;
  snprintf(title, sizeof title, "%s: %s", f->tables[0]->analysis, owner);
  panels[0].title = title;
  for (int p = 1; p < count; p++) /* one legend is enough */
    for (int c = 0; c < panels[p].curve_count; c++) curves[p][c].label = NULL;
  return fw_plot_into(ctx, panels, count, folder, "over-frequency-%s", owner);
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
    f->checks[f->count] = check_of(sink, sink->tables[i]);
    f->tables[f->count++] = sink->tables[i];
  }
  for (int i = 0; i < f->count; i++) {
    f->room = f->tables[i]->rows > f->room ? f->tables[i]->rows : f->room;
    if (f->checks[i] && f->checks[i]->rows > f->room) f->room = f->checks[i]->rows;
  }
  fw_status status =
      fw_alloc(ctx, (size_t)(CURVES_EACH * MOST_PANELS * MOST_TABLES) * f->room, sizeof *f->work, &f->work);
  for (size_t v = 0; v < sizeof views / sizeof *views && f->count && status == FW_OK; v++)
    status = draw_view(ctx, f, &views[v], folder);
  free(f->work);
  free(f);
  return status;
}
