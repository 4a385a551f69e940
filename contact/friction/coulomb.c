/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/law.h"

enum { MU, MU_MINUS, CONSTANTS };

static const fw_param coulomb_params[] = {
    {"mu", FW_PARAM_NUMBER, "", "0.52", 0, 10, NULL, "coefficient of friction"},
    {"mu-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "coefficient for v < 0 (absent: mu)"},
    {NULL, 0, NULL, NULL, 0, 0, NULL, NULL}};

static int coulomb_pack(const fw_given *given, double *c) {
  if (c) {
    c[MU] = given[MU].values[0];
    c[MU_MINUS] = fw_first_given(given[MU_MINUS], c[MU]);
  }
  return CONSTANTS;
}

static void coulomb_limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  (void)z;
  double mu = v < 0.0 ? -c[MU_MINUS] : c[MU];
  *out = (fw_limit_out){.stick_plus = c[MU] * N,
                        .stick_minus = c[MU_MINUS] * N,
                        .stick_plus_N = c[MU],
                        .stick_minus_N = c[MU_MINUS],
                        .slip = mu * N,
                        .slip_N = mu};
}

const fw_friction_ops fw_friction_coulomb = {
    .entry = {"coulomb", "dry friction proportional to the normal force",
              "slip: T = mu N sgn v\nstick: |T| <= mu N, rigid or elastic T = mu N z/u_crit",
              "Coulomb 1785; elastic stick after Abaqus' penalty friction", coulomb_params},
    .pack = coulomb_pack,
    .limit = coulomb_limit};
