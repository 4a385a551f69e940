/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliding.h"

enum { MU_S, MU_C, MU_S_MINUS, MU_C_MINUS, CONSTANTS };

static const fw_param balance_params[] = {
    {"mu-s", FW_PARAM_NUMBER, "", "0.6", 0, 10, NULL, "static coefficient of friction"},
    {"mu-c", FW_PARAM_NUMBER, "", "0.5", 0, 10, NULL, "kinetic coefficient of friction"},
    {"mu-s-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "static coefficient for v < 0 (absent: mu-s)"},
    {"mu-c-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "kinetic coefficient for v < 0 (absent: mu-c)"},
    FW_PARAMS_END};

static int balance_pack(const fw_given *given, double *c) {
  if (c) fw_pack_sides(given, 2, c);
  return CONSTANTS;
}

static const char *balance_check(const double *c) {
  return c[MU_S] < c[MU_C] || c[MU_S_MINUS] < c[MU_C_MINUS] ? "mu-s must not be below mu-c" : NULL;
}

static void balance_limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  (void)z;
  fw_sliding_limit(c[MU_S], c[MU_S_MINUS], v < 0.0 ? c[MU_C_MINUS] : c[MU_C], 0.0, 0.0, v, N, out);
}

const fw_friction_ops fw_friction_force_balance = {
    .entry =
        {"force-balance", "at rest friction balances all other forces on the contact point",
         "stick: T = F_e - K u, the force that keeps the contact at rest, while |T| < mu_s N\nslip: T = mu_c N sgn v",
         "Tariku and Rogers 2001, ASME J. Tribol. 123", balance_params},
    .pack = balance_pack,
    .check = balance_check,
    .limit = balance_limit,
    .claims = "periodic memory drift-free no-creep rate-independent bounded"};
