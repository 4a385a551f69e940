/* SPDX-License-Identifier: GPL-3.0-or-later */
/* <merge>, and nodes carried by their bodies: freedoms that move as one form a set. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/builder.h"
#include "input/mesh/twins.h"

static void unite(const fw_model *model, int *parent, int a, int b) {
  int ra = fw_root(parent, a), rb = fw_root(parent, b);
  if (ra == rb) return;
  /* One that is held holds the others. */
  bool held = model->nodes[rb / FW_SPACE_DOFS].dof[rb % FW_SPACE_DOFS] == FW_DOF_FIXED;
  bool later = ra > rb && model->nodes[ra / FW_SPACE_DOFS].dof[ra % FW_SPACE_DOFS] != FW_DOF_FIXED;
  if (held || later)
    parent[ra] = rb;
  else
    parent[rb] = ra;
}

static fw_status check_together(fw_builder *builder, const fw_item *item, const fw_point *a, const fw_point *b) {
  fw_place place = fw_builder_place(&item->args, "points");
  if (a->arm[0] != 0.0 || a->arm[1] != 0.0 || b->arm[0] != 0.0 || b->arm[1] != 0.0)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, place, "attribute 'points': a point with an offset cannot be merged");
  const fw_node *nodes = builder->model->nodes;
  if (a->space != b->space || nodes[a->node].triad || nodes[b->node].triad)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, place,
                      "attribute 'points': '%s' and '%s' do not have the same freedoms%s", a->name, b->name,
                      a->space == b->space ? ": a support plane stands there" : "");
  double size = fmax(1e-3, fmax(hypot(a->place[0], a->place[1]), hypot(b->place[0], b->place[1])));
  double apart = hypot(hypot(a->place[0] - b->place[0], a->place[1] - b->place[1]), a->place[2] - b->place[2]);
  if (apart <= 1e-8 * size) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, place, "attribute 'points': '%s' and '%s' are %g m apart", a->name,
                    b->name, apart);
}

/* The name of a list that begins at *at, which moves on behind it; false at its end. */
static bool next_name(const char **at, char *name, size_t room) {
  *at += strspn(*at, ", \t\r\n");
  size_t length = strcspn(*at, ", \t\r\n");
  snprintf(name, room, "%.*s", (int)length, *at);
  *at += length;
  return length > 0;
}

static void unite_nodes(const fw_model *model, int *parent, int a, int b, bool rigid) {
  unite(model, parent, a * FW_SPACE_DOFS + FW_X, b * FW_SPACE_DOFS + FW_X);
  unite(model, parent, a * FW_SPACE_DOFS + FW_Y, b * FW_SPACE_DOFS + FW_Y);
  bool both = model->nodes[a].dof[FW_RZ] != FW_DOF_NONE && model->nodes[b].dof[FW_RZ] != FW_DOF_NONE;
  if (rigid && both) unite(model, parent, a * FW_SPACE_DOFS + FW_RZ, b * FW_SPACE_DOFS + FW_RZ);
  for (int k = FW_Z; k < FW_SPACE_DOFS && model->nodes[a].space && model->nodes[b].space; k++)
    if (rigid || !fw_dof_turns(k)) unite(model, parent, a * FW_SPACE_DOFS + k, b * FW_SPACE_DOFS + k);
}

static fw_status merge_points(fw_builder *builder, const fw_item *item, bool rigid, int *parent) {
  const fw_point *first = NULL;
  char name[256];
  for (const char *at = fw_args_text(&item->args, "points"); next_name(&at, name, sizeof name);) {
    const fw_point *point = fw_builder_point(builder, name);
    if (!point) continue;
    if (first) {
      FW_TRY(check_together(builder, item, first, point));
      unite_nodes(builder->model, parent, first->node, point->node, rigid);
    } else {
      first = point;
    }
  }
  return FW_OK;
}

