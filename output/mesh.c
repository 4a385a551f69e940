/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements/recover.h"

/* One element with the values its operations want. */
typedef struct element_view {
  const fw_block *block;
  const int *nodes;
  double X[FW_ELEMENT_PLACES];
  double q[FW_ELEMENT_DOFS], v[FW_ELEMENT_DOFS];
} element_view;

static element_view view_element(const fw_model *model, const fw_block *block, int element, const double *q,
                                 const double *v) {
  element_view view = {.block = block, .nodes = block->nodes + element * block->ops->nodes};
  int dofs = fw_element_dofs(block->ops);
  const int *dof = block->dofs + element * dofs;
  for (int i = 0; i < dofs; i++) {
    view.q[i] = dof[i] < 0 ? 0.0 : q[dof[i]];
    view.v[i] = dof[i] < 0 ? 0.0 : v[dof[i]];
  }
  fw_element_places(model, block, element, view.X);
  return view;
}

/* What follows from the stress at a point. */
static void derive_stress(const fw_properties *props, fw_grid *grid, int64_t point) {
  const double *s = fw_grid_at(grid, FW_MESH_STRESS, point);
  double across = props->plane_strain ? props->nu * (s[0] + s[1]) : 0.0;
  double mean = 0.5 * (s[0] + s[1]), radius = hypot(0.5 * (s[0] - s[1]), s[2]);
  double *principal = fw_grid_at(grid, FW_MESH_PRINCIPAL, point);
  principal[0] = mean + radius;
  principal[1] = mean - radius;
  *fw_grid_at(grid, FW_MESH_VON_MISES, point) = sqrt(
      0.5 * ((s[0] - s[1]) * (s[0] - s[1]) + (s[1] - across) * (s[1] - across) + (across - s[0]) * (across - s[0])) +
      3.0 * s[2] * s[2]);
}

/* Gives the last cell its part of an element's energy. */
static void set_energy(const element_view *view, int parts, fw_grid *grid) {
  const fw_element_ops *ops = view->block->ops;
  if (ops->energy) grid->energy[grid->cells - 1] = ops->energy(&view->block->props, view->X, view->q) / parts;
}

/* ---- beams ------------------------------------------------------------------------------- */

/* Motion of the axis at one station: displacement x, y, rotation, and their rates. */
typedef struct station {
  double x[2], u[3], v[3], field[3];
} station;

static station beam_station(const element_view *view, double xi) {
  const fw_element_ops *ops = view->block->ops;
  int dofs = fw_element_dofs(ops);
  double weights[3 * FW_ELEMENT_DOFS], at[2] = {xi, 0.0};
  station s = {.x = {0.5 * (1 - xi) * view->X[0] + 0.5 * (1 + xi) * view->X[2],
                     0.5 * (1 - xi) * view->X[1] + 0.5 * (1 + xi) * view->X[3]}};
  ops->interpolate(&view->block->props, view->X, at, weights);
  for (int row = 0; row < 3; row++)
    for (int i = 0; i < dofs; i++) {
      s.u[row] += weights[row * dofs + i] * view->q[i];
      s.v[row] += weights[row * dofs + i] * view->v[i];
    }
  if (ops->field && ops->fields == 3) ops->field(&view->block->props, view->X, view->q, at, s.field);
  return s;
}

/* A point of the section at distance y from the axis: it turns with the section, and carries
 * s_x = N/A - M y/I. */
static fw_status beam_point(fw_context *ctx, fw_grid *grid, const element_view *view, const station *s, double y,
                            int64_t *point) {
  const fw_properties *props = &view->block->props;
  double dx = view->X[2] - view->X[0], dy = view->X[3] - view->X[1], length = hypot(dx, dy);
  double arm[2] = {-y * dy / length, y * dx / length}, place[2] = {s->x[0] + arm[0], s->x[1] + arm[1]};
  FW_TRY(fw_grid_point(ctx, grid, place, point));
  bool large = props->kinematics == FW_COROTATIONAL;
  double turned[2] = {-s->u[2] * arm[1], s->u[2] * arm[0]}; /* (R - 1) arm */
  if (large) {
    double c = cos(s->u[2]) - 1.0, n = sin(s->u[2]);
    turned[0] = c * arm[0] - n * arm[1];
    turned[1] = n * arm[0] + c * arm[1];
  }
  double now[2] = {arm[0] + (large ? turned[0] : 0.0), arm[1] + (large ? turned[1] : 0.0)};
  double *u = fw_grid_at(grid, FW_MESH_DISPLACEMENT, *point), *v = fw_grid_at(grid, FW_MESH_VELOCITY, *point);
  u[0] = s->u[0] + turned[0];
  u[1] = s->u[1] + turned[1];
  v[0] = s->v[0] - s->v[2] * now[1];
  v[1] = s->v[1] + s->v[2] * now[0];
  *fw_grid_at(grid, FW_MESH_ROTATION, *point) = s->u[2];
  for (int i = 0; i < 3; i++) *fw_grid_at(grid, FW_MESH_N + i, *point) = s->field[i];
  double *stress = fw_grid_at(grid, FW_MESH_STRESS, *point);
  if (props->A > 0) stress[0] = s->field[0] / props->A - (props->I > 0 ? s->field[2] * y / props->I : 0.0);
  derive_stress(props, grid, *point);
  return FW_OK;
}

