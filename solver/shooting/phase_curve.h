/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resonance by shooting: the motions at which the first harmonic of a sensor has a given phase against the drive,
 * followed while the level of the drive changes.
 *
 *   P(x, omega, level) - x = 0,    Im(turn X_1) = 0,    X_1 = 2/(steps) sum_k u_k exp(-2 pi i k/steps),
 *
 * u_k the displacement at the sensor at the end of step k. The derivatives of X_1 come from the changes that the map carries
 * along. */
#ifndef FW_SHOOTING_PHASE_CURVE_H
#define FW_SHOOTING_PHASE_CURVE_H

#include "solver/shooting/shooting.h"

typedef struct fw_phase_options {
  fw_alpha_options integrator;
  int steps;
  const fw_sensor *sensor; /* lent */
  double phase;            /* of its displacement against the drive (rad) */
  double complex force;    /* of the drive at level 1, what phases are counted from */
  const double *drive;     /* [load_count] factors of the loads at level 1, lent */
} fw_phase_options;

/* A point is y = (x, omega, level). Must not be moved. */
typedef struct fw_phase_curve {
  fw_shooting s;
  fw_phase_options options;
  fw_system *system;    /* lent */
  const fw_state *rest; /* lent */
  double complex turn;  /* makes the wished phase real and positive */
  double size;          /* of X_1 where sizes were set */
  double lost;          /* omega where the response was lost in the search for the first resonance; 0: nowhere */
} fw_phase_curve;

/* rest: the state before the vibration with its loads, those of level 0; lent as long as the curve. Clear is safe on a
 * zeroed struct. */
fw_status fw_phase_curve_init(fw_context *ctx, fw_system *system, const fw_state *rest, const fw_phase_options *options,
                              fw_phase_curve *curve);
void fw_phase_curve_clear(fw_phase_curve *curve);

/* What is looked through for the first resonance. */
typedef struct fw_phase_search {
  double level;
  double from, to; /* omega (rad/s), in this order */
  int points;      /* of its grid */
  double tolerance;
  int most; /* periods of time integration before the first motion is given up */
} fw_phase_search;

/* The first resonance that the response at a level passes. Positive status: none is found. */
fw_status fw_phase_curve_find(fw_phase_curve *curve, const fw_phase_search *search, double *y);

/* Sets sizes at y; that of the level is left alone. */
fw_status fw_phase_curve_scale(fw_phase_curve *curve, const double *y);

#endif