/* The nodes of the bodies a list names, and where they are: to be freed. */
static fw_status gather_nodes(fw_builder *builder, const char *names, int **nodes, double (**places)[2], int *count) {
  const fw_model *model = builder->model;
  char name[256];
  int total = 0;
  for (const char *at = names; next_name(&at, name, sizeof name);) {
    int body = fw_builder_body(builder, name);
    total += body >= 0 ? model->bodies[body].node_count : 0;
  }
  FW_TRY(fw_alloc(builder->ctx, (size_t)total, sizeof **nodes, nodes));
  FW_TRY(fw_alloc(builder->ctx, (size_t)total, sizeof **places, places));
  for (const char *at = names; next_name(&at, name, sizeof name);) {
    int body = fw_builder_body(builder, name);
    for (int i = 0; body >= 0 && i < model->bodies[body].node_count; i++) {
      (*nodes)[*count] = model->bodies[body].first_node + i;
      memcpy((*places)[(*count)++], model->nodes[model->bodies[body].first_node + i].x, sizeof **places);
    }
  }
  return FW_OK;
}

static fw_status merge_bodies(fw_builder *builder, const fw_item *item, bool rigid, int *parent) {
  fw_status status = FW_OK;
  int *nodes = NULL, *twin = NULL, count = 0, joined = 0;
  double(*places)[2] = NULL;
  FW_TRY_DONE(gather_nodes(builder, fw_args_text(&item->args, "bodies"), &nodes, &places, &count));
  FW_TRY_DONE(fw_alloc(builder->ctx, (size_t)count, sizeof *twin, &twin));
  FW_TRY_DONE(fw_find_twins(builder->ctx, (const double(*)[2])places, count, 0.0, twin));
  for (int i = 0; i < count; i++) {
    if (twin[i] == i) continue;
    unite_nodes(builder->model, parent, nodes[twin[i]], nodes[i], rigid);
    joined++;
  }
  if (joined == 0)
    status = fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->args, "bodies"),
                        "attribute 'bodies': no two nodes of these bodies coincide");
done:
  free(nodes);
  free(places);
  free(twin);
  return status;
}

static fw_status merge(fw_builder *builder, const fw_item *item, int *parent) {
  bool rigid = strcmp(fw_args_text(&item->args, "rotation"), "shared") == 0;
  bool points = fw_args_given(&item->args, "points"), bodies = fw_args_given(&item->args, "bodies");
  if (points == bodies)
    return fw_fail_at(builder->ctx, FW_ERR_DECK, item->args.place, "give it either 'points' or 'bodies'");
  return points ? merge_points(builder, item, rigid, parent) : merge_bodies(builder, item, rigid, parent);
}

/* A carried node turns with its body; where that does not turn it moves with it too. */
static void merge_carried(const fw_builder *builder, int *parent) {
  const fw_model *model = builder->model;
  for (int i = 0; i < builder->point_count; i++) {
    const fw_point *point = &builder->points[i];
    if (point->carried < 0) continue;
    int host = point->node * FW_SPACE_DOFS, own = point->carried * FW_SPACE_DOFS;
    bool turns = model->nodes[point->node].dof[FW_RZ] != FW_DOF_NONE;
    for (int k = turns ? FW_RZ : FW_X; k <= (turns ? FW_RZ : FW_Y); k++) unite(model, parent, host + k, own + k);
  }
}

/* The ring of a support plane has the freedoms x, y and rz of the tube's node that shares its axes. */
static void merge_rings(const fw_model *model, int *parent) {
  for (int ring = 0; ring < model->node_count; ring++) {
    if (model->nodes[ring].space || !model->nodes[ring].triad) continue;
    for (int n = 0; n < model->node_count; n++)
      if (model->nodes[n].space && model->nodes[n].triad == model->nodes[ring].triad)
        unite_nodes(model, parent, n, ring, true);
  }
}

fw_status fw_merge_freedoms(fw_builder *builder, int *parent) {
  const fw_item *bodies = fw_item_child(builder->root, "bodies");
  fw_status worst = FW_OK;
  for (int i = 0; i < bodies->child_count; i++) {
    if (strcmp(bodies->children[i].name, "merge") != 0) continue;
    fw_status status = merge(builder, &bodies->children[i], parent);
    worst = fw_worse(worst, status);
  }
  merge_carried(builder, parent);
  merge_rings(builder->model, parent);
  return worst;
}
