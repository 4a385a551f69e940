/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "core/load.h"
#include "core/loads/waves.h"

enum { FROM, TO, DURATION, SWEEP };
static const fw_param chirp_params[] = {
    {"f-from", FW_PARAM_NUMBER, "Hz", NULL, 1e-9, 1e12, NULL, "frequency at the start"},
    {"f-to", FW_PARAM_NUMBER, "Hz", NULL, 1e-9, 1e12, NULL, "frequency at the end, and from then on"},
    {"duration", FW_PARAM_NUMBER, "s", NULL, 1e-12, 1e9, NULL, "how long the sweep takes"},
    {"sweep", FW_PARAM_CHOICE, "", "linear", 0, 0, "linear|logarithmic", "how the frequency grows with time"},
    {0}};

/* Phase in cycles: the integral of the frequency. */
static double chirp_cycles(const double *c, double t) {
  double ratio = c[TO] / c[FROM];
  if (c[SWEEP] == 0.0 || fabs(log(ratio)) < 1e-12) return (c[FROM] + 0.5 * (c[TO] - c[FROM]) * t / c[DURATION]) * t;
  return c[FROM] * c[DURATION] / log(ratio) * (pow(ratio, t / c[DURATION]) - 1.0);
}

static double chirp_value(const double *c, double t, double omega) {
  (void)omega;
  double within = fmin(fmax(t, 0.0), c[DURATION]);
  return sin(fw_two_pi * (chirp_cycles(c, within) + c[TO] * (t > within ? t - within : 0.0)));
}

const fw_load_ops fw_load_chirp = {
    .entry = {"chirp", "A sine whose frequency sweeps", "f(t) = F sin(2 pi int f dt)", "", chirp_params},
    .value = chirp_value};
