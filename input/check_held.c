/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A static analysis of a mechanism is refused before it starts. Everything that hangs together must be held
 * against moving in x and y and turning. The check errs on the side of letting pass: whatever connects counts
 * as rigid, and what touches a contact or a joint is left to the analysis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/detect/surface.h"
#include "contact/pair.h"
#include "elements/bushing.h"
#include "input/builder.h"

/* Motions of a part as a whole: along x, y, z and about them. In the plane there are three. */
enum { MOTIONS = 6, TURN = 5, PLANE_MOTIONS = 3 };

/* Parts: nodes connected by elements, merges, joints. held: an orthonormal basis of the motions that supports
 * prevent. */
typedef struct part {
  double held[MOTIONS][MOTIONS];
  int rank;
  bool space;
  bool pardoned; /* contact or a joint may hold it */
} part;

static void connect(const fw_model *model, int *parent) {
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    for (int e = 0; e < block->count; e++)
      for (int k = 1; k < block->ops->nodes; k++)
        parent[fw_root(parent, block->nodes[e * block->ops->nodes + k])] =
            fw_root(parent, block->nodes[e * block->ops->nodes]);
  }
  for (int j = 0; j < model->joint_count; j++)
    if (model->joints[j].b.node >= 0)
      parent[fw_root(parent, model->joints[j].b.node)] = fw_root(parent, model->joints[j].a.node);
}

/* Nodes that share a freedom or are tied belong together. owner: a node of each freedom, or -1. */
static void connect_shared(const fw_model *model, int *parent, int *owner) {
  for (int i = 0; i < model->dof_count; i++) owner[i] = -1;
  for (int n = 0; n < model->node_count; n++)
    for (int k = 0; k < fw_node_dofs(&model->nodes[n]); k++) {
      int dof = model->nodes[n].dof[k];
      if (dof < 0) continue;
      if (owner[dof] < 0)
        owner[dof] = n;
      else
        parent[fw_root(parent, n)] = fw_root(parent, owner[dof]);
    }
  for (int t = 0; t < model->tie_count; t++) {
    const fw_functional *form = &model->ties[t].form;
    for (int i = 1; i < form->count; i++)
      parent[fw_root(parent, owner[form->dof[i]])] = fw_root(parent, owner[form->dof[0]]);
  }
}

static double dot(const double *a, const double *b) {
  double sum = 0.0;
  for (int k = 0; k < MOTIONS; k++) sum += a[k] * b[k];
  return sum;
}

/* Adds a prevented motion to the basis (Gram-Schmidt). */
static void hold(part *self, const double motion[MOTIONS]) {
  double row[MOTIONS], size = sqrt(dot(motion, motion));
  memcpy(row, motion, sizeof row);
  for (int r = 0; r < self->rank; r++) {
    double along = dot(row, self->held[r]);
    for (int k = 0; k < MOTIONS; k++) row[k] -= along * self->held[r][k];
  }
  double left = sqrt(dot(row, row));
  if (self->rank == MOTIONS || left <= 1e-9 * size) return;
  for (int k = 0; k < MOTIONS; k++) self->held[self->rank][k] = row[k] / left;
  self->rank++;
}

/* A freedom along the unit vector a at r is a . (u + w times r) = a . u + (r times a) . w. */
static void hold_along(part *self, const double r[3], const double a[3]) {
  double motion[MOTIONS] = {a[0], a[1], a[2]};
  for (int k = 0; k < 3; k++) motion[3 + k] = r[(k + 1) % 3] * a[(k + 2) % 3] - r[(k + 2) % 3] * a[(k + 1) % 3];
  hold(self, motion);
}

static void hold_space(part *self, const double r[3], double axes[3][3], const bool held[FW_SPACE_DOFS]) {
  for (int k = 0; k < 3; k++) {
    const double about[MOTIONS] = {0, 0, 0, axes[k][0], axes[k][1], axes[k][2]};
    if (held[fw_dof_moves[k]]) hold_along(self, r, axes[k]);
    if (held[fw_dof_turnings[k]]) hold(self, about);
  }
}

static void hold_node(part *self, const fw_model *model, const fw_node *node, const double origin[2], double size,
                      const bool held[FW_SPACE_DOFS]) {
  double x = (node->x[0] - origin[0]) / size, y = (node->x[1] - origin[1]) / size, axes[3][3];
  if (node->space) {
    fw_node_axes(model, node, axes);
    hold_space(self, (double[]){x, y, node->z / size}, axes, held);
    return;
  }
  if (held[FW_X]) hold(self, (double[]){1, 0, 0, 0, 0, -y});
  if (held[FW_Y]) hold(self, (double[]){0, 1, 0, 0, 0, x});
  if (held[FW_RZ]) hold(self, (double[]){0, 0, 0, 0, 0, 1});
}

static double extent(const fw_model *model, const double origin[2]) {
  double size = 0.0;
  for (int n = 0; n < model->node_count; n++)
    size = fmax(size, hypot(model->nodes[n].x[0] - origin[0], model->nodes[n].x[1] - origin[1]));
  return size > 0.0 ? size : 1.0;
}

