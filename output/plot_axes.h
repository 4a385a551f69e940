/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of a plot with its ticks and numbers, for output/plot.c, which holds PLplot's lock. */
#ifndef FW_OUTPUT_PLOT_AXES_H
#define FW_OUTPUT_PLOT_AXES_H

#include <stdbool.h>

typedef struct fw_axis {
  double low, high; /* their logarithms if it is logarithmic */
  bool logarithmic;
  bool named; /* names stand in place of numbers */
} fw_axis;

/* Draws both axes of the current window. A logarithmic one of less than one and a half decades, of which PLplot would
 * label one number or none, is labelled with numbers in between. */
void fw_axes_draw(fw_axis x, fw_axis y);

#endif
