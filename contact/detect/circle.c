/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/arc.h"

static const fw_param circle_params[] = {FW_ARC_PARAMS, {0}};

static fw_status circle_build(fw_context *ctx, const fw_model *model, const fw_args *args, const fw_attachment *carrier,
                              fw_surface *surface) {
  static const double pi = 3.14159265358979323846, down = -1.57079632679489661923;
  return fw_surface_add_arc(ctx, model, args, carrier, down, pi, surface);
}

const fw_surface_ops fw_surface_circle = {
    .entry = {.name = "circle",
              .summary = "a rigid circle: a hole touched from inside, a shaft from outside, with clearance",
              .equation = "gap = |c - center| - R - r outside, R - r - |c - center| inside",
              .source = "",
              .params = circle_params},
    .build = circle_build,
};
