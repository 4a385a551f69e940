/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A beam's surface at half its section's height: the cubic through its nodes, which turns with
 * their rotations, shifted along its normal. */
#include <math.h>
#include <stdlib.h>

#include "contact/detect/body.h"
#include "elements/element.h"

static const fw_param beam_surface_params[] = {
    {"body", FW_PARAM_REF, "", NULL, 0, 0, "body", "a beam"},
    {"side", FW_PARAM_CHOICE, "", "both", 0, 0, "left|right|both", "of the beam's direction"},
    {0}};

/* The segment over one element, run from its first node to its second (left side) or back. */
static fw_status add_side(fw_context *ctx, const fw_model *model, fw_surface *surface, int *anchor_of,
                          const fw_block *block, const int nodes[2], bool right) {
  const int a = nodes[right], b = nodes[!right];
  const double *xa = model->nodes[a].x, *xb = model->nodes[b].x;
  fw_segment segment = {.kind = FW_SEGMENT_HERMITE, .offset = 0.5 * block->props.height};
  const int ends[2] = {a, b};
  for (int e = 0; e < 2; e++) {
    const fw_anchor tangent = {.node = ends[e],
                               .vector = {0.5 * (xb[0] - xa[0]), 0.5 * (xb[1] - xa[1])},
                               .direction = true,
                               .large_rotation = model->bodies[block->body].large_rotation};
    FW_TRY(fw_surface_node_anchor(ctx, surface, anchor_of, ends[e], &segment.anchor[2 * e]));
    FW_TRY(fw_surface_append_anchor(ctx, surface, &tangent, &segment.anchor[2 * e + 1]));
  }
  int index;
  return fw_surface_add_segment(ctx, surface, &segment, &index);
}

static fw_status add_sides(fw_context *ctx, const fw_model *model, fw_surface *surface, int body, bool right,
                           int *anchor_of) {
  for (int k = 0; k < model->block_count; k++) {
    const int b = right ? model->block_count - 1 - k : k; /* in running order */
    const fw_block *block = &model->blocks[b];
    if (block->body != body || block->ops->shape != FW_SHAPE_LINE || !block->ops->rotations || block->ops->space)
      continue;
    for (int i = 0; i < block->count; i++) {
      const int e = right ? block->count - 1 - i : i;
      FW_TRY(add_side(ctx, model, surface, anchor_of, block, block->nodes + (ptrdiff_t)2 * e, right));
    }
  }
  return FW_OK;
}

static fw_status beam_surface_build(fw_context *ctx, const fw_model *model, const fw_args *args,
                                    const fw_attachment *carrier, fw_surface *surface) {
  (void)carrier;
  enum { LEFT, RIGHT, BOTH };
  fw_status status = FW_OK;
  int body, *anchor_of = NULL;
  FW_TRY(fw_surface_body(ctx, model, args, &body));
  const int side = fw_args_integer(args, "side");
  FW_TRY_DONE(fw_surface_node_table(ctx, model, &anchor_of));
  if (side != RIGHT) FW_TRY_DONE(add_sides(ctx, model, surface, body, false, anchor_of));
  if (side != LEFT) FW_TRY_DONE(add_sides(ctx, model, surface, body, true, anchor_of));
  if (surface->segment_count == 0)
    status = fw_fail_at(ctx, FW_ERR_DECK, args->place, "body '%s' is not a beam", model->bodies[body].id);
done:
  free(anchor_of);
  return status;
}

const fw_surface_ops fw_surface_beam_surface = {
    .entry = {.name = "beam-surface",
              .summary = "the surface of a beam at half its height",
              .equation = "gap = (c - s(xi)).n - height/2 - r, (c - s).s' = 0, s the centre line",
              .source = "",
              .params = beam_surface_params},
    .of_elements = true,
    .build = beam_surface_build,
};
