/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliding.h"

enum { MU, MU_MINUS, V_0, CONSTANTS };

static const fw_param continuous_params[] = {
    {"mu", FW_PARAM_NUMBER, "", "0.52", 0, 10, NULL, "coefficient of friction"},
    {"mu-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "coefficient for v < 0 (absent: mu)"},
    {"v-0", FW_PARAM_NUMBER, "m/s", "1e-4", 1e-15, 1e6, NULL, "V_0: speed at which friction is fully developed"},
    FW_PARAMS_END};

static int continuous_pack(const fw_given *given, double *c) {
  if (c) {
    fw_pack_sides(given, 1, c);
    c[V_0] = given[V_0].values[0];
  }
  return CONSTANTS;
}

static double continuous_mu(const double *c, double v, double *slope) {
  double mu = c[fw_side(v)];
  bool full = fabs(v) >= c[V_0];
  *slope = full ? 0.0 : mu / c[V_0];
  return full ? fw_sign(v) * mu : *slope * v;
}

static void continuous_rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out) {
  (void)z;
  double slope;
  out->T_N = continuous_mu(c, in->v, &slope);
  out->T_v = slope * in->N;
  out->T = out->T_N * in->N;
}

static void continuous_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  (void)z_old;
  double slope, mu = continuous_mu(c, in->x[FW_STEP_V1], &slope), N = in->x[FW_STEP_N1];
  out->T = mu * N;
  if (!fw_step_wants(out)) return;
  fw_step_zero(out, 0, 0);
  out->T_x[FW_STEP_V1] = slope * N;
  out->T_x[FW_STEP_N1] = mu;
}

const fw_friction_ops fw_friction_continuous = {
    .entry = {"continuous", "velocity-limited friction: no stick, it creeps under load",
              "|v| >= V_0: T = mu N sgn v\n|v| < V_0: T = mu N v/V_0", "Rogers and Pick 1977, Nucl. Eng. Des. 44",
              continuous_params},
    .pack = continuous_pack,
    .rate = continuous_rate,
    .step = continuous_step,
    .claims = "periodic bounded"};
