/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both forms as dz/du = A (1 - |y|^n (beta' sgn(v y) + gamma')), y = z/L, beta' + gamma' = 1, with the bound L of z:
 * contact form A = 1, L = u_y, T = mu N z/u_y; structural form L = (A/(beta + gamma))^(1/n), times N/N_ref. */
#include "contact/friction/relax.h"
#include "contact/friction/sliding.h"

enum { FORM, N_EXP, BETA, GAMMA, MU, MU_MINUS, U_Y, A, STIFFNESS, SHARE, N_REF, CONSTANTS };

static const fw_param wen_params[] = {
    {"form", FW_PARAM_CHOICE, "", "contact", 0, 0, "contact|structural", "scaled by N, or with forces of its own"},
    {"n", FW_PARAM_NUMBER, "", "1", 1, 20, NULL, "sharpness of the yield"},
    {"beta", FW_PARAM_NUMBER, "1/m^n", "0.5", 1e-30, 1e30, NULL, "share of dissipation (contact form: 1)"},
    {"gamma", FW_PARAM_NUMBER, "1/m^n", "0.5", -1e30, 1e30, NULL, "shape; contact form: beta + gamma = 1"},
    {"mu", FW_PARAM_NUMBER, "", "0.5", 0, 10, NULL, "contact form: coefficient of friction"},
    {"mu-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "contact form: coefficient for z < 0 (absent: mu)"},
    {"u-y", FW_PARAM_NUMBER, "m", "4e-6", 1e-15, 1e3, NULL, "contact form: yield slip"},
    {"a-0", FW_PARAM_NUMBER, "", "1", 1e-12, 1e12, NULL, "structural form: A, the initial dz/du"},
    {"k", FW_PARAM_NUMBER, "N/m", "1e7", 1e-6, 1e15, NULL, "structural form: stiffness"},
    {"share", FW_PARAM_NUMBER, "", "0", 0, 1, NULL, "structural form: elastic share a of the stiffness"},
    FW_N_REF_PARAM,
    FW_PARAMS_END};

static int wen_pack(const fw_given *given, double *c) {
  for (int i = 0; c && i < CONSTANTS; i++) c[i] = fw_first_given(given[i], i == MU_MINUS ? c[MU] : 0.0);
  return CONSTANTS;
}

static bool is_contact(const double *c) { return c[FORM] == 0.0; }
static int wen_states(const double *c) { return is_contact(c) ? 1 : 2; }

static const char *wen_check(const double *c) {
  if (c[BETA] < fabs(c[GAMMA])) return "passive only with beta >= |gamma|";
  if (is_contact(c) && fabs(c[BETA] + c[GAMMA] - 1.0) > 1e-9) return "the contact form needs beta + gamma = 1";
  if (c[BETA] + c[GAMMA] <= 0.0) return "beta + gamma must be positive";
  return NULL;
}

/* Initial slope, bound L with its derivative. */
static double wen_slope(const double *c) { return is_contact(c) ? 1.0 : c[A]; }
static double wen_bound(const double *c, double N, double *bound_N) {
  *bound_N = 0.0;
  if (is_contact(c)) return c[U_Y];
  double slope, least, force = fw_least_force(N, &least);
  double bound = pow(c[A] / (c[BETA] + c[GAMMA]), 1.0 / c[N_EXP]), ratio = fw_load_ratio(c[N_REF], force, &slope);
  *bound_N = bound * slope * least;
  return bound * ratio;
}

/* kappa of dY/dh = 1 - kappa Y for p = {L, n, relative share of unloading}. */
static double wen_kappa(const double *p, double y, double *g) {
  double r = fabs(y) / p[0], side = y >= 0.0 ? 1.0 : p[2];
  double power = p[1] == 1.0 ? 1.0 : pow(r, p[1] - 1.0), kappa = side * power / p[0];
  g[0] = r > 0.0 ? (p[1] - 1.0) * kappa / y : 0.0;
  g[1] = -p[1] * kappa / p[0];
  g[2] = 0.0;
  return kappa;
}

static double wen_unloading(const double *c) { return (c[BETA] - c[GAMMA]) / (c[BETA] + c[GAMMA]); }

/* T of the state z, u with derivatives in the order z, u, N. */
static double wen_force(const double *c, const double *z, double N, double *g) {
  g[1] = g[2] = 0.0;
  if (is_contact(c)) {
    double mu = z[0] < 0.0 ? c[MU_MINUS] : c[MU];
    g[0] = mu * N / c[U_Y];
    g[2] = mu * z[0] / c[U_Y];
    return g[0] * z[0];
  }
  g[0] = (1.0 - c[SHARE]) * c[STIFFNESS];
  g[1] = c[SHARE] * c[STIFFNESS];
  return g[0] * z[0] + g[1] * z[1];
}

static void wen_rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out) {
  int n = wen_states(c);
  double bound_N, g[3], T_g[3], s = fw_sign(in->v), slope = wen_slope(c), y = s * z[0];
  double p[3] = {wen_bound(c, in->N, &bound_N), c[N_EXP], wen_unloading(c)}, kappa = wen_kappa(p, y, g);
  out->zdot[0] = slope * in->v * (1.0 - kappa * y);
  if (n == 2) out->zdot[1] = in->v;
  out->T = wen_force(c, z, in->N, T_g);
  if (!fw_rate_wants(out)) return;
  out->zdot_z[0] = -slope * fabs(in->v) * (kappa + g[0] * y);
  out->zdot_v[0] = slope * (1.0 - kappa * y);
  out->zdot_N[0] = -slope * in->v * y * g[1] * bound_N;
  out->T_z[0] = T_g[0];
  out->T_v = 0.0;
  out->T_N = T_g[2];
  if (n == 1) return;
  out->zdot_z[1] = out->zdot_z[2] = out->zdot_z[3] = 0.0;
  out->zdot_v[1] = 1.0;
  out->zdot_N[1] = 0.0;
  out->T_z[1] = T_g[1];
}

