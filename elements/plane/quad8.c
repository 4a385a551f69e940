/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/plane/plane.h"

FW_PLANE_ELEMENT(quad8, FW_SHAPE_QUAD8, 8, fw_rule_quad9, fw_rule_quad4, "serendipity quadrilateral, 3 x 3 points",
                 "Ergatoudis, Irons and Zienkiewicz 1968");
