/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The static report of a result folder: report.html, self-contained (summary, tables, plots). */
#ifndef FW_OUTPUT_REPORT_H
#define FW_OUTPUT_REPORT_H

#include "core/context.h"

/* Builds folder/report.html from what is in the folder: summary.json, the plots (*.svg) of each
 * analysis, and the deck. With `redraw` the plots of tables are drawn anew from their CSV files first. */
fw_status fw_report_write(fw_context *ctx, const char *folder, bool redraw);

/* One page about several result folders: contents, then their summaries and comparisons one after the other, with links
 * to their own reports. One folder: its report, with everything in it. */
fw_status fw_report_several(fw_context *ctx, const char *const *folders, int count, const char *path);

#endif
