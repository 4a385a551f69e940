/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Angles, and a phase that grows with a varying frequency. */
#ifndef FW_CORE_LOADS_WAVES_H
#define FW_CORE_LOADS_WAVES_H

#include <math.h>

static const double fw_two_pi = 2 * M_PI;
static const double fw_radians = M_PI / 180;

#endif
