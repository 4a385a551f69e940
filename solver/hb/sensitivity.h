/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derivatives of a resonance with respect to the numbers p of the friction laws. The converged equations and the
 * condition of resonance are differentiated implicitly,
 *
 *   [R_y  R_omega] [dy/dp    ]     [R_p]
 *   [g_y  g_omega] [domega/dp] = - [ 0 ],
 *
 * with the analytic Jacobian R_y of harmonic balance. R_p, in which only the law's face changes, and R_omega are
 * differences of fourth order. A figure F(y, omega, p) then has the derivative of F(y + h dy/dp, omega + h domega/dp, p
 * + h) at h = 0, again of fourth order.
 *
 * The start state is held: it does not matter where friction forgets it in every period, which is where the contact
 * slides. A contact that never slides keeps it, and its share through the start state is not in these derivatives.
 * Where a time
 * sample is about to change between stick and slip there is a corner and what is found lies between its two sides:
 * `changed` counts these samples. */
#ifndef FW_HB_SENSITIVITY_H
#define FW_HB_SENSITIVITY_H

#include "contact/friction/vary.h"
#include "solver/hb/response.h"

/* Half width of the stretch of p, relative, over which differences are taken and samples that change are counted. */
#define FW_SENSITIVITY_STRETCH 2e-4

typedef struct fw_hb_sensitivity {
  int pair, law;
  fw_law_number number;
  double frequency; /* Hz per unit of p */
  double amplitude; /* of the options's sensor */
  double damping;
  double level;            /* where the response is held */
  fw_pair_figures figures; /* of the same pair */
  int changed; /* time samples, all points of the pair, that stick at one end of the stretch and slip at the other */
} fw_hb_sensitivity;

typedef struct fw_sensitivities {
  fw_hb_sensitivity *list;
  int count;
} fw_sensitivities;

/* orbit: a resonance of a response to the wish. Positive status: it cannot be found again to the last digit. Clear is
 * safe on a zeroed struct. */
fw_status fw_sensitivities_find(fw_context *ctx, const fw_vibration *vibration, const fw_response_options *options,
                                const fw_orbit *orbit, fw_sensitivities *out);
void fw_sensitivities_clear(fw_sensitivities *sensitivities);

#endif
