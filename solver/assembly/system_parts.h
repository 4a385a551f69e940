/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the assembled system and its elements. */
#ifndef FW_ASSEMBLY_SYSTEM_PARTS_H
#define FW_ASSEMBLY_SYSTEM_PARTS_H

#include "elements/element.h"
#include "solver/assembly/system.h"

/* ---- system parts ---------------------------------------------------------------------------------------- */

/* Between the assembled system and its elements. */

/* Values of its freedoms; held ones are 0. */
static inline void fw_element_gather(const int *dofs, int n, const double *q, double *qe) {
  for (int i = 0; i < n; i++) qe[i] = dofs[i] >= 0 ? q[dofs[i]] : 0.0;
}

/* Adds factor times its matrix to the values of a sparse one, at fw_system.scatter. */
static inline void fw_element_scatter(const int32_t *where, int n, const double *Ke, double factor, double *x) {
  for (int k = 0; k < n * n; k++)
    if (where[k] >= 0) x[where[k]] += factor * Ke[k];
}

/* ---- damping that depends on q ------------------------------------------------------------------------------------- */

/* Damping of elements that turn far: dampers and springs whose line follows their ends, co-rotational beams,
 * total-Lagrangian plane elements. What such an element has at rest, C_0 = beta K_0 + its own damping, goes with it:
 *
 *   C(q) = P R C_0 R^T P,   P = I - r r^T/(r^T r),
 *
 * R turns the directions by the angle that fits its nodes best, r is the velocity of a rotation of the element as it
 * stands. So no rigid motion is damped, no moment is left over, and C stays symmetric and positive. Elements with a
 * damping of their own (films of liquid) tell it themselves. That of von Kármán beams is beta times the material part of
 * their stiffness where they stand (elements/von_karman.h). */

struct fw_turning {
  double *fixed;   /* values of C without them */
  double **rest;   /* per block: C_0 of its elements one after the other; NULL: it does not turn */
  bool *membranes; /* per block: rates of its membrane strains are damped */
  double *film;    /* values of what films of liquid add to C now; NULL: there are none */
};

/* Notes the C_0 of the elements of block b; their order is that of the calls. */
fw_status fw_turning_add(fw_context *ctx, fw_system *system, int b, int element, const double *C0);
/* Notes that the membranes of block b are damped, and takes that of this element out of its C at rest. */
fw_status fw_turning_add_membrane(fw_context *ctx, fw_system *system, int b, const struct fw_membrane *membrane,
                                  double *C0);
/* Notes that there are films. */
fw_status fw_turning_add_films(fw_context *ctx, fw_system *system);
/* Takes what C holds now for fixed. Destroy is NULL-safe. */
fw_status fw_turning_close(fw_context *ctx, fw_system *system);
void fw_turning_destroy(fw_turning **turning, int blocks);

/* ---- fluids ---------------------------------------------------------------------------------------------------- */

/* Fills C_flow and K_flow, if any element has something for them. */
fw_status fw_circulation_make(fw_context *ctx, fw_system *system);

#endif