static void wen_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  int n = wen_states(c);
  double du = in->x[FW_STEP_DU], s = fw_sign(du), slope = wen_slope(c), bound_N, g[FW_RELAX_GRADIENT], T_g[3];
  double N = 0.5 * (in->x[FW_STEP_N0] + in->x[FW_STEP_N1]);
  double p[3] = {wen_bound(c, N, &bound_N), c[N_EXP], wen_unloading(c)};
  out->z[0] = s * fw_relax_midpoint(wen_kappa, p, s * z_old[0], slope * fabs(du), g);
  if (n == 2) out->z[1] = z_old[1] + du;
  out->T = wen_force(c, out->z, in->x[FW_STEP_N1], T_g);
  if (!fw_step_wants(out)) return;
  fw_step_zero(out, n, n);
  out->z_z[0] = g[FW_RELAX_Y];
  out->z_x[FW_STEP_DU] = slope * g[FW_RELAX_H];
  out->z_x[FW_STEP_N0] = out->z_x[FW_STEP_N1] = 0.5 * s * g[FW_RELAX_BOUND] * bound_N;
  out->T_z[0] = T_g[0] * out->z_z[0];
  for (int j = 0; j < FW_STEP_INPUTS; j++) out->T_x[j] = T_g[0] * out->z_x[j];
  out->T_x[FW_STEP_N1] += T_g[2];
  if (n == 1) return;
  out->z_z[1] = out->z_x[FW_STEP_INPUTS + FW_STEP_DU] = 1.0;
  out->T_z[1] = T_g[1];
  out->T_x[FW_STEP_DU] += T_g[1];
}

static double wen_scale(const double *c, double N, int state) {
  (void)state;
  double bound_N;
  return wen_bound(c, N, &bound_N);
}

const fw_friction_ops fw_friction_bouc_wen = {
    .entry = {"bouc-wen", "smooth hysteresis with a chosen sharpness",
              "contact: u_y dz/dt = v - beta |v| |z|^(n-1) z - gamma v |z|^n, beta + gamma = 1, T = mu N z\n"
              "structural: dz/dt = A v - beta |v| |z|^(n-1) z - gamma v |z|^n, T = a k u + (1 - a) k z",
              "Bouc 1967; Wen 1976, J. Eng. Mech. Div. ASCE 102", wen_params},
    .pack = wen_pack,
    .states = wen_states,
    .uncoupled = true,
    .check = wen_check,
    .rate = wen_rate,
    .step = wen_step,
    .scale = wen_scale,
    .claims = "periodic presliding no-creep rate-independent"};
