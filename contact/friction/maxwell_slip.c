/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/sliders.h"

enum { STIFFNESS, LIMIT, N_REF };

static const fw_param maxwell_params[] = {
    {"stiffness", FW_PARAM_NUMBERS, "N/m", "4e6, 3e6, 2e6, 1e6", 1e-9, 1e15, NULL, "k_i of each spring-slider"},
    {"limit", FW_PARAM_NUMBERS, "m", "1e-6, 3e-6, 6e-6, 1e-5", 1e-15, 1e6, NULL,
     "Delta_i: deflection at which it slips"},
    FW_N_REF_PARAM,
    FW_PARAMS_END};

static int maxwell_pack(const fw_given *given, double *c) {
  int n = given[STIFFNESS].count, limits = given[LIMIT].count;
  if (c) {
    c[FW_SLIDERS_COUNT] = n;
    c[FW_SLIDERS_REACHES] = limits;
    c[FW_SLIDERS_N_REF] = fw_first_given(given[N_REF], 0.0);
    memcpy(c + FW_SLIDERS_FIRST, given[STIFFNESS].values, (size_t)n * sizeof *c);
    memcpy(c + FW_SLIDERS_FIRST + n, given[LIMIT].values, (size_t)limits * sizeof *c);
  }
  return FW_SLIDERS_FIRST + n + limits;
}

const fw_friction_ops fw_friction_maxwell_slip = {
    .entry = {"maxwell-slip", "spring-sliders in parallel: hysteresis with nonlocal memory",
              "T = sum k_i z_i, dz_i/dt = v unless |z_i| would exceed Delta_i (N/N_ref)",
              "Iwan 1966, ASME J. Appl. Mech. 33; Lampaert, Al-Bender, Swevers 2003", maxwell_params},
    .pack = maxwell_pack,
    .states = fw_sliders_states,
    .uncoupled = true,
    .check = fw_sliders_check,
    .step = fw_sliders_step,
    .scale = fw_sliders_scale,
    .claims = "periodic presliding memory drift-free no-creep rate-independent bounded"};
