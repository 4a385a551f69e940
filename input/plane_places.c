/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points and sets of plane bodies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/builder.h"
#include "input/mesh/mesh.h"

/* ---- points ------------------------------------------------------------------------------ */

static double extent(const fw_mesh *mesh) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int n = 0; n < mesh->node_count; n++)
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], mesh->x[n][k]);
      high[k] = fmax(high[k], mesh->x[n][k]);
    }
  return hypot(high[0] - low[0], high[1] - low[1]);
}

static int nearest_node(const fw_mesh *mesh, const double place[2]) {
  int best = 0;
  double least = INFINITY;
  for (int n = 0; n < mesh->node_count; n++) {
    double distance = hypot(mesh->x[n][0] - place[0], mesh->x[n][1] - place[1]);
    if (distance < least) {
      least = distance;
      best = n;
    }
  }
  return best;
}

static bool is_inside(fw_shape shape, const double xi[2]) {
  const double slack = 1e-9;
  if (shape == FW_SHAPE_TRI3 || shape == FW_SHAPE_TRI6)
    return xi[0] >= -slack && xi[1] >= -slack && xi[0] + xi[1] <= 1 + slack;
  return fabs(xi[0]) <= 1 + slack && fabs(xi[1]) <= 1 + slack;
}

/* Natural coordinates of a place in an element by Newton's method; false if it lies outside. */
static bool locate(fw_shape shape, const double *X, const double place[2], double xi[2]) {
  int n = fw_shape_nodes(shape);
  fw_shape_centre(shape, xi);
  for (int iteration = 0; iteration < 30; iteration++) {
    double N[FW_ELEMENT_NODES], d[FW_ELEMENT_NODES][2], J[2][2], r[2] = {-place[0], -place[1]};
    fw_shape_values(shape, xi, N);
    fw_shape_gradients(shape, xi, d);
    for (int a = 0; a < n; a++) {
      r[0] += N[a] * X[2 * a];
      r[1] += N[a] * X[2 * a + 1];
    }
    double det = fw_shape_jacobian(n, X, d, J);
    if (!(fabs(det) > 0.0)) return false;
    double step[2] = {(J[1][1] * r[0] - J[0][1] * r[1]) / det, (J[0][0] * r[1] - J[1][0] * r[0]) / det};
    xi[0] -= step[0];
    xi[1] -= step[1];
    if (fabs(step[0]) + fabs(step[1]) < 1e-13) return is_inside(shape, xi);
    if (fabs(xi[0]) + fabs(xi[1]) > 100.0) return false;
  }
  return false;
}

/* A point within an element; false if no element holds it. */
static bool find_element(const fw_plane_mesh *self, fw_point *point) {
  for (int e = 0; e < self->mesh->element_count; e++) {
    double X[2 * FW_ELEMENT_NODES];
    fw_mesh_places(self->mesh, e, X);
    if (!locate(self->mesh->elements[e].shape, X, point->place, point->xi)) continue;
    point->block = self->block[e];
    point->element = self->index[e];
    return true;
  }
  return false;
}

static fw_status add_point(fw_builder *builder, const fw_item *item, const fw_item *child, const fw_plane_mesh *self) {
  const fw_args *args = &child->args;
  FW_TRY(fw_builder_expect(builder, args, "at", 2));
  const double *place = fw_args_value(args, "at")->numbers;
  char name[256];
  snprintf(name, sizeof name, "%s.%s", fw_args_text(&item->args, "id"), fw_args_text(args, "id"));
  fw_point point = {.name = name, .body = self->body, .node = -1, .place = {place[0], place[1]}};
  int near = nearest_node(self->mesh, place);
  const double *x = self->mesh->x[near];
  bool at_node = hypot(x[0] - place[0], x[1] - place[1]) <= 1e-9 * extent(self->mesh);
  bool needs = fw_builder_needs_node(builder, name);
  fw_status status = FW_OK;
  if (at_node || needs) point.node = builder->model->bodies[self->body].first_node + near;
  if (!at_node && needs) /* the point is kept, so that only this is reported */
    status = fw_fail_at(
        builder->ctx, FW_ERR_DECK, fw_builder_place(args, "at"),
        "attribute 'at': a support, joint, mass or follower needs a node here; the nearest is at (%.9g, %.9g)", x[0],
        x[1]);
  else if (!at_node && !find_element(self, &point))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "at"),
                      "attribute 'at': (%g, %g) is outside the body", place[0], place[1]);
  FW_TRY(fw_builder_add_point(builder, &point));
  return status;
}

fw_status fw_build_plane_points(fw_builder *builder, const fw_item *item, const fw_plane_mesh *self) {
  fw_status worst = FW_OK;
  for (int i = 0; i < item->child_count; i++) {
    if (strcmp(item->children[i].name, "point") != 0) continue;
    fw_status status = add_point(builder, item, &item->children[i], self);
    worst = fw_worse(worst, status);
  }
  return worst;
}

/* ---- sets -------------------------------------------------------------------------------- */

const fw_plane_mesh *fw_builder_mesh(const fw_builder *builder, const char *name, const char **set) {
  const char *dot = strchr(name, '.');
  for (int i = 0; dot && i < builder->mesh_count; i++) {
    int body = builder->meshes[i].body;
    if (body < 0) continue; /* it could not be built: that has been reported */
    const char *id = builder->model->bodies[body].id;
    if (strlen(id) != (size_t)(dot - name) || strncmp(id, name, strlen(id)) != 0) continue;
    *set = dot + 1;
    return &builder->meshes[i];
  }
  return NULL;
}

fw_status fw_builder_set_nodes(fw_builder *builder, const fw_args *args, const char *attribute, int **nodes,
                               int *count) {
  const char *set;
  const fw_plane_mesh *self = fw_builder_mesh(builder, fw_args_text(args, attribute), &set);
  *nodes = NULL;
  *count = 0;
  if (!self) return FW_ERR_DECK; /* its body could not be built: that has been reported */
  fw_status status =
      fw_builder_retell(builder, fw_mesh_nodes(builder->aside, self->mesh, set, nodes, count), args, attribute);
  if (status == FW_OK && *count == 0)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, attribute),
                      "attribute '%s': the set '%s' is empty: its side lies between pieces, or the mesh has none of it",
                      attribute, set);
  for (int i = 0; status == FW_OK && i < *count; i++) (*nodes)[i] += builder->model->bodies[self->body].first_node;
  return status;
}
