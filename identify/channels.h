/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of measured channels: read from CSV or UFF-58 files, their columns checked and turned into SI units. */
#ifndef FW_IDENTIFY_CHANNELS_H
#define FW_IDENTIFY_CHANNELS_H

#include "core/item.h"
#include "core/sink.h"

/* Reads the file of a <data> element into the memory of a sink. UFF-58 functions over time become a table with the
 * column "time" and one per function, named by its description; of an <frf> those over frequency become "frequency" and
 * SENSOR.amplitude, SENSOR.phase each, where the description is SENSOR or SENSOR.amplitude. */
fw_status fw_channels_read(fw_context *ctx, const fw_item *data, fw_sink *sink, fw_data_table **table);

/* Level of the drive that data of one level were measured at: UFF-58's z, a comment "drive 6.5 N", a name "frf-6.5N.csv".
 * FW_ERR_DECK if nothing says it, or functions of a file differ. */
fw_status fw_channels_level(fw_context *ctx, const fw_item *data, double *level);

/* Multiplies a column by what turns its unit into `si`. A column without unit is taken as it is; a unit of another kind
 * is refused. */
fw_status fw_channels_to_si(fw_context *ctx, const fw_item *data, fw_data_table *table, int column, const char *si);

/* Refuses empty cells. */
fw_status fw_channels_check_gaps(fw_context *ctx, const fw_item *data, const fw_data_table *table, int column);

/* Refuses empty cells and columns that do not change. */
fw_status fw_channels_check(fw_context *ctx, const fw_item *data, const fw_data_table *table, int column);

/* Refuses a clock that stands still, runs back or leaves something out. */
fw_status fw_channels_check_clock(fw_context *ctx, const fw_item *data, const fw_data_table *table, int column);

/* Failure about a <data> element, with the place of its attribute `file` and the file's name. */
fw_status fw_channels_fail(fw_context *ctx, const fw_item *data, const char *format, ...) FW_PRINTF(3, 4);

#endif
