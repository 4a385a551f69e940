/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/axis.h"
#include "output/plot_page.h"

enum { MANY_OWNERS = 2, MANY_SENSORS = 3 };

/* ---- panels ------------------------------------------------------------------------------ */

static bool spans_decades(const fw_data_table *table, int column, double decades) {
  double low = INFINITY, high = 0.0;
  for (size_t r = 0; r < table->rows; r++) {
    double value = table->values[column][r];
    if (!isfinite(value)) continue;
    if (value <= 0.0) return false;
    low = fmin(low, value);
    high = fmax(high, value);
  }
  return high > low * pow(10.0, decades);
}

static void label_column(const fw_data_table *table, int column, char *label) {
  snprintf(label, FW_LABEL, table->column_units[column][0] ? "%s [%s]" : "%s", table->column_names[column],
           table->column_units[column]);
  for (char *bar; (bar = strchr(label, '_'));) *bar = ' ';
}

/* Angles, misfits, which are parabolas, and what is over time have linear axes; of iterations one wants to see how fast
 * they fall. */
static bool wants_log(const fw_table_view *view, int column) {
  const fw_data_table *table = view->table;
  if (strcmp(table->column_units[column], "deg") == 0 || fw_view_over_time(view)) return false;
  if (strcmp(table->column_names[column], "misfit") == 0) return false;
  if (strncmp(table->column_units[column], "of the largest", 14) == 0) return true;
  return spans_decades(table, column, 1.5);
}

static fw_panel *add_panel(fw_plot_page *p, const fw_table_view *view, int column) {
  if (p->count == FW_MOST_PANELS) {
    p->left_out++;
    return NULL;
  }
  fw_panel *panel = &p->panels[p->count];
  *panel =
      (fw_panel){.title = p->count == 0 ? p->titles[0] : NULL,
                 .x_label = p->x_label,
                 .y_label = p->y_labels[p->count],
                 .x_log = !fw_view_over_time(view) && spans_decades(view->table, view->x, FW_AXIS_ABSCISSA_DECADES),
                 .y_log = wants_log(view, column),
                 .curves = p->curves[p->count]};
  label_column(view->table, column, p->y_labels[p->count]);
  p->count++;
  return panel;
}

static void add_curve(fw_panel *panel, const fw_table_view *view, const fw_table_run *r, int column,
                      const char *label) {
  if (panel->curve_count == FW_MOST_CURVES) return;
  fw_plot_curve *curve = (fw_plot_curve *)&panel->curves[panel->curve_count++];
  bool measured = label && strcmp(label, "measured") == 0; /* rings: what is computed may lie in them */
  *curve = (fw_plot_curve){.label = label,
                           .count = r->count,
                           .x = view->table->values[view->x] + r->first,
                           .y = view->table->values[column] + r->first,
                           .markers = r->count <= FW_FEW_POINTS || measured,
                           .hollow = measured};
}

/* Phases, means, and amplitudes of higher harmonics ("drive.amplitude-3"), of which tables of responses are full. */
static bool is_detail(const char *name) {
  const char *last = strrchr(name, '.');
  return last &&
         (strncmp(last, ".phase", 6) == 0 || strncmp(last, ".amplitude-", 11) == 0 || strcmp(last, ".mean") == 0);
}

static void name_states(fw_panel *panel) {
  static const char *const states[] = {"open", "stick", "slip"};
  panel->y_names = states;
  panel->name_count = 3;
  panel->from_zero = true;
}

/* The table `events` counts what happens to a contact from 1 on. */
static void name_changes(fw_panel *panel) {
  static const char *const changes[] = {"closes", "opens", "bounces", "sticks", "slips", "turns"};
  panel->y_names = changes;
  panel->name_count = sizeof changes / sizeof *changes;
}

/* One panel per column, one curve per run. */
static void panels_by_column(fw_plot_page *p, const fw_table_view *view) {
  for (int c = view->x + (fw_view_over_places(view) ? 2 : 1); c < view->table->columns; c++) {
    if (is_detail(view->table->column_names[c])) continue;
    fw_panel *panel = add_panel(p, view, c);
    if (panel && strcmp(view->table->column_names[c], "state") == 0) name_states(panel);
    for (int i = 0; panel && i < view->run_count; i++)
      add_curve(panel, view, &view->runs[i], c, p->count == 1 && view->run_count > 1 ? view->runs[i].label : NULL);
  }
}

/* ---- one quantity per panel -------------------------------------------------------------- */

