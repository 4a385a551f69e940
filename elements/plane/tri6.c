/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/plane/plane.h"

FW_PLANE_ELEMENT(tri6, FW_SHAPE_TRI6, 6, fw_rule_tri3, fw_rule_tri3, "triangle with linear strain, three points",
                 "Fraeijs de Veubeke 1965");
