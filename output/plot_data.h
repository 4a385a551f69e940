/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of a figure as JSON, inside its SVG: pages draw from them what one can zoom into and read off. */
#ifndef FW_OUTPUT_PLOT_DATA_H
#define FW_OUTPUT_PLOT_DATA_H

#include <stdio.h>

#include "output/plot.h"

/* {"panels": [{title, x, y, xlog, ylog, xwhole, ywhole, equal, beside, whole, play, choice, at, names, first, notes, scale, patches, curves: [{label,
 * style, x, y}]}]}: labels and numbers in units people read; numbers are 32-bit floats (little endian, base64). Of
 * what nobody could see on a screen of 1600 pixels nothing is kept, except that shapes keep all their points. No `<`,
 * `>` or `&` occurs, so that it can stand in markup as it is. */
fw_status fw_plot_data(fw_context *ctx, FILE *out, const fw_panel *panels, int count);

/* What fw_plot_svg put into an SVG, lent: its first character and length, or NULL. */
const char *fw_plot_data_find(const char *svg, size_t *length);

#endif
