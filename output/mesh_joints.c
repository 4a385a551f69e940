/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "elements/joints/symbols.h"
#include "output/mesh.h"

/* ---- rigid bodies ------------------------------------------------------------------------ */

/* A point fixed to a node, with its motion. */
static fw_status body_point(fw_context *ctx, const fw_state *state, fw_grid *grid, const fw_attachment *at,
                            int64_t *point) {
  double reference[2], now[2];
  const fw_node *node = &state->model->nodes[at->node];
  fw_attachment_place(state->model, at, NULL, reference);
  fw_attachment_place(state->model, at, state->q, now);
  FW_TRY(fw_grid_point(ctx, grid, reference, point));
  double *u = fw_grid_at(grid, FW_MESH_DISPLACEMENT, *point), *v = fw_grid_at(grid, FW_MESH_VELOCITY, *point);
  double spin = fw_node_value(node, FW_RZ, state->v);
  double arm[2] = {now[0] - node->x[0] - fw_node_value(node, FW_X, state->q),
                   now[1] - node->x[1] - fw_node_value(node, FW_Y, state->q)};
  for (int k = 0; k < 2; k++) u[k] = now[k] - reference[k];
  v[0] = fw_node_value(node, FW_X, state->v) - spin * arm[1];
  v[1] = fw_node_value(node, FW_Y, state->v) + spin * arm[0];
  *fw_grid_at(grid, FW_MESH_ROTATION, *point) = fw_node_value(node, FW_RZ, state->q);
  return FW_OK;
}

static fw_status spoke(fw_context *ctx, const fw_state *state, fw_grid *grid, int body, const fw_attachment *at) {
  int64_t ends[2];
  if (at->arm[0] == 0.0 && at->arm[1] == 0.0) return FW_OK;
  FW_TRY(body_point(ctx, state, grid, &(fw_attachment){.node = at->node}, &ends[0]));
  FW_TRY(body_point(ctx, state, grid, at, &ends[1]));
  return fw_grid_cell(ctx, grid, FW_CELL_LINE, ends, 2, body);
}

static double longest_arm(const fw_model *model, int node) {
  double most = 0.0;
  for (int j = 0; j < model->joint_count; j++) {
    const fw_attachment *ends[2] = {&model->joints[j].a, &model->joints[j].b};
    for (int k = 0; k < 2; k++)
      if (ends[k]->node == node) most = fmax(most, hypot(ends[k]->arm[0], ends[k]->arm[1]));
  }
  return most;
}

fw_status fw_mesh_rigids(fw_context *ctx, const fw_state *state, fw_grid *grid) {
  static const double frame_size = 0.25; /* of the longest arm */
  const fw_model *model = state->model;
  for (int b = 0; b < model->body_count; b++) {
    const fw_body *body = &model->bodies[b];
    if (strcmp(body->kind, "rigid") != 0) continue;
    double size = frame_size * longest_arm(model, body->first_node);
    for (int k = 0; k < 2; k++) {
      fw_attachment axis = {.node = body->first_node, .large_rotation = body->large_rotation};
      axis.arm[k] = size;
      FW_TRY(spoke(ctx, state, grid, b, &axis));
    }
    for (int j = 0; j < model->joint_count; j++) {
      if (model->joints[j].a.node == body->first_node) FW_TRY(spoke(ctx, state, grid, b, &model->joints[j].a));
      if (model->joints[j].b.node == body->first_node) FW_TRY(spoke(ctx, state, grid, b, &model->joints[j].b));
    }
  }
  return FW_OK;
}

/* ---- joints ------------------------------------------------------------------------------ */

enum { JOINT_DISPLACEMENT, JOINT_FORCE, JOINT_MOMENT, JOINT_KIND, JOINT_NUMBER, JOINT_FIELDS };

static const fw_grid_field fields[JOINT_FIELDS] = {
    [JOINT_DISPLACEMENT] = {"displacement", 3, NULL},
    [JOINT_FORCE] = {"force", 3, NULL},
    [JOINT_MOMENT] = {"moment", 1, NULL},
    [JOINT_KIND] = {"kind", 1, NULL},
    [JOINT_NUMBER] = {"joint", 1, NULL},
};

static int kind_of(const fw_joint *joint) {
  int kind = 0;
  while (fw_joints.entries[kind] && fw_joints.entries[kind] != &joint->ops->entry) kind++;
  return kind;
}

static fw_status add_point(fw_context *ctx, const fw_state *state, fw_grid *grid, int number, const double reference[2],
                           const double now[2], int64_t *point) {
  FW_TRY(fw_grid_point(ctx, grid, reference, point));
  for (int k = 0; k < 2; k++) fw_grid_at(grid, JOINT_DISPLACEMENT, *point)[k] = now[k] - reference[k];
  *fw_grid_at(grid, JOINT_NUMBER, *point) = number;
  *fw_grid_at(grid, JOINT_KIND, *point) = kind_of(&state->model->joints[number]);
  return FW_OK;
}

