/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "core/load.h"
#include "core/loads/waves.h"

enum { FREQUENCY, PHASE };
static const fw_param sine_params[] = {
    {"frequency", FW_PARAM_NUMBER, "Hz", NULL, 0, 1e12, NULL, "its own frequency, whatever the analysis has"},
    {"phase", FW_PARAM_NUMBER, "deg", "0", -360, 360, NULL, "phase of the sine"},
    {0}};

static double sine_value(const double *c, double t, double omega) {
  (void)omega;
  return sin(fw_two_pi * c[FREQUENCY] * t + c[PHASE] * fw_radians);
}

const fw_load_ops fw_load_sine = {
    .entry = {"sine", "A sine at a frequency of its own", "f(t) = F sin(2 pi f t + phase)", "", sine_params},
    .value = sine_value};
