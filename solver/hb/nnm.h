/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A nonlinear normal mode against amplitude, by the extended periodic motion concept (Krack 2015): free motion is made
 * periodic by a mass-proportional damping of the opposite sign,
 *
 *   [-(k omega)^2 M + i k omega (C - epmc_damping M) + K] z_k + [f_nl]_k = 0,  k = 0..H,   X_1 = a,
 *
 * X_1 the first harmonic at a sensor, real: its phase is that of the motion. Modal damping is epmc_damping / (2 omega).
 */
#ifndef FW_HB_NNM_H
#define FW_HB_NNM_H

#include "solver/hb/orbit.h"

typedef struct fw_nnm_options {
  int mode; /* of the stuck structure where the curve begins; 1: the lowest */
  int sensor;
  double a_from, a_to; /* displacement amplitudes (m), first harmonic */
  int points;          /* of the logarithmic grid of amplitudes; bends add their own */
  int H, samples;
  double tolerance;
  bool stability; /* multipliers of every motion */
  bool beyond;    /* where a hard contact would open, begin again with contact that opens; else end there */
  bool opening;   /* hard contact may open; set by fw_nnm_run where it has to */
} fw_nnm_options;

typedef struct fw_nnm {
  fw_nnm_options options;
  fw_orbit *orbits;           /* their drive: the power of the opposite damping */
  double *amplitudes, *zetas; /* per orbit */
  double complex *loads;      /* per orbit: X_1^H f, with the drives of the first harmonic at level 1 */
  int count, room, zeta_room;
  double stuck; /* frequency of the linear mode it began with (Hz) */
  bool alone;   /* that mode moves no coordinate: there is no curve; keep it among them (fw_reduction.keep) */
  fw_status status;
  const char *unjudged; /* as of a response */
  char note[320];
  int iterations;
} fw_nnm;

/* Returns a fatal status only; a curve that ends early is told in backbone->status. */
fw_status fw_nnm_run(fw_context *ctx, const fw_vibration *vibration, const fw_nnm_options *options, fw_nnm *nnm);
void fw_nnm_clear(fw_nnm *nnm);

#endif
