/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonlinear modes by shooting: free motion made periodic by a damping of the opposite sign (the extended periodic motion
 * concept, as in harmonic balance), followed while its amplitude changes.
 *
 *   P(x, omega, epmc) - x = 0,    i X_1/a = 1,    X_1 = 2/(steps) sum_k u_k exp(-2 pi i k/steps),
 *
 * P by steps with C - epmc M in place of C. The real part of the condition sets the amplitude, the imaginary one the
 * phase, which in free motion could be any: a period begins where the sensor is fastest, for friction turns where it is
 * farthest. Without losses epmc is that of the steps' own, of third order in their length. */
#ifndef FW_SHOOTING_MODE_CURVE_H
#define FW_SHOOTING_MODE_CURVE_H

#include "solver/shooting/shooting.h"

typedef struct fw_mode_options {
  fw_alpha_options integrator;
  int steps;
  int mode;                /* of the stuck structure where the curve begins; 1: the lowest */
  const fw_sensor *sensor; /* lent */
} fw_mode_options;

/* A point is y = (x, omega, epmc, ln a). Must not be moved. */
typedef struct fw_mode_curve {
  fw_shooting s;
  fw_mode_options options;
  const fw_state *rest; /* lent */
  double amplitude;     /* a of the point last asked for */
} fw_mode_curve;

/* rest: the state before the vibration with its loads; both lent as long as the curve, and the system's damping changes
 * with the curve. Clear is safe on a zeroed struct. */
fw_status fw_mode_curve_init(fw_context *ctx, fw_system *system, const fw_state *rest, const fw_mode_options *options,
                             fw_mode_curve *curve);
void fw_mode_curve_clear(fw_mode_curve *curve);

/* The linear mode with the contact stuck at amplitude a, as the first guess y. FW_ERR_ANALYSIS with a message if there
 * is none, or if it does not move the sensor. */
fw_status fw_mode_curve_begin(fw_mode_curve *curve, double amplitude, double *y);

/* Before a point is judged: the curve's tangent there, in units of its sizes, tells what a disturbance along it does. */
void fw_mode_curve_along(fw_mode_curve *curve, const double *y, const double *tangent);

#endif