/* What columns of a unit without owners are together. */
static const char *quantity_in(const char *unit) {
  static const char *const names[][2] = {{"m", "displacement"},      {"m/s", "velocity"}, {"m/s^2", "acceleration"},
                                         {"rad", "rotation"},        {"J", "energy"},     {"N", "force"},
                                         {"rad/s", "rotation rate"}, {"W", "power"},      {"Hz", "frequency"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], unit) == 0) return names[i][1];
  return "";
}

/* 0 where it is rounding. */
static double largest(const fw_table_view *view, int column) {
  double rounding = view->table->column_units[column][0] ? fw_view_rounding(view, column) : 0.0;
  return view->most[column] < rounding ? 0.0 : view->most[column];
}

/* Histories of many sensors of one kind hide each other. */
static bool is_crowded(const fw_table_view *view, int column) {
  const fw_data_table *table = view->table;
  int sensors = 0;
  for (int c = 0; c < table->columns; c++)
    sensors += c != view->x && strcmp(table->column_units[c], table->column_units[column]) == 0;
  return strcmp(table->name, "history") == 0 && sensors > MANY_SENSORS;
}

/* Columns share a panel if they are the same quantity and none would lie flat on the axis beside the other. */
static bool share_panel(const fw_table_view *view, int a, int b) {
  static const double FLAT = 30.0;
  const fw_data_table *table = view->table;
  const char *name_a = table->column_names[a], *name_b = table->column_names[b];
  const char *what_a = fw_column_quantity(name_a), *what_b = fw_column_quantity(name_b);
  if (a == view->x || b == view->x || is_detail(name_a) || is_detail(name_b)) return false;
  if (a == b) return true;
  if (strcmp(table->column_units[a], table->column_units[b]) != 0) return false;
  if (!what_a != !what_b || (what_a && strcmp(what_a, what_b) != 0)) return false;
  if (!what_a && !table->column_units[a][0]) return false;
  if (is_crowded(view, a) || (what_a && strcmp(what_a, "state") == 0)) return false;
  double most_a = largest(view, a), most_b = largest(view, b);
  return most_a == 0.0 || most_b == 0.0 || (most_a < FLAT * most_b && most_b < FLAT * most_a);
}

/* The column whose panel this one is in: the first with a panel of its own that it shares with. */
static int head_of(const fw_table_view *view, int c) {
  for (int first = 0; first < c; first++)
    if (share_panel(view, first, c) && head_of(view, first) == first) return first;
  return c;
}

/* Whether a column before this one has brought it along, or it is not to be shown. */
static bool is_shown(const fw_table_view *view, int c) { return head_of(view, c) != c || !share_panel(view, c, c); }

/* What a legend calls a curve beside a label that tells its quantity: its owner. */
static const char *short_label(fw_plot_page *p, const fw_data_table *table, int column) {
  int curve = p->panels[p->count - 1].curve_count;
  char *label = p->labels[p->count - 1][curve < FW_MOST_CURVES ? curve : FW_MOST_CURVES - 1];
  fw_column_owner(table->column_names[column], label);
  for (char *bar; (bar = strchr(label, '_'));) *bar = ' ';
  return label;
}

/* The panel of a column and of those that share it. */
static void panel_of(fw_plot_page *p, const fw_table_view *view, int c) {
  const fw_data_table *table = view->table;
  fw_panel *panel = add_panel(p, view, c);
  if (!panel) return;
  panel->rounding = table->column_units[c][0] ? fw_view_rounding(view, c) : 0.0;
  for (int other = c; other < table->columns; other++)
    if (share_panel(view, c, other) && head_of(view, other) == c) {
      add_curve(panel, view, &view->runs[0], other, short_label(p, table, other));
      panel->y_log = panel->y_log && (wants_log(view, other) || spans_decades(table, other, 0.0));
    }
  const char *what = fw_column_quantity(table->column_names[c]), *unit = table->column_units[c];
  char *label = p->y_labels[p->count - 1];
  if (panel->curve_count > 1)
    snprintf(label, FW_LABEL, unit[0] ? "%s [%s]" : "%s", what ? what : quantity_in(unit), unit);
  else
    ((fw_plot_curve *)panel->curves)->label = NULL;
  for (char *bar; (bar = strchr(label, '_'));) *bar = ' ';
  if (fw_column_ends_with(table->column_names[c], " state")) name_states(panel);
  if (strcmp(table->name, "events") == 0 && strcmp(table->column_names[c], "change") == 0) name_changes(panel);
}

static void panels_by_quantity(fw_plot_page *p, const fw_table_view *view) {
  for (int c = 0; c < view->table->columns; c++)
    if (!is_shown(view, c)) panel_of(p, view, c);
}

/* Curves over level, amplitude or speed: frequency and damping, or the ends of the motion, side by side, then what
 * matters of the rest. */
