/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliding.h"

enum { MU_V = FW_STRIBECK_COUNT, CONSTANTS };

static const fw_param stribeck_params[] = {FW_STRIBECK_PARAMS, FW_MU_V_PARAM, FW_PARAMS_END};

static int stribeck_pack(const fw_given *given, double *c) {
  fw_stribeck_pack(given, c);
  if (c) c[MU_V] = given[MU_V].values[0];
  return CONSTANTS;
}

static void stribeck_limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  (void)z;
  fw_stribeck_limit(c, c[MU_V], v, N, out);
}

const fw_friction_ops fw_friction_stribeck = {
    .entry = {"stribeck", "dry friction that falls with the velocity",
              "slip: T = s(v) sgn v + mu_v N v, s(v) = N [mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^delta)]\n"
              "stick: |T| <= mu_s N, rigid or elastic",
              "Stribeck 1902; Bo and Pavelescu 1982, Wear 82", stribeck_params},
    .pack = stribeck_pack,
    .check = fw_stribeck_check,
    .limit = stribeck_limit,
    .claims = "periodic memory drift-free no-creep bounded"};
