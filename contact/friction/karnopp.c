/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliding.h"

enum { MU_V = FW_STRIBECK_COUNT, BAND, CONSTANTS };

static const fw_param karnopp_params[] = {
    FW_STRIBECK_PARAMS,
    FW_MU_V_PARAM,
    {"band", FW_PARAM_NUMBER, "m/s", "1e-5", 1e-15, 1e3, NULL, "D_v: slower than this the contact may stick"},
    FW_PARAMS_END};

static int karnopp_pack(const fw_given *given, double *c) {
  fw_stribeck_pack(given, c);
  if (c) {
    c[MU_V] = given[MU_V].values[0];
    c[BAND] = given[BAND].values[0];
  }
  return CONSTANTS;
}

static void karnopp_limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  (void)z;
  fw_stribeck_limit(c, c[MU_V], v, N, out);
  out->band = c[BAND];
  if (fabs(v) > c[BAND]) return;
  out->slip_N = v < 0.0 ? -out->stick_minus_N : out->stick_plus_N;
  out->slip = out->slip_N * N;
  out->slip_v = 0.0;
}

const fw_friction_ops fw_friction_karnopp = {
    .entry = {"karnopp", "a band of velocities counts as rest",
              "|v| > D_v: T = s(v) sgn v + mu_v N v\n"
              "|v| <= D_v: T balances all other tangential forces on the contact point, up to mu_s N",
              "Karnopp 1985, ASME J. Dyn. Syst. Meas. Control 107", karnopp_params},
    .pack = karnopp_pack,
    .check = fw_stribeck_check,
    .limit = karnopp_limit,
    .claims = "periodic memory drift-free no-creep bounded"};