static void panels_of_backbone(fw_plot_page *p, const fw_table_view *view) {
  static const char *const wanted[] = {"frequency",      "damping",        "lowest",         "amplitude", "work_rate",
                                       "slip_amplitude", "stick_fraction", "tangential_max", "normal_max"};
  const fw_data_table *table = view->table;
  for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
    for (int c = 0; c < table->columns; c++) {
      const char *name = table->column_names[c], *what = fw_column_quantity(name);
      if (strcmp(what ? what : name, wanted[w]) == 0 && !is_shown(view, c)) panel_of(p, view, c);
    }
}

static bool is_backbone(const fw_table_view *view) {
  int x = fw_data_table_column(view->table, "frequency");
  bool told = fw_data_table_column(view->table, "damping") >= 0 || fw_data_table_column(view->table, "lowest") >= 0;
  return x > 0 && told && !fw_view_over_time(view);
}

static bool has_legend(const fw_panel *panel) {
  for (int c = 0; c < panel->curve_count; c++)
    if (panel->curves[c].label) return true;
  return false;
}

/* Many panels stand in two columns; where a legend is right of a panel, none stands there. */
static void arrange(fw_plot_page *p, bool pairs) {
  for (int i = 1; i < p->count; i++)
    p->panels[i].beside = (pairs || p->count > 4) && !p->panels[i - 1].beside && !has_legend(&p->panels[i - 1]);
}

/* ---- harmonic balance beside time integration -------------------------------------------- */

static bool is_agreement(const fw_data_table *table) { return strncmp(table->name, "agreement-", 10) == 0; }

/* How far the methods are apart, all figures in one panel, and how much of that harmonics left out explain, in another;
 * the figures themselves stand in the pictures of the response (output/plot_family.c). */
static void panels_of_agreement(fw_plot_page *p, const fw_table_view *view) {
  static const char *const wanted[][2] = {{"difference", "difference of the methods"},
                                          {"spread", "change by twice the harmonics"}};
  const fw_data_table *table = view->table;
  for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
    fw_panel *panel = NULL;
    for (int c = 1; c < table->columns; c++) {
      const char *what = fw_column_quantity(table->column_names[c]);
      if (!what || strcmp(what, wanted[w][0]) != 0) continue;
      if (!panel) panel = add_panel(p, view, c);
      if (panel) add_curve(panel, view, &view->runs[0], c, w == 0 ? short_label(p, table, c) : NULL);
    }
    if (!panel) continue;
    snprintf(p->y_labels[p->count - 1], FW_LABEL, "%s", wanted[w][1]);
    panel->y_log = true;
  }
}

/* ---- many owners: small multiples -------------------------------------------------------- */

static int owners(const fw_table_view *view, int first) {
  const char *what = fw_column_quantity(view->table->column_names[first]);
  int count = 0;
  for (int c = 0; what && c < view->table->columns; c++) {
    const char *other = fw_column_quantity(view->table->column_names[c]);
    count += other && strcmp(other, what) == 0;
  }
  return count;
}

/* A panel for each owner of a quantity. */
static void multiples_of(fw_plot_page *p, const fw_table_view *view, int first) {
  const fw_data_table *table = view->table;
  const char *what = fw_column_quantity(table->column_names[first]);
  double rounding = fw_view_rounding(view, first);
  for (int c = first; c < table->columns; c++) {
    const char *other = fw_column_quantity(table->column_names[c]);
    fw_panel *panel = other && strcmp(other, what) == 0 ? add_panel(p, view, c) : NULL;
    if (!panel) continue;
    int at = p->count - 1;
    fw_column_owner(table->column_names[c], p->titles[at]);
    snprintf(p->y_labels[at], FW_LABEL, table->column_units[c][0] ? "%s [%s]" : "%s", what, table->column_units[c]);
    panel->title = p->titles[at];
    panel->rounding = rounding;
    panel->beside = at % 2 == 1;
    add_curve(panel, view, &view->runs[0], c, NULL);
    if (strcmp(what, "state") == 0) name_states(panel);
  }
}

/* ---- files ------------------------------------------------------------------------------- */

static fw_status write_page(fw_context *ctx, fw_plot_page *p, const fw_data_table *table, const char *suffix,
                            const char *folder) {
  if (p->count == 0) return FW_OK;
  if (p->left_out) {
    size_t length = strlen(p->titles[0]);
    int written = snprintf(p->titles[0] + length, FW_LABEL - length, " (%d of %d", p->count, p->count + p->left_out);
    bool three = p->count > 2 && p->panels[2].beside; /* in a row: no room for more words */
    length += (size_t)written;
    snprintf(p->titles[0] + length, FW_LABEL - length, three ? ")" : "; all are in %s.csv)", table->name);
  }
  return fw_plot_into(ctx, p->panels, p->count, folder, "%s%s", table->name, suffix);
}

