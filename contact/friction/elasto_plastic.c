/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In the direction of slip, y = z sgn v: elastic up to z_ba, plastic flow alpha(y) from there to z_ss. */
#include "contact/friction/bristles.h"

#include <math.h>
#include "contact/friction/relax.h"

enum { BREAKAWAY = FW_BRISTLE_COUNT, CONSTANTS };

static const fw_param plastic_params[] = {
    FW_STRIBECK_PARAMS,
    {"sigma-0", FW_PARAM_NUMBER, "N/m", "1.0126e7", 1e-6, 1e15, NULL, "bristle stiffness"},
    {"sigma-1", FW_PARAM_NUMBER, "N s/m", "2303", 0, 1e12, NULL, "bristle damping"},
    {"sigma-2", FW_PARAM_NUMBER, "N s/m", "0", 0, 1e12, NULL, "viscous friction"},
    FW_SIGMA_MINUS_PARAMS("N s/m"),
    {"breakaway", FW_PARAM_NUMBER, "", "0.7", 0.001, 0.999, NULL,
     "z_ba as a fraction of mu_c N/sigma_0, the least z_ss"},
    FW_PARAMS_END};

static int plastic_pack(const fw_given *given, double *c) {
  fw_bristles_pack(given, c);
  if (c) c[BREAKAWAY] = given[BREAKAWAY].values[0];
  return CONSTANTS;
}

/* alpha/z_ss for p = {z_ss, z_ba}. */
static double plastic_kappa(const double *p, double y, double *g) {
  double width = p[0] - p[1], xi = (y - p[1]) / width;
  g[0] = g[1] = g[2] = 0.0;
  if (xi <= 0.0) return 0.0;
  double kappa = 1.0 / p[0];
  if (xi < 1.0) {
    double slope = 0.5 * M_PI * sin(M_PI * xi) / (width * p[0]);
    kappa *= 0.5 - 0.5 * cos(M_PI * xi);
    g[0] = slope;
    g[1] = -slope * xi;
    g[2] = -slope * (1.0 - xi);
  }
  g[1] -= kappa / p[0];
  return kappa;
}

/* z_ss and z_ba on the side of v, with derivatives. */
typedef struct plastic_zone {
  double p[2]; /* z_ss, z_ba */
  double ss_v, ss_N, ba_N;
} plastic_zone;

static plastic_zone plastic_find_zone(const double *c, double v, double N) {
  fw_stribeck_point k = fw_bristle_curve(c, v, N, false);
  double mu_c = c[v < 0.0 ? FW_STRIBECK_MU_C_MINUS : FW_STRIBECK_MU_C], per = 1.0 / c[FW_SIGMA_0], slope;
  double force = fw_least_force(N, &slope), ba = c[BREAKAWAY] * mu_c * per;
  return (plastic_zone){{k.s * per, ba * force}, k.s_v * per, k.s_N * per, ba * slope};
}

static fw_bristle_force plastic_evaluate(const double *c, double v, double N, double z) {
  plastic_zone zone = plastic_find_zone(c, v, N);
  double g[3], s = fw_sign(v), y = s * z, kappa = plastic_kappa(zone.p, y, g), flow = 1.0 - kappa * y;
  fw_bristle_force f = {.zdot = v * flow,
                        .zdot_z = -v * s * (kappa + g[0] * y),
                        .zdot_v = flow - v * y * g[1] * zone.ss_v,
                        .zdot_N = -v * y * (g[1] * zone.ss_N + g[2] * zone.ba_N)};
  double damping = fw_bristle_sigma_1(c, v), viscous = fw_bristle_sigma_2(c, v);
  f.T = c[FW_SIGMA_0] * z + damping * f.zdot + viscous * v;
  f.T_z = c[FW_SIGMA_0] + damping * f.zdot_z;
  f.T_v = damping * f.zdot_v + viscous;
  f.T_N = damping * f.zdot_N;
  return f;
}

static void plastic_rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out) {
  fw_bristle_force f = plastic_evaluate(c, in->v, in->N, z[0]);
  fw_bristle_rate(&f, out);
}

/* y after a slip h: first the elastic way to z_ba, then the flow. Derivatives in the order of relax.h. */
static double plastic_advance(const double *p, double y, double h, double *g) {
  double elastic = p[1] - y;
  g[FW_RELAX_Y] = g[FW_RELAX_H] = 1.0;
  g[FW_RELAX_BOUND] = g[FW_RELAX_OTHER] = 0.0;
  if (h <= elastic) return y + h;
  if (elastic <= 0.0) return fw_relax_midpoint(plastic_kappa, p, y, h, g);
  double end = fw_relax_midpoint(plastic_kappa, p, p[1], h - elastic, g);
  g[FW_RELAX_OTHER] += g[FW_RELAX_Y] - g[FW_RELAX_H];
  g[FW_RELAX_Y] = g[FW_RELAX_H];
  return end;
}

static void plastic_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  const double *x = in->x;
  double du = x[FW_STEP_DU], s = fw_sign(du), per_dt = in->dt > 0.0 ? 1.0 / in->dt : 0.0, g[FW_RELAX_GRADIENT];
  double v = per_dt > 0.0 ? du * per_dt : s * 1e-300;
  plastic_zone zone = plastic_find_zone(c, v, 0.5 * (x[FW_STEP_N0] + x[FW_STEP_N1]));
  double z = s * plastic_advance(zone.p, s * z_old[0], fabs(du), g);
  fw_bristle_force f = plastic_evaluate(c, x[FW_STEP_V1], x[FW_STEP_N1], z);
  out->z[0] = z;
  out->T = f.T;
  if (!fw_step_wants(out)) return;
  fw_step_zero(out, 1, 1);
  out->z_z[0] = g[FW_RELAX_Y];
  out->z_x[FW_STEP_DU] = g[FW_RELAX_H] + s * g[FW_RELAX_BOUND] * zone.ss_v * per_dt;
  out->z_x[FW_STEP_N0] = out->z_x[FW_STEP_N1] =
      0.5 * s * (g[FW_RELAX_BOUND] * zone.ss_N + g[FW_RELAX_OTHER] * zone.ba_N);
  fw_bristle_chain(&f, out);
}

static double plastic_scale(const double *c, double N, int state) {
  (void)state;
  return plastic_find_zone(c, 0.0, N).p[0];
}

const fw_friction_ops fw_friction_elasto_plastic = {
    .entry = {"elasto-plastic", "lugre with a purely elastic zone: no drift below breakaway",
              "dz/dt = v (1 - alpha(z,v) |z|/z_ss), z_ss = s(v)/sigma_0; T = sigma_0 z + sigma_1 dz/dt + sigma_2 v\n"
              "alpha = 0 if sgn v != sgn z or |z| <= z_ba, 1 if |z| >= z_ss, else\n"
              "alpha = 1/2 + 1/2 sin(pi (|z| - (z_ss + z_ba)/2)/(z_ss - z_ba))",
              "Dupont, Hayward, Armstrong, Altpeter 2002, IEEE Trans. Autom. Control 47(5)", plastic_params},
    .pack = plastic_pack,
    .fixed_states = 1,
    .uncoupled = true,
    .check = fw_stribeck_check,
    .rate = plastic_rate,
    .step = plastic_step,
    .scale = plastic_scale,
    .claims = "periodic presliding drift-free no-creep bounded"};
