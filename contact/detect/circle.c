/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/surface.h"

#include <math.h>

static const fw_param circle_params[] = {FW_ARC_PARAMS, {0}};

static fw_status circle_build(fw_context *ctx, const fw_model *model, const fw_args *args, const fw_attachment *carrier,
                              fw_surface *surface) {
  return fw_surface_add_arc(ctx, model, args, carrier, -M_PI / 2, M_PI, surface);
}

const fw_surface_ops fw_surface_circle = {
    .entry = {.name = "circle",
              .summary = "a rigid circle: a hole touched from inside, a shaft from outside, with clearance",
              .equation = "gap = |c - center| - R - r outside, R - r - |c - center| inside",
              .source = "",
              .params = circle_params},
    .build = circle_build,
};
