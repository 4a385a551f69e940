/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beam elements, small and large rotations. */
#ifndef FW_ELEMENTS_BEAM_H
#define FW_ELEMENTS_BEAM_H

#include "elements/von_karman.h"

/* ---- beam ------------------------------------------------------------------------------------------------ */

/* What Euler-Bernoulli and Timoshenko beams share. Both use the interdependent interpolation that
 * solves the static equations of the unloaded beam exactly, so neither locks; the shear parameter
 *
 *   phi = 12 E I / (kappa G A l^2)
 *
 * is zero for Euler-Bernoulli, where the interpolation is Hermite's.
 *
 * Local axes: x along the element from node 1 to 2, y to its left; local freedoms u1 w1 t1 u2 w2 t2.
 * Section forces: N = E A eps (tension positive), M = E I theta', V = kappa G A (w' - theta) = -M'. */

enum { FW_BEAM_SIZE = FW_BEAM_DOFS * FW_BEAM_DOFS };
enum { FW_BEAM_N, FW_BEAM_V, FW_BEAM_M, FW_BEAM_FIELDS };

extern const char *const fw_beam_field_names[];

/* One element: its properties, reference geometry and shear parameter. */
typedef struct fw_beam {
  const fw_properties *props;
  double l, c, s; /* length and direction cosines */
  double phi;
  bool rotary_inertia; /* the mass counts rho I */
} fw_beam;

/* Geometry from the node places. With `shear`, phi from kappa, E and nu and rotary inertia. */
fw_beam fw_beam_make(const fw_properties *props, const double *X, bool shear);

/* Zero length, E, A or I not positive, with shear no kappa. */
const char *fw_beam_check(const fw_beam *beam);

/* Weights of u, w and theta, and of w', on the local freedoms at s = x/l. */
void fw_beam_shapes(const fw_beam *beam, double s, double u[6], double w[6], double theta[6]);
void fw_beam_slope(const fw_beam *beam, double s, double slope[6]);

/* Rotates a matrix or a vector from local to global axes, in place, and a vector back. */
void fw_beam_globalize_matrix(const fw_beam *beam, double *matrix);
void fw_beam_globalize(const fw_beam *beam, double *vector);
void fw_beam_localize(const fw_beam *beam, double *vector);

/* Membrane strain of local freedoms and its gradient: that of fw_beam_membrane_local, without its matrix; its linear
 * part alone for linear beams. */
double fw_beam_strain(const fw_beam *beam, const double local[6], double gradient[6]);

/* The membrane term in global and in local axes. */
void fw_beam_membrane(const fw_beam *beam, fw_membrane *membrane);
void fw_beam_membrane_local(const fw_beam *beam, fw_membrane *membrane);

/* Section forces at xi from the normal force and the moments that act on the element's ends. */
void fw_beam_section_forces(const fw_beam *beam, double normal, const double moment[2], const double *xi, double *out);

/* The ops of element.h for every kinematics.
 *
 * Mass. Consistent: linear u, interdependent w and theta, rotary inertia rho I with `shear` only, and a
 * correction for the inertia between the nodes by which all frequencies converge with l^4. The
 * matrix belongs to the reference direction of the element, so co-rotational beams, which must have a
 * constant mass in any direction, take linear interpolation of x, y and rz alike, with rho I. That
 * keeps mass, centre and moment of inertia of every rigid motion exact; bending frequencies then
 * converge from above as 1 + (beta l)^2/12 instead of with the fourth power of the element length.
 * Lumped: half the mass at each node, in every direction the same; rotations get m l^3/78 (the diagonal
 * of Hermite's mass scaled to the total; Hinton, Rock and Zienkiewicz 1976) so that no freedom is
 * without mass. */
fw_status fw_beam_force(const fw_beam *beam, const double *q, double *f, double *K, double *C);
double fw_beam_energy(const fw_beam *beam, const double *q);
void fw_beam_mass(const fw_beam *beam, double *M);
void fw_beam_interpolate(const fw_beam *beam, const double *xi, double *weights);
void fw_beam_field(const fw_beam *beam, const double *q, const double *xi, double *out);

/* ---- corotational ---------------------------------------------------------------------------------------- */

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

/* As the functions of the same name in beam.h. FW_RECOVER_ELEMENT if the ends of the element meet. */
fw_status fw_corotational_force(const fw_beam *beam, const double *q, double *f, double *K);
double fw_corotational_energy(const fw_beam *beam, const double *q);
void fw_corotational_field(const fw_beam *beam, const double *q, const double *xi, double *out);

#endif
