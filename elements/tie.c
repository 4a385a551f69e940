/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/tie.h"

#include <math.h>
#include <stdlib.h>

static const double gauss[3][2] = {
    {-0.774596669241483377036, 5.0 / 9}, {0, 8.0 / 9}, {0.774596669241483377036, 5.0 / 9}};

/* Functions of an edge's ends and middle at s in -1..1; returns how many. */
static int edge_values(const fw_tie_edge *edge, double s, double N[3]) {
  if (edge->nodes[2] < 0) {
    N[0] = 0.5 * (1 - s), N[1] = 0.5 * (1 + s);
    return 2;
  }
  N[0] = 0.5 * s * (s - 1), N[1] = 0.5 * s * (s + 1), N[2] = 1 - s * s;
  return 3;
}

static int edge_count(const fw_tie_edge *edge) { return edge->nodes[2] < 0 ? 2 : 3; }

static double edge_length(const fw_model *model, const fw_tie_edge *edge) {
  const double *a = model->nodes[edge->nodes[0]].x, *b = model->nodes[edge->nodes[1]].x;
  return hypot(b[0] - a[0], b[1] - a[1]);
}

/* Appends a constraint and takes over its form. A form without free freedoms is no constraint. */
static fw_status add_tie(fw_context *ctx, fw_model *model, fw_functional *form) {
  if (form->count == 0) return FW_OK;
  FW_TRY(fw_grow(ctx, model->tie_count, &model->tie_room, sizeof *model->ties, &model->ties));
  model->ties[model->tie_count++] = (fw_tie){.form = *form, .first = model->constraint_count++};
  *form = (fw_functional){0};
  return FW_OK;
}

/* ---- edges on edges ---------------------------------------------------------------------- */

/* One node of the following side: its two constraints while they are summed up. */
typedef struct follower {
  int node;
  double length;   /* of its longest edge */
  double covered;  /* integral of its function over what faces it */
  double expected; /* and over its edges */
  fw_functional form[2];
} follower;

static follower *find_follower(follower *list, int count, int node) {
  for (int i = 0; i < count; i++)
    if (list[i].node == node) return list + i;
  return NULL;
}

/* Where the ends of `other` fall along `edge`: its part in -1..1, and the distance between the two lines. */
static bool overlap(const fw_model *model, const fw_tie_edge *edge, const fw_tie_edge *other, double range[2],
                    double along[2]) {
  const double *a = model->nodes[edge->nodes[0]].x, *b = model->nodes[edge->nodes[1]].x;
  const double length = edge_length(model, edge), t[2] = {(b[0] - a[0]) / length, (b[1] - a[1]) / length};
  double off = 0;
  for (int k = 0; k < 2; k++) {
    const double *p = model->nodes[other->nodes[k]].x, d[2] = {p[0] - a[0], p[1] - a[1]};
    along[k] = 2 * (d[0] * t[0] + d[1] * t[1]) / length - 1;
    const double reach = fmax(length, edge_length(model, other));
    off = fmax(off, fabs(d[1] * t[0] - d[0] * t[1]) / reach);
  }
  range[0] = fmax(-1, fmin(along[0], along[1]));
  range[1] = fmin(1, fmax(along[0], along[1]));
  return off <= 0.1 && range[1] - range[0] > 1e-9;
}

/* Adds the integrals over the common part of two edges. */
static fw_status add_overlap(fw_context *ctx, const fw_model *model, follower *list, int count, const fw_tie_edge *edge,
                             const fw_tie_edge *other, const double range[2], const double along[2]) {
  const double half = 0.5 * (range[1] - range[0]), middle = 0.5 * (range[0] + range[1]);
  for (int p = 0; p < 3; p++) {
    const double s = middle + half * gauss[p][0], w = half * gauss[p][1] * 0.5 * edge_length(model, edge);
    double N[3], L[3];
    const int n = edge_values(edge, s, N);
    const int m = edge_values(other, (2 * s - along[0] - along[1]) / (along[1] - along[0]), L);
    for (int i = 0; i < n; i++) {
      follower *f = find_follower(list, count, edge->nodes[i]);
      f->covered += w * N[i];
      for (int d = 0; d < 2; d++) {
        for (int j = 0; j < n; j++)
          FW_TRY(fw_functional_add(ctx, f->form + d, model->nodes[edge->nodes[j]].dof[d], w * N[i] * N[j]));
        for (int j = 0; j < m; j++)
          FW_TRY(fw_functional_add(ctx, f->form + d, model->nodes[other->nodes[j]].dof[d], -w * N[i] * L[j]));
      }
    }
  }
  return FW_OK;
}

/* Weights of order 1, whatever the mesh size. */
static void normalise(fw_functional *form) {
  double most = 0;
  for (int i = 0; i < form->count; i++) most = fmax(most, fabs(form->weight[i]));
  for (int i = 0; i < form->count; i++) form->weight[i] /= most;
}

static void list_followers(const fw_model *model, const fw_tie_edge *edges, int edge_total, follower *list,
                           int *count) {
  static const double part[3] = {1.0 / 6, 1.0 / 6, 4.0 / 6};
  for (int e = 0; e < edge_total; e++)
    for (int i = 0; i < edge_count(edges + e); i++) {
      follower *f = find_follower(list, *count, edges[e].nodes[i]);
      if (f == NULL) {
        f = list + (*count)++;
        f->node = edges[e].nodes[i];
      }
      const double length = edge_length(model, edges + e);
      f->length = fmax(f->length, length);
      f->expected += length * (edge_count(edges + e) == 3 ? part[i] : 0.5);
    }
}