static const fw_body *body_of(const fw_model *model, int node) {
  for (int i = 0; i < model->body_count; i++)
    if (node >= model->bodies[i].first_node && node < model->bodies[i].first_node + model->bodies[i].node_count)
      return &model->bodies[i];
  return NULL;
}

/* A rigid body without a rotation, which only slides. */
static bool only_slides(const fw_model *model, int node) {
  const fw_body *body = body_of(model, node);
  return body && strcmp(body->kind, "rigid") == 0 && model->nodes[node].dof[FW_RZ] == FW_DOF_NONE;
}

/* Fixed freedoms and one-node springs hold; contact and joints pardon. */
static void find_holds(const fw_model *model, int *parent, part *parts) {
  const double *origin = model->nodes[0].x;
  double size = extent(model, origin);
  for (int n = 0; n < model->node_count; n++) {
    const fw_node *node = &model->nodes[n];
    if (!node->space && node->triad) continue; /* a ring: the tube's node tells of it */
    part *of = &parts[fw_root(parent, n)];
    bool held[FW_SPACE_DOFS] = {false};
    for (int k = 0; k < fw_node_dofs(node); k++) held[k] = node->dof[k] == FW_DOF_FIXED;
    held[FW_RZ] = held[FW_RZ] || only_slides(model, n);
    of->space = of->space || node->space;
    hold_node(of, model, node, origin, size, held);
  }
  for (int b = 0; b < model->block_count; b++) {
    const fw_block *block = &model->blocks[b];
    if (block->ops->nodes != 1 || strcmp(block->ops->entry.name, "elastic-support") != 0) continue;
    const double *k = block->props.constants + FW_BUSHING_K, *z = block->props.constants + FW_BUSHING_SPACE_K;
    const fw_node *node = &model->nodes[block->nodes[0]];
    bool held[FW_SPACE_DOFS] = {k[0] > 0, k[1] > 0, k[2] > 0, z[0] > 0, z[1] > 0, z[2] > 0};
    hold_node(&parts[fw_root(parent, block->nodes[0])], model, node, origin, size, held);
  }
  for (int j = 0; j < model->joint_count; j++) parts[fw_root(parent, model->joints[j].a.node)].pardoned = true;
  for (int p = 0; p < model->pair_count; p++) {
    const fw_surface *target = model->pairs[p]->target;
    for (int i = 0; i < model->pairs[p]->count; i++)
      parts[fw_root(parent, model->pairs[p]->followers[i].at.node)].pardoned = true;
    for (int i = 0; target && i < target->anchor_count; i++)
      if (target->anchors[i].node >= 0) parts[fw_root(parent, target->anchors[i].node)].pardoned = true;
  }
}

/* The first motion that the supports leave free. */
static const char *free_motion(const part *self) {
  static const char *const names[] = {"move in x", "move in y", "move in z", "turn about x", "turn about y", "turn"};
  for (int k = 0; k < TURN; k++) {
    if (!self->space && k > 1) break;
    double held = 0.0;
    for (int r = 0; r < self->rank; r++) held += self->held[r][k] * self->held[r][k];
    if (held < 1 - 1e-9) return names[k];
  }
  return names[TURN];
}

static fw_status report(fw_builder *builder, const fw_item *analysis, int *parent, const part *parts) {
  fw_status worst = FW_OK;
  for (int n = 0; n < builder->model->node_count; n++) {
    if (fw_root(parent, n) != n || parts[n].pardoned) continue;
    if (parts[n].rank == (parts[n].space ? MOTIONS : PLANE_MOTIONS)) continue;
    if (!builder->model->nodes[n].space && builder->model->nodes[n].triad) continue;
    const fw_body *body = body_of(builder->model, n);
    worst = fw_fail_at(builder->ctx, FW_ERR_DECK, analysis->args.place,
                       "a static analysis of a mechanism: '%s' can %s freely; give it supports", body ? body->id : "",
                       free_motion(&parts[n]));
  }
  return worst;
}

static const fw_item *first_static(const fw_builder *builder) {
  const fw_item *analyses = fw_item_child(builder->root, "analyses");
  return analyses ? fw_item_child(analyses, "static") : NULL;
}

fw_status fw_check_held(fw_builder *builder) {
  const fw_item *analysis = first_static(builder);
  const fw_model *model = builder->model;
  if (!analysis || model->node_count == 0) return FW_OK;
  int *parent = NULL, *owner = NULL;
  part *parts = NULL;
  fw_status status;
  FW_TRY_DONE(fw_alloc(builder->ctx, (size_t)model->node_count, sizeof *parent, &parent));
  FW_TRY_DONE(fw_alloc(builder->ctx, (size_t)model->dof_count, sizeof *owner, &owner));
  FW_TRY_DONE(fw_alloc(builder->ctx, (size_t)model->node_count, sizeof *parts, &parts));
  for (int n = 0; n < model->node_count; n++) parent[n] = n;
  connect(model, parent);
  connect_shared(model, parent, owner);
  find_holds(model, parent, parts);
  status = report(builder, analysis, parent, parts);
done:
  free(parent);
  free(owner);
  free(parts);
  return status;
}
