/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maxwell-slip with limits from the asperities: Delta_i = mu k_n (h_i - d)/k_t. An asperity lower than d does not
 * touch. */
#include "contact/friction/sliders.h"

enum { MU, K_N, K_T, SEPARATION, HEIGHTS, N_REF };

static const fw_param asperity_params[] = {
    {"mu", FW_PARAM_NUMBER, "", "0.3", 0, 10, NULL, "coefficient of friction of an asperity"},
    {"k-n", FW_PARAM_NUMBER, "N/m", "2.4e8", 1e-6, 1e15, NULL, "normal stiffness of an asperity"},
    {"k-t", FW_PARAM_NUMBER, "N/m", "2e5", 1e-6, 1e15, NULL, "tangential stiffness of an asperity"},
    {"separation", FW_PARAM_NUMBER, "m", "1e-6", -1, 1, NULL, "d: height of the opposite surface"},
    {"heights", FW_PARAM_NUMBERS, "m", "1.21667e-6, 1.65e-6, 2.0833e-6, 2.5167e-6, 2.95e-6", -1, 1, NULL,
     "h_i of the asperities"},
    FW_N_REF_PARAM,
    FW_PARAMS_END};

static int asperity_pack(const fw_given *given, double *c) {
  int n = given[HEIGHTS].count;
  if (c) {
    double slope = given[MU].values[0] * given[K_N].values[0] / given[K_T].values[0];
    c[FW_SLIDERS_COUNT] = c[FW_SLIDERS_REACHES] = n;
    c[FW_SLIDERS_N_REF] = fw_first_given(given[N_REF], 0.0);
    for (int i = 0; i < n; i++) {
      c[FW_SLIDERS_FIRST + i] = given[K_T].values[0];
      c[FW_SLIDERS_FIRST + n + i] = slope * fmax(given[HEIGHTS].values[i] - given[SEPARATION].values[0], 0.0);
    }
  }
  return FW_SLIDERS_FIRST + 2 * n;
}

static const char *asperity_check(const double *c) {
  for (int i = 0, n = fw_sliders_states(c); i < n; i++)
    if (c[FW_SLIDERS_FIRST + n + i] > 0.0) return NULL;
  return "no asperity is higher than the separation: nothing touches";
}

const fw_friction_ops fw_friction_maxwell_slip_modified = {
    .entry = {"maxwell-slip-modified", "maxwell-slip with limits from asperity heights",
              "T = sum k_t z_i, dz_i/dt = v unless |z_i| would exceed Delta_i = mu k_n (h_i - d)/k_t (N/N_ref)",
              "after Al-Bender, Lampaert, Swevers 2004, Tribol. Lett. 16", asperity_params},
    .pack = asperity_pack,
    .states = fw_sliders_states,
    .uncoupled = true,
    .check = asperity_check,
    .step = fw_sliders_step,
    .scale = fw_sliders_scale,
    .claims = "periodic presliding memory drift-free no-creep rate-independent bounded"};
