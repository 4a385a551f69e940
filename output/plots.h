/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which plots a result gets. A table becomes TABLE.svg: its first column that does not tell curves
 * apart (level, sweep ...) is the abscissa; with several curves every other column has its own panel,
 * otherwise columns of one unit share a panel. Positive values over decades get log axes. Columns "X slip"
 * and "X tangential" become hysteresis loops, TABLE-loops.svg. Tables by mode number have no plot. */
#ifndef FW_OUTPUT_PLOTS_H
#define FW_OUTPUT_PLOTS_H

#include "core/record.h"
#include "core/sink.h"
#include "output/grid.h"

/* Tables over frequency with columns "SENSOR.amplitude", "PAIR.work_rate" ..., a table per level, are drawn
 * together instead: over-frequency-OWNER.svg with a curve per table. */
bool fw_plots_in_family(const fw_data_table *table);
fw_status fw_plots_family(fw_context *ctx, const fw_sink *sink, const char *analysis, const char *folder);

/* The tables `orbits` and `clearances` are drawn as one picture, orbits.svg: y over x of each ring of a tube in its
 * clearance. */
bool fw_plots_in_orbits(const fw_data_table *table);
fw_status fw_plots_orbits(fw_context *ctx, const fw_sink *sink, const char *analysis, const char *folder);

/* Plots of all kept tables of an analysis, into `folder`. */
fw_status fw_plots_write(fw_context *ctx, const fw_sink *sink, const char *analysis, const char *folder);

/* The same for one table; a table with fewer than two rows or columns has none. */
fw_status fw_plots_table(fw_context *ctx, const fw_data_table *table, const char *folder);

/* Tables over two quantities (spectrogram-SENSOR) are maps of colours. */
bool fw_plots_is_map(const fw_data_table *table);
fw_status fw_plots_map(fw_context *ctx, const fw_data_table *table, const char *folder);

/* Tables correlation of fits: squares of colour with names and numbers. */
bool fw_plots_is_correlation(const fw_data_table *table);
fw_status fw_plots_correlation(fw_context *ctx, const fw_data_table *table, const char *folder);

/* Tables multipliers-LEVEL: multipliers in the complex plane. */
bool fw_plots_are_multipliers(const fw_data_table *table);
fw_status fw_plots_multipliers(fw_context *ctx, const fw_data_table *table, const char *folder);

/* Tables of modes over the flow: frequency and damping, a curve for each mode. */
bool fw_plots_is_flow(const fw_data_table *table);
fw_status fw_plots_flow(fw_context *ctx, const fw_data_table *table, const char *folder);

/* Bars of the figures of contact pairs and of supports, by an analysis' part of the summary, where there are two or
 * more: pairs.svg, supports.svg. */
fw_status fw_plots_bars(fw_context *ctx, const fw_record *part, const char *folder);

/* Tables over "X from" and "X to": a histogram, with a staircase for each column. */
bool fw_plots_is_histogram(const fw_data_table *table);
fw_status fw_plots_histogram(fw_context *ctx, const fw_data_table *table, const char *folder);

/* Normal force per length along the surface of every pair with several points, pressure-PAIR.svg: in a state; over time,
 * from the tables contact and contact-points. */
fw_status fw_plots_pressure(fw_context *ctx, const fw_state *state, const char *folder);
fw_status fw_plots_pressure_history(fw_context *ctx, const fw_sink *sink, const char *analysis, const char *folder);

/* A plot that a deck asks for: columns `y` (separated by commas), each with its panel, over column `x` of every table of
 * an analysis that has both; or of two tables whose rows are of the same times, frequencies ... It becomes plot-ID.svg.
 * FW_ERR_ARGUMENT, with the columns that there are, if there is nothing to draw. */
typedef struct fw_plot_options {
  const char *id, *title, *x, *y;
  bool x_log, y_log, equal; /* equal: both axes to one scale */
} fw_plot_options;
fw_status fw_plots_chosen(fw_context *ctx, const fw_sink *sink, const char *analysis, const fw_plot_options *options,
                          const char *folder);

/* The deformed shape over the undeformed one as SERIES-NNNN.svg, for the first frames of series
 * whose name begins with "mode". */
fw_status fw_plots_frame(fw_context *ctx, const char *folder, const fw_frame *frame, const fw_grid *grid, int number);

#endif