/* How many straight pieces draw one element: enough that a coarse beam looks curved. Between the nodes of
 * a co-rotational element the weights are not those of its large motion: one piece. */
static int beam_pieces(const fw_block *block) {
  enum { WANTED = 64, MOST = 8 };
  if (block->props.kinematics == FW_COROTATIONAL || block->count >= WANTED) return 1;
  int pieces = (WANTED + block->count - 1) / block->count;
  return pieces < MOST ? pieces : MOST;
}

static fw_status mesh_beam(fw_context *ctx, fw_grid *grid, const element_view *view) {
  int pieces = beam_pieces(view->block), body = view->block->body;
  double half = 0.5 * view->block->props.height;
  int64_t previous[3] = {0}, point[3];
  for (int i = 0; i <= pieces; i++) {
    station s = beam_station(view, 2.0 * i / pieces - 1.0);
    for (int side = 0; side < 3; side++) FW_TRY(beam_point(ctx, grid, view, &s, (side - 1) * half, &point[side]));
    if (i > 0) {
      int64_t band[4] = {previous[0], point[0], point[2], previous[2]}, axis[2] = {previous[1], point[1]};
      FW_TRY(fw_grid_cell(ctx, grid, FW_CELL_LINE, axis, 2, body));
      if (half > 0) FW_TRY(fw_grid_cell(ctx, grid, FW_CELL_QUAD4, band, 4, body));
      set_energy(view, pieces, grid);
    }
    memcpy(previous, point, sizeof previous);
  }
  return FW_OK;
}

/* ---- plane and point elements ------------------------------------------------------------ */

static void set_motion(const fw_state *state, int node, fw_grid *grid, int64_t point) {
  const fw_node *n = &state->model->nodes[node];
  fw_node_displacement(state->model, n, state->q, fw_grid_at(grid, FW_MESH_DISPLACEMENT, point));
  fw_node_displacement(state->model, n, state->v, fw_grid_at(grid, FW_MESH_VELOCITY, point));
  *fw_grid_at(grid, FW_MESH_ROTATION, point) = fw_node_value(n, FW_RZ, state->q);
}

/* The grid point of a node within one block (made on first use): elements of a block share points. */
static fw_status shared_point(fw_context *ctx, const fw_state *state, fw_grid *grid, int64_t *of_node, int node,
                              int64_t *point) {
  if (of_node[node] < 0) {
    double place[3];
    fw_node_place(state->model, &state->model->nodes[node], place);
    FW_TRY(fw_grid_place(ctx, grid, place, &of_node[node]));
    set_motion(state, node, grid, of_node[node]);
  }
  *point = of_node[node];
  return FW_OK;
}

static fw_cell_type cell_of(fw_shape shape) {
  switch (shape) {
    case FW_SHAPE_TRI3:
      return FW_CELL_TRI3;
    case FW_SHAPE_TRI6:
      return FW_CELL_TRI6;
    case FW_SHAPE_QUAD4:
      return FW_CELL_QUAD4;
    case FW_SHAPE_QUAD8:
      return FW_CELL_QUAD8;
    case FW_SHAPE_LINE:
      return FW_CELL_LINE;
    default:
      return FW_CELL_VERTEX;
  }
}