static void fill_page(fw_plot_page *p, const fw_table_view *view) {
  fw_plot_title(view->table, fw_view_over_places(view), p->titles[0]);
  label_column(view->table, view->x, p->x_label);
  if (view->run_count > 1 || fw_view_over_places(view))
    panels_by_column(p, view);
  else if (is_agreement(view->table))
    panels_of_agreement(p, view);
  else if (is_backbone(view))
    panels_of_backbone(p, view);
  else
    panels_by_quantity(p, view);
  arrange(p, is_backbone(view));
}

/* A page for each quantity of many owners. */
static fw_status write_multiples(fw_context *ctx, fw_plot_page *p, const fw_table_view *view, const char *folder) {
  const fw_data_table *table = view->table;
  const char *first = table->column_names[view->x + 1];
  char owner[FW_LABEL], other[FW_LABEL];
  fw_column_owner(first, owner);
  for (int c = view->x + 1; c < table->columns; c++) {
    fw_column_owner(table->column_names[c], other);
    if (!fw_column_quantity(table->column_names[c]) || strcmp(owner, other) != 0) continue;
    char suffix[FW_LABEL];
    snprintf(suffix, sizeof suffix, "-%.100s", fw_column_quantity(table->column_names[c]));
    for (char *space; (space = strchr(suffix, ' '));) *space = '-';
    p->count = p->left_out = 0;
    label_column(table, view->x, p->x_label);
    multiples_of(p, view, c);
    FW_TRY(write_page(ctx, p, table, suffix, folder));
  }
  return FW_OK;
}

fw_status fw_plots_table(fw_context *ctx, const fw_data_table *table, const char *folder) {
  if (table->stream || table->rows < 2 || table->columns < 2) return FW_OK;
  if (strcmp(table->name, "convergence") == 0 && table->rows < 3) return FW_OK; /* there at once: no curve */
  if (fw_plots_is_map(table)) return fw_plots_map(ctx, table, folder);
  if (fw_plots_is_correlation(table)) return fw_plots_correlation(ctx, table, folder);
  if (fw_plots_is_flow(table)) return fw_plots_flow(ctx, table, folder);
  if (fw_plots_are_multipliers(table)) return fw_plots_multipliers(ctx, table, folder);
  if (fw_plots_is_histogram(table)) return fw_plots_histogram(ctx, table, folder);
  if (strcmp(table->name, "contact-points") == 0) return FW_OK; /* places: pressure-PAIR.svg is over them */
  if (strcmp(table->name, "supports") == 0) return FW_OK;       /* drawn with their names, output/plot_bars.c */
  if (strcmp(table->name, "rings") == 0) return FW_OK;          /* a list */
  fw_table_view view = {0};
  fw_plot_page *p = NULL;
  fw_status status;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof *p, &p));
  FW_TRY_DONE(fw_view_table(ctx, table, &view));
  if (strcmp(table->column_names[view.x], "mode") == 0) goto done;
  bool loops = view.key_count > 0 && fw_plot_has_loops(&view); /* periods of several motions: no histories */
  bool many = view.run_count == 1 && fw_view_over_time(&view) && owners(&view, view.x + 1) > MANY_OWNERS;
  if (many) FW_TRY_DONE(write_multiples(ctx, p, &view, folder));
  if (!loops && !many) {
    fill_page(p, &view);
    FW_TRY_DONE(write_page(ctx, p, table, "", folder));
  }
  if (!fw_plot_has_loops(&view)) goto done;
  fw_plot_loops(p, &view);
  FW_TRY_DONE(write_page(ctx, p, table, loops ? "" : "-loops", folder));
done:
  fw_view_clear(&view);
  free(p);
  return status;
}

fw_status fw_plots_write(fw_context *ctx, const fw_sink *sink, const char *analysis, const char *folder) {
  for (int i = 0; i < sink->table_count; i++) {
    const fw_data_table *table = sink->tables[i];
    if (strcmp(table->analysis, analysis) == 0 && !fw_plots_in_family(table) && !fw_plots_in_orbits(table))
      FW_TRY(fw_plots_table(ctx, table, folder));
  }
  FW_TRY(fw_plots_pressure_history(ctx, sink, analysis, folder));
  FW_TRY(fw_plots_orbits(ctx, sink, analysis, folder));
  return fw_plots_family(ctx, sink, analysis, folder);
}
