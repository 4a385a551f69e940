/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a law settles to: friction of steady sliding, drift under a force. */
#include <math.h>

#include "contact/friction/checks.h"
#include "contact/friction/tribometer.h"

/* Mean T of the second half of a slide over eighty reaches, at least a tenth of a second: laws with lag need time. */
static double steady_force(fw_law_probe *probe, double v) {
  enum { HALF = 1000, STEPS = 2 * HALF };
  double dt = fmax(80.0 * probe->reach / fabs(v), 0.1) / STEPS, sum = 0.0;
  fw_friction_reset(probe->law, probe->z);
  for (int k = 0; k < STEPS; k++) {
    double T = fw_law_probe_move(probe, v * dt, v, v, dt);
    if (k >= HALF) sum += T;
  }
  return sum / HALF;
}

fw_status fw_tribometer_curve(fw_context *ctx, const fw_friction *law, double N, const double *speeds, int count,
                              double *T) {
  fw_law_probe probe;
  FW_TRY(fw_law_probe_create(ctx, law, N, &probe));
  for (int i = 0; i < count; i++) T[i] = speeds[i] == 0.0 ? 0.0 : steady_force(&probe, speeds[i]);
  fw_law_probe_clear(&probe);
  return FW_OK;
}

fw_status fw_tribometer_drift(fw_context *ctx, const fw_friction *law, double N, double mean, double amplitude,
                              int settle, int cycles, double *drift) {
  enum { STEPS = 24 };
  fw_law_probe probe;
  double u = 0.0, begin = 0.0;
  FW_TRY(fw_law_probe_create(ctx, law, N, &probe));
  fw_friction_reset(law, probe.z);
  for (int k = 1; k <= (settle + cycles) * STEPS; k++) {
    u += fw_law_slip_to(&probe, mean + amplitude * sin(2 * M_PI * k / STEPS), 0.0);
    if (k == settle * STEPS) begin = u;
  }
  fw_law_probe_clear(&probe);
  *drift = (u - begin) / cycles;
  return FW_OK;
}
