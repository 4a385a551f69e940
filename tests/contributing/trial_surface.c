/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contact/detect/trial_surface.c: level ground. */
#include "contact/detect/surface.h"

static const fw_param params[] = {{"height", FW_PARAM_NUMBER, "m", "0", -1e6, 1e6, NULL, "y of the ground"}, {0}};

static fw_status build(fw_context *ctx, const fw_model *model, const fw_args *args, const fw_attachment *carrier,
                       fw_surface *surface) {
  fw_segment segment = {.kind = FW_SEGMENT_LINE, .previous = -1, .next = -1};
  for (int e = 0; e < 2; e++) {
    const double at[2] = {e ? 100.0 : -100.0, fw_args_number(args, "height")};
    FW_TRY(fw_surface_add_anchor(ctx, model, surface, carrier, at, &segment.anchor[e]));
  }
  int index;
  return fw_surface_add_segment(ctx, surface, &segment, &index);
}

extern const fw_surface_ops fw_surface_trial_surface;
const fw_surface_ops fw_surface_trial_surface = {
    .entry = {"trial-surface", "a surface on trial", "gap = y - height", "", params}, .build = build};
