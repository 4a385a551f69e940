/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The condition that a sensor's displacement has a given phase against the drive. */
#ifndef FW_HB_PHASE_H
#define FW_HB_PHASE_H

#include "solver/hb/vibration.h"

typedef struct fw_phase {
  const fw_vibration *vibration;
  const fw_balance *balance; /* its level is that of the drive */
  int sensor;
  double complex turn; /* makes the wished phase real and positive, and the compliance of order one */
  fw_dynamic dynamic;  /* first harmonic */
} fw_phase;

/* size: a compliance (m/N) in units of which the condition is measured. Clear is safe on a zeroed struct. */
fw_status fw_phase_init(fw_context *ctx, const fw_vibration *vibration, const fw_balance *balance, int sensor,
                        double phase, double size, fw_phase *out);
void fw_phase_clear(fw_phase *phase);

/* For fw_condition, user: fw_phase. Im(turn X / F) with its gradient over y (n + 1). */
double fw_phase_value(void *phase, const double *y, double *gradient);
/* Its derivative with respect to the level, at the point where fw_phase_value was last called. */
double fw_phase_level(const fw_phase *phase, const double *y);

/* The drive at level 1: the first load at the first harmonic. */
double complex fw_phase_drive(const fw_vibration *vibration);

#endif
