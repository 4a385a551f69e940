/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comma-separated tables. The header names each column with its unit: "frequency [Hz],amplitude [m]". */
#ifndef FW_OUTPUT_CSV_H
#define FW_OUTPUT_CSV_H

#include <stdio.h>

#include "core/sink.h"

void fw_csv_header(FILE *file, const fw_data_table *table);
void fw_csv_row(FILE *file, int columns, const double *row);

/* Reads a table of numbers into a sink's memory, under the given analysis and name. Lines that begin
 * with '#' are skipped; an empty cell is NaN; "name [unit]" and the suffix "name_unit" of rig data
 * (force_N, frequency_Hz) are both understood. Errors name file and line. */
fw_status fw_csv_read(fw_context *ctx, const char *path, fw_sink *sink, const char *analysis, const char *name,
                      fw_data_table **table);

/* Reads every *.csv of a folder, each under its file name without the ending. A missing folder has none. */
fw_status fw_csv_read_folder(fw_context *ctx, const char *folder, fw_sink *sink, const char *analysis);

#endif
