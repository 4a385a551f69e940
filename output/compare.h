/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Misfit of a result folder against measurements.
 *
 * Data are CSV or UFF-58 files, told apart by what they hold:
 *   resonance   columns force (or level) and frequency: resonance by phase at each level of an analysis;
 *   harmonics   columns harmonic and one per sensor: amplitude of each harmonic at one level and
 *               frequency, which a comment line gives: "... drive 6.5 N at 50 Hz ...". A column belongs to
 *               the sensor of that name, or "x=0.083" to the one whose name ends in the millimetres, "a83".
 *               Displacement and velocity are turned into acceleration where the units say so;
 *   response    column frequency and SENSOR.amplitude (or amplitude: the first sensor), or UFF-58 functions
 *               over frequency: amplitude of the first harmonic at one level, from the file's name
 *               ("frf-6.5N.csv") or UFF-58's z value.
 * Columns may have units of measuring systems (mm, g, kHz); without one they are in SI units. */
#ifndef FW_OUTPUT_COMPARE_H
#define FW_OUTPUT_COMPARE_H

#include "core/record.h"
#include "core/sink.h"

/* Compares every analysis of the result (or the one named) that the data fit, adds what it finds to
 * `record` as DATA.ANALYSIS.{misfit_percent, rows[...]} and draws compare-DATA-ANALYSIS.svg into the folder.
 * DATA is the file's name without folder and extension, dots turned into underscores. The misfit is the root mean
 * square of the relative differences (resonance), or the norm of the difference over the norm of the
 * data. `level`: of the data, in place of what they say themselves; unknown (core/unknown.h): none. Data that fit no
 * analysis are FW_ERR_ARGUMENT. */
fw_status fw_compare_data(fw_context *ctx, const char *folder, const char *data, const char *analysis, double level,
                          fw_record *record);

/* Level and frequency of data, from a comment "drive 6.5 N at 50 Hz", else the level from a name "frf-6.5N"; unknown
 * where nothing says them. */
fw_status fw_compare_conditions(fw_context *ctx, const char *path, double *level, double *frequency);

/* True if a data column belongs to a sensor: the same name, or "x=0.083" and an id that ends in 83. */
bool fw_compare_belongs(const char *column, const char *sensor);

/* ---- for the kinds of data (compare_*.c) ------------------------------------------------- */

/* One analysis beside one set of data. */
typedef struct fw_comparison {
  fw_context *ctx;
  const char *folder, *analysis, *name; /* result folder, analysis, data */
  const fw_record *summary;             /* of the result */
  const fw_sink *result;                /* its tables over frequency and level */
  const fw_data_table *data;
  double level, frequency; /* of the data, NaN where they do not say */
  fw_record *record;       /* DATA.ANALYSIS */
  bool found;              /* something could be compared */
} fw_comparison;

typedef fw_status (*fw_compare_kind)(fw_comparison *c);
fw_status fw_compare_resonance(fw_comparison *c);
fw_status fw_compare_harmonics(fw_comparison *c);
fw_status fw_compare_response(fw_comparison *c);

/* The result's table over frequency at the data's level ("frf-6.5", "frf-6.5-up" ...), or NULL. */
const fw_data_table *fw_compare_table(const fw_comparison *c);

/* Refuses a column of the data, which are in SI units by now, that is in another unit. */
fw_status fw_compare_unit(const fw_comparison *c, int column, const char *si);

struct fw_panel;
/* Draws the panels as compare-DATA-ANALYSIS.svg. */
fw_status fw_compare_plot(const fw_comparison *c, const struct fw_panel *panels, int count);

#endif
