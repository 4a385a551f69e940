/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/bristles.h"

static const fw_param lugre_params[] = {
    FW_STRIBECK_PARAMS,
    {"sigma-0", FW_PARAM_NUMBER, "N/m", "1.0126e7", 1e-6, 1e15, NULL, "bristle stiffness"},
    {"sigma-1", FW_PARAM_NUMBER, "N s/m", "2303", 0, 1e12, NULL, "bristle damping"},
    {"sigma-2", FW_PARAM_NUMBER, "N s/m", "0", 0, 1e12, NULL, "viscous friction"},
    FW_SIGMA_MINUS_PARAMS("N s/m"),
    {"passive", FW_PARAM_FLAG, "", "no", 0, 0, NULL,
     "let sigma-1 fall as sigma-1/(1 + sigma-1 |v|/(4 s)): always passive"},
    FW_PARAMS_END};

int fw_lugre_pack(const fw_given *given, double *c) {
  fw_bristles_pack(given, c);
  if (c) c[FW_LUGRE_PASSIVE] = given[FW_LUGRE_PASSIVE].values[0];
  return FW_LUGRE_COUNT;
}

/* T with derivatives at fixed z; dz/dt = v - sigma_0 a z. */
static fw_bristle_force lugre_evaluate(const double *c, double v, double N, double z, bool normalised) {
  fw_stribeck_point k = fw_bristle_curve(c, v, N, normalised);
  fw_bristle_force f;
  f.zdot_z = -c[FW_SIGMA_0] * k.a;
  f.zdot = v + f.zdot_z * z;
  f.zdot_v = 1.0 - c[FW_SIGMA_0] * k.a_v * z;
  f.zdot_N = -c[FW_SIGMA_0] * k.a_N * z;
  double viscous = fw_bristle_sigma_2(c, v);
  double damping_a, damping = fw_bristle_damping(fw_bristle_sigma_1(c, v), k.a, c[FW_LUGRE_PASSIVE] != 0.0, &damping_a);
  f.T = c[FW_SIGMA_0] * z + damping * f.zdot + viscous * v;
  f.T_z = c[FW_SIGMA_0] + damping * f.zdot_z;
  f.T_v = damping * f.zdot_v + damping_a * k.a_v * f.zdot + viscous;
  f.T_N = damping * f.zdot_N + damping_a * k.a_N * f.zdot;
  if (normalised) {
    f.T_N = f.T;
    f.T *= N;
    f.T_z *= N;
    f.T_v *= N;
  }
  return f;
}

void fw_lugre_rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out, bool normalised) {
  fw_bristle_force f = lugre_evaluate(c, in->v, in->N, z[0], normalised);
  fw_bristle_rate(&f, out);
}

/* Exact for constant v = du/dt and N at mid-step: z runs exponentially into z_ss = s/sigma_0 sgn v over the slip
 * s/sigma_0. Second order otherwise; any step is stable and keeps |z| within its bound. */
void fw_lugre_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out, bool normalised) {
  const double *x = in->x;
  double du = x[FW_STEP_DU], sign = fw_sign(du), per_dt = in->dt > 0.0 ? 1.0 / in->dt : 0.0;
  fw_stribeck_point k = fw_bristle_curve(c, per_dt > 0.0 ? du * per_dt : sign * 1e-300,
                                         0.5 * (x[FW_STEP_N0] + x[FW_STEP_N1]), normalised);
  double h = c[FW_SIGMA_0] * fabs(du) / k.s, steady = sign * k.s / c[FW_SIGMA_0];
  double rest = expm1(-h), keep = 1.0 + rest, z = keep * z_old[0] - rest * steady;
  fw_bristle_force f = lugre_evaluate(c, x[FW_STEP_V1], x[FW_STEP_N1], z, normalised);
  out->z[0] = z;
  out->T = f.T;
  if (!fw_step_wants(out)) return;
  double flow = 1.0 - sign * c[FW_SIGMA_0] * z / k.s;
  double z_s = -rest * sign / c[FW_SIGMA_0] + (z_old[0] - steady) * keep * h / k.s;
  out->z_z[0] = keep;
  out->z_x[FW_STEP_DU] = flow + z_s * k.s_v * per_dt;
  out->z_x[FW_STEP_V0] = out->z_x[FW_STEP_V1] = 0.0;
  out->z_x[FW_STEP_N0] = out->z_x[FW_STEP_N1] = 0.5 * z_s * k.s_N;
  fw_bristle_chain(&f, out);
}

static void lugre_rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out) {
  fw_lugre_rate(c, in, z, out, false);
}

static void lugre_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  fw_lugre_step(c, in, z_old, out, false);
}

static double lugre_scale(const double *c, double N, int state) {
  (void)state;
  return fw_bristle_curve(c, 0.0, N, false).s / c[FW_SIGMA_0];
}

const fw_friction_ops fw_friction_lugre = {
    .entry = {"lugre", "bristles with damping and a Stribeck curve",
              "dz/dt = v - sigma_0 |v| z/s(v)\nT = sigma_0 z + sigma_1 dz/dt + sigma_2 v\n"
              "s(v) = N [mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^delta)]",
              "Canudas de Wit, Olsson, Astrom, Lischinsky 1995, IEEE Trans. Autom. Control 40(3)", lugre_params},
    .pack = fw_lugre_pack,
    .fixed_states = 1,
    .uncoupled = true,
    .rate = lugre_rate,
    .step = lugre_step,
    .scale = lugre_scale,
    .claims = "periodic presliding no-creep bounded"};
