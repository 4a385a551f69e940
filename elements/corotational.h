/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Co-rotational beams: large displacements and rotations, small strains.
 *
 * A frame goes with the chord of the element. In it the beam has three deformations: the elongation of
 * the chord, ub = l_n - l, and the rotations of its ends against the chord, t1 and t2; with
 * t = (t1, t2) and the averaged membrane strain of von_karman.h (the arc over its chord),
 *
 *   U = 1/2 E A l eps^2 + 1/2 t^T B t,   eps = ub/l + 1/2 t^T g t.
 *
 * The force is the gradient of U and the tangent its second derivative, geometric terms included
 * (Crisfield 1991; local strain: Battini & Pacoste 2002). Rotations may go round any number of times. */
#ifndef FW_ELEMENTS_COROTATIONAL_H
#define FW_ELEMENTS_COROTATIONAL_H

#include "elements/beam.h"

/* As the functions of the same name in beam.h. FW_RECOVER_ELEMENT if the ends of the element meet. */
fw_status fw_corotational_force(const fw_beam *beam, const double *q, double *f, double *K);
double fw_corotational_energy(const fw_beam *beam, const double *q);
void fw_corotational_field(const fw_beam *beam, const double *q, const double *xi, double *out);

#endif
