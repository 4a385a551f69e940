/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "contact/detect/segment.h"

/* The control point on a segment at xi as an attachment: its node, and an arm that reaches the surface. */
static fw_attachment place_of(const fw_surface *surface, const fw_curve *curve, int anchor, double xi) {
  const fw_anchor *a = &surface->anchors[anchor];
  fw_curve_point at;
  fw_curve_eval(curve, xi, &at);
  const double offset = curve->segment->offset;
  const bool beam = curve->segment->kind == FW_SEGMENT_HERMITE;
  return (fw_attachment){
      .node = a->node,
      .arm = {a->vector[0] + offset * at.n[0], a->vector[1] + offset * at.n[1]},
      .large_rotation = beam ? surface->anchors[curve->segment->anchor[1]].large_rotation : a->large_rotation};
}

fw_status fw_surface_places(fw_context *ctx, const fw_model *model, const fw_surface *surface, fw_attachment **list,
                            int *count) {
  *count = 0;
  FW_TRY(fw_alloc(ctx, (size_t)surface->segment_count * 3, sizeof **list, list));
  for (int s = 0; s < surface->segment_count; s++) {
    const fw_segment *segment = &surface->segments[s];
    fw_curve curve;
    fw_curve_at(model, surface, s, NULL, &curve);
    const int candidates[3] = {fw_segment_end(segment, 0),
                               segment->kind == FW_SEGMENT_QUADRATIC ? segment->anchor[2] : -1,
                               segment->next < 0 ? fw_segment_end(segment, 1) : -1};
    for (int k = 0; k < 3; k++)
      if (candidates[k] >= 0 && surface->anchors[candidates[k]].node >= 0)
        (*list)[(*count)++] = place_of(surface, &curve, candidates[k], k - 1.0);
  }
  return FW_OK;
}
