/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/surface.h"

static const fw_param polyline_params[] = {
    {"points", FW_PARAM_NUMBERS, "m", NULL, 0, 0, NULL, "x and y of one corner after the other"},
    {"closed", FW_PARAM_FLAG, "", "no", 0, 0, NULL, "the last corner is joined to the first"},
    {"smooth", FW_PARAM_FLAG, "", "no", 0, 0, NULL,
     "a cubic through the points, without kinks but where it turns by more than 30 degrees"},
    {0}};

static fw_status polyline_build(fw_context *ctx, const fw_model *model, const fw_args *args,
                                const fw_attachment *carrier, fw_surface *surface) {
  const fw_value *points = fw_args_value(args, "points");
  const bool closed = fw_args_flag(args, "closed");
  const int corners = points->count / 2;
  if (points->count % 2 || corners < (closed ? 3 : 2))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "points needs x and y of at least %d corners", closed ? 3 : 2);
  const int first = surface->anchor_count;
  for (int i = 0; i < corners; i++) {
    int index;
    FW_TRY(fw_surface_add_anchor(ctx, model, surface, carrier, &points->numbers[2 * i], &index));
  }
  for (int i = 0; i < corners - !closed; i++) {
    const fw_segment segment = {.kind = FW_SEGMENT_LINE,
                                .smooth = fw_args_flag(args, "smooth"),
                                .anchor = {first + i, first + (i + 1) % corners},
                                .previous = -1,
                                .next = -1};
    int index;
    FW_TRY(fw_surface_add_segment(ctx, surface, &segment, &index));
  }
  return FW_OK;
}

const fw_surface_ops fw_surface_polyline = {
    .entry = {.name = "polyline",
              .summary = "rigid, from point to point, straight or smooth, open or closed",
              .equation = "",
              .source = "",
              .params = polyline_params},
    .build = polyline_build,
};
