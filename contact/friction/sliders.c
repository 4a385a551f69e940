/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliders.h"

int fw_sliders_states(const double *c) { return (int)c[FW_SLIDERS_COUNT]; }

const char *fw_sliders_check(const double *c) {
  return c[FW_SLIDERS_COUNT] != c[FW_SLIDERS_REACHES] ? "as many stiffnesses as limits are needed" : NULL;
}

void fw_sliders_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  int n = fw_sliders_states(c);
  const double *k = c + FW_SLIDERS_FIRST, *reach = k + n;
  double slope, ratio = fw_load_ratio(c[FW_SLIDERS_N_REF], in->x[FW_STEP_N1], &slope);
  bool wants = fw_step_wants(out);
  if (wants) fw_step_zero(out, n, n);
  out->T = 0.0;
  for (int i = 0; i < n; i++) {
    double z = z_old[i] + in->x[FW_STEP_DU], most = ratio * reach[i], sign = fw_sign(z);
    bool slips = fabs(z) > most;
    out->z[i] = slips ? sign * most : z;
    out->T += k[i] * out->z[i];
    if (!wants) continue;
    double *z_x = out->z_x + (ptrdiff_t)i * FW_STEP_INPUTS;
    if (slips) {
      z_x[FW_STEP_N1] = sign * slope * reach[i];
      out->T_x[FW_STEP_N1] += k[i] * z_x[FW_STEP_N1];
    } else {
      z_x[FW_STEP_DU] = out->z_z[i] = 1.0;
      out->T_z[i] = k[i];
      out->T_x[FW_STEP_DU] += k[i];
    }
  }
}

double fw_sliders_scale(const double *c, double N, int state) {
  double slope, reach = c[FW_SLIDERS_FIRST + fw_sliders_states(c) + state];
  return reach * fw_load_ratio(c[FW_SLIDERS_N_REF], N, &slope) + 1e-15;
}
