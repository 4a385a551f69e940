/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The map of a large model beside that of the same model reduced (assembly/reduced_model.h): what does not die out within
 * a period is a few modes and what contact does with them, and of so few freedoms dP/dx is held whole. */
#ifndef FW_SHOOTING_COARSE_H
#define FW_SHOOTING_COARSE_H

#include "solver/shooting/period_map.h"
#include "solver/stability/floquet.h"

typedef struct fw_coarse fw_coarse;

/* Of the model of `system`, with the map's options. *coarse NULL: too little of the model can be reduced. Destroy is
 * NULL-safe. */
fw_status fw_coarse_create(fw_context *ctx, fw_system *system, const fw_state *rest, const fw_map_options *options,
                           fw_coarse **coarse);
void fw_coarse_destroy(fw_coarse **coarse);

/* dP/dx - 1 of the reduced map near the point `at` (x, omega) of the whole one, whose other parameter has a value, factored.
 * Positive status: it has none there. */
fw_status fw_coarse_factor(fw_coarse *coarse, const double *at, double value);

/* x = P^-1 x: P is that matrix between what the reduced model knows, and -1 for the rest, which dies out. */
void fw_coarse_solve(fw_coarse *coarse, double *x);

/* All multipliers of the reduced map near that point. */
fw_status fw_coarse_multipliers(fw_coarse *coarse, const double *at, double value, fw_floquet *stability);

/* From time integration on the reduced model, at most so many periods of it, a motion that it repeats: near one of the
 * whole. Positive status: there is none. */
fw_status fw_coarse_find(fw_coarse *coarse, double value, int most, double *y);

#endif
