/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amplitudes of harmonics at the sensors, at one level and frequency. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "output/compare.h"
#include "output/plot.h"

enum { MOST_SENSORS = 6, NAME = 160 };

bool fw_compare_belongs(const char *column, const char *sensor) {
  if (strcmp(column, sensor) == 0) return true;
  if (strncmp(column, "x=", 2) != 0) return false;
  size_t length = strlen(sensor), digits = length;
  while (digits > 0 && isdigit((unsigned char)sensor[digits - 1])) digits--;
  if (digits == length) return false;
  return fabs(strtod(sensor + digits, NULL) - 1000.0 * strtod(column + 2, NULL)) < 0.5;
}

/* The sensor of a data column, by its first-harmonic column in the result; false if there is none. */
static bool find_sensor(const fw_data_table *result, const char *column, char *sensor) {
  for (int c = 0; c < result->columns; c++) {
    const char *name = result->column_names[c], *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".amplitude") != 0) continue;
    snprintf(sensor, NAME, "%.*s", (int)(dot - name), name);
    if (fw_compare_belongs(column, sensor)) return true;
  }
  return false;
}

static size_t nearest_row(const fw_data_table *result, double frequency) {
  size_t best = 0;
  for (size_t r = 1; r < result->rows; r++)
    if (fabs(result->values[0][r] - frequency) < fabs(result->values[0][best] - frequency)) best = r;
  return best;
}

/* Acceleration amplitude of harmonic k of a sensor; NaN if the table does not have it. */
static double computed_acceleration(const fw_data_table *result, size_t row, const char *sensor, int k) {
  char name[NAME + 32];
  if (k == 1)
    snprintf(name, sizeof name, "%s.amplitude", sensor);
  else
    snprintf(name, sizeof name, "%s.amplitude-%d", sensor, k);
  int c = fw_data_table_column(result, name);
  if (c < 0) return fw_unknown();
  double omega = 2 * M_PI * k * result->values[0][row], value = result->values[c][row];
  const char *unit = result->column_units[c];
  if (strcmp(unit, "m") == 0) return value * omega * omega;
  return strcmp(unit, "m/s") == 0 ? value * omega : value;
}

/* One sensor: rows of the record, its curve for the plot, its share of the norms. */
static fw_status tabulate(fw_comparison *c, const fw_data_table *result, size_t row, const char *sensor, int column,
                          double *computed, double norms[2], int *at) {
  const double *harmonic = c->data->values[0], *measured = c->data->values[column];
  for (size_t r = 0; r < c->data->rows; r++) {
    computed[r] = computed_acceleration(result, row, sensor, (int)harmonic[r]);
    if (isnan(computed[r]) || isnan(measured[r])) continue;
    FW_TRY(fw_record_set_text(c->record, sensor, "rows[%d].sensor", *at));
    FW_TRY(fw_record_set_number(c->record, harmonic[r], "rows[%d].harmonic", *at));
    FW_TRY(fw_record_set_number(c->record, measured[r], "rows[%d].measured", *at));
    FW_TRY(fw_record_set_number(c->record, computed[r], "rows[%d].computed", *at));
    norms[0] += (computed[r] - measured[r]) * (computed[r] - measured[r]);
    norms[1] += measured[r] * measured[r];
    ++*at;
  }
  return FW_OK;
}

fw_status fw_compare_harmonics(fw_comparison *c) {
  const fw_data_table *result = fw_compare_table(c);
  if (!result || result->rows == 0 || isnan(c->frequency)) return FW_OK;
  size_t row = nearest_row(result, c->frequency), rows = c->data->rows;
  fw_panel panels[MOST_SENSORS];
  fw_plot_curve curves[MOST_SENSORS][2];
  char sensors[MOST_SENSORS][NAME];
  double norms[2] = {0, 0}, *computed;
  int count = 0, at = 0;
  FW_TRY(fw_alloc(c->ctx, rows * MOST_SENSORS, sizeof *computed, &computed));
  fw_status status = FW_OK;
  for (int column = 1; column < c->data->columns && count < MOST_SENSORS; column++) {
    if (!find_sensor(result, c->data->column_names[column], sensors[count])) continue;
    FW_TRY_DONE(fw_compare_unit(c, column, "m/s^2"));
    double *values = computed + rows * (size_t)count;
    FW_TRY_DONE(tabulate(c, result, row, sensors[count], column, values, norms, &at));
    const double *harmonic = c->data->values[0], *measured = c->data->values[column];
    curves[count][0] =
        (fw_plot_curve){.label = count ? NULL : "computed", .count = rows, .x = harmonic, .y = values, .markers = true};
    curves[count][1] = (fw_plot_curve){
        .label = count ? NULL : "measured", .count = rows, .x = harmonic, .y = measured, .markers = true};
    panels[count] = (fw_panel){.title = sensors[count],
                               .x_label = "harmonic",
                               .y_label = "amplitude [m/s^2]",
                               .y_log = true,
                               .curves = curves[count],
                               .curve_count = 2};
    count++;
  }
  c->found = at > 0;
  if (!c->found) goto done;
  FW_TRY_DONE(fw_record_set_number(c->record, 100.0 * sqrt(norms[0] / norms[1]), "misfit_percent"));
  FW_TRY_DONE(fw_record_set_number(c->record, c->level, "level"));
  FW_TRY_DONE(fw_record_set_text(c->record, "N", "units.level"));
  FW_TRY_DONE(fw_record_set_text(c->record, "m/s^2", "units.measured"));
  FW_TRY_DONE(fw_record_set_text(c->record, "m/s^2", "units.computed"));
  FW_TRY_DONE(fw_record_set_figure(c->record, c->frequency, "Hz", "measured_at.frequency"));
  FW_TRY_DONE(fw_record_set_figure(c->record, result->values[0][row], "Hz", "computed_at.frequency"));
  FW_TRY_DONE(fw_compare_plot(c, panels, count));
done:
  free(computed);
  return status;
}
