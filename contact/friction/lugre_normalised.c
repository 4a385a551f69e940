/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/bristles.h"

/* Defaults: the rig at 8 N. */
static const fw_param normalised_params[] = {
    FW_STRIBECK_PARAMS,
    {"sigma-0", FW_PARAM_NUMBER, "1/m", "1.22e5", 1e-6, 1e15, NULL, "bristle stiffness per unit of normal force"},
    {"sigma-1", FW_PARAM_NUMBER, "s/m", "27.75", 0, 1e12, NULL, "bristle damping per unit of normal force"},
    {"sigma-2", FW_PARAM_NUMBER, "s/m", "0", 0, 1e12, NULL, "viscous friction per unit of normal force"},
    FW_SIGMA_MINUS_PARAMS("s/m"),
    {"passive", FW_PARAM_FLAG, "", "no", 0, 0, NULL,
     "let sigma-1 fall as sigma-1/(1 + sigma-1 |v|/(4 s)): always passive at constant N"},
    FW_PARAMS_END};

static void normalised_rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out) {
  fw_lugre_rate(c, in, z, out, true);
}

static void normalised_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  fw_lugre_step(c, in, z_old, out, true);
}

static double normalised_scale(const double *c, double N, int state) {
  (void)state;
  return fw_bristle_curve(c, 0.0, N, true).s / c[FW_SIGMA_0];
}

const fw_friction_ops fw_friction_lugre_normalised = {
    .entry = {"lugre-normalised", "lugre with everything proportional to the normal force",
              "dz/dt = v - sigma_0 |v| z/s(v)\nT = N (sigma_0 z + sigma_1 dz/dt + sigma_2 v)\n"
              "s(v) = mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^delta)",
              "Canudas de Wit and Tsiotras 1999, Proc. 38th IEEE CDC", normalised_params},
    .pack = fw_lugre_pack,
    .fixed_states = 1,
    .uncoupled = true,
    .rate = normalised_rate,
    .step = normalised_step,
    .scale = normalised_scale,
    .claims = "periodic presliding no-creep bounded"};
