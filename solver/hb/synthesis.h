/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A forced response put together from one nonlinear mode. At each amplitude the structure is taken for an oscillator
 * with the mode's frequency w0, damping zeta and shape; with its first harmonic X = q phi, phi^H M phi = 1,
 *
 *   (w0^2 - w^2 + 2 i zeta w0 w) q e^{i theta} = level phi^H f:
 *
 * two drive frequencies w for each amplitude, and the phase theta of the motion at each. */
#ifndef FW_HB_SYNTHESIS_H
#define FW_HB_SYNTHESIS_H

#include "solver/hb/nnm.h"

typedef struct fw_synthesis_point {
  int row;                 /* of the mode's curve */
  double frequency;        /* Hz */
  double complex response; /* first harmonic of the displacement at the mode's sensor */
  double complex full;     /* the same by harmonic balance with the drive, begun with the mode; NaN: not found */
} fw_synthesis_point;

typedef struct fw_synthesis {
  fw_synthesis_point *points; /* up the left side of the resonance and down the right */
  int count;
} fw_synthesis;

/* The response at a level of the vibration's drives, within `range` (relative) of the mode's frequency. */
fw_status fw_synthesis_find(fw_context *ctx, const fw_vibration *vibration, const fw_nnm *nnm, double level,
                            double range, fw_synthesis *synthesis);
void fw_synthesis_clear(fw_synthesis *synthesis);

#endif
