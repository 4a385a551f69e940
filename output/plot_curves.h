/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is drawn into the window of a panel: curves, their legend, coloured patches with their scale; for output/plot.c,
 * which holds PLplot's lock. */
#ifndef FW_OUTPUT_PLOT_CURVES_H
#define FW_OUTPUT_PLOT_CURVES_H

#include "output/plot.h"
#include "output/plot_range.h"

/* Numbers of PLplot's colours; room for a label. */
enum {
  FW_BACK,
  FW_INK,
  FW_GRID,
  FW_FAINT,
  FW_TINTS = 3,
  FW_FIRST_COLOUR = FW_FAINT + 1 + FW_TINTS,
  FW_COLOURS = 12,
  FW_LABEL_ROOM = 160
};

/* Where the curve of a panel goes, point by point, with room for all of them. */
typedef struct fw_pen {
  const fw_panel *panel;
  fw_panel_axis x, y;
  int wide, tall; /* pixels of the window */
  double *px, *py;
} fw_pen;

/* A copy of `text` in which PLplot's escape character stands for itself and ^2 is raised. */
void fw_pen_text(const char *text, char *out, size_t room);

void fw_pen_curve(const fw_pen *p, int c);
void fw_pen_legend(const fw_panel *panel);

/* The scale of their colours stands right of the panel. */
void fw_pen_patches(const fw_pen *p);
void fw_pen_scale(const fw_panel *panel, double left, double bottom, double top);

#endif
