/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where an analysis sends what it computes: tables row by row, frames for pictures. The directory
 * sink (output/) writes CSV and VTK at once, so that a killed run loses nothing; every sink keeps
 * tables in memory too unless the table is marked as a stream. Solvers know only this header. */
#ifndef FW_CORE_SINK_H
#define FW_CORE_SINK_H

#include "core/context.h"
#include "core/state.h"

typedef struct fw_column {
  const char *name; /* e.g. "frequency" */
  const char *unit; /* e.g. "Hz"; "" none */
} fw_column;

/* A table in memory, column major: values[c][r]. */
typedef struct fw_data_table {
  char *analysis, *name;
  int columns;
  char **column_names, **column_units;
  size_t rows, room;
  double **values;
  bool stream; /* rows go to disk only */
} fw_data_table;

typedef struct fw_sink fw_sink;

/* Extra nodal or contact fields a frame may carry besides the state. */
typedef struct fw_frame {
  const char *series; /* file name stem within the analysis folder: "mode", "response-3N" */
  double time;        /* time, phase, frequency or mode number: the series' coordinate */
  const fw_state *state;
  double scale;        /* suggested magnification of displacements for pictures; 0: none */
  const char *caption; /* said above a plot of it besides series and time; NULL: nothing */
} fw_frame;

/* What an implementation supplies. Each may fail with FW_ERR_IO. */
typedef struct fw_sink_ops {
  fw_status (*table)(fw_sink *sink, fw_context *ctx, fw_data_table *table);
  fw_status (*row)(fw_sink *sink, fw_context *ctx, fw_data_table *table, const double *row);
  fw_status (*frame)(fw_sink *sink, fw_context *ctx, const char *analysis, const fw_frame *frame);
  void (*destroy)(fw_sink *sink);
} fw_sink_ops;

/* Implementations embed this as their first member. ops may be NULL: memory only. */
struct fw_sink {
  const fw_sink_ops *ops;
  fw_data_table **tables;
  int table_count, table_room;
};

/* Opens a table of an analysis; `columns` is copied. The table lives as long as the sink. */
fw_status fw_sink_table(fw_sink *sink, fw_context *ctx, const char *analysis, const char *name,
                        const fw_column *columns, int count, bool stream, fw_data_table **table);
/* What is not known (core/unknown.h) leaves its cell empty; what is not a finite number is refused with
 * FW_ERR_ANALYSIS, in a row and in the state of a frame. */
fw_status fw_sink_row(fw_sink *sink, fw_context *ctx, fw_data_table *table, const double *row);
fw_status fw_sink_frame(fw_sink *sink, fw_context *ctx, const char *analysis, const fw_frame *frame);

/* A table by name, or NULL; a column index by name, or -1. */
fw_data_table *fw_sink_find(const fw_sink *sink, const char *analysis, const char *name);
int fw_data_table_column(const fw_data_table *table, const char *name);

/* A memory-only sink; destroy works on any sink and is NULL-safe. */
fw_status fw_sink_create(fw_context *ctx, fw_sink **sink);
void fw_sink_destroy(fw_sink **sink);

#endif
