/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/plane/plane.h"

FW_PLANE_ELEMENT(quad8r, FW_SHAPE_QUAD8, 8, fw_rule_quad4, fw_rule_quad4,
                 "serendipity quadrilateral, reduced to 2 x 2 points", "Zienkiewicz, Taylor and Too 1971");
