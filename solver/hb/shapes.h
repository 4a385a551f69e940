/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes of a vibration, as vectors of the reduced structure (coordinates, then the rest), normalised with its mass.
 *
 * Harmonic k of a periodic motion is Re(X e^{i k omega t}), X = a - i b. Its harmonic form is the real shape that takes
 * most of it, with one phase: X ~ q phi e^{i theta}, theta = arg(X^T M X) / 2; its sub-harmonic forms are those of its
 * cosine, a, and of its sine, b, apart. */
#ifndef FW_HB_SHAPES_H
#define FW_HB_SHAPES_H

#include "solver/hb/vibration.h"

typedef enum fw_form { FW_FORM_HARMONIC, FW_FORM_COSINE, FW_FORM_SINE, FW_FORMS } fw_form;

typedef struct fw_motion_shape {
  double *x;        /* coordinates + rest; x^T M x = 1, or 0 where there is no motion */
  double amplitude; /* q: the motion is q times the shape (kg^1/2 m) */
  double phase;     /* of that motion (rad) */
  double share;     /* of the harmonic's X^H M X that the form takes */
} fw_motion_shape;

/* Room for a shape. Clear is safe on a zeroed struct. */
fw_status fw_shape_init(fw_context *ctx, const fw_reduced *reduced, fw_motion_shape *shape);
void fw_shape_clear(fw_motion_shape *shape);

/* One form of harmonic k of the motion y; balance evaluated there. */
fw_status fw_shape_of_harmonic(fw_context *ctx, const fw_vibration *vibration, const fw_balance *balance,
                               const double *y, int k, fw_form form, fw_motion_shape *shape);

/* Linear mode number `mode` with the contact stuck (stuck_mode.h). */
fw_status fw_shape_of_mode(fw_context *ctx, const fw_vibration *vibration, int mode, double *omega,
                           fw_motion_shape *shape);

/* Modal assurance criterion with the mass matrix, (a^T M b)^2: 1 the same shape, 0 nothing in common. */
double fw_shape_mac(const fw_reduced *reduced, const fw_motion_shape *a, const fw_motion_shape *b);

/* The shape's displacement along a projected direction, and of all the model's freedoms: q[n]. */
double fw_shape_reading(const fw_reduced *reduced, const fw_motion_shape *shape, const fw_projected *direction);
void fw_shape_expand(const fw_reduced *reduced, const fw_motion_shape *shape, double *q);

#endif
