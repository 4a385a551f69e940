/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "contact/pair.h"
#include "output/mesh.h"

enum {
  CONTACT_DISPLACEMENT,
  CONTACT_FORCE,
  CONTACT_GAP,
  CONTACT_N,
  CONTACT_T,
  CONTACT_SLIP,
  CONTACT_SLIP_VELOCITY,
  CONTACT_STATUS,
  CONTACT_DISTANCE,
  CONTACT_WORK,
  CONTACT_IRREVERSIBLE,
  CONTACT_DISSIPATED,
  CONTACT_WORK_RATE,
  CONTACT_IRREVERSIBLE_RATE,
  CONTACT_POWER,
  CONTACT_MEAN_WORK_RATE,
  CONTACT_SLIP_AMPLITUDE,
  CONTACT_STICK_FRACTION,
  CONTACT_PAIR,
  CONTACT_FIELDS
};

static const fw_grid_field fields[CONTACT_FIELDS] = {
    [CONTACT_DISPLACEMENT] = {"displacement", 3, NULL},
    [CONTACT_FORCE] = {"force", 3, NULL},
    [CONTACT_GAP] = {"gap", 1, NULL},
    [CONTACT_N] = {"N", 1, NULL},
    [CONTACT_T] = {"T", 1, NULL},
    [CONTACT_SLIP] = {"slip", 1, NULL},
    [CONTACT_SLIP_VELOCITY] = {"slip_velocity", 1, NULL},
    [CONTACT_STATUS] = {"status", 1, NULL},
    [CONTACT_DISTANCE] = {"distance", 1, NULL},
    [CONTACT_WORK] = {"work", 1, NULL},
    [CONTACT_IRREVERSIBLE] = {"irreversible_work", 1, NULL},
    [CONTACT_DISSIPATED] = {"dissipated", 1, NULL},
    [CONTACT_WORK_RATE] = {"work_rate", 1, NULL},
    [CONTACT_IRREVERSIBLE_RATE] = {"irreversible_work_rate", 1, NULL},
    [CONTACT_POWER] = {"dissipated_power", 1, NULL},
    [CONTACT_MEAN_WORK_RATE] = {"mean_work_rate", 1, NULL},
    [CONTACT_SLIP_AMPLITUDE] = {"slip_amplitude", 1, NULL},
    [CONTACT_STICK_FRACTION] = {"stick_fraction", 1, NULL},
    [CONTACT_PAIR] = {"pair", 1, NULL},
};

/* Places of a surface that follow each other on it; single points and discs are none. */
static bool are_neighbours(const fw_model *model, const fw_pair *pair, int follower) {
  double a[2], b[2];
  if (follower == 0 || !(pair->edge > 0.0) || pair->followers[follower].radius > 0.0) return false;
  fw_attachment_place(model, &pair->followers[follower - 1].at, NULL, a);
  fw_attachment_place(model, &pair->followers[follower].at, NULL, b);
  return hypot(b[0] - a[0], b[1] - a[1]) < 3.0 * pair->edge;
}

/* A place in the plane of a follower; on the ground the deck's own. */
static void place_in_space(const fw_model *model, const fw_attachment *at, const double x[2], double place[3]) {
  static const fw_node ground = {.x = {0.0, 0.0}};
  fw_node_place_in_space(model, at->node >= 0 ? &model->nodes[at->node] : &ground, x, place);
}

/* N n - T t on the follower, along the deck's axes; of friction in joints none is told. */
static void force_in_space(const fw_state *state, const fw_pair *pair, int follower, double force[3]) {
  const fw_touch *touch = &state->touch[pair->first_contact + follower];
  const fw_attachment *at = &pair->followers[follower].at;
  fw_kinematic kin;
  double from[3], to[3];
  if (!pair->target || (touch->N == 0.0 && touch->T == 0.0)) return;
  if (fw_pair_kinematics(state->model, pair, follower, state->q, touch, state->q, &kin) != FW_OK) return;
  const double t[2] = {kin.normal[1], -kin.normal[0]};
  const double plane[2] = {touch->N * kin.normal[0] - touch->T * t[0], touch->N * kin.normal[1] - touch->T * t[1]};
  place_in_space(state->model, at, (double[2]){0.0, 0.0}, from);
  place_in_space(state->model, at, plane, to);
  for (int k = 0; k < 3; k++) force[k] = to[k] - from[k];
}

static fw_status contact_point(fw_context *ctx, const fw_state *state, int pair, int follower, fw_grid *grid) {
  const fw_pair *p = state->model->pairs[pair];
  const fw_touch *touch = &state->touch[p->first_contact + follower];
  const fw_attachment *at = &p->followers[follower].at;
  double reference[2], now[2], from[3], to[3];
  fw_attachment_place(state->model, at, NULL, reference);
  fw_attachment_place(state->model, at, state->q, now);
  place_in_space(state->model, at, reference, from);
  place_in_space(state->model, at, now, to);
  int64_t point;
  FW_TRY(fw_grid_place(ctx, grid, from, &point));
  double *u = fw_grid_at(grid, CONTACT_DISPLACEMENT, point);
  for (int d = 0; d < 3; d++) u[d] = to[d] - from[d];
  force_in_space(state, p, follower, fw_grid_at(grid, CONTACT_FORCE, point));
  const double values[CONTACT_FIELDS] = {
      [CONTACT_GAP] = touch->gap,
      [CONTACT_N] = touch->N,
      [CONTACT_T] = touch->T,
      [CONTACT_SLIP] = touch->slip,
      [CONTACT_SLIP_VELOCITY] = touch->slip_velocity,
      [CONTACT_STATUS] = touch->status,
      [CONTACT_DISTANCE] = touch->distance,
      [CONTACT_WORK] = touch->work,
      [CONTACT_IRREVERSIBLE] = touch->irreversible,
      [CONTACT_DISSIPATED] = touch->dissipated,
      [CONTACT_WORK_RATE] = touch->N * fabs(touch->slip_velocity),
      [CONTACT_IRREVERSIBLE_RATE] = touch->irreversible_rate,
      [CONTACT_POWER] = touch->T * touch->slip_velocity,
      [CONTACT_MEAN_WORK_RATE] = touch->mean_work_rate,
      [CONTACT_SLIP_AMPLITUDE] = touch->slip_amplitude,
      [CONTACT_STICK_FRACTION] = touch->stick_fraction,
      [CONTACT_PAIR] = pair,
  };
  for (int i = CONTACT_GAP; i < CONTACT_FIELDS; i++) *fw_grid_at(grid, i, point) = values[i];
  if (are_neighbours(state->model, p, follower))
    FW_TRY(fw_grid_cell(ctx, grid, FW_CELL_LINE, (const int64_t[]){point - 1, point}, 2, pair));
  return fw_grid_cell(ctx, grid, FW_CELL_VERTEX, &point, 1, pair);
}

fw_status fw_mesh_contact(fw_context *ctx, const fw_state *state, fw_grid **grid) {
  const fw_model *model = state->model;
  FW_TRY(fw_grid_create(ctx, fields, CONTACT_FIELDS, grid));
  (*grid)->time = state->time;
  fw_status status = FW_OK;
  for (int p = 0; p < model->pair_count && status == FW_OK; p++)
    for (int i = 0; i < model->pairs[p]->count && status == FW_OK; i++) status = contact_point(ctx, state, p, i, *grid);
  if (status != FW_OK) fw_grid_destroy(grid);
  return status;
}
