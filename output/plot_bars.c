/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of contact pairs side by side: a bar for each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/files.h"
#include "output/plot.h"
#include "output/plots.h"

enum { MOST_BARS = 40, FIGURES = 3, CORNERS = 5, PATH = 300 };

typedef struct bars {
  const char *names[MOST_BARS];
  fw_plot_curve curves[FIGURES][MOST_BARS];
  double x[FIGURES][MOST_BARS][CORNERS], y[FIGURES][MOST_BARS][CORNERS];
  fw_panel panels[FIGURES];
  int pairs, count; /* count: panels */
} bars;

/* A bar from 0 to a value, the first pair on top. */
static void add_bar(bars *b, int figure, int bar, double value) {
  const double half = 0.35, middle = b->pairs - bar;
  const double x[CORNERS] = {0.0, value, value, 0.0, 0.0};
  const double y[CORNERS] = {middle - half, middle - half, middle + half, middle + half, middle - half};
  memcpy(b->x[figure][bar], x, sizeof x);
  memcpy(b->y[figure][bar], y, sizeof y);
  b->curves[figure][bar] = (fw_plot_curve){.count = CORNERS, .x = b->x[figure][bar], .y = b->y[figure][bar], .tint = 3};
}

/* Members of the contact that are pairs, not the units of its figures; the last first, as bars go up. */
static void find_pairs(const fw_record *part, const char *contact, bars *b) {
  for (int i = fw_record_count(part, contact); i-- > 0 && b->pairs < MOST_BARS;) {
    const char *key = fw_record_key(part, contact, i);
    if (strcmp(key, "units") != 0) b->names[b->pairs++] = key;
  }
}

/* The panel of a figure, if any pair has more than nothing of it. */
static void add_figure(const fw_record *part, const char *contact, const char *const what[2], bars *b) {
  double most = 0.0;
  for (int i = 0; i < b->pairs; i++) {
    char path[PATH];
    double value = 0.0;
    snprintf(path, sizeof path, "%.120s.%.120s.%s", contact, b->names[b->pairs - 1 - i], what[0]);
    fw_record_number(part, path, &value);
    add_bar(b, b->count, i, value);
    most = fmax(most, value);
  }
  if (!(most > 0.0)) return;
  b->panels[b->count] = (fw_panel){.x_label = what[1],
                                   .y_names = b->names,
                                   .name_count = b->pairs,
                                   .beside = b->count > 0,
                                   .curves = b->curves[b->count],
                                   .curve_count = b->pairs};
  b->count++;
}

static fw_status draw(fw_context *ctx, const fw_record *part, const char *contact, const char *title,
                      const char *path) {
  static const char *const told[FIGURES][2] = {{"work_rate", "work rate [W]"},
                                               {"normal_rms", "normal force, rms [N]"},
                                               {"slip_amplitude", "slip amplitude [m]"}};
  bars *b;
  FW_TRY(fw_alloc(ctx, 1, sizeof *b, &b));
  find_pairs(part, contact, b);
  for (int f = 0; f < FIGURES && b->pairs > 1; f++) add_figure(part, contact, told[f], b);
  if (b->count) b->panels[0].title = title;
  fw_status status = b->count ? fw_plot_file(ctx, b->panels, b->count, path) : FW_OK;
  free(b);
  return status;
}

fw_status fw_plots_pairs(fw_context *ctx, const fw_record *part, const char *folder) {
  char contact[PATH] = "contact", title[PATH] = "by contact", *path;
  int levels = fw_record_count(part, "levels");
  double level;
  if (fw_record_count(part, contact) < 1 && levels > 0) {
    snprintf(contact, sizeof contact, "levels[%d].level", levels - 1);
    if (fw_record_number(part, contact, &level) == FW_OK)
      snprintf(title, sizeof title, "by contact, at the resonance of level %g", level);
    snprintf(contact, sizeof contact, "levels[%d].contact", levels - 1);
  }
  FW_TRY(fw_path_join(ctx, folder, "pairs.svg", &path));
  fw_status status = draw(ctx, part, contact, title, path);
  free(path);
  return status;
}
