/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "core/load.h"
#include "core/loads/waves.h"

enum { PHASE, MULTIPLE };
static const fw_param harmonic_params[] = {
    {"phase", FW_PARAM_NUMBER, "deg", "0", -360, 360, NULL, "phase of the cosine"},
    {"multiple", FW_PARAM_INTEGER, "", "1", 1, 100, NULL, "multiple of the analysis frequency"},
    {0}};

static double harmonic_value(const double *c, double t, double omega) {
  return cos(c[MULTIPLE] * omega * t + c[PHASE] * fw_radians);
}

static double harmonic_slope(const double *c, double t, double omega) {
  return -c[MULTIPLE] * sin(c[MULTIPLE] * omega * t + c[PHASE] * fw_radians);
}

const fw_load_ops fw_load_harmonic = {
    .entry = {"harmonic", "A cosine at the analysis frequency", "f(t) = F cos(m omega t + phase)", "", harmonic_params},
    .harmonic = true,
    .slope = harmonic_slope,
    .value = harmonic_value};

int fw_load_multiple(const fw_load *load, double *phase) {
  *phase = load->constants[PHASE] * fw_radians;
  return (int)load->constants[MULTIPLE];
}
