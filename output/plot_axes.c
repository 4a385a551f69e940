/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/plot_axes.h"

#include <math.h>
#include <plplot/plplot.h>
#include <stdio.h>

/* ---- numbers ----------------------------------------------------------------------------- */

enum { ENOUGH = 3 }; /* numbers to read a value between */

/* 1, 2 or 5 times a power of ten, not below `least`. */
static double round_step(double least) {
  double power = pow(10.0, floor(log10(least)));
  for (int i = 0; i < 3; i++) {
    static const double steps[] = {1, 2, 5};
    if (steps[i] * power >= least * (1.0 - 1e-9)) return steps[i] * power;
  }
  return 10.0 * power;
}

static int multiples(const fw_axis *axis, double step, fw_tick *ticks) {
  int decimals = (int)fmax(0.0, ceil(-log10(step) - 1e-9)), count = 0;
  for (double k = ceil(axis->low / step - 1e-9); k * step <= axis->high + 1e-9 * step && count < FW_TICKS; k += 1.0) {
    double value = k * step;
    ticks[count].at = value;
    bool plain = fabs(axis->low) < 1e7 && fabs(axis->high) < 1e7 && decimals < 10;
    snprintf(ticks[count].text, sizeof ticks->text, plain ? "%.*f" : "%.*g", plain ? decimals : 6,
             k == 0.0 ? 0.0 : value);
    count++;
  }
  return count;
}

/* As many as there is room for; a small frame may have no room for three in round steps, and has them all the same. */
static int linear_ticks(const fw_axis *axis, fw_tick *ticks) {
  double step = round_step((axis->high - axis->low) / axis->most);
  if (axis->whole && step <= 1.0) return multiples(axis, 1.0, ticks);
  int count = multiples(axis, step, ticks);
  for (int finer = 0; count < ENOUGH && finer < 2; finer++) {
    step = round_step(0.4 * step);
    count = multiples(axis, step, ticks);
  }
  return count;
}

static void write_power(double mantissa, int exponent, char *label, size_t room) {
  if (exponent >= -3 && exponent <= 4)
    snprintf(label, room, "%g", mantissa * pow(10, exponent));
  else if (mantissa == 1)
    snprintf(label, room, "10#u%d", exponent);
  else
    snprintf(label, room, "%g·10#u%d", mantissa, exponent);
}

/* Numbers at 1, 2, 5 of each decade (step 0), at all multiples of a step, or at whole decades only (step 9). */
static int mantissa_ticks(const fw_axis *axis, double step, int decades, fw_tick *ticks) {
  static const double few[] = {1, 2, 5};
  int count = 0, each = step > 0 ? (int)(9 / step + 0.5) : 3;
  for (int exponent = (int)floor(axis->low); exponent <= (int)floor(axis->high); exponent++)
    for (int k = 0; k < each && exponent % decades == 0; k++) {
      double mantissa = step > 0 ? 1 + k * step : few[k], at = exponent + log10(mantissa);
      if (at < axis->low - 1e-12 || at > axis->high + 1e-12 || count == FW_TICKS) continue;
      ticks[count].at = at;
      write_power(mantissa, exponent, ticks[count++].text, sizeof ticks->text);
    }
  return count;
}

/* The coarsest numbers that are enough to read a value: decades where there are two or more, else parts of one. */
static int logarithmic_ticks(const fw_axis *axis, fw_tick *ticks) {
  static const double steps[] = {9, 0, 1, 0.5, 0.2, 0.1, 0.05, 0.02};
  enum { STEPS = sizeof steps / sizeof *steps };
  int count = 0, decades = 1;
  for (int s = 0; s < STEPS && count < ENOUGH; s++) count = mantissa_ticks(axis, steps[s], 1, ticks);
  if (count < ENOUGH) { /* a few thousandths of a decade are as good as linear */
    fw_axis plain = {pow(10, axis->low), pow(10, axis->high), .most = axis->most};
    count = linear_ticks(&plain, ticks);
    for (int i = 0; i < count; i++) ticks[i].at = log10(ticks[i].at);
  }
  while (count > axis->most + 2 && ++decades < 9) count = mantissa_ticks(axis, 9, decades, ticks);
  return count;
}

int fw_axis_ticks(const fw_axis *axis, fw_tick ticks[FW_TICKS]) {
  if (axis->named || !(axis->high > axis->low)) return 0;
  return axis->logarithmic ? logarithmic_ticks(axis, ticks) : linear_ticks(axis, ticks);
}

/* ---- drawing ----------------------------------------------------------------------------- */

void fw_axes_grid(const fw_axis *x, const fw_axis *y) {
  fw_tick ticks[FW_TICKS];
  for (int i = fw_axis_ticks(x, ticks); i-- > 0;) pljoin(ticks[i].at, y->low, ticks[i].at, y->high);
  for (int i = fw_axis_ticks(y, ticks); i-- > 0;) pljoin(x->low, ticks[i].at, x->high, ticks[i].at);
}

void fw_axes_draw(const fw_axis *x, const fw_axis *y) {
  fw_tick ticks[FW_TICKS];
  plbox("bc", 0.0, 0, "bc", 0.0, 0);
  for (int i = fw_axis_ticks(x, ticks); i-- > 0;)
    plmtex("b", 1.5, (ticks[i].at - x->low) / (x->high - x->low), 0.5, ticks[i].text);
  for (int i = fw_axis_ticks(y, ticks); i-- > 0;)
    plmtex("lv", 0.6, (ticks[i].at - y->low) / (y->high - y->low), 1.0, ticks[i].text);
}
