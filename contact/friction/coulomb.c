/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliding.h"

enum { MU, MU_MINUS, CONSTANTS };

static const fw_param coulomb_params[] = {
    {"mu", FW_PARAM_NUMBER, "", "0.52", 0, 10, NULL, "coefficient of friction"},
    {"mu-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "coefficient for v < 0 (absent: mu)"},
    FW_PARAMS_END};

static int coulomb_pack(const fw_given *given, double *c) {
  if (c) fw_pack_sides(given, 1, c);
  return CONSTANTS;
}

static void coulomb_limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  (void)z;
  fw_sliding_limit(c[MU], c[MU_MINUS], c[fw_side(v)], 0.0, 0.0, v, N, out);
}

const fw_friction_ops fw_friction_coulomb = {
    .entry = {"coulomb", "dry friction proportional to the normal force; with elastic stick a Jenkins element",
              "slip: T = mu N sgn v\nstick: |T| <= mu N, rigid or elastic T = mu N z/u_crit",
              "Coulomb 1785; elastic stick as the penalty friction of finite-element codes", coulomb_params},
    .pack = coulomb_pack,
    .limit = coulomb_limit,
    .claims = "periodic memory drift-free no-creep rate-independent bounded"};
