/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliding.h"

enum { MU_S, MU_C, MU_S_MINUS, MU_C_MINUS, MU_V, CONSTANTS };

static const fw_param static_params[] = {
    {"mu-s", FW_PARAM_NUMBER, "", "0.6", 0, 10, NULL, "static coefficient of friction"},
    {"mu-c", FW_PARAM_NUMBER, "", "0.5", 0, 10, NULL, "kinetic coefficient of friction"},
    {"mu-s-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "static coefficient for v < 0 (absent: mu-s)"},
    {"mu-c-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "kinetic coefficient for v < 0 (absent: mu-c)"},
    FW_MU_V_PARAM,
    FW_PARAMS_END};

static int static_pack(const fw_given *given, double *c) {
  if (c) {
    fw_pack_sides(given, 2, c);
    c[MU_V] = given[MU_V].values[0];
  }
  return CONSTANTS;
}

static const char *static_check(const double *c) {
  return c[MU_S] < c[MU_C] || c[MU_S_MINUS] < c[MU_C_MINUS] ? "mu-s must not be below mu-c" : NULL;
}

static void static_limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  (void)z;
  fw_sliding_limit(c[MU_S], c[MU_S_MINUS], v < 0.0 ? c[MU_C_MINUS] : c[MU_C], 0.0, c[MU_V], v, N, out);
}

const fw_friction_ops fw_friction_coulomb_static = {
    .entry = {"coulomb-static", "dry friction with a higher limit at rest",
              "slip: T = mu_c N sgn v + mu_v N v\nstick: |T| <= mu_s N, rigid or elastic",
              "Morin 1833; Olsson et al. 1998", static_params},
    .pack = static_pack,
    .check = static_check,
    .limit = static_limit,
    .claims = "periodic memory drift-free no-creep bounded"};
