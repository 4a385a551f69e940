/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a contact point has gone through: integrals over time that grow with every accepted step and every impact. */
#ifndef FW_CONTACT_TOTALS_H
#define FW_CONTACT_TOTALS_H

#include "contact/pair.h"

/* After a step of dt: touch->slip holds the gain of the step and leaves as the total. Trapezoidal in time; mean: N and
 * T are means over the step. */
void fw_touch_accrue(const fw_pair *pair, const fw_touch *old, double dt, bool mean, fw_touch *touch);

/* Impulses P_n, P_t (the latter opposing slip) that change the slip velocity from v_before to touch->slip_velocity:
 * what they do is impulse times mean velocity. */
void fw_touch_strike(double P_n, double P_t, double v_before, fw_touch *touch);

/* Begins counting anew. */
void fw_touch_clear_totals(fw_touch *touch);

#endif
