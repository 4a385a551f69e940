/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliding.h"

enum { MU, MU_MINUS, SIGMA_0, SIGMA_1, EXCESS, CONSTANTS };

static const fw_param reset_params[] = {
    {"mu-c", FW_PARAM_NUMBER, "", "0.5", 0, 10, NULL, "coefficient of friction"},
    {"mu-c-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "coefficient for v < 0 (absent: mu-c)"},
    {"sigma-0", FW_PARAM_NUMBER, "N/m", "1e7", 1e-6, 1e15, NULL, "bristle stiffness"},
    {"sigma-1", FW_PARAM_NUMBER, "N s/m", "0", 0, 1e12, NULL, "damping while stuck"},
    {"a", FW_PARAM_NUMBER, "", "0.2", 0, 100, NULL, "static friction is (1 + a) times kinetic friction"},
    FW_PARAMS_END};

static int reset_pack(const fw_given *given, double *c) {
  if (c) {
    fw_pack_sides(given, 1, c);
    for (int i = SIGMA_0; i < CONSTANTS; i++) c[i] = given[i].values[0];
  }
  return CONSTANTS;
}

static void reset_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  double z = z_old[0] + in->x[FW_STEP_DU], N = in->x[FW_STEP_N1], sign = fw_sign(z), mu = c[fw_side(z)];
  bool stuck = fabs(z) < mu * N / c[SIGMA_0];
  double stiffness = (1.0 + c[EXCESS]) * c[SIGMA_0];
  out->z[0] = stuck ? z : sign * mu * N / c[SIGMA_0];
  out->T = stuck ? stiffness * z + c[SIGMA_1] * in->x[FW_STEP_V1] : sign * mu * N;
  if (!fw_step_wants(out)) return;
  fw_step_zero(out, 1, 1);
  if (stuck) {
    out->z_z[0] = out->z_x[FW_STEP_DU] = 1.0;
    out->T_z[0] = out->T_x[FW_STEP_DU] = stiffness;
    out->T_x[FW_STEP_V1] = c[SIGMA_1];
  } else {
    out->z_x[FW_STEP_N1] = sign * mu / c[SIGMA_0];
    out->T_x[FW_STEP_N1] = sign * mu;
  }
}

static double reset_scale(const double *c, double N, int state) {
  (void)state;
  return c[MU] * N / c[SIGMA_0] + 1e-15;
}

const fw_friction_ops fw_friction_reset_integrator = {
    .entry = {"reset-integrator", "a spring that gives way at z_0 and is stiffer before",
              "dz/dt = v unless z would leave +-z_0, z_0 = mu_c N/sigma_0\n"
              "T = (1 + a [|z| < z_0]) sigma_0 z + sigma_1 dz/dt",
              "Haessig and Friedland 1991, ASME J. Dyn. Syst. Meas. Control 113", reset_params},
    .pack = reset_pack,
    .fixed_states = 1,
    .uncoupled = true,
    .step = reset_step,
    .scale = reset_scale,
    .claims = "periodic presliding memory drift-free no-creep"};
