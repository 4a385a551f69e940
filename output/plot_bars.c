/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of contact pairs and of supports of tubes side by side: a bar for each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/files.h"
#include "output/plot_page.h"
#include "output/plots.h"

enum { MOST_BARS = 40, FIGURES = 6, ROW = 3, CORNERS = 5, PATH = 300 };

typedef struct bar_figure {
  const char *name, *label, *unit;
} bar_figure;

typedef struct bars {
  const char *names[MOST_BARS];
  fw_plot_curve curves[FIGURES][MOST_BARS];
  double x[FIGURES][MOST_BARS][CORNERS], y[FIGURES][MOST_BARS][CORNERS];
  fw_panel panels[FIGURES];
  int pairs, count; /* pairs or supports; panels */
} bars;

/* A bar from 0 to a value, the first on top. */
static void add_bar(bars *b, int figure, int bar, double value) {
  const double half = 0.35, middle = b->pairs - bar;
  const double x[CORNERS] = {0.0, value, value, 0.0, 0.0};
  const double y[CORNERS] = {middle - half, middle - half, middle + half, middle + half, middle - half};
  memcpy(b->x[figure][bar], x, sizeof x);
  memcpy(b->y[figure][bar], y, sizeof y);
  b->curves[figure][bar] = (fw_plot_curve){.count = CORNERS, .x = b->x[figure][bar], .y = b->y[figure][bar], .tint = 3};
}

/* Members that are pairs or supports, not the units of their figures; the last first, as bars go up. */
static void find_names(const fw_record *part, const char *group, bars *b) {
  for (int i = fw_record_count(part, group); i-- > 0 && b->pairs < MOST_BARS;) {
    const char *key = fw_record_key(part, group, i);
    if (strcmp(key, "units") != 0) b->names[b->pairs++] = key;
  }
}

static double value_of(const fw_record *part, const char *group, const char *name, const char *figure) {
  char path[PATH];
  double value = 0.0;
  snprintf(path, sizeof path, "%.120s.%.120s.%s", group, name, figure);
  fw_record_number(part, path, &value);
  return value;
}

/* The panel of a figure, if any has more than nothing of it. */
static void add_figure(const fw_record *part, const char *group, const bar_figure *what, bars *b) {
  double most = 0.0, newtons = 0.0;
  for (int i = 0; i < b->pairs; i++) {
    const char *name = b->names[b->pairs - 1 - i];
    double value = value_of(part, group, name, what->name);
    add_bar(b, b->count, i, value);
    most = fmax(most, value);
    newtons = fmax(newtons, value_of(part, group, name, "normal_max"));
  }
  if (!(most > fw_least_meant(what->name, what->unit, newtons))) return;
  b->panels[b->count] = (fw_panel){.x_label = what->label,
                                   .y_names = b->names,
                                   .name_count = b->pairs,
                                   .beside = b->count % ROW > 0,
                                   .curves = b->curves[b->count],
                                   .curve_count = b->pairs};
  b->count++;
}

static fw_status draw(fw_context *ctx, const fw_record *part, const char *group, const bar_figure *told,
                      const char *title, const char *path) {
  bars *b;
  FW_TRY(fw_alloc(ctx, 1, sizeof *b, &b));
  find_names(part, group, b);
  for (int f = 0; told[f].name && b->pairs > 1; f++) add_figure(part, group, &told[f], b);
  if (b->count) b->panels[0].title = title;
  fw_status status = b->count ? fw_plot_file(ctx, b->panels, b->count, path) : FW_OK;
  free(b);
  return status;
}

static fw_status draw_pairs(fw_context *ctx, const fw_record *part, const char *path) {
  static const bar_figure told[] = {{"work_rate", "work rate [W]", "W"},
                                    {"normal_rms", "normal force, rms [N]", "N"},
                                    {"slip_amplitude", "slip amplitude [m]", "m"},
                                    {0}};
  char contact[PATH] = "contact", title[PATH] = "by contact";
  int levels = fw_record_count(part, "levels");
  double level;
  if (fw_record_count(part, contact) < 1 && levels > 0) {
    snprintf(contact, sizeof contact, "levels[%d].level", levels - 1);
    if (fw_record_number(part, contact, &level) == FW_OK)
      snprintf(title, sizeof title, "by contact, at the resonance of level %g", level);
    snprintf(contact, sizeof contact, "levels[%d].contact", levels - 1);
  }
  return draw(ctx, part, contact, told, title, path);
}

static fw_status draw_supports(fw_context *ctx, const fw_record *part, const char *path) {
  static const bar_figure told[] = {{"work_rate", "work rate [W]", "W"},
                                    {"contact_fraction", "contact, part of the time", ""},
                                    {"impact_share", "impacts, part of the work", ""},
                                    {"impact_rate", "impacts [1/s]", "1/s"},
                                    {"impact_force_max", "largest impact [N]", "N"},
                                    {"wear_rate", "wear rate [m^3/s]", "m^3/s"},
                                    {0}};
  return draw(ctx, part, "supports", told, "by support, what wears most on top", path);
}

fw_status fw_plots_bars(fw_context *ctx, const fw_record *part, const char *folder) {
  char *path;
  FW_TRY(fw_path_join(ctx, folder, "pairs.svg", &path));
  fw_status status = draw_pairs(ctx, part, path);
  free(path);
  FW_TRY(status);
  FW_TRY(fw_path_join(ctx, folder, "supports.svg", &path));
  status = draw_supports(ctx, part, path);
  free(path);
  return status;
}
