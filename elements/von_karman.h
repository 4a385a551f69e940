/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The membrane term of von Kármán beams, as harmonic balance projects it onto a reduced basis.
 *
 * A von Kármán beam has one membrane strain, averaged over its length:
 *
 *   eps(q) = (u2 - u1)/l + 1/2 mean(w'^2) = b.q + 1/2 q^T G q,
 *
 * which avoids membrane locking and makes the internal force a cubic polynomial with a linear part:
 *
 *   f(q) = K_b q + D eps (b + G q),   D = E A l,
 *   df/dq = K_b + D [(b + G q)(b + G q)^T + eps G],
 *
 * where K_b is bending (and shear). The tangent at q = 0 is K_b + D b b^T.
 *
 * Damping in proportion to stiffness resists strain rates: with beta the normal force is E A (eps + beta deps/dt), and
 *
 *   C(q) = beta [K_b + D (b + G q)(b + G q)^T],
 *
 * which is beta K at rest and takes nothing from a rotation that stretches nothing. */
#ifndef FW_ELEMENTS_VON_KARMAN_H
#define FW_ELEMENTS_VON_KARMAN_H

#include "elements/element.h"

enum { FW_BEAM_DOFS = 6 };

/* b and G refer to the element freedoms x1 y1 rz1 x2 y2 rz2 in global axes; G is symmetric, row major. */
typedef struct fw_membrane {
  double D;
  double b[FW_BEAM_DOFS];
  double G[FW_BEAM_DOFS * FW_BEAM_DOFS];
} fw_membrane;

/* Fills *membrane and returns true if the element is a von Kármán beam; else returns false. */
bool fw_von_karman_membrane(const fw_element_ops *ops, const fw_properties *props, const double *X,
                            fw_membrane *membrane);

/* b.q + 1/2 q^T G q; gradient (may be NULL): b + G q. */
double fw_membrane_strain(const fw_membrane *membrane, const double *q, double *gradient);

#endif
