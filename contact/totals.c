/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/totals.h"

#include <math.h>

/* The part of a slip that does not come back: all but the elastic part, dT over the stiffness of stick. Forces that
 * follow the velocity change T without any elastic slip, so that the difference may exceed the slip itself: no more
 * than that is lost. */
static double irreversible_slip(const fw_pair *pair, double N, double dT, double du) {
  double stiffness = fw_friction_stick_stiffness(&pair->friction, N);
  return stiffness > 0.0 ? fmin(fabs(du - dT / stiffness), fabs(du)) : fabs(du);
}

void fw_touch_accrue(const fw_pair *pair, const fw_touch *old, double dt, bool mean, fw_touch *touch) {
  bool rigid = fw_pair_is_rigid(pair);
  double gain = touch->slip, N1 = fmax(touch->N, 0.0), T = mean && rigid ? touch->T : 0.5 * (old->T + touch->T);
  double N = mean ? N1 : 0.5 * (fmax(old->N, 0.0) + N1);
  bool closed = touch->status != FW_OPEN;
  touch->slip = old->slip + (closed ? gain : 0.0);
  touch->distance = old->distance + (closed ? fabs(gain) : 0.0);
  touch->work = old->work + N * fabs(gain);
  double lost = closed && dt > 0.0 ? N * irreversible_slip(pair, N, touch->T - old->T, gain) : 0.0;
  touch->irreversible = old->irreversible + lost;
  touch->irreversible_rate = dt > 0.0 ? lost / dt : 0.0;
  touch->dissipated = old->dissipated + T * gain;
  touch->impulse = old->impulse + N * dt;
  touch->rubbed = old->rubbed + T * dt;
  touch->impacts = old->impacts + (mean && old->status == FW_OPEN ? N * dt : 0.0);
}

/* Mean of |v| while v goes straight from a to b. */
static double mean_speed(double a, double b) {
  return a * b >= 0.0 ? 0.5 * fabs(a + b) : 0.5 * (a * a + b * b) / fabs(a - b);
}

void fw_touch_strike(double P_n, double P_t, double v_before, fw_touch *touch) {
  double work = P_n * mean_speed(v_before, touch->slip_velocity);
  touch->work += work;
  touch->irreversible += work;
  touch->dissipated += P_t * 0.5 * (v_before + touch->slip_velocity);
  touch->impulse += P_n;
  touch->rubbed += P_t;
  touch->impacts += P_n;
}

void fw_touch_clear_totals(fw_touch *touch) {
  touch->slip = touch->distance = touch->work = touch->dissipated = 0.0;
  touch->irreversible = touch->irreversible_rate = 0.0;
  touch->impulse = touch->rubbed = touch->impacts = 0.0;
  touch->mean_work_rate = touch->slip_amplitude = touch->stick_fraction = 0.0;
}
