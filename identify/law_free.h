/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What no contact law can pass. In the first harmonic a contact is T = (k + i w c) u, whatever its law. At a resonance,
 * where the response has the phase phi to the drive, its amplitude A decides T and with it slip, k and c:
 *
 *   A exp(i phi) = y_F F + y_T T,   u = u_F F + u_T T,   k + i w c = T/u.
 *
 * Amplitudes at which k or c is negative belong to no spring and no friction. */
#ifndef FW_IDENTIFY_LAW_FREE_H
#define FW_IDENTIFY_LAW_FREE_H

#include "identify/harmonics.h"

typedef struct fw_law_free {
  double amplitude;         /* of the response (m) */
  double stiffness, damper; /* that the contact is equivalent to there (N/m, N s/m) */
  double friction, slip;    /* N, m */
} fw_law_free;

/* The contact at a resonance of the given amplitude. */
fw_law_free fw_law_free_at(const fw_receptance *receptance, int sensor, double level, double phase, double omega,
                           double amplitude);

/* The least amplitude of a resonance with k >= 0 and c >= 0. False: there is none. */
bool fw_law_free_least(const fw_receptance *receptance, int sensor, double level, double phase, double omega,
                       fw_law_free *least);

#endif
