/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "contact/detect/segment.h"
#include "contact/pair.h"

/* ---- one segment after another ----------------------------------------------------------- */

typedef struct fw_best {
  int segment;
  double distance, xi;
  bool outside; /* on the side of the normal */
} fw_best;

/* Takes a segment if it is nearer. The two sides of a thin body are equally near: the one that
 * faces c is taken. */
static void consider(const fw_model *model, const fw_surface *surface, const double *q, const double c[2], int segment,
                     fw_best *best) {
  fw_curve curve;
  fw_curve_at(model, surface, segment, q, &curve);
  double xi;
  const double distance = fw_curve_nearest(&curve, c, &xi), slack = 1e-12 * best->distance;
  if (distance > best->distance + slack) return;
  bool outside = true;
  if (curve.segment->offset > 0.0) {
    fw_curve_point at;
    fw_curve_eval(&curve, xi, &at);
    outside = (c[0] - at.s[0][0]) * at.n[0] + (c[1] - at.s[0][1]) * at.n[1] >= 0.0;
  }
  const bool as_near = distance >= best->distance - slack;
  if (as_near && (best->outside || !outside)) return;
  *best = (fw_best){segment, distance, xi, outside};
}

static fw_best start_at(const fw_model *model, const fw_surface *surface, const double *q, const double c[2],
                        int hint) {
  fw_best best = {.segment = 0, .distance = DBL_MAX};
  if (hint >= 0 && hint < surface->segment_count) consider(model, surface, q, c, hint, &best);
  return best;
}

static void walk(const fw_model *model, const fw_surface *surface, const double *q, const double c[2], fw_best *best) {
  for (int left = surface->segment_count; left > 0; left--) {
    const int here = best->segment;
    const fw_segment *segment = &surface->segments[here];
    if (segment->next >= 0) consider(model, surface, q, c, segment->next, best);
    if (segment->previous >= 0) consider(model, surface, q, c, segment->previous, best);
    if (best->segment == here) return;
  }
}

int fw_surface_nearest(const fw_model *model, const fw_surface *surface, const double *q, const double c[2], int hint,
                       double *xi) {
  enum { FEW = 8 };
  if (surface->tree) return fw_tree_nearest(surface->tree, model, surface, q, c, hint, xi);
  fw_best best = start_at(model, surface, q, c, hint);
  if (best.distance < DBL_MAX && surface->segment_count > FEW)
    walk(model, surface, q, c, &best);
  else
    for (int s = 0; s < surface->segment_count; s++) consider(model, surface, q, c, s, &best);
  *xi = best.xi;
  return best.segment;
}

/* ---- tree -------------------------------------------------------------------------------- */

typedef struct fw_box {
  double low[2], high[2];
} fw_box;

/* Node i covers the segments of nodes 2i+1 and 2i+2; a leaf covers one. */
struct fw_tree {
  int count; /* segments */
  fw_box *box;
};

static void widen(fw_box *box, const double p[2], double by) {
  for (int k = 0; k < 2; k++) {
    box->low[k] = fmin(box->low[k], p[k] - by);
    box->high[k] = fmax(box->high[k], p[k] + by);
  }
}

/* Box about the Bezier points of a curve, which enclose it; about the whole circle of an arc. */
static fw_box box_of_segment(const fw_model *model, const fw_surface *surface, int segment, const double *q) {
  fw_box box = {{DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX}};
  fw_curve curve;
  fw_curve_at(model, surface, segment, q, &curve);
  double(*p)[2] = curve.point;
  double bend[2][2];
  switch (curve.segment->kind) {
    case FW_SEGMENT_ARC:
      widen(&box, p[0], curve.segment->radius);
      return box;
    case FW_SEGMENT_HERMITE:
      for (int k = 0; k < 2; k++) {
        bend[0][k] = p[0][k] + 2.0 / 3.0 * p[1][k];
        bend[1][k] = p[2][k] - 2.0 / 3.0 * p[3][k];
      }
      widen(&box, bend[0], 0.0);
      widen(&box, bend[1], 0.0);
      widen(&box, p[0], 0.0);
      widen(&box, p[2], 0.0);
      return box;
    case FW_SEGMENT_SMOOTH:
      for (int e = 0; e < 2; e++) {
        for (int k = 0; k < 2; k++) {
          bend[e][k] = p[e][k];
          for (int j = 0; j < curve.points; j++)
            bend[e][k] += (e ? -2.0 : 2.0) / 3.0 * curve.segment->tangent[e][j] * p[j][k];
        }
        widen(&box, bend[e], 0.0);
      }
      break;
    case FW_SEGMENT_QUADRATIC:
      for (int k = 0; k < 2; k++) bend[0][k] = 2.0 * p[2][k] - 0.5 * (p[0][k] + p[1][k]);
      widen(&box, bend[0], 0.0);
      break;
    case FW_SEGMENT_LINE:
      break;
  }
  widen(&box, p[0], 0.0);
  widen(&box, p[1], 0.0);
  return box;
}

