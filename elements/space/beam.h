/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear beams in space, Euler-Bernoulli and Timoshenko: two planar beams of beam.h at right angles, so that each plane
 * agrees with them to rounding, and torsion.
 *
 * Element axes: x from node to node, y as near to props.up as can be (round sections: any), z = x times y. In the
 * plane xy it bends as a planar beam with (ux, uy, rz), I and kappa; in the plane xz with (ux, uz, -ry), I_out and
 * kappa_out. Stretching counts once. Torsion: G J/l [1 -1; -1 1]; mass rho (I + I_out) l/12 [5 1; 1 5], the consistent
 * one with the correction that brings convergence with l^4, or half at each node if lumped.
 *
 * across_mass per length moves across only: it bends, but does not stretch or twist; across_damping likewise. In a bend
 * what is given per length follows the arc (props.arc: arc over chord, 0 for 1), and 1/(E I) grows by
 * props.bend_flexibility (0 for 1). */
#ifndef FW_ELEMENTS_SPACE_BEAM_H
#define FW_ELEMENTS_SPACE_BEAM_H

#include "elements/element.h"

enum {
  FW_SPACE_BEAM_N,
  FW_SPACE_BEAM_VY,
  FW_SPACE_BEAM_VZ,
  FW_SPACE_BEAM_T,
  FW_SPACE_BEAM_MY,
  FW_SPACE_BEAM_MZ,
  FW_SPACE_BEAM_FIELDS
};

/* The twins in space of the planar elements of that name. */
extern const fw_element_ops fw_space_euler_bernoulli, fw_space_timoshenko;

/* Direction, length and axes of an element from its places; false if it has no length or, not being round, no `up`. */
bool fw_space_beam_axes(const fw_properties *props, const double *X, double axes[9], double *length);

#endif
