/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steady sliding: the states of a law no longer change, and how its force answers to small changes of v and N. */
#ifndef FW_CONTACT_STEADY_H
#define FW_CONTACT_STEADY_H

#include "contact/friction/friction.h"

/* T, and its changes dT = T_v dv + T_N dN + T_z . dz. Laws with rates have states that follow on their own,
 * d(dz)/dt = zdot_z dz + zdot_v dv + zdot_N dN; all others answer at once (rates 0). */
typedef struct fw_steady {
  double T, T_v, T_N;
  int rates;
  double *z;                              /* [law's states] */
  double *T_z, *zdot_z, *zdot_v, *zdot_N; /* [rates], zdot_z [rates x rates] */
} fw_steady;

/* At slip velocity v != 0 under N, after a slide from a fresh contact; a delay (armstrong) counts as none.
 * FW_ERR_ANALYSIS: the force never rests, as that of random bristles. Clear after a failure too. */
fw_status fw_friction_steady(fw_context *ctx, const fw_friction *friction, double v, double N, fw_steady *steady);
void fw_steady_clear(fw_steady *steady);

#endif