/* The vertex with the joint's forces. */
static fw_status joint_point(fw_context *ctx, const fw_state *state, int number, fw_grid *grid) {
  const fw_joint *joint = &state->model->joints[number];
  double reference[2], now[2], reaction[3];
  int64_t point;
  fw_attachment_place(state->model, &joint->a, NULL, reference);
  fw_attachment_place(state->model, &joint->a, state->q, now);
  fw_joint_reaction(state->model, joint, state->q, state->lambda, state->time, reaction);
  FW_TRY(add_point(ctx, state, grid, number, reference, now, &point));
  for (int k = 0; k < 2; k++) fw_grid_at(grid, JOINT_FORCE, point)[k] = reaction[k];
  *fw_grid_at(grid, JOINT_MOMENT, point) = reaction[FW_RZ];
  return fw_grid_cell(ctx, grid, FW_CELL_VERTEX, &point, 1, number);
}

/* A pin's radius in the picture, from the extent of the model. */
static double symbol_size(const fw_model *model) {
  double most = 0.0;
  for (int n = 1; n < model->node_count; n++)
    most = fmax(most, hypot(model->nodes[n].x[0] - model->nodes[0].x[0], model->nodes[n].x[1] - model->nodes[0].x[1]));
  for (int j = 0; j < model->joint_count; j++)
    most = fmax(most, hypot(model->joints[j].a.arm[0], model->joints[j].a.arm[1]));
  return 0.02 * (most > 0.0 ? most : 1.0);
}

/* What a joint's symbol is drawn into. */
typedef struct canvas {
  fw_context *ctx;
  const fw_state *state;
  fw_grid *grid;
  int number; /* of the joint */
} canvas;

static const fw_joint *joint_on(const canvas *c) { return &c->state->model->joints[c->number]; }

/* A corner of a symbol: in the reference configuration, and now. */
static fw_status add_corner(const canvas *c, const fw_attachment *at, bool fixed, const double corner[2],
                            int64_t *point) {
  const fw_model *model = c->state->model;
  bool turns = !fixed && at->node >= 0;
  double angle = turns ? fw_node_value(&model->nodes[at->node], FW_RZ, c->state->q) : 0.0;
  double reference[2], now[2];
  fw_attachment_place(model, at, NULL, reference);
  fw_attachment_place(model, at, c->state->q, now);
  for (int k = 0; k < 2; k++) reference[k] += corner[k];
  now[0] += cos(angle) * corner[0] - sin(angle) * corner[1];
  now[1] += sin(angle) * corner[0] + cos(angle) * corner[1];
  return add_point(c->ctx, c->state, c->grid, c->number, reference, now, point);
}

static fw_status polyline(void *user, bool on_b, bool fixed, const double (*corners)[2], int count, bool closed) {
  const canvas *c = user;
  const fw_attachment *at = on_b ? &joint_on(c)->b : &joint_on(c)->a;
  int64_t first = 0, ends[2] = {0, 0};
  for (int i = 0; i < count; i++) {
    ends[0] = ends[1];
    FW_TRY(add_corner(c, at, fixed, corners[i], &ends[1]));
    if (i == 0) first = ends[1];
    if (i > 0) FW_TRY(fw_grid_cell(c->ctx, c->grid, FW_CELL_LINE, ends, 2, c->number));
  }
  ends[0] = first;
  return closed ? fw_grid_cell(c->ctx, c->grid, FW_CELL_LINE, ends, 2, c->number) : FW_OK;
}

static fw_status between(void *user) {
  static const double here[2] = {0, 0};
  const canvas *c = user;
  int64_t ends[2];
  FW_TRY(add_corner(c, &joint_on(c)->a, true, here, &ends[0]));
  FW_TRY(add_corner(c, &joint_on(c)->b, true, here, &ends[1]));
  return fw_grid_cell(c->ctx, c->grid, FW_CELL_LINE, ends, 2, c->number);
}

static double distance_apart(const fw_model *model, const fw_joint *joint) {
  double a[2], b[2];
  fw_attachment_place(model, &joint->a, NULL, a);
  fw_attachment_place(model, &joint->b, NULL, b);
  return hypot(b[0] - a[0], b[1] - a[1]);
}

static fw_status add_joint(fw_context *ctx, const fw_state *state, int number, double size, fw_grid *grid) {
  canvas c = {.ctx = ctx, .state = state, .grid = grid, .number = number};
  const fw_joint_pen pen = {.user = &c,
                            .size = size,
                            .apart = distance_apart(state->model, joint_on(&c)),
                            .polyline = polyline,
                            .between = between};
  FW_TRY(joint_point(ctx, state, number, grid));
  return fw_joint_draw(joint_on(&c), &pen);
}

fw_status fw_mesh_joints(fw_context *ctx, const fw_state *state, fw_grid **grid) {
  FW_TRY(fw_grid_create(ctx, fields, JOINT_FIELDS, grid));
  (*grid)->time = state->time;
  fw_status status = FW_OK;
  double size = symbol_size(state->model);
  for (int j = 0; j < state->model->joint_count && status == FW_OK; j++)
    if (!state->model->joints[j].hidden) status = add_joint(ctx, state, j, size, *grid);
  if (status != FW_OK) fw_grid_destroy(grid);
  return status;
}
