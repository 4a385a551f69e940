/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FW_CONTACT_ARC_H
#define FW_CONTACT_ARC_H

#include "contact/detect/surface.h"

/* Attributes arcs and circles share. */
#define FW_ARC_PARAMS                                                                                 \
  {"centre", FW_PARAM_NUMBERS, "m", NULL, 0, 0, NULL, "x and y"},                                     \
      {"radius", FW_PARAM_NUMBER, "m", NULL, 1e-12, 1e6, NULL, "radius before clearance"},            \
      {"side", FW_PARAM_CHOICE, "", NULL, 0, 0, "inside|outside", "from where it is touched"}, {      \
    "clearance", FW_PARAM_NUMBER, "m", "0", 0, 1e6, NULL, "room added: a hole grows, a shaft shrinks" \
  }

/* Adds the arc between two angles (rad); half a turn either way of the middle is a whole circle. */
fw_status fw_surface_add_arc(fw_context *ctx, const fw_model *model, const fw_args *args, const fw_attachment *carrier,
                             double middle, double half, fw_surface *surface);

#endif
