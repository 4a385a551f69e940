/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limit face of laws that slide at a coefficient of friction of v. */
#ifndef FW_CONTACT_SLIDING_H
#define FW_CONTACT_SLIDING_H

#include "contact/friction/stribeck.h"

/* Static coefficients of both sides, sliding coefficient mu >= 0 at v (d mu/d v = mu_slope), viscous mu_v (s/m). */
static inline void fw_sliding_limit(double static_plus, double static_minus, double mu, double mu_slope, double mu_v,
                                    double v, double N, fw_limit_out *out) {
  double sign = fw_sign(v), coefficient = sign * mu + mu_v * v;
  *out = (fw_limit_out){.stick_plus = static_plus * N,
                        .stick_minus = static_minus * N,
                        .stick_plus_N = static_plus,
                        .stick_minus_N = static_minus,
                        .slip = coefficient * N,
                        .slip_v = (sign * mu_slope + mu_v) * N,
                        .slip_N = coefficient};
}

/* The same with the Stribeck curve whose constants are at c. */
static inline void fw_stribeck_limit(const double *c, double mu_v, double v, double N, fw_limit_out *out) {
  double slope, mu = fw_stribeck_mu(c, v, &slope);
  fw_sliding_limit(c[FW_STRIBECK_MU_S], c[FW_STRIBECK_MU_S_MINUS], mu, slope, mu_v, v, N, out);
}

/* Constants {a, b, ..., minus of a, minus of b, ...}: `pairs` parameters each with an optional value for v < 0,
 * listed as all the plain ones first and then all the others. */
static inline void fw_pack_sides(const fw_given *given, int pairs, double *c) {
  for (int i = 0; i < pairs; i++) {
    c[i] = given[i].values[0];
    c[pairs + i] = fw_first_given(given[pairs + i], c[i]);
  }
}

#define FW_MU_V_PARAM \
  { "mu-v", FW_PARAM_NUMBER, "s/m", "0", 0, 1e9, NULL, "viscous friction: adds mu-v N v" }

#endif
