/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "elements/space/beam.h"
#include "output/mesh.h"

enum { SIDES = 8, POINTS = SIDES + 1, MOST_ROWS = FW_SPACE_DOFS * 2 * FW_SPACE_DOFS };

/* The axis at one place of an element: place, motion and rates along the deck's axes, section forces. */
typedef struct station {
  double x[3], u[FW_SPACE_DOFS], v[FW_SPACE_DOFS], field[FW_SPACE_BEAM_FIELDS];
} station;

static station tube_station(const fw_block *block, const double *X, const double *q, const double *v, double xi) {
  double weights[MOST_ROWS], at[2] = {xi, 0.0};
  station s = {.x = {0}};
  for (int k = 0; k < 3; k++) s.x[k] = 0.5 * (1 - xi) * X[k] + 0.5 * (1 + xi) * X[FW_SPACE_PLACES + k];
  block->ops->interpolate(&block->props, X, at, weights);
  for (int row = 0; row < FW_SPACE_DOFS; row++)
    for (int i = 0; i < 2 * FW_SPACE_DOFS; i++) {
      s.u[row] += weights[row * 2 * FW_SPACE_DOFS + i] * q[i];
      s.v[row] += weights[row * 2 * FW_SPACE_DOFS + i] * v[i];
    }
  block->ops->field(&block->props, X, q, at, s.field);
  return s;
}

/* out = moves + turnings times arm */
static void move_with(const double motion[FW_SPACE_DOFS], const double arm[3], double out[3]) {
  const int *turns = fw_dof_turnings;
  for (int k = 0; k < 3; k++)
    out[k] = motion[fw_dof_moves[k]] + motion[turns[(k + 1) % 3]] * arm[(k + 2) % 3] -
             motion[turns[(k + 2) % 3]] * arm[(k + 1) % 3];
}

/* A point of the section at (y, z) from the axis, with s_x = N/A - M_z y/I + M_y z/I_out. */
static fw_status tube_point(fw_context *ctx, fw_grid *grid, const fw_properties *props, const double axes[9],
                            const station *s, double y, double z, int64_t *point) {
  double arm[3], place[3];
  for (int k = 0; k < 3; k++) {
    arm[k] = y * axes[3 + k] + z * axes[6 + k];
    place[k] = s->x[k] + arm[k];
  }
  FW_TRY(fw_grid_place(ctx, grid, place, point));
  move_with(s->u, arm, fw_grid_at(grid, FW_MESH_DISPLACEMENT, *point));
  move_with(s->v, arm, fw_grid_at(grid, FW_MESH_VELOCITY, *point));
  *fw_grid_at(grid, FW_MESH_ROTATION, *point) = s->u[FW_RZ];
  const double *f = s->field;
  *fw_grid_at(grid, FW_MESH_N, *point) = f[FW_SPACE_BEAM_N];
  *fw_grid_at(grid, FW_MESH_V, *point) = hypot(f[FW_SPACE_BEAM_VY], f[FW_SPACE_BEAM_VZ]);
  *fw_grid_at(grid, FW_MESH_M, *point) = hypot(f[FW_SPACE_BEAM_MY], f[FW_SPACE_BEAM_MZ]);
  double stress = f[FW_SPACE_BEAM_N] / props->A - f[FW_SPACE_BEAM_MZ] * y / props->I;
  if (props->I_out > 0) stress += f[FW_SPACE_BEAM_MY] * z / props->I_out;
  double shear = f[FW_SPACE_BEAM_T] * hypot(y, z) / props->J;
  fw_grid_at(grid, FW_MESH_STRESS, *point)[0] = stress;
  fw_grid_at(grid, FW_MESH_STRESS, *point)[2] = shear;
  *fw_grid_at(grid, FW_MESH_VON_MISES, *point) = sqrt(stress * stress + 3 * shear * shear);
  fw_grid_at(grid, FW_MESH_PRINCIPAL, *point)[0] = 0.5 * stress + hypot(0.5 * stress, shear);
  fw_grid_at(grid, FW_MESH_PRINCIPAL, *point)[1] = 0.5 * stress - hypot(0.5 * stress, shear);
  return FW_OK;
}

/* The axis first, then around it. */
static fw_status tube_section(fw_context *ctx, fw_grid *grid, const fw_properties *props, const double axes[9],
                              const station *s, int64_t points[POINTS]) {
  double r = 0.5 * props->height;
  FW_TRY(tube_point(ctx, grid, props, axes, s, 0, 0, &points[0]));
  for (int k = 0; k < SIDES; k++) {
    double angle = 2 * M_PI * k / SIDES;
    FW_TRY(tube_point(ctx, grid, props, axes, s, r * cos(angle), r * sin(angle), &points[1 + k]));
  }
  return FW_OK;
}

static fw_status tube_cells(fw_context *ctx, fw_grid *grid, int body, const int64_t a[POINTS],
                            const int64_t b[POINTS]) {
  FW_TRY(fw_grid_cell(ctx, grid, FW_CELL_LINE, (const int64_t[]){a[0], b[0]}, 2, body));
  for (int k = 1; k <= SIDES; k++) {
    int next = k % SIDES + 1;
    FW_TRY(fw_grid_cell(ctx, grid, FW_CELL_QUAD4, (const int64_t[]){a[k], b[k], b[next], a[next]}, 4, body));
  }
  return FW_OK;
}

/* Elements of a coarse tube are drawn in pieces so that they look curved. */
static int pieces_of(const fw_block *block) {
  enum { WANTED = 64, MOST = 8 };
  int pieces = (WANTED + block->count - 1) / block->count;
  return pieces < MOST ? pieces : MOST;
}

fw_status fw_mesh_tube(fw_context *ctx, fw_grid *grid, const fw_block *block, const double *X, const double *q,
                       const double *v) {
  double axes[9], length, energy = block->ops->energy(&block->props, X, q);
  int64_t previous[POINTS] = {0}, points[POINTS];
  int pieces = pieces_of(block);
  if (!fw_space_beam_axes(&block->props, X, axes, &length)) return FW_OK;
  for (int i = 0; i <= pieces; i++) {
    station s = tube_station(block, X, q, v, 2.0 * i / pieces - 1.0);
    FW_TRY(tube_section(ctx, grid, &block->props, axes, &s, points));
    if (i > 0) FW_TRY(tube_cells(ctx, grid, block->body, previous, points));
    if (i > 0) grid->energy[grid->cells - 1 - SIDES] = energy / pieces;
    memcpy(previous, points, sizeof previous);
  }
  return FW_OK;
}
