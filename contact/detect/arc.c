/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/surface.h"

#include <math.h>

static const fw_param arc_params[] = {FW_ARC_PARAMS,
                                      {"from", FW_PARAM_NUMBER, "deg", NULL, -720, 720, NULL, "angle from the x axis"},
                                      {"to", FW_PARAM_NUMBER, "deg", NULL, -720, 720, NULL, "angle from the x axis"},
                                      {0}};

fw_status fw_surface_append_arc(fw_context *ctx, const fw_model *model, const double centre[2], const fw_rigid_arc *arc,
                                const fw_attachment *carrier, fw_surface *surface) {
  const bool whole = arc->half >= M_PI;
  fw_segment segment = {
      .kind = FW_SEGMENT_ARC, .radius = arc->radius, .sense = arc->sense, .middle = arc->middle, .half = arc->half};
  FW_TRY(fw_surface_add_anchor(ctx, model, surface, carrier, centre, &segment.anchor[0]));
  for (int end = 0; end < 2; end++) { /* a whole circle begins where it ends */
    const double angle = arc->middle + (end && !whole ? -1.0 : 1.0) * arc->sense * arc->half;
    const double at[2] = {centre[0] + arc->radius * cos(angle), centre[1] + arc->radius * sin(angle)};
    if (end && whole)
      segment.anchor[2] = segment.anchor[1];
    else
      FW_TRY(fw_surface_add_anchor(ctx, model, surface, carrier, at, &segment.anchor[1 + end]));
  }
  int index;
  return fw_surface_add_segment(ctx, surface, &segment, &index);
}

fw_status fw_surface_add_arc(fw_context *ctx, const fw_model *model, const fw_args *args, const fw_attachment *carrier,
                             double middle, double half, fw_surface *surface) {
  const fw_value *center = fw_args_value(args, "centre");
  if (center->count != 2) return fw_fail_at(ctx, FW_ERR_DECK, args->place, "center needs two numbers, x and y");
  fw_rigid_arc arc = {.sense = fw_args_integer(args, "side") == 0 ? -1.0 : 1.0, .middle = middle, .half = half};
  arc.radius = fw_args_number(args, "radius") - arc.sense * fw_args_number(args, "clearance");
  if (!(arc.radius > 0.0)) return fw_fail_at(ctx, FW_ERR_DECK, args->place, "clearance leaves nothing of the radius");
  return fw_surface_append_arc(ctx, model, center->numbers, &arc, carrier, surface);
}

static fw_status arc_build(fw_context *ctx, const fw_model *model, const fw_args *args, const fw_attachment *carrier,
                           fw_surface *surface) {
  const double from = fw_args_number(args, "from") * M_PI / 180.0, to = fw_args_number(args, "to") * M_PI / 180.0;
  const double half = 0.5 * fabs(to - from);
  if (!(half > 0.0) || half > M_PI * (1.0 + 1e-12))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "an arc opens by more than 0 and at most 360 degrees");
  return fw_surface_add_arc(ctx, model, args, carrier, 0.5 * (from + to), fmin(half, M_PI), surface);
}

const fw_surface_ops fw_surface_arc = {
    .entry = {.name = "arc",
              .summary = "a rigid arc of a circle, touched from inside or outside",
              .equation = "gap = |c - center| - R - r outside, R - r - |c - center| inside",
              .source = "",
              .params = arc_params},
    .build = arc_build,
};