static void fit_node(const fw_model *model, const fw_surface *surface, const double *q, fw_tree *tree, int node,
                     int first, int count) {
  if (count == 1) {
    tree->box[node] = box_of_segment(model, surface, first, q);
    return;
  }
  const int half = count / 2, left = 2 * node + 1;
  fit_node(model, surface, q, tree, left, first, half);
  fit_node(model, surface, q, tree, left + 1, first + half, count - half);
  tree->box[node] = tree->box[left];
  widen(&tree->box[node], tree->box[left + 1].low, 0.0);
  widen(&tree->box[node], tree->box[left + 1].high, 0.0);
}

void fw_tree_fit(const fw_model *model, const fw_surface *surface, const double *q, fw_tree *tree) {
  fit_node(model, surface, q, tree, 0, 0, tree->count);
}

fw_status fw_tree_create(fw_context *ctx, const fw_model *model, const fw_surface *surface, const double *q,
                         fw_tree **tree) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **tree, tree));
  (*tree)->count = surface->segment_count;
  size_t leaves = 1; /* halves differ by one at most, so a full tree of this depth has room */
  while (leaves < (size_t)surface->segment_count) leaves *= 2;
  const fw_status status = fw_alloc(ctx, 2 * leaves, sizeof *(*tree)->box, &(*tree)->box);
  if (status == FW_OK)
    fw_tree_fit(model, surface, q, *tree);
  else
    fw_tree_destroy(tree);
  return status;
}

void fw_tree_destroy(fw_tree **tree) {
  if (!tree || !*tree) return;
  free((*tree)->box);
  free(*tree);
  *tree = NULL;
}

/* Squared. */
static double box_distance(const fw_box *box, const double c[2]) {
  const double x = fmax(fmax(box->low[0] - c[0], c[0] - box->high[0]), 0.0);
  const double y = fmax(fmax(box->low[1] - c[1], c[1] - box->high[1]), 0.0);
  return x * x + y * y;
}

typedef struct fw_query {
  const fw_tree *tree;
  const fw_model *model;
  const fw_surface *surface;
  const double *q, *c;
  int seen; /* the segment that the search began with */
} fw_query;

static void search_node(const fw_query *query, int node, int first, int count, fw_best *best) {
  const fw_box *box = query->tree->box;
  if (box_distance(&box[node], query->c) > best->distance * best->distance * (1.0 + 1e-11)) return;
  if (count == 1) {
    if (first != query->seen) consider(query->model, query->surface, query->q, query->c, first, best);
    return;
  }
  const int half = count / 2, left = 2 * node + 1;
  const bool right_first = box_distance(&box[left + 1], query->c) < box_distance(&box[left], query->c);
  for (int turn = 0; turn < 2; turn++) {
    if ((turn == 0) == right_first)
      search_node(query, left + 1, first + half, count - half, best);
    else
      search_node(query, left, first, half, best);
  }
}

int fw_tree_nearest(const fw_tree *tree, const fw_model *model, const fw_surface *surface, const double *q,
                    const double c[2], int hint, double *xi) {
  const fw_query query = {tree, model, surface, q, c, hint};
  fw_best best = start_at(model, surface, q, c, hint);
  search_node(&query, 0, 0, tree->count, &best);
  *xi = best.xi;
  return best.segment;
}

/* ---- hints ------------------------------------------------------------------------------- */

struct fw_hints {
  int pairs;
  fw_tree **tree; /* one for each pair; NULL where the target stands still or has one segment */
};

fw_status fw_hints_create(fw_context *ctx, const fw_model *model, fw_hints **hints) {
  fw_status status = FW_OK;
  fw_hints *h = NULL;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof *h, &h));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->pair_count, sizeof(fw_tree *), &h->tree));
  h->pairs = model->pair_count;
  for (int p = 0; p < h->pairs; p++) {
    const fw_surface *target = model->pairs[p]->target;
    if (target && !target->tree && target->segment_count > 1)
      FW_TRY_DONE(fw_tree_create(ctx, model, target, NULL, &h->tree[p]));
  }
done:
  if (status != FW_OK) fw_hints_destroy(&h);
  *hints = h;
  return status;
}

void fw_hints_destroy(fw_hints **hints) {
  if (!hints || !*hints) return;
  for (int p = 0; (*hints)->tree && p < (*hints)->pairs; p++) fw_tree_destroy(&(*hints)->tree[p]);
  free((*hints)->tree);
  free(*hints);
  *hints = NULL;
}

void fw_hints_update(fw_hints *hints, const fw_model *model, const double *q, fw_touch *touch) {
  for (int p = 0; p < hints->pairs; p++) {
    if (!hints->tree[p]) continue;
    const fw_pair *pair = model->pairs[p];
    fw_tree_fit(model, pair->target, q, hints->tree[p]);
    for (int i = 0; i < pair->count; i++) {
      fw_touch *t = &touch[pair->first_contact + i];
      if (t->status != FW_OPEN) continue;
      double centre[2];
      fw_attachment_place(model, &pair->followers[i].at, q, centre);
      t->segment = fw_tree_nearest(hints->tree[p], model, pair->target, q, centre, t->segment, &t->xi);
    }
  }
}
