/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Angles, and a phase that grows with a varying frequency. */
#ifndef FW_CORE_LOADS_WAVES_H
#define FW_CORE_LOADS_WAVES_H

static const double fw_two_pi = 6.28318530717958647692;
static const double fw_radians = 6.28318530717958647692 / 360.0;

#endif
