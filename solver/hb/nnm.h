/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonlinear modes, and forced responses put together from one. */
#ifndef FW_HB_NNM_H
#define FW_HB_NNM_H

#include "solver/hb/orbit.h"

/* ---- nnm ------------------------------------------------------------------------------------------------- */

/* A nonlinear normal mode against amplitude, by the extended periodic motion concept (EPMC, Krack 2015): free motion is made
 * periodic by a mass-proportional damping of the opposite sign,
 *
 *   [-(k omega)^2 M + i k omega (C - epmc_damping M) + K] z_k + [f_nl]_k = 0,  k = 0..H,   X_1 = a,
 *
 * X_1 the first harmonic at a sensor, real: its phase is that of the motion. Modal damping is epmc_damping / (2 omega).
 */

typedef struct fw_nnm_options {
  int mode; /* of the stuck structure where the curve begins; 1: the lowest */
  int sensor;
  double a_from, a_to; /* displacement amplitudes (m), first harmonic */
  int points;          /* of the logarithmic grid of amplitudes; bends add their own */
  int H, samples;
  double tolerance;
  bool stability;  /* multipliers of every motion */
  bool beyond;     /* where a hard contact would open, begin again with contact that opens; else end there */
  bool opening;    /* hard contact may open; set by fw_nnm_run where it has to */
  bool smooth;     /* as of a response */
  bool into_loops; /* follow a loop to its end; set by fw_nnm_run where nothing leads across it */
} fw_nnm_options;

enum { FW_NNM_LOOPS = 20 }; /* that are left at most */

typedef struct fw_nnm {
  fw_nnm_options options;
  fw_orbit *orbits;           /* their drive: the power of the opposite damping */
  double *amplitudes, *zetas; /* per orbit */
  double complex *loads;      /* per orbit: X_1^H f, with the drives of the first harmonic at level 1 */
  int count, room, zeta_room;
  double stuck; /* frequency of the linear mode it began with (Hz) */
  bool alone;   /* that mode moves no coordinate: there is no curve; keep it among them (fw_reduction.keep) */
  int loops;    /* left: the curve goes on beyond them, */
  int turns[FW_NNM_LOOPS]; /* behind these points */
  bool in_loop;            /* the curve ends in one that nothing leads across */
  fw_status status;
  fw_unjudged unjudged; /* as of a response */
  char note[400];
  int iterations;
} fw_nnm;

/* Returns a fatal status only; a curve that ends early is told in nnm->status. */
fw_status fw_nnm_run(fw_context *ctx, const fw_vibration *vibration, const fw_nnm_options *options, fw_nnm *nnm);
void fw_nnm_clear(fw_nnm *nnm);

/* One more motion of the curve, which then owns the orbit; load: X_1^H f. */
fw_status fw_nnm_append(fw_context *ctx, fw_nnm *nnm, double amplitude, double zeta, double complex load,
                        const fw_orbit *orbit);

/* ---- synthesis ------------------------------------------------------------------------------------------- */

/* A forced response put together from one nonlinear mode. At each amplitude the structure is taken for an oscillator
 * with the mode's frequency w0, damping zeta and shape; with its first harmonic X = q phi, phi^H M phi = 1,
 *
 *   (w0^2 - w^2 + 2 i zeta w0 w) q e^{i theta} = level phi^H f:
 *
 * two drive frequencies w for each amplitude, and the phase theta of the motion at each. */

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
