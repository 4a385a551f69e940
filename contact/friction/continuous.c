/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliding.h"

/* Constants: those of the Stribeck curve, which falls from mu to mu-c, then these. */
enum { V_0 = FW_STRIBECK_COUNT, MU_V, CONSTANTS };
enum { GIVEN_MU, GIVEN_MU_MINUS, GIVEN_V_0, GIVEN_MU_C, GIVEN_MU_C_MINUS, GIVEN_V_S, GIVEN_EXPONENT, GIVEN_MU_V };

static const fw_param continuous_params[] = {
    {"mu", FW_PARAM_NUMBER, "", "0.52", 0, 10, NULL, "coefficient of friction; with mu-c, that of slow slip"},
    {"mu-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "coefficient for v < 0 (absent: mu)"},
    {"v-0", FW_PARAM_NUMBER, "m/s", "1e-4", 1e-15, 1e6, NULL, "V_0: speed at which friction is fully developed"},
    {"mu-c", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "coefficient of fast slip (absent: mu does not depend on v)"},
    {"mu-c-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "coefficient of fast slip for v < 0 (absent: as for v > 0)"},
    {"v-s", FW_PARAM_NUMBER, "m/s", "6.797e-4", 1e-12, 1e6, NULL, "Stribeck velocity"},
    {"exponent", FW_PARAM_NUMBER, "", "2", 0.1, 10, NULL, "delta: 2 Gaussian, 1 exponential fall from mu to mu-c"},
    FW_MU_V_PARAM,
    FW_PARAMS_END};

static int continuous_pack(const fw_given *given, double *c) {
  if (!c) return CONSTANTS;
  bool falls = given[GIVEN_MU_C].count > 0;
  c[FW_STRIBECK_MU_S] = given[GIVEN_MU].values[0];
  c[FW_STRIBECK_MU_S_MINUS] = fw_first_given(given[GIVEN_MU_MINUS], c[FW_STRIBECK_MU_S]);
  c[FW_STRIBECK_MU_C] = fw_first_given(given[GIVEN_MU_C], c[FW_STRIBECK_MU_S]);
  c[FW_STRIBECK_MU_C_MINUS] =
      fw_first_given(given[GIVEN_MU_C_MINUS], falls ? c[FW_STRIBECK_MU_C] : c[FW_STRIBECK_MU_S_MINUS]);
  c[FW_STRIBECK_V_S] = c[FW_STRIBECK_V_S_MINUS] = given[GIVEN_V_S].values[0];
  c[FW_STRIBECK_EXPONENT] = given[GIVEN_EXPONENT].values[0];
  c[V_0] = given[GIVEN_V_0].values[0];
  c[MU_V] = given[GIVEN_MU_V].values[0];
  return CONSTANTS;
}

/* T/N and its derivative. The curve of exponents below 1 has no slope at v = 0, but its product with v has. */
static double continuous_mu(const double *c, double v, double *slope) {
  double mu_v, mu = fw_stribeck_mu(c, v, &mu_v), share = v / c[V_0];
  if (fabs(v) >= c[V_0]) {
    *slope = fw_sign(v) * mu_v + c[MU_V];
    return fw_sign(v) * mu + c[MU_V] * v;
  }
  *slope = mu / c[V_0] + share * mu_v + c[MU_V];
  return share * mu + c[MU_V] * v;
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
              "|v| >= V_0: T = s(v) sgn v + mu_v N v\n|v| < V_0: T = s(v) v/V_0 + mu_v N v\n"
              "s(v) = N [mu_c + (mu - mu_c) exp(-(|v|/v_s)^delta)], mu N without mu_c",
              "Rogers and Pick 1977, Nucl. Eng. Des. 44", continuous_params},
    .pack = continuous_pack,
    .rate = continuous_rate,
    .step = continuous_step,
    .claims = "periodic bounded"};
