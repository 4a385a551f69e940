/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliding.h"

enum { MU, MU_MINUS, MU_V, CONSTANTS };

static const fw_param viscous_params[] = {
    {"mu", FW_PARAM_NUMBER, "", "0.52", 0, 10, NULL, "coefficient of friction"},
    {"mu-minus", FW_PARAM_NUMBER, "", "", 0, 10, NULL, "coefficient for v < 0 (absent: mu)"},
    {"mu-v", FW_PARAM_NUMBER, "s/m", "0.1", 0, 1e9, NULL, "viscous friction: adds mu-v N v"},
    FW_PARAMS_END};

static int viscous_pack(const fw_given *given, double *c) {
  if (c) {
    fw_pack_sides(given, 1, c);
    c[MU_V] = given[MU_V].values[0];
  }
  return CONSTANTS;
}

static void viscous_limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  (void)z;
  fw_sliding_limit(c[MU], c[MU_MINUS], c[fw_side(v)], 0.0, c[MU_V], v, N, out);
}

const fw_friction_ops fw_friction_coulomb_viscous = {
    .entry = {"coulomb-viscous", "dry friction and a part proportional to the velocity",
              "slip: T = mu N sgn v + mu_v N v\nstick: |T| <= mu N, rigid or elastic",
              "Reynolds 1886; Olsson et al. 1998", viscous_params},
    .pack = viscous_pack,
    .limit = viscous_limit,
    .claims = "periodic memory drift-free no-creep bounded"};
