/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of curves as SVG. PLplot stays in plot.c (with the lock its static state needs) and plot_axes.c. */
#ifndef FW_OUTPUT_PLOT_H
#define FW_OUTPUT_PLOT_H

#include "core/context.h"

/* A curve; points that are not finite (or not positive on a log axis) break the line. All lent. */
typedef struct fw_plot_curve {
  const char *label; /* for the legend; NULL: none */
  size_t count;
  const double *x, *y;
  bool markers; /* marks instead of a line */
  bool thin;    /* a line that does not hide what is below */
  bool faint;   /* grey and thin: background such as an undeformed shape */
  int tint;     /* 1 to 3: an area filled with a light to a stronger blue; 0: not filled */
} fw_plot_curve;

/* A filled triangle or quadrilateral, coloured by its value. */
typedef struct fw_patch {
  int corners;
  double x[4], y[4];
  double value;
} fw_patch;

/* One pair of axes. */
typedef struct fw_panel {
  const char *title, *x_label, *y_label; /* NULL: none */
  bool x_log, y_log;
  bool equal;                 /* same scale on both axes */
  const char *const *y_names; /* of the places 1, 2 ... instead of numbers; NULL: numbers */
  int name_count;
  bool from_zero; /* the places are 0, 1 ... */
  const fw_plot_curve *curves;
  int curve_count;
  const fw_patch *patches; /* below the curves, which set the range of the axes; linear axes only */
  size_t patch_count;
  const char *patch_label; /* of the colour scale */
} fw_panel;

/* Panels below each other on one page, as SVG text (to be freed; it ends with a NUL besides). Curves at
 * the same place in their panels share a colour. FW_ERR_LIBRARY if PLplot cannot draw. */
fw_status fw_plot_svg(fw_context *ctx, const fw_panel *panels, int count, char **svg, size_t *length);

/* The same, into a file. */
fw_status fw_plot_file(fw_context *ctx, const fw_panel *panels, int count, const char *path);

#endif
