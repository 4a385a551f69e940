/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Stribeck curve s(v) = N [mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^delta)], with values for each
 * direction. Laws that use it begin their parameter list with FW_STRIBECK_PARAMS and their constants
 * with those of fw_stribeck_pack. */
#ifndef FW_CONTACT_STRIBECK_H
#define FW_CONTACT_STRIBECK_H

#include "contact/friction/law.h"

/* Numbers of the parameters in the list. */
enum {
  FW_STRIBECK_MU_S,
  FW_STRIBECK_MU_C,
  FW_STRIBECK_V_S,
  FW_STRIBECK_MU_S_MINUS,
  FW_STRIBECK_MU_C_MINUS,
  FW_STRIBECK_V_S_MINUS,
  FW_STRIBECK_EXPONENT,
  FW_STRIBECK_COUNT
};

/* Defaults are the rig's at 8 N. Without the exponent: laws with a fixed one. */
#define FW_STRIBECK_PARAMS_FIXED                                                                                       \
  {"mu-s", FW_PARAM_NUMBER, "", "0.479", 1e-9, 10, NULL, "static coefficient of friction"},                            \
      {"mu-c", FW_PARAM_NUMBER, "", "0.155", 1e-9, 10, NULL, "kinetic coefficient of friction"},                       \
      {"v-s", FW_PARAM_NUMBER, "m/s", "6.797e-4", 1e-12, 1e6, NULL, "Stribeck velocity"},                              \
      {"mu-s-minus", FW_PARAM_NUMBER, "", "", 1e-9, 10, NULL, "static coefficient for v < 0 (absent: as for v > 0)"},  \
      {"mu-c-minus", FW_PARAM_NUMBER, "", "", 1e-9, 10, NULL, "kinetic coefficient for v < 0 (absent: as for v > 0)"}, \
  {                                                                                                                    \
    "v-s-minus", FW_PARAM_NUMBER, "m/s", "", 1e-12, 1e6, NULL, "Stribeck velocity for v < 0 (absent: as for v > 0)"    \
  }
#define FW_STRIBECK_PARAMS                                                                                         \
  FW_STRIBECK_PARAMS_FIXED, {                                                                                      \
    "exponent", FW_PARAM_NUMBER, "", "2", 0.1, 10, NULL, "delta: 2 Gaussian, 1 exponential fall from mu-s to mu-c" \
  }

/* Constants: both sides in the order of the numbers above. */
static inline int fw_stribeck_pack(const fw_given *given, double *c) {
  for (int i = 0; c && i < 3; i++) {
    c[i] = fw_first_given(given[i], 0.0);
    c[3 + i] = fw_first_given(given[3 + i], c[i]);
  }
  if (c) c[FW_STRIBECK_EXPONENT] = fw_first_given(given[FW_STRIBECK_EXPONENT], 2.0);
  return FW_STRIBECK_COUNT;
}

static inline const char *fw_stribeck_check(const double *c) {
  return c[0] < c[1] || c[3] < c[4] ? "mu-s must not be below mu-c" : NULL;
}

/* (|v|/v_s)^delta and its derivative with respect to |v|. */
static inline double fw_stribeck_power(double speed, double v_s, double delta, double *slope) {
  double x = speed / v_s;
  if (delta == 2.0) return *slope = 2.0 * x / v_s, x * x;
  if (delta == 1.0) return *slope = 1.0 / v_s, x;
  if (x <= 0.0) return *slope = 0.0, 0.0;
  double power = pow(x, delta);
  return *slope = delta * power / speed, power;
}

/* Coefficient of friction at v, on the side of v's sign; *slope = d mu / d v. */
static inline double fw_stribeck_mu(const double *c, double v, double *slope) {
  const double *side = v < 0.0 ? c + FW_STRIBECK_MU_S_MINUS : c;
  double fall = side[FW_STRIBECK_MU_S] - side[FW_STRIBECK_MU_C], speed = fabs(v), power_slope;
  *slope = 0.0;
  if (fall == 0.0) return side[FW_STRIBECK_MU_C];
  double power = fw_stribeck_power(speed, side[FW_STRIBECK_V_S], c[FW_STRIBECK_EXPONENT], &power_slope);
  if (power > 700.0) return side[FW_STRIBECK_MU_C];
  double rest = fall * exp(-power);
  *slope = -fw_sign(v) * rest * power_slope;
  return side[FW_STRIBECK_MU_C] + rest;
}

#endif
