/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the axes of a panel cover, in the unit they are read in. */
#ifndef FW_OUTPUT_PLOT_RANGE_H
#define FW_OUTPUT_PLOT_RANGE_H

#include "output/plot.h"

typedef struct fw_panel_axis {
  double low, high; /* after factor and logarithm */
  double factor;    /* from the curves' values to numbers of the unit read */
  bool logarithmic;
  bool whole;      /* of counts and numbers of things: nothing is between them */
  char label[160]; /* with the unit read */
} fw_panel_axis;

fw_panel_axis fw_panel_axis_of(const fw_panel *panel, bool vertical);

/* Where a value of a curve stands on an axis; NaN if it cannot. */
double fw_panel_place(const fw_panel_axis *axis, double value);

/* Place of the first name where names stand for numbers. */
double fw_panel_first(const fw_panel *panel);

#endif
