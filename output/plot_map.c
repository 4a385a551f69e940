/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables over two quantities as maps of colours: spectrograms over time and frequency. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reading.h"
#include "output/plot.h"
#include "output/plots.h"

enum { WIDE = 80, TALL = 56, LABEL = 240 };
static const double DEPTH = 60.0; /* dB below the largest that are told apart */

bool fw_plots_is_map(const fw_data_table *table) {
  return strncmp(table->name, "spectrogram-", 12) == 0 && table->columns == 3;
}

typedef struct range {
  double low, high;
} range;

static range range_of(const double *values, size_t count) {
  range r = {INFINITY, -INFINITY};
  for (size_t i = 0; i < count; i++) r.low = fmin(r.low, values[i]), r.high = fmax(r.high, values[i]);
  return r;
}

/* How many values a column has that differ, if it goes through them again and again or stays on each for a while. */
static int steps_of(const double *values, size_t count) {
  int steps = 1;
  for (size_t i = 1; i < count && values[i] != values[0]; i++) steps++;
  if (steps > 1) return steps;
  for (size_t i = 1; i < count; i++) steps += values[i] != values[i - 1];
  return steps;
}

/* The squares of the map: each has the largest value of the rows that fall into it, in dB below the largest of all. */
typedef struct map {
  range x, y;
  int wide, tall;
  double *cells; /* wide x tall, linear; -1: none */
  fw_patch *patches;
  size_t count;
} map;

static int place_in(range r, double value, int parts) {
  int at = r.high > r.low ? (int)((value - r.low) / (r.high - r.low) * parts) : 0;
  return at < parts ? at : parts - 1;
}

static fw_status fill(fw_context *ctx, const fw_data_table *table, map *m) {
  m->x = range_of(table->values[0], table->rows);
  m->y = range_of(table->values[1], table->rows);
  m->wide = (int)fmin(WIDE, steps_of(table->values[0], table->rows));
  m->tall = (int)fmin(TALL, steps_of(table->values[1], table->rows));
  size_t cells = (size_t)m->wide * (size_t)m->tall;
  FW_TRY(fw_alloc(ctx, cells, sizeof *m->cells, &m->cells));
  FW_TRY(fw_alloc(ctx, cells + 1, sizeof *m->patches, &m->patches));
  for (size_t i = 0; i < cells; i++) m->cells[i] = -1.0;
  for (size_t r = 0; r < table->rows; r++) {
    int column = place_in(m->x, table->values[0][r], m->wide), row = place_in(m->y, table->values[1][r], m->tall);
    double *cell = &m->cells[row * m->wide + column];
    *cell = fmax(*cell, table->values[2][r]);
  }
  return FW_OK;
}

static void colour(map *m, double most) {
  double dx = (m->x.high - m->x.low) / m->wide, dy = (m->y.high - m->y.low) / m->tall;
  m->patches[m->count++] = (fw_patch){4,
                                      {m->x.low, m->x.high, m->x.high, m->x.low},
                                      {m->y.low, m->y.low, m->y.high, m->y.high},
                                      -DEPTH}; /* below those that tell more */
  for (int i = 0; i < m->wide * m->tall; i++) {
    if (m->cells[i] <= most * pow(10.0, -0.1 * DEPTH)) continue;
    int row = i / m->wide;
    double x = m->x.low + (i % m->wide) * dx, y = m->y.low + row * dy;
    double level = 10.0 * log10(m->cells[i] / most);
    m->patches[m->count++] = (fw_patch){4, {x, x + dx, x + dx, x}, {y, y, y + dy, y + dy}, level};
  }
}

fw_status fw_plots_map(fw_context *ctx, const fw_data_table *table, const char *folder) {
  map m = {0};
  char title[LABEL];
  fw_status status;
  FW_TRY_DONE(fill(ctx, table, &m));
  range values = range_of(table->values[2], table->rows);
  if (!(values.high > 0.0)) goto done; /* nothing moves */
  colour(&m, values.high);
  snprintf(title, sizeof title, "%.50s: %.50s over time; 0 dB is %s", table->analysis, table->name + 12,
           fw_say(values.high, table->column_units[2]).text);
  const double x[] = {m.x.low, m.x.high, m.x.high, m.x.low, m.x.low};
  const double y[] = {m.y.low, m.y.low, m.y.high, m.y.high, m.y.low};
  const fw_plot_curve frame = {.count = 5, .x = x, .y = y, .faint = true};
  fw_panel panel = {.title = title,
                    .x_label = "time [s]",
                    .y_label = "frequency [Hz]",
                    .curves = &frame,
                    .curve_count = 1,
                    .patches = m.patches,
                    .patch_count = m.count,
                    .patch_label = "power density [dB]"};
  status = fw_plot_into(ctx, &panel, 1, folder, "%s", table->name);
done:
  free(m.cells);
  free(m.patches);
  return status;
}
