/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mass that a spring pulls over a contact, the far end of the spring moving steadily: the experiment in which friction
 * sticks and slips. It begins at rest with a slack spring. */
#ifndef FW_IDENTIFY_SLIDER_H
#define FW_IDENTIFY_SLIDER_H

#include "contact/friction/friction.h"

typedef struct fw_slider {
  double mass, stiffness; /* of the spring (kg, N/m) */
  double speed, normal;   /* of its far end (m/s); normal force (N) */
  double step;            /* longest that is taken (s) */
} fw_slider;

/* Displacement at the moments t[count], by the trapezoidal rule; at t[0] it rests. FW_RECOVER_NAN where a step has no
 * solution. */
fw_status fw_slider_move(fw_context *ctx, const fw_slider *slider, const fw_friction *law, size_t count,
                         const double *t, double *x);

#endif