static fw_status finish_followers(fw_context *ctx, fw_model *model, follower *list, int count) {
  for (int i = 0; i < count; i++) {
    const double *x = model->nodes[list[i].node].x;
    if (!(list[i].covered > 0.1 * list[i].expected))
      return fw_fail(ctx, FW_ERR_ARGUMENT, "the edge at (%g, %g) faces nothing to be tied to", x[0], x[1]);
    for (int d = 0; d < 2; d++) {
      if (model->nodes[list[i].node].dof[d] < 0) continue; /* held already */
      normalise(list[i].form + d);
      FW_TRY(add_tie(ctx, model, list[i].form + d));
    }
  }
  return FW_OK;
}

fw_status fw_tie_edges(fw_context *ctx, fw_model *model, const fw_tie_edge *following, int following_count,
                       const fw_tie_edge *leading, int leading_count) {
  fw_status status;
  follower *list = NULL;
  int count = 0;
  FW_TRY_DONE(fw_alloc(ctx, 3 * (size_t)following_count, sizeof *list, &list));
  list_followers(model, following, following_count, list, &count);
  for (int e = 0; e < following_count; e++)
    for (int o = 0; o < leading_count; o++) {
      double range[2], along[2];
      if (!overlap(model, following + e, leading + o, range, along)) continue;
      FW_TRY_DONE(add_overlap(ctx, model, list, count, following + e, leading + o, range, along));
    }
  FW_TRY_DONE(finish_followers(ctx, model, list, count));
done:
  for (int i = 0; i < count; i++)
    for (int d = 0; d < 2; d++) fw_functional_clear(&list[i].form[d]);
  free(list);
  return status;
}

/* ---- a node on a face -------------------------------------------------------------------- */

/* Adds factor times (u_p - u_0 - rz x arm)_d of a node of the face to a form. */
static fw_status add_difference(fw_context *ctx, const fw_model *model, int node, int p, int d, double factor,
                                fw_functional *form) {
  const fw_node *origin = model->nodes + node, *other = model->nodes + p;
  const double arm[2] = {other->x[0] - origin->x[0], other->x[1] - origin->x[1]};
  FW_TRY(fw_functional_add(ctx, form, other->dof[d], factor));
  FW_TRY(fw_functional_add(ctx, form, origin->dof[d], -factor));
  return fw_functional_add(ctx, form, origin->dof[FW_RZ], d == FW_X ? factor * arm[1] : -factor * arm[0]);
}

static bool seen_before(const fw_tie_edge *face, int e, int i) {
  for (int k = 0; k < e; k++)
    for (int j = 0; j < edge_count(face + k); j++)
      if (face[k].nodes[j] == face[e].nodes[i]) return true;
  return false;
}

fw_status fw_tie_rigid(fw_context *ctx, fw_model *model, int node, const fw_tie_edge *face, int count) {
  for (int e = 0; e < count; e++)
    for (int i = 0; i < edge_count(face + e); i++) {
      if (seen_before(face, e, i)) continue;
      for (int d = 0; d < 2; d++) {
        fw_functional form = {0};
        fw_status status = add_difference(ctx, model, node, face[e].nodes[i], d, 1, &form);
        if (status == FW_OK) status = add_tie(ctx, model, &form);
        fw_functional_clear(&form);
        FW_TRY(status);
      }
    }
  return FW_OK;
}

/* Integrals over the face of the difference in x and y and of its moment, with the shape functions of its edges. */
static fw_status sum_face(fw_context *ctx, const fw_model *model, int node, const fw_tie_edge *edge, double total,
                          fw_functional form[3]) {
  const double *x0 = model->nodes[node].x;
  for (int p = 0; p < 3; p++) {
    double N[3], x[2] = {-x0[0], -x0[1]};
    const int n = edge_values(edge, gauss[p][0], N);
    const double w = gauss[p][1] * 0.5 * edge_length(model, edge) / total;
    for (int i = 0; i < n; i++)
      for (int d = 0; d < 2; d++) x[d] += N[i] * model->nodes[edge->nodes[i]].x[d];
    for (int i = 0; i < n; i++)
      for (int d = 0; d < 2; d++) {
        FW_TRY(add_difference(ctx, model, node, edge->nodes[i], d, w * N[i], form + d));
        FW_TRY(add_difference(ctx, model, node, edge->nodes[i], d, w * N[i] * (d == FW_X ? -x[1] : x[0]) / total,
                              form + 2));
      }
  }
  return FW_OK;
}

fw_status fw_tie_transition(fw_context *ctx, fw_model *model, int node, const fw_tie_edge *face, int count) {
  fw_status status = FW_OK;
  fw_functional form[3] = {{0}};
  double total = 0;
  for (int e = 0; e < count; e++) total += edge_length(model, face + e);
  for (int e = 0; e < count; e++) FW_TRY_DONE(sum_face(ctx, model, node, face + e, total, form));
  for (int k = 0; k < 3; k++) FW_TRY_DONE(add_tie(ctx, model, form + k));
done:
  for (int k = 0; k < 3; k++) fw_functional_clear(form + k);
  return status;
}
