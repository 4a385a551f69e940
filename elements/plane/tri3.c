/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/plane/plane.h"

FW_PLANE_ELEMENT(tri3, FW_SHAPE_TRI3, 3, fw_rule_tri1, fw_rule_tri1, "triangle with constant strain; locks in bending",
                 "Turner et al. 1956");
