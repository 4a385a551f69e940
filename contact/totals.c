/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/totals.h"

#include <math.h>

void fw_touch_accrue(const fw_touch *old, double dt, fw_touch *touch) {
  double gain = touch->slip, N0 = fmax(old->N, 0.0), N1 = fmax(touch->N, 0.0);
  bool closed = touch->status != FW_OPEN;
  touch->slip = old->slip + (closed ? gain : 0.0);
  touch->distance = old->distance + (closed ? fabs(gain) : 0.0);
  touch->work = old->work + 0.5 * (N0 + N1) * fabs(gain);
  touch->dissipated = old->dissipated + 0.5 * (old->T + touch->T) * gain;
  touch->impulse = old->impulse + 0.5 * (N0 + N1) * dt;
  touch->impacts = old->impacts;
}

/* Mean of |v| while v goes straight from a to b. */
static double mean_speed(double a, double b) {
  return a * b >= 0.0 ? 0.5 * fabs(a + b) : 0.5 * (a * a + b * b) / fabs(a - b);
}

void fw_touch_strike(double P_n, double P_t, double v_before, fw_touch *touch) {
  touch->work += P_n * mean_speed(v_before, touch->slip_velocity);
  touch->dissipated += P_t * 0.5 * (v_before + touch->slip_velocity);
  touch->impulse += P_n;
  touch->impacts += P_n;
}

void fw_touch_clear_totals(fw_touch *touch) {
  touch->slip = touch->distance = touch->work = touch->dissipated = 0.0;
  touch->impulse = touch->impacts = 0.0;
}
