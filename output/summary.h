/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary of a run as figures a person reads: pairs of name and value, and tables made of lists. */
#ifndef FW_OUTPUT_SUMMARY_H
#define FW_OUTPUT_SUMMARY_H

#include "core/record.h"

/* Receives a summary piece by piece. All text is lent for the call. */
typedef struct fw_summary_visitor {
  void *user;
  /* A new part: depth 0 the run, 1 an analysis, 2 a list or object within it. */
  void (*heading)(void *user, int depth, const char *title);
  /* One figure. */
  void (*figure)(void *user, const char *name, const char *value);
  /* A table: cells[row * columns + column]; row 0 holds the names, column 0 the numbers of the items from 1 on, or
   * the other way round where a few items have many figures. */
  void (*table)(void *user, int rows, int columns, char *const *cells);
} fw_summary_visitor;

/* Walks the record behind summary.json. Lists of objects become tables, members of their nested
 * objects columns ("resonance.frequency"); lists within lists stay in summary.json only. Names have the units that the
 * record tells (fw_record_unit), which are not shown by themselves; values are in units people use (core/reading.h). */
fw_status fw_summary_walk(fw_context *ctx, const fw_record *record, const fw_summary_visitor *visitor);

/* The same as plain text, to be freed. */
fw_status fw_summary_text(fw_context *ctx, const fw_record *record, char **text);

/* The same in a screen: title and status, then a line for each part; it ends with an empty line. */
fw_status fw_summary_brief(fw_context *ctx, const fw_record *record, char **text);

/* Writes summary.json and summary.txt (in brief, then all of it) into a result folder, each whole; reads summary.json back. */
fw_status fw_summary_write(fw_context *ctx, const fw_record *record, const char *folder);
fw_status fw_summary_read(fw_context *ctx, const char *folder, fw_record **record);

#endif
