/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FW_CONTACT_SMOOTH_H
#define FW_CONTACT_SMOOTH_H

#include "contact/detect/surface.h"

/* Turns the lines marked `smooth` into cubics through the same points. The tangent at a joint is that of
 * the parabola through the joint and the points before and after it, in the reference configuration's arc
 * length, so that neighbours share it whatever the points do. Corners that turn by more than 30 degrees and ends of
 * chains stay as they are: the segment leaves them along its chord. Needs linked segments. */
void fw_surface_smooth(const fw_model *model, fw_surface *surface);

#endif
