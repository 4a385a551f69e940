/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spring-sliders (Jenkins elements) in parallel, by their return map: element i follows the slip with stiffness k_i up to the deflection reach_i, which
 * scales with N/N_ref. Constants: number of stiffnesses, number of reaches, N_ref (0: none), stiffnesses, reaches.
 * States: the deflections. */
#ifndef FW_CONTACT_SLIDERS_H
#define FW_CONTACT_SLIDERS_H

#include "contact/friction/law.h"

enum { FW_SLIDERS_COUNT, FW_SLIDERS_REACHES, FW_SLIDERS_N_REF, FW_SLIDERS_FIRST };

int fw_sliders_states(const double *c);
const char *fw_sliders_check(const double *c);
void fw_sliders_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out);
double fw_sliders_scale(const double *c, double N, int state);

#endif
