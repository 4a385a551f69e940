/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of curves as SVG. PLplot stays in plot.c (with the lock its static state needs) and plot_axes.c. Values are in
 * SI, their units at the end of labels ("slip [m]"); what is drawn is in units people use (core/reading.h). */
#ifndef FW_OUTPUT_PLOT_H
#define FW_OUTPUT_PLOT_H

#include "core/context.h"

/* A curve; points that are not finite (or not positive on a log axis) break the line. All lent. */
typedef struct fw_plot_curve {
  const char *label; /* for the legend; NULL: none */
  size_t count;
  const double *x, *y;
  bool markers; /* marks instead of a line, */
  bool hollow;  /* and these as rings */
  bool dashed;  /* of the colour of the curve before it: its unstable part */
  bool same;    /* of the colour of the curve before it, which another method has computed */
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

/* Words that begin at a place, or end there where they would run over the edge; lent. */
typedef struct fw_plot_note {
  double x, y;
  const char *text;
  bool light; /* on a dark patch */
} fw_plot_note;

/* Shapes swing between their first two curves, a point runs along an orbit, and of panels that are choices a slider
 * shows one. */
typedef enum fw_panel_play { FW_PLAY_NONE, FW_PLAY_SHAPE, FW_PLAY_ORBIT, FW_PLAY_CHOICE } fw_panel_play;

/* One pair of axes. */
typedef struct fw_panel {
  const char *title, *x_label, *y_label; /* NULL: none */
  bool x_log, y_log;
  bool equal;                 /* same scale on both axes */
  bool beside;                /* in one row with the panel before it */
  bool whole;                 /* alone in its row, as wide as the page, and taller */
  fw_panel_play play;         /* what a page with scripts can do with it */
  const char *choice;         /* FW_PLAY_CHOICE: what it is at, "3 N, 52.5 Hz" */
  double at;                  /* FW_PLAY_CHOICE: frequency of the motion; 0: none */
  const char *const *y_names; /* of the places 1, 2 ... instead of numbers; NULL: numbers */
  int name_count;
  bool from_zero;              /* the places are 0, 1 ... */
  double rounding, x_rounding; /* y, x are drawn as 0 where all of it is below this in size */
  const fw_plot_curve *curves;
  int curve_count;
  const fw_plot_note *notes; /* on top, on linear axes */
  int note_count;
  const fw_patch *patches; /* below the curves, which set the range of the axes; linear axes only */
  size_t patch_count;
  const char *patch_label; /* of the colour scale */
} fw_panel;

/* Panels in rows on one page, as SVG text (to be freed; it ends with a NUL besides). Curves at the same place in their
 * panels share a colour. The numbers of the curves go with it (output/plot_data.h). FW_ERR_IO if PLplot cannot draw. */
fw_status fw_plot_svg(fw_context *ctx, const fw_panel *panels, int count, char **svg, size_t *length);

/* The same, into a file; into FOLDER/NAME.svg, the name as printf writes it and made fit for a file. */
fw_status fw_plot_file(fw_context *ctx, const fw_panel *panels, int count, const char *path);
__attribute__((format(printf, 5, 6))) fw_status fw_plot_into(fw_context *ctx, const fw_panel *panels, int count,
                                                             const char *folder, const char *format, ...);

#endif
