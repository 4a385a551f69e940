/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliding.h"

static const fw_param decay_params[] = {FW_STRIBECK_PARAMS_FIXED, FW_PARAMS_END};

static int decay_pack(const fw_given *given, double *c) {
  fw_given with_exponent[FW_STRIBECK_COUNT];
  memcpy(with_exponent, given, (FW_STRIBECK_COUNT - 1) * sizeof *given);
  with_exponent[FW_STRIBECK_EXPONENT] = (fw_given){.count = 1, .values = &(double){1.0}};
  return fw_stribeck_pack(with_exponent, c);
}

static void decay_limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  (void)z;
  fw_stribeck_limit(c, 0.0, v, N, out);
}

const fw_friction_ops fw_friction_decay = {
    .entry = {"decay", "stribeck with exponent 1: exponential decay from static to kinetic friction",
              "slip: T = N [mu_c + (mu_s - mu_c) exp(-|v|/v_s)] sgn v\nstick: |T| <= mu_s N, rigid or elastic",
              "Oden and Martins 1985, Comput. Methods Appl. Mech. Eng. 52; as in finite-element codes", decay_params},
    .pack = decay_pack,
    .check = fw_stribeck_check,
    .limit = decay_limit,
    .claims = "periodic memory drift-free no-creep bounded"};
