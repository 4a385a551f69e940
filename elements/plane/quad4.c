/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/plane/plane.h"

FW_PLANE_ELEMENT(quad4, FW_SHAPE_QUAD4, 4, fw_rule_quad4, "bilinear quadrilateral, 2 x 2 points; locks in bending",
                 "Taig 1961; Irons 1966");
