/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The boundary of a plane body: edges of elements that belong to one element only. */
#include <stdlib.h>

#include "contact/detect/body.h"
#include "elements/shape.h"

static const fw_param edges_params[] = {
    {"body", FW_PARAM_REF, "", NULL, 0, 0, "body", "a plane body"},
    {"set", FW_PARAM_REF, "", "", 0, 0, "set",
     "body.set: only edges both of whose ends are among its nodes; default: the whole boundary"},
    {"within", FW_PARAM_NUMBERS, "m", "", 0, 0, NULL,
     "x-min, y-min, x-max, y-max: only edges that lie in this box; default: the whole boundary"},
    {"smooth", FW_PARAM_FLAG, "", "yes", 0, 0, NULL,
     "a cubic through the nodes, without kinks but at corners; no: the edges of the elements themselves"},
    {0}};

/* An edge as the surface runs: outside on the left, so against the element's anticlockwise sense. */
typedef struct fw_edge {
  int from, to, middle; /* nodes; middle -1 if straight */
} fw_edge;

static int low(const fw_edge *e) { return e->from < e->to ? e->from : e->to; }
static int high(const fw_edge *e) { return e->from < e->to ? e->to : e->from; }

static int compare_edges(const void *a, const void *b) {
  const fw_edge *p = a, *q = b;
  const int first = (low(p) > low(q)) - (low(p) < low(q));
  return first ? first : (high(p) > high(q)) - (high(p) < high(q));
}

static bool is_plane(const fw_block *block) { return block->ops->shape >= FW_SHAPE_TRI3; }

static int count_edges(const fw_model *model, int body) {
  int count = 0;
  for (int b = 0; b < model->block_count; b++)
    if (model->blocks[b].body == body && is_plane(&model->blocks[b]))
      count += model->blocks[b].count * fw_shape_corners(model->blocks[b].ops->shape);
  return count;
}

static void list_edges(const fw_model *model, int body, fw_edge *edges) {
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    if (block->body != body || !is_plane(block)) continue;
    for (int e = 0; e < block->count; e++)
      for (int side = 0; side < fw_shape_corners(block->ops->shape); side++) {
        const int *nodes = block->nodes + (ptrdiff_t)e * block->ops->nodes;
        int local[3];
        fw_shape_edge(block->ops->shape, side, local);
        *edges++ = (fw_edge){nodes[local[1]], nodes[local[0]], local[2] < 0 ? -1 : nodes[local[2]]};
      }
  }
}

static bool is_wanted(const fw_model *model, const fw_surface *surface, const fw_value *box, int node) {
  if (surface->among && !surface->among[node]) return false;
  if (!box->count) return true;
  const double *x = model->nodes[node].x, *b = box->numbers;
  const double slack = 1e-9 * (b[2] - b[0] + b[3] - b[1]);
  return x[0] >= b[0] - slack && x[0] <= b[2] + slack && x[1] >= b[1] - slack && x[1] <= b[3] + slack;
}

static fw_status add_line(fw_context *ctx, fw_surface *surface, int *anchor_of, int from, int to) {
  fw_segment segment = {.kind = FW_SEGMENT_LINE, .smooth = true};
  FW_TRY(fw_surface_node_anchor(ctx, surface, anchor_of, from, &segment.anchor[0]));
  FW_TRY(fw_surface_node_anchor(ctx, surface, anchor_of, to, &segment.anchor[1]));
  int index;
  return fw_surface_add_segment(ctx, surface, &segment, &index);
}

/* A smooth surface passes from node to node, middles included. */
static fw_status add_edge(fw_context *ctx, fw_surface *surface, int *anchor_of, const fw_edge *edge, bool smooth) {
  if (smooth && edge->middle < 0) return add_line(ctx, surface, anchor_of, edge->from, edge->to);
  if (smooth) {
    FW_TRY(add_line(ctx, surface, anchor_of, edge->from, edge->middle));
    return add_line(ctx, surface, anchor_of, edge->middle, edge->to);
  }
  fw_segment segment = {.kind = edge->middle < 0 ? FW_SEGMENT_LINE : FW_SEGMENT_QUADRATIC};
  FW_TRY(fw_surface_node_anchor(ctx, surface, anchor_of, edge->from, &segment.anchor[0]));
  FW_TRY(fw_surface_node_anchor(ctx, surface, anchor_of, edge->to, &segment.anchor[1]));
  if (edge->middle >= 0) FW_TRY(fw_surface_node_anchor(ctx, surface, anchor_of, edge->middle, &segment.anchor[2]));
  int index;
  return fw_surface_add_segment(ctx, surface, &segment, &index);
}

static fw_status edges_build(fw_context *ctx, const fw_model *model, const fw_args *args, const fw_attachment *carrier,
                             fw_surface *surface) {
  (void)carrier;
  fw_status status = FW_OK;
  int body, *anchor_of = NULL, before = surface->segment_count;
  fw_edge *edges = NULL;
  const fw_value *box = fw_args_value(args, "within");
  if (box->count != 0 && box->count != 4)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "within needs four numbers: x-min, y-min, x-max, y-max");
  FW_TRY(fw_surface_body(ctx, model, args, &body));
  const int count = count_edges(model, body);
  if (count == 0) return fw_fail_at(ctx, FW_ERR_DECK, args->place, "body '%s' has no edges", model->bodies[body].id);
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *edges, &edges));
  FW_TRY_DONE(fw_surface_node_table(ctx, model, &anchor_of));
  list_edges(model, body, edges);
  qsort(edges, (size_t)count, sizeof *edges, compare_edges);
  for (int i = 0; i < count; i++) {
    const bool shared = (i > 0 && compare_edges(&edges[i], &edges[i - 1]) == 0) ||
                        (i + 1 < count && compare_edges(&edges[i], &edges[i + 1]) == 0);
    if (!shared && is_wanted(model, surface, box, edges[i].from) && is_wanted(model, surface, box, edges[i].to))
      FW_TRY_DONE(add_edge(ctx, surface, anchor_of, &edges[i], fw_args_flag(args, "smooth")));
  }
  if (surface->segment_count == before)
    status = fw_fail_at(ctx, FW_ERR_DECK, args->place, "no edge of the boundary lies within the box or the set");
done:
  free(edges);
  free(anchor_of);
  return status;
}

const fw_surface_ops fw_surface_edges = {
    .entry = {.name = "edges",
              .summary = "the boundary of a plane body: a smooth curve through its nodes, or its element edges",
              .equation = "gap = (c - s(xi)).n - r, (c - s).s' = 0",
              .source = "",
              .params = edges_params},
    .of_elements = true,
    .of_sets = true,
    .build = edges_build,
};
