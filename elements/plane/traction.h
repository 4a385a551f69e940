/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Consistent nodal forces of distributed loads on plane elements, in the reference configuration
 * (dead loads). f has 2 entries a node and is added to. */
#ifndef FW_ELEMENTS_PLANE_TRACTION_H
#define FW_ELEMENTS_PLANE_TRACTION_H

#include "elements/element.h"

/* Force per area along an edge (numbered as in fw_shape_edge): traction t in space axes, and pressure
 * p against the outward normal. */
void fw_plane_edge_force(fw_shape shape, const fw_properties *props, const double *X, int edge, const double t[2],
                         double p, double *f);

#endif
