/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/plot_range.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/axis.h"
#include "core/reading.h"

double fw_panel_first(const fw_panel *panel) { return panel->from_zero ? 0.0 : 1.0; }

double fw_panel_place(const fw_panel_axis *axis, double value) {
  value *= axis->factor;
  if (!axis->logarithmic) return value;
  return value > 0.0 ? log10(value) : NAN;
}

/* The largest value in size, of both axes where they are to scale. */
static double largest(const fw_panel *panel, bool vertical) {
  double most = 0.0;
  for (int c = 0; c < panel->curve_count; c++)
    for (size_t i = 0; i < panel->curves[c].count; i++) {
      double x = fabs(panel->curves[c].x[i]), y = fabs(panel->curves[c].y[i]);
      double value = panel->equal ? fmax(x, y) : vertical ? y : x;
      if (isfinite(value)) most = fmax(most, value);
    }
  return most;
}

static bool has_markers(const fw_panel *panel) {
  for (int c = 0; c < panel->curve_count; c++)
    if (panel->curves[c].markers) return true;
  return false;
}

/* The places of all values, and some room around them. */
static void cover(const fw_panel *panel, bool vertical, fw_panel_axis *axis) {
  double low = INFINITY, high = -INFINITY;
  for (int c = 0; c < panel->curve_count; c++)
    for (size_t i = 0; i < panel->curves[c].count; i++) {
      double value = fw_panel_place(axis, vertical ? panel->curves[c].y[i] : panel->curves[c].x[i]);
      if (!isfinite(value)) continue;
      low = fmin(low, value);
      high = fmax(high, value);
    }
  for (int i = 0; i < panel->note_count; i++) {
    double value = fw_panel_place(axis, vertical ? panel->notes[i].y : panel->notes[i].x);
    low = fmin(low, value);
    high = fmax(high, value);
  }
  if (low > high) low = 0.0, high = 1.0;
  if (axis->logarithmic && low < high - FW_AXIS_DECADES_MOST) low = high - FW_AXIS_DECADES_MOST;
  /* What changes by less than pages can keep, in single precision, is constant. */
  double span = high - low, least = 2.0 * FLT_EPSILON * fmax(fabs(low), fabs(high));
  double margin = (vertical || has_markers(panel) ? 0.06 : 0.02) * span;
  if (span <= least) margin = high != 0.0 ? 0.1 * fabs(high) : 0.5;
  axis->low = low - margin;
  axis->high = high + margin;
}

static bool is_number_of_things(const char *label) {
  static const char *const things[] = {"iteration", "harmonic", "parameter", "mode", "contact point", "pair", "sample"};
  for (size_t i = 0; i < sizeof things / sizeof *things; i++)
    if (strcmp(things[i], label) == 0) return true;
  return false;
}

fw_panel_axis fw_panel_axis_of(const fw_panel *panel, bool vertical) {
  const char *label = vertical ? panel->y_label : panel->x_label;
  double most = largest(panel, vertical);
  bool rounding = most < (vertical ? panel->rounding : panel->x_rounding);
  fw_panel_axis axis = {.factor = 1.0, .logarithmic = !rounding && (vertical ? panel->y_log : panel->x_log)};
  double size = rounding ? 0.0 : most;
  if (label) axis.factor = fw_reading_of_label(label, size, axis.logarithmic, axis.label, sizeof axis.label).factor;
  axis.whole = label && !axis.logarithmic && is_number_of_things(label);
  if (rounding) axis.factor = 0.0;
  cover(panel, vertical, &axis);
  if (vertical && panel->y_names) {
    axis.factor = 1.0;
    axis.low = fw_panel_first(panel) - 0.6;
    axis.high = fw_panel_first(panel) + panel->name_count - 0.4;
  }
  return axis;
}
