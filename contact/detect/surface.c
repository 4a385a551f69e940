/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/detect/search.h"
#include "contact/detect/segment.h"

#define FW_SURFACE(name) extern const fw_surface_ops fw_surface_##name;
#include "contact/detect/surfaces.def"
#undef FW_SURFACE

static const fw_entry *const entries[] = {
#define FW_SURFACE(name) &fw_surface_##name.entry,
#include "contact/detect/surfaces.def"
#undef FW_SURFACE
    NULL};

const fw_table fw_surfaces = {"surfaces", "shapes a contact follower can touch", entries};

fw_status fw_surface_create(fw_context *ctx, const char *id, const fw_surface_ops *ops, fw_surface **surface) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **surface, surface));
  if (fw_copy_text(ctx, id, &(*surface)->id) != FW_OK) {
    fw_surface_destroy(surface);
    return FW_ERR_MEMORY;
  }
  (*surface)->ops = ops;
  return FW_OK;
}

void fw_surface_destroy(fw_surface **surface) {
  if (!surface || !*surface) return;
  free((*surface)->id);
  free((*surface)->anchors);
  free((*surface)->segments);
  fw_tree_destroy(&(*surface)->tree);
  free(*surface);
  *surface = NULL;
}

fw_status fw_surface_append_anchor(fw_context *ctx, fw_surface *surface, const fw_anchor *anchor, int *index) {
  FW_TRY(fw_grow(ctx, surface->anchor_count, &surface->anchor_room, sizeof *surface->anchors, &surface->anchors));
  *index = surface->anchor_count++;
  surface->anchors[*index] = *anchor;
  return FW_OK;
}

fw_status fw_surface_add_anchor(fw_context *ctx, const fw_model *model, fw_surface *surface,
                                const fw_attachment *carrier, const double at[2], int *index) {
  fw_anchor anchor = {.node = -1, .vector = {at[0], at[1]}};
  if (carrier) {
    anchor.node = carrier->node;
    anchor.large_rotation = carrier->large_rotation;
    for (int k = 0; k < 2; k++) anchor.vector[k] -= model->nodes[carrier->node].x[k];
  }
  return fw_surface_append_anchor(ctx, surface, &anchor, index);
}

fw_status fw_surface_add_segment(fw_context *ctx, fw_surface *surface, const fw_segment *segment, int *index) {
  FW_TRY(fw_grow(ctx, surface->segment_count, &surface->segment_room, sizeof *surface->segments, &surface->segments));
  *index = surface->segment_count++;
  surface->segments[*index] = *segment;
  return FW_OK;
}

/* True if no free freedom moves the anchor. */
static bool stands_still(const fw_model *model, const fw_anchor *anchor) {
  fw_anchor_motion motion;
  fw_anchor_move(model, anchor, NULL, &motion);
  for (int d = 0; d < FW_NODE_DOFS; d++)
    if (motion.dof[d] >= 0) return false;
  return true;
}

/* Segments that share an anchor, one ending and the other beginning there, are neighbours. */
static fw_status link_segments(fw_context *ctx, fw_surface *surface) {
  int *begins = NULL;
  FW_TRY(fw_alloc(ctx, (size_t)surface->anchor_count, sizeof *begins, &begins));
  for (int a = 0; a < surface->anchor_count; a++) begins[a] = -1;
  for (int s = 0; s < surface->segment_count; s++) {
    surface->segments[s].previous = surface->segments[s].next = -1;
    begins[fw_segment_end(&surface->segments[s], 0)] = s;
  }
  for (int s = 0; s < surface->segment_count; s++) {
    const int next = begins[fw_segment_end(&surface->segments[s], 1)];
    surface->segments[s].next = next;
    if (next >= 0) surface->segments[next].previous = s;
  }
  free(begins);
  return FW_OK;
}

/* Moves the chain that begins with segment s to the end of `sorted`; taken segments are marked. */
static void take_chain(fw_surface *surface, int s, fw_segment *sorted, int *count, bool *taken) {
  for (; s >= 0 && !taken[s]; s = surface->segments[s].next) {
    taken[s] = true;
    sorted[(*count)++] = surface->segments[s];
  }
}

/* Chain after chain in running order, open chains first, so that neighbours have near numbers. */
static fw_status sort_segments(fw_context *ctx, fw_surface *surface) {
  fw_status status = FW_OK;
  fw_segment *sorted = NULL;
  bool *taken = NULL;
  int count = 0;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)surface->segment_count, sizeof *sorted, &sorted));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)surface->segment_count, sizeof *taken, &taken));
  for (int s = 0; s < surface->segment_count; s++)
    if (surface->segments[s].previous < 0) take_chain(surface, s, sorted, &count, taken);
  for (int s = 0; s < surface->segment_count; s++) take_chain(surface, s, sorted, &count, taken);
  memcpy(surface->segments, sorted, (size_t)count * sizeof *sorted);
done:
  free(sorted);
  free(taken);
  return status;
}

fw_status fw_surface_finish(fw_context *ctx, const fw_model *model, fw_surface *surface) {
  if (surface->segment_count == 0) return fw_fail(ctx, FW_ERR_DECK, "it has no segment");
  FW_TRY(link_segments(ctx, surface));
  FW_TRY(sort_segments(ctx, surface));
  FW_TRY(link_segments(ctx, surface));
  fw_surface_smooth(model, surface);
  double sum = 0.0;
  for (int s = 0; s < surface->segment_count; s++) {
    fw_curve curve;
    fw_curve_at(model, surface, s, NULL, &curve);
    const double length = fw_curve_length(&curve, -1.0, 1.0);
    if (!(length > 0.0)) return fw_fail(ctx, FW_ERR_DECK, "its segment %d has no length", s + 1);
    sum += length;
  }
  surface->mean_length = sum / surface->segment_count;
  surface->fixed = true;
  for (int a = 0; a < surface->anchor_count; a++)
    surface->fixed = surface->fixed && stands_still(model, &surface->anchors[a]);
  return surface->fixed ? fw_tree_create(ctx, model, surface, NULL, &surface->tree) : FW_OK;
}
