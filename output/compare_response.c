/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amplitude of the first harmonic over frequency. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "output/compare.h"
#include "output/plot.h"

/* Column of an amplitude: "SENSOR.amplitude" as named, or for plain "amplitude" the first one, in its unit if it has one. */
static int amplitude_column(const fw_data_table *table, const char *wanted, const char *unit) {
  int exact = fw_data_table_column(table, wanted);
  if (exact >= 0 || strchr(wanted, '.')) return exact;
  for (int c = 1; c < table->columns; c++) {
    const char *dot = strrchr(table->column_names[c], '.');
    bool fits = unit[0] == '\0' || strcmp(unit, table->column_units[c]) == 0;
    if (dot && strcmp(dot, ".amplitude") == 0 && fits) return c;
  }
  return -1;
}

/* Linear interpolation at the first crossing of a frequency (a curve with folds has several); NaN outside. */
static double value_at(const fw_data_table *table, int column, double frequency) {
  const double *f = table->values[0], *y = table->values[column];
  for (size_t r = 1; r < table->rows; r++) {
    if ((f[r] - frequency) * (f[r - 1] - frequency) > 0.0 || f[r] == f[r - 1]) continue;
    return y[r - 1] + (frequency - f[r - 1]) / (f[r] - f[r - 1]) * (y[r] - y[r - 1]);
  }
  return fw_unknown();
}

static size_t peak_row(const fw_data_table *table, int column) {
  size_t best = 0;
  for (size_t r = 1; r < table->rows; r++)
    if (table->values[column][r] > table->values[column][best]) best = r;
  return best;
}

static fw_status record_peak(fw_record *record, const fw_data_table *table, int column, const char *who) {
  size_t row = peak_row(table, column);
  FW_TRY(fw_record_set_figure(record, table->values[0][row], "Hz", "%s.peak.frequency", who));
  return fw_record_set_figure(record, table->values[column][row], table->column_units[column], "%s.peak.amplitude",
                              who);
}

fw_status fw_compare_response(fw_comparison *c) {
  const fw_data_table *result = fw_compare_table(c);
  int measured = -1;
  for (int k = 1; k < c->data->columns && measured < 0; k++)
    if (strstr(c->data->column_names[k], "amplitude")) measured = k;
  int computed = result && measured >= 0
                     ? amplitude_column(result, c->data->column_names[measured], c->data->column_units[measured])
                     : -1;
  if (computed < 0 || result->rows < 2) return FW_OK;
  FW_TRY(fw_compare_unit(c, 0, "Hz"));
  FW_TRY(fw_compare_unit(c, measured, result->column_units[computed]));
  double difference = 0.0, norm = 0.0;
  int count = 0;
  for (size_t r = 0; r < c->data->rows; r++) {
    double m = c->data->values[measured][r], v = value_at(result, computed, c->data->values[0][r]);
    if (isnan(m) || isnan(v)) continue;
    difference += (v - m) * (v - m);
    norm += m * m;
    count++;
  }
  c->found = count > 0;
  if (!c->found) return FW_OK;
  FW_TRY(fw_record_set_number(c->record, 100.0 * sqrt(difference / norm), "misfit_percent"));
  FW_TRY(fw_record_set_number(c->record, count, "points"));
  FW_TRY(record_peak(c->record, c->data, measured, "measured"));
  FW_TRY(record_peak(c->record, result, computed, "computed"));
  char title[256];
  snprintf(title, sizeof title, "%s against %s", c->analysis, c->name);
  const fw_plot_curve curves[] = {
      {.label = "computed", .count = result->rows, .x = result->values[0], .y = result->values[computed]},
      {.label = "measured",
       .count = c->data->rows,
       .x = c->data->values[0],
       .y = c->data->values[measured],
       .markers = true}};
  const fw_panel panel = {.title = title,
                          .x_label = "frequency [Hz]",
                          .y_label = "amplitude",
                          .y_log = true,
                          .curves = curves,
                          .curve_count = 2};
  return fw_compare_plot(c, &panel, 1);
}
