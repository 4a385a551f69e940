/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results for other programs: UFF-58 functions, JSON, HDF5. */
#ifndef FW_OUTPUT_EXPORT_H
#define FW_OUTPUT_EXPORT_H

#include "core/sink.h"

/* Writes the responses and histories among a sink's tables into one file: of a table over frequency each
 * SENSOR.amplitude with SENSOR.phase as a complex spectrum (its level, from the table's name, in z), of
 * a table over time each column as a time response. Numbers are SI. FW_ERR_ARGUMENT if there are none. */
fw_status fw_export_uff58(fw_context *ctx, const fw_sink *sink, const char *path, bool binary);

/* Writes all tables with their names, units and columns as JSON: {"tables": [{"analysis", "table", "columns": [{"name", "unit", "values"}]}]};
 * numbers are SI, what is not known null. FW_ERR_ARGUMENT if there are none. */
fw_status fw_export_json(fw_context *ctx, const fw_sink *sink, const char *path);

/* Writes all tables as HDF5: the columns of a table are datasets /ANALYSIS/TABLE/COLUMN with the attribute `unit`, compressed;
 * numbers are SI, what is not known NaN. FW_ERR_ARGUMENT if there are none, FW_ERR_LIBRARY without HDF5. */
fw_status fw_export_hdf5(fw_context *ctx, const fw_sink *sink, const char *path);

/* Reads all tables of a result folder into a sink. */
fw_status fw_export_load(fw_context *ctx, const char *folder, fw_sink *sink);

#endif
