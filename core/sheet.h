/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of an analysis whose columns depend on the model: named one by one, opened, then written cell by cell.
 * Tables of the same few columns always need none of this: fw_sink_table takes them as they are. */
#ifndef FW_CORE_SHEET_H
#define FW_CORE_SHEET_H

#include "core/sink.h"

typedef struct fw_sheet {
  fw_context *ctx; /* lent, as are sink and analysis */
  fw_sink *sink;
  const char *analysis;
  fw_column *columns; /* while they are named; their texts are owned */
  int count, room;
  fw_status status; /* the first failure of naming them: fw_sheet_open tells it */
  fw_data_table *table;
  double *row; /* [count] once open: written with fw_sheet_put, or in place */
  int at;      /* cells put */
} fw_sheet;

/* A sheet without columns; fw_sheet_close frees it, at any time and twice. */
fw_sheet fw_sheet_of(fw_context *ctx, fw_sink *sink, const char *analysis);
void fw_sheet_close(fw_sheet *sheet);

/* One more column, to the right. */
void fw_sheet_column(fw_sheet *sheet, const char *unit, const char *name, ...) FW_PRINTF(3, 4);
/* The table gets its name and its columns. */
fw_status fw_sheet_open(fw_sheet *sheet, const char *name, ...) FW_PRINTF(2, 3);

/* The next cell of the row; the row as it stands. FW_ERR_ARGUMENT if cells were put, but not one for each column. */
void fw_sheet_put(fw_sheet *sheet, double value);
fw_status fw_sheet_row(fw_sheet *sheet);

#endif
