/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/plot_axes.h"

#include <math.h>
#include <plplot/plplot.h>
#include <stdio.h>

static bool is_short(const fw_axis *axis) { return axis->logarithmic && axis->high - axis->low < 1.5; }

static const char *box_options(const fw_axis *axis) {
  if (axis->named) return "bcv";
  if (!axis->logarithmic) return "bcnstv";
  return is_short(axis) ? "bclstv" : "bclnstv";
}

static void write_label(double mantissa, int exponent, char *label, size_t room) {
  if (exponent >= -3 && exponent <= 4)
    snprintf(label, room, "%g", mantissa * pow(10, exponent));
  else if (mantissa == 1)
    snprintf(label, room, "10#u%d", exponent);
  else
    snprintf(label, room, "%g·10#u%d", mantissa, exponent);
}

/* Labels at 1, 2, 5 of each decade (step 0) or at all multiples of a step; how many. Draws them if told so. */
static int label_steps(const fw_axis *axis, double step, bool vertical, bool draw) {
  static const double few[] = {1, 2, 5};
  int count = 0, each = step > 0 ? (int)(9 / step + 0.5) : 3;
  for (int exponent = (int)floor(axis->low); exponent <= (int)floor(axis->high); exponent++)
    for (int k = 0; k < each; k++) {
      double mantissa = step > 0 ? 1 + k * step : few[k];
      double place = (exponent + log10(mantissa) - axis->low) / (axis->high - axis->low);
      char label[40];
      if (place < 0 || place > 1) continue;
      count++;
      write_label(mantissa, exponent, label, sizeof label);
      if (draw) plmtex(vertical ? "lv" : "b", vertical ? 0.6 : 1.5, place, vertical ? 1.0 : 0.5, label);
    }
  return count;
}

/* The coarsest labels that are enough to read a value. */
static void label_short(const fw_axis *axis, bool vertical) {
  static const double steps[] = {0, 1, 0.5, 0.2, 0.1, 0.05, 0.02};
  enum { STEPS = sizeof steps / sizeof *steps, ENOUGH = 3 };
  int s = 0;
  while (s < STEPS - 1 && label_steps(axis, steps[s], vertical, false) < ENOUGH) s++;
  label_steps(axis, steps[s], vertical, true);
}

void fw_axes_draw(fw_axis x, fw_axis y) {
  plbox(box_options(&x), 0.0, 0, box_options(&y), 0.0, 0);
  if (is_short(&x)) label_short(&x, false);
  if (is_short(&y)) label_short(&y, true);
}
