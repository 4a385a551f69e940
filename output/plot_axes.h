/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of a plot with its ticks and numbers, for output/plot.c, which holds PLplot's lock. */
#ifndef FW_OUTPUT_PLOT_AXES_H
#define FW_OUTPUT_PLOT_AXES_H

#include <stdbool.h>

typedef struct fw_axis {
  double low, high; /* their logarithms if it is logarithmic */
  bool logarithmic;
  bool whole; /* numbers are whole ones */
  bool named; /* names stand in place of numbers, and no grid */
  int most;   /* how many numbers there is room for */
} fw_axis;

/* Where a number stands on an axis, and the number as it is written. */
typedef struct fw_tick {
  double at;
  char text[40];
} fw_tick;

/* At most FW_TICKS numbers of an axis, with as many digits as tell them apart; returns how many. */
enum { FW_TICKS = 24 };
int fw_axis_ticks(const fw_axis *axis, fw_tick ticks[FW_TICKS]);

/* The lines of the grid of the current window; its frame, ticks and numbers. */
void fw_axes_grid(const fw_axis *x, const fw_axis *y);
void fw_axes_draw(const fw_axis *x, const fw_axis *y);

#endif
