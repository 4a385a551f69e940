/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/surface.h"

static const fw_param line_params[] = {
    {"from", FW_PARAM_NUMBERS, "m", NULL, 0, 0, NULL, "start, x and y"},
    {"to", FW_PARAM_NUMBERS, "m", NULL, 0, 0, NULL, "end, x and y; the normal is to the left of from -> to"},
    {0}};

static fw_status line_build(fw_context *ctx, const fw_model *model, const fw_args *args, const fw_attachment *carrier,
                            fw_surface *surface) {
  const char *const names[] = {"from", "to"};
  fw_segment segment = {.kind = FW_SEGMENT_LINE, .previous = -1, .next = -1};
  for (int e = 0; e < 2; e++) {
    const fw_value *at = fw_args_value(args, names[e]);
    if (at->count != 2) return fw_fail_at(ctx, FW_ERR_DECK, args->place, "%s needs two numbers, x and y", names[e]);
    FW_TRY(fw_surface_add_anchor(ctx, model, surface, carrier, at->numbers, &segment.anchor[e]));
  }
  int index;
  return fw_surface_add_segment(ctx, surface, &segment, &index);
}

const fw_surface_ops fw_surface_line = {
    .entry = {.name = "line",
              .summary = "a straight rigid line",
              .equation = "gap = (c - from).n - r",
              .source = "",
              .params = line_params},
    .build = line_build,
};
