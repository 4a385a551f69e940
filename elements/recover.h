/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields at the nodes of an element, extrapolated from the points where they are most accurate. */
#ifndef FW_ELEMENTS_RECOVER_H
#define FW_ELEMENTS_RECOVER_H

#include "elements/element.h"

/* values: nodes x fields, row major. The constant, linear or bilinear function through the values at
 * ops->points (1, 3 or 4 of them); where there are none, the fields at the nodes themselves (beams: the ends). */
void fw_element_recover(const fw_element_ops *ops, const fw_properties *props, const double *X, const double *q,
                        double *values);

#endif
