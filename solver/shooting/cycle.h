/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limit cycles: periodic motions of what nothing drives but constant loads and joints that move at constant speed. The
 * period is an unknown. Any moment of the motion could be its beginning: the one taken lies in the plane across the
 * motion at the moment pinned last. */
#ifndef FW_SHOOTING_CYCLE_H
#define FW_SHOOTING_CYCLE_H

#include "solver/shooting/shooting.h"

/* The curve P(x, omega, pace) - x = 0, w (x - pin) = 0; a point is y = (x, omega, pace). Owns a model of its own whose
 * prescribed motions run at the pace, and must not be moved. */
typedef struct fw_cycle {
  fw_shooting s;
  fw_model model;
  fw_system *system;
  double *drift;        /* [n] of the map, at pace 1 */
  double *pin, *weight; /* [n] */
  const char *none;     /* why fw_cycle_find found nothing (static text) */
} fw_cycle;

/* model: all but its pace is lent; state: where the motion begins, at its own time, with its loads. Clear is safe on a
 * zeroed struct. */
fw_status fw_cycle_init(fw_context *ctx, const fw_model *model, const fw_state *state, const fw_alpha_options *options,
                        int steps, fw_cycle *cycle);
void fw_cycle_clear(fw_cycle *cycle);

/* The state it begins with, as the beginning of a point [n]. */
const double *fw_cycle_begin(const fw_cycle *cycle);

/* y: where time integration begins, about which omega the cycle has, and the pace; overwritten with the cycle. The
 * motion is integrated until it comes back to where it was, at most over so many periods 2 pi/omega. Positive status:
 * none is found, cycle->none says why. */
fw_status fw_cycle_find(fw_cycle *cycle, double tolerance, int most, double *y);

/* Pins the beginning at y and sets sizes there. */
void fw_cycle_pin(fw_cycle *cycle, const double *y);

/* Half the largest change of a velocity over the period that begins with y, over that of displacements omega. */
double fw_cycle_speed(const fw_cycle *cycle, const double *y);

/* Rates at which the freedoms grow while the joints move on: K d = 0, G d + phi_t = 0, d as small as can be.
 * FW_ERR_ANALYSIS where the structure is stretched. */
fw_status fw_drift_find(fw_context *ctx, fw_system *system, const fw_state *state, double *drift);

#endif
