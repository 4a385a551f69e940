/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Damping of elements that turn far: dampers and springs whose line follows their ends, co-rotational beams,
 * total-Lagrangian plane elements. What such an element has at rest, C_0 = beta K_0 + its own damping, goes with it:
 *
 *   C(q) = P R C_0 R^T P,   P = I - r r^T/(r^T r),
 *
 * R turns the directions by the angle that fits its nodes best, r is the velocity of a rotation of the element as it
 * stands. So no rigid motion is damped, no moment is left over, and C stays symmetric and positive. */
#ifndef FW_ASSEMBLY_TURNING_DAMPING_H
#define FW_ASSEMBLY_TURNING_DAMPING_H

#include "elements/element.h"
#include "solver/assembly/system.h"

struct fw_turning {
  double *fixed; /* values of C without them */
  double **rest; /* per block: C_0 of its elements one after the other; NULL: it does not turn */
};

/* Notes the C_0 of the elements of block b; their order is that of the calls. */
fw_status fw_turning_add(fw_context *ctx, fw_system *system, int b, int element, const double *C0);
/* Takes what C holds now for fixed. Destroy is NULL-safe. */
fw_status fw_turning_close(fw_context *ctx, fw_system *system);
void fw_turning_destroy(fw_turning **turning, int blocks);

#endif