/* A plane, line or point element; `shares` counts the elements at each node, to average stress. */
static fw_status mesh_cell(fw_context *ctx, const fw_state *state, fw_grid *grid, const element_view *view,
                           int64_t *of_node, int *shares) {
  const fw_element_ops *ops = view->block->ops;
  fw_cell_type type = cell_of(ops->shape);
  bool plane = type != FW_CELL_VERTEX && type != FW_CELL_LINE;
  int count = type == FW_CELL_VERTEX ? 1 : ops->nodes;
  int64_t points[FW_ELEMENT_NODES];
  double fields[FW_ELEMENT_NODES * FW_ELEMENT_DOFS];
  if (plane && ops->field) fw_element_recover(ops, &view->block->props, view->X, view->q, fields);
  for (int n = 0; n < count; n++) {
    FW_TRY(shared_point(ctx, state, grid, of_node, view->nodes[n], &points[n]));
    if (!plane || !ops->field) continue;
    shares[view->nodes[n]]++;
    double *stress = fw_grid_at(grid, FW_MESH_STRESS, points[n]);
    for (int i = 0; i < 3; i++) stress[i] += fields[n * ops->fields + i];
  }
  FW_TRY(fw_grid_cell(ctx, grid, type, points, count, view->block->body));
  set_energy(view, 1, grid);
  return FW_OK;
}

static fw_status mesh_block(fw_context *ctx, const fw_state *state, const fw_block *block, fw_grid *grid,
                            int64_t *of_node, int *shares) {
  for (int n = 0; n < state->model->node_count; n++) {
    of_node[n] = -1;
    shares[n] = 0;
  }
  bool beam = block->ops->shape == FW_SHAPE_LINE && block->ops->rotations && block->ops->interpolate;
  for (int e = 0; e < block->count; e++) {
    element_view view = view_element(state->model, block, e, state->q, state->v);
    if (beam && block->ops->space)
      FW_TRY(fw_mesh_tube(ctx, grid, block, view.X, view.q, view.v));
    else
      FW_TRY(beam ? mesh_beam(ctx, grid, &view) : mesh_cell(ctx, state, grid, &view, of_node, shares));
  }
  for (int n = 0; n < state->model->node_count; n++) {
    if (shares[n] == 0) continue;
    for (int i = 0; i < 3; i++) fw_grid_at(grid, FW_MESH_STRESS, of_node[n])[i] /= shares[n];
    derive_stress(&block->props, grid, of_node[n]);
  }
  return FW_OK;
}

/* A tube that was reduced moves as its forms say. */
static fw_status mesh_reduced(fw_context *ctx, const fw_state *state, const fw_reduced_body *body, fw_grid *grid) {
  double *q = NULL, *v = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)body->form_count, sizeof *q, &q));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)body->form_count, sizeof *v, &v));
  for (int i = 0; i < body->form_count; i++) {
    q[i] = fw_functional_value(&body->forms[i], state->q);
    v[i] = fw_functional_value(&body->forms[i], state->v);
  }
  for (int b = 0; b < body->block_count; b++)
    for (int e = 0; e < body->blocks[b].count; e++) {
      element_view view = view_element(state->model, &body->blocks[b], e, q, v);
      FW_TRY_DONE(fw_mesh_tube(ctx, grid, view.block, view.X, view.q, view.v));
    }
done:
  free(q);
  free(v);
  return status;
}

fw_status fw_mesh_structure(fw_context *ctx, const fw_state *state, fw_grid **grid) {
  static const fw_grid_field fields[FW_MESH_FIELDS] = {
      [FW_MESH_DISPLACEMENT] = {"displacement", 3, NULL},
      [FW_MESH_VELOCITY] = {"velocity", 3, NULL},
      [FW_MESH_ROTATION] = {"rotation", 1, NULL},
      [FW_MESH_STRESS] = {"stress", 3, NULL},
      [FW_MESH_VON_MISES] = {"von_mises", 1, NULL},
      [FW_MESH_PRINCIPAL] = {"principal", 2, NULL},
      [FW_MESH_N] = {"N", 1, NULL},
      [FW_MESH_V] = {"V", 1, NULL},
      [FW_MESH_M] = {"M", 1, NULL},
  };
  const fw_model *model = state->model;
  int64_t *of_node = NULL;
  int *shares = NULL;
  fw_status status;
  *grid = NULL;
  FW_TRY_DONE(fw_grid_create(ctx, fields, FW_MESH_FIELDS, grid));
  (*grid)->time = state->time;
  (*grid)->energetic = true;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->node_count, sizeof *of_node, &of_node));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->node_count, sizeof *shares, &shares));
  for (int b = 0; b < model->block_count; b++)
    if (!model->blocks[b].props.reduced) FW_TRY_DONE(mesh_block(ctx, state, &model->blocks[b], *grid, of_node, shares));
  for (int b = 0; b < model->reduced_body_count; b++)
    FW_TRY_DONE(mesh_reduced(ctx, state, &model->reduced_bodies[b], *grid));
  FW_TRY_DONE(fw_mesh_rigids(ctx, state, *grid));
done:
  free(of_node);
  free(shares);
  if (status != FW_OK) fw_grid_destroy(grid);
  return status;
}
