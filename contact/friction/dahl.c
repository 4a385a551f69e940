/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dahl's law with the deflection z = T/sigma_0 as state. With x_c = mu_c N/sigma_0 and the distance from
 * saturation w = 1 - z sgn(v)/x_c: dz/du = |w|^i sgn w. */
#include "contact/friction/law.h"

enum { MU, MU_MINUS, SIGMA, EXPONENT, CONSTANTS };

static const fw_param dahl_params[] = {
    {"mu-c", FW_PARAM_NUMBER, "", "0.5", 1e-9, 10, NULL, "coefficient of friction"},
    {"mu-c-minus", FW_PARAM_NUMBER, "", "", 1e-9, 10, NULL, "coefficient for v < 0 (absent: mu-c)"},
    {"sigma-0", FW_PARAM_NUMBER, "N/m", "1.003e7", 1e-6, 1e15, NULL, "stiffness at zero force"},
    {"exponent", FW_PARAM_NUMBER, "", "1", 0, 2, NULL, "i: shape of the loop; 0 spring-slider, 1 exponential"},
    FW_PARAMS_END};

static int dahl_pack(const fw_given *given, double *c) {
  if (c) {
    c[MU] = given[MU].values[0];
    c[MU_MINUS] = fw_first_given(given[MU_MINUS], c[MU]);
    c[SIGMA] = given[SIGMA].values[0];
    c[EXPONENT] = given[EXPONENT].values[0];
  }
  return CONSTANTS;
}

/* x_c on the side of sign s at normal force N, and its derivative. */
static double dahl_reach(const double *c, double s, double N, double *reach_N) {
  double mu = (s < 0.0 ? c[MU_MINUS] : c[MU]), slope;
  double force = fw_least_force(N, &slope);
  *reach_N = mu * slope / c[SIGMA];
  return mu * force / c[SIGMA];
}

/* |w|^i with 0^0 = 0: saturated means no more change. */
static double dahl_power(double w, double i) {
  double size = fabs(w);
  if (size == 0.0) return 0.0;
  return i == 1.0 ? size : i == 0.0 ? 1.0 : pow(size, i);
}

static void dahl_rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out) {
  double s = fw_sign(in->v), reach_N, reach = dahl_reach(c, s, in->N, &reach_N);
  double w = 1.0 - s * z[0] / reach, slope = fw_sign(w) * dahl_power(w, c[EXPONENT]);
  out->zdot[0] = in->v * slope;
  out->T = c[SIGMA] * z[0];
  if (!fw_rate_wants(out)) return;
  double slope_w = w == 0.0 ? (c[EXPONENT] == 1.0) : c[EXPONENT] * fabs(slope / w);
  out->zdot_z[0] = -fabs(in->v) * slope_w / reach;
  out->zdot_v[0] = slope;
  out->zdot_N[0] = fabs(in->v) * slope_w * z[0] / (reach * reach) * reach_N;
  out->T_z[0] = c[SIGMA];
  out->T_v = out->T_N = 0.0;
}

/* 1 - |w1|/|w0| after a slip of h reaches: d|w|/dh = -|w|^i, so |w|^(1-i) falls by (1-i) h. The loss, not what is left:
 * a slip that is small against the reach loses nearly nothing. */
static double dahl_loss(double w0, double h, double i) {
  if (i == 1.0) return -expm1(-h);
  if (i == 0.0) return fabs(w0) > h ? h / fabs(w0) : 1.0;
  if (w0 == 0.0) return i < 1.0 ? 1.0 : 0.0;
  double bracket = (i - 1.0) * h * pow(fabs(w0), i - 1.0);
  return bracket > -1.0 ? -expm1(-log1p(bracket) / (i - 1.0)) : 1.0;
}

/* Exact for a slip of one sign at the normal force of mid-step. The flow of an autonomous equation has
 * dw1/dw0 = f(w1)/f(w0) and dw1/dh = f(w1). */
static void dahl_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  double du = in->x[FW_STEP_DU], s = fw_sign(du), N = 0.5 * (in->x[FW_STEP_N0] + in->x[FW_STEP_N1]);
  double reach_N, reach = dahl_reach(c, s, N, &reach_N), h = fabs(du) / reach;
  double w0 = 1.0 - s * z_old[0] / reach, loss = dahl_loss(w0, h, c[EXPONENT]), ratio = 1.0 - loss, w1 = w0 * ratio;
  out->z[0] = ratio * z_old[0] + s * reach * loss; /* s reach (1 - w1) without its rounding */
  out->T = c[SIGMA] * out->z[0];
  if (!fw_step_wants(out)) return;
  fw_step_zero(out, 1, 1);
  double gain = dahl_power(ratio, c[EXPONENT]), flow = fw_sign(w0) * dahl_power(w1, c[EXPONENT]);
  double z_reach = s * (1.0 - w1 - flow * h) - gain * z_old[0] / reach;
  out->z_z[0] = gain;
  out->z_x[FW_STEP_DU] = flow;
  out->z_x[FW_STEP_N0] = out->z_x[FW_STEP_N1] = 0.5 * reach_N * z_reach;
  out->T_z[0] = c[SIGMA] * gain;
  for (int j = 0; j < FW_STEP_INPUTS; j++) out->T_x[j] = c[SIGMA] * out->z_x[j];
}

/* |w|^i leaves zero with an infinite slope, at i = 0 with a jump. */
static bool dahl_is_steep(const double *c) { return c[EXPONENT] < 1.0; }

static double dahl_scale(const double *c, double N, int state) {
  (void)state;
  double reach_N;
  return dahl_reach(c, 1.0, N, &reach_N);
}

const fw_friction_ops fw_friction_dahl = {
    .entry = {"dahl", "presliding hysteresis that does not depend on the rate",
              "dT/du = sigma_0 |1 - (T/F_c) sgn v|^i sgn(1 - (T/F_c) sgn v), F_c = mu_c N",
              "Dahl 1968, Aerospace Corp. TOR-0158(3107-18)-1; 1976, AIAA J. 14(12)", dahl_params},
    .pack = dahl_pack,
    .fixed_states = 1,
    .uncoupled = true,
    .rate = dahl_rate,
    .step = dahl_step,
    .scale = dahl_scale,
    .claims = "periodic presliding no-creep rate-independent bounded",
    .rate_is_steep = dahl_is_steep};
