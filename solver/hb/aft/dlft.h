/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid stick over one period, the dynamic-Lagrangian way (DLFT: Nacivet, Pierre, Thouverez, Jezequel 2003, J. Sound
 * Vib. 265(1)). The friction force has unknowns of its own, t, and
 *
 *   T(tau) = projection of t(tau) + e (du/dtau + small u) onto |T| <= mu N(tau),   t = T,   e = stick_penalty,
 *
 * says sample by sample that it sticks or slips: inside the limit t = T = t + e du/dtau leaves du/dtau = 0 whatever e;
 * at the limit T is the law's sliding force, and t + e du/dtau beyond it has the sign of the slip. So e is no
 * stiffness: it weighs velocities against forces. The answer does not depend on it once it is large beside the
 * stiffness of the structure; too large a value makes Newton's way longer. The small multiple of u keeps a contact that
 * never slips where it was before the vibration. A static limit above the sliding force is not held: stick ends at the
 * sliding force of zero speed. */
#ifndef FW_HB_AFT_DLFT_H
#define FW_HB_AFT_DLFT_H

#include "solver/hb/aft/aft.h"

/* At a moment: t the force tried, N >= 0 or open, derivatives with respect to u, v, N and t. */
typedef struct fw_stick_out {
  double T;
  bool slides;
  double margin; /* of stick: how far the force tried is below the limit; < 0: slides */
  double by_u, by_v, by_N, by_t;
} fw_stick_out;
fw_stick_out fw_dlft_stick_at(const fw_aft_point *point, double t, double u, double v, double omega, double N);

/* Fills T and slides, and if wanted adds to T_x and sets T_t; u, v, N and N_x of the period are there already. */
void fw_dlft_stick(fw_aft *aft, const fw_aft_point *point, const double *tried, bool derivatives);

#endif
