/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a table becomes a page of plots: it is seen as curves (plot_view.c), which go to the panels of a page (plots.c), and
 * slip and tangential force to hysteresis loops (plot_loops.c). */
#ifndef FW_OUTPUT_PLOT_PAGE_H
#define FW_OUTPUT_PLOT_PAGE_H

#include "core/sink.h"
#include "output/plot.h"

enum { FW_MOST_PANELS = 12, FW_MOST_CURVES = 12, FW_LABEL = 160, FW_FEW_POINTS = 12 };

/* ---- a table as curves ------------------------------------------------------------------- */

/* Rows first..first+count-1 are one curve. */
typedef struct fw_table_run {
  size_t first, count;
  char label[FW_LABEL];
} fw_table_run;

typedef struct fw_table_view {
  const fw_data_table *table;
  int x; /* column of the abscissa */
  int keys[8], key_count;
  fw_table_run *runs;
  int run_count;
  double *most; /* the largest value of each column in size */
} fw_table_view;

/* Finds keys, abscissa and curves. */
fw_status fw_view_table(fw_context *ctx, const fw_data_table *table, fw_table_view *view);
void fw_view_clear(fw_table_view *view);
bool fw_view_over_time(const fw_table_view *view);
/* How something spreads over places x, y. */
bool fw_view_over_places(const fw_table_view *view);

bool fw_column_ends_with(const char *name, const char *ending);
/* What a column tells of its owner: "work_rate" of "foot.work_rate", "slip velocity" of "plate 1 slip velocity"; NULL:
 * it has no owner. */
const char *fw_column_quantity(const char *name);
/* "plate 1" of "plate 1 gap", into `label` of FW_LABEL. */
void fw_column_owner(const char *name, char *label);

/* What is rounding beside the largest value of all columns of the same quantity and unit, or means nothing of itself. */
double fw_view_rounding(const fw_table_view *view, int column);

/* Below this a figure of contacts that carry up to `newtons` is what rounding leaves: slips and gaps of a ten-thousandth
 * of an atom, and their rates. 0: another quantity. */
double fw_least_meant(const char *quantity, const char *unit, double newtons);

/* ---- a page ------------------------------------------------------------------------------ */

typedef struct fw_plot_page {
  fw_panel panels[FW_MOST_PANELS];
  fw_plot_curve curves[FW_MOST_PANELS][FW_MOST_CURVES];
  char x_label[FW_LABEL], y_labels[FW_MOST_PANELS][FW_LABEL], titles[FW_MOST_PANELS][FW_LABEL];
  char labels[FW_MOST_PANELS][FW_MOST_CURVES][FW_LABEL];
  int count, left_out; /* left_out: panels there was no room for */
} fw_plot_page;

/* "locus: resonance over the level of the drive". */
void fw_plot_title(const fw_data_table *table, bool over_places, char title[FW_LABEL]);

/* Tangential force over slip, each loop in a panel of its own; of many runs some, evenly spread. */
bool fw_plot_has_loops(const fw_table_view *view);
void fw_plot_loops(fw_plot_page *p, const fw_table_view *view);

#endif
