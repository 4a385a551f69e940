/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The continuum of sliders is cut at phi_max (i/n)^2; a cell's slider has the cell's stiffness and its mean strength,
 * so that K_T and F_S are exact. The error is in between: with 50 cells the energy per cycle is 0.24 % off at
 * phi_max/10 and 0.03 % at phi_max (tests/verification/test_friction_laws.c prints it). */
#include "contact/friction/sliders.h"

enum { F_S, K_T, CHI, BETA, CELLS, N_REF };

static const fw_param iwan_params[] = {
    {"f-s", FW_PARAM_NUMBER, "N", "41.5", 1e-12, 1e15, NULL, "F_S: force at macro-slip"},
    {"k-t", FW_PARAM_NUMBER, "N/m", "1e7", 1e-6, 1e15, NULL, "K_T: stiffness at zero force"},
    {"chi", FW_PARAM_NUMBER, "", "-0.5", -0.999, 0, NULL, "chi: energy per cycle grows with the power chi + 3"},
    {"beta", FW_PARAM_NUMBER, "", "0.5", 0, 1e6, NULL, "beta: stiffness that is lost at once at macro-slip"},
    {"cells", FW_PARAM_INTEGER, "", "50", 2, 1000, NULL, "sliders the continuum is cut into"},
    FW_N_REF_PARAM,
    FW_PARAMS_END};

static int iwan_pack(const fw_given *given, double *c) {
  int cells = (int)given[CELLS].values[0], n = cells + 1;
  if (!c) return FW_SLIDERS_FIRST + 2 * n;
  double f_s = given[F_S].values[0], chi = given[CHI].values[0], beta = given[BETA].values[0];
  double share = beta + (chi + 1.0) / (chi + 2.0), phi_max = f_s * (1.0 + beta) / (given[K_T].values[0] * share);
  double R = f_s * (chi + 1.0) / (pow(phi_max, chi + 2.0) * share), S = f_s / phi_max * beta / share;
  double *k = c + FW_SLIDERS_FIRST, *reach = k + n;
  c[FW_SLIDERS_COUNT] = c[FW_SLIDERS_REACHES] = n;
  c[FW_SLIDERS_N_REF] = fw_first_given(given[N_REF], 0.0);
  for (int i = 0; i < cells; i++) {
    double low = phi_max * i * i / ((double)cells * cells),
           high = phi_max * (i + 1) * (i + 1) / ((double)cells * cells);
    double force = R * (pow(high, chi + 2.0) - pow(low, chi + 2.0)) / (chi + 2.0);
    k[i] = R * (pow(high, chi + 1.0) - pow(low, chi + 1.0)) / (chi + 1.0);
    reach[i] = force / k[i];
  }
  k[cells] = S;
  reach[cells] = phi_max;
  return FW_SLIDERS_FIRST + 2 * n;
}

const fw_friction_ops fw_friction_iwan = {
    .entry = {"iwan", "four-parameter joint: sliders of all strengths, power-law dissipation",
              "parallel spring-sliders with strength density R phi^chi on 0...phi_max and a spike S at phi_max,\n"
              "phi_max = F_S (1 + beta)/(K_T (beta + (chi+1)/(chi+2))), R = F_S (chi+1)/(phi_max^(chi+2) (beta + "
              "(chi+1)/(chi+2))),\nS = (F_S/phi_max) beta/(beta + (chi+1)/(chi+2)); limits scale with N/N_ref",
              "Segalman 2005, ASME J. Appl. Mech. 72", iwan_params},
    .pack = iwan_pack,
    .states = fw_sliders_states,
    .uncoupled = true,
    .step = fw_sliders_step,
    .scale = fw_sliders_scale,
    .claims = "periodic presliding memory no-creep rate-independent bounded"};
