/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/linear_range.h"

#include <math.h>
#include <string.h>

#include "contact/pair.h"
#include "elements/element.h"

/* rad: cos differs from 1 by 0.5 % and 2 %; von Kármán's shortening is that of moderate rotations. */
static const double LINEAR_MOST = 0.1, VON_KARMAN_MOST = 0.2;

static double most_of(const fw_block *block) {
  if (block->ops->shape == FW_SHAPE_POINT) return INFINITY; /* springs and masses have no length to turn */
  if (block->props.kinematics == FW_LINEAR) return LINEAR_MOST;
  return block->props.kinematics == FW_VON_KARMAN ? VON_KARMAN_MOST : INFINITY;
}

static double squared_distance(const double a[3], const double b[3]) {
  double sum = 0.0;
  for (int k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

/* (|difference of displacements| over distance)^2, which asks no root of all the pairs in every step. */
static double squared_turn(const fw_model *model, const fw_node *a, const fw_node *b, const double *q) {
  double from[3], to[3], moved_from[3], moved_to[3];
  fw_node_place(model, a, from);
  fw_node_place(model, b, to);
  fw_node_displacement(model, a, q, moved_from);
  fw_node_displacement(model, b, q, moved_to);
  double length = squared_distance(from, to);
  return length > 0.0 ? squared_distance(moved_from, moved_to) / length : 0.0;
}

static void look_at_block(fw_linear_range *range, const fw_model *model, const fw_block *block, const double *q) {
  double most = most_of(block), part = range->part * most;
  int nodes = block->ops->nodes;
  if (isinf(most)) return;
  for (int e = 0; e < block->count; e++)
    for (int n = 1; n < nodes; n++) {
      const fw_node *a = &model->nodes[block->nodes[e * nodes + n - 1]],
                    *b = &model->nodes[block->nodes[e * nodes + n]];
      double squared = squared_turn(model, a, b, q);
      if (squared <= part * part) continue;
      double turn = sqrt(squared);
      part = turn;
      *range = (fw_linear_range){.turn = turn, .part = turn / most, .place = {b->x[0], b->x[1]}};
    }
}

static bool is_rigid(const fw_model *model, int node) {
  for (int i = 0; i < model->body_count; i++)
    if (model->bodies[i].first_node == node) return strcmp(model->bodies[i].kind, "rigid") == 0;
  return false;
}

/* An arm of a rigid body about whose turning all is linear: always one of rotation="small"; in motions that are linear
 * about the state `about`, any. A body that nothing holds off its centre may turn as it likes. */
static void look_at_arm(fw_linear_range *range, const fw_model *model, const fw_attachment *at, const double *q,
                        const double *about) {
  if (at->node < 0 || (at->arm[0] == 0.0 && at->arm[1] == 0.0)) return;
  if ((at->large_rotation && !about) || !is_rigid(model, at->node)) return;
  const fw_node *node = &model->nodes[at->node];
  double from = at->large_rotation ? fw_node_value(node, FW_RZ, about) : 0.0;
  double turn = fabs(fw_node_value(node, FW_RZ, q) - from);
  if (turn <= range->part * LINEAR_MOST) return;
  *range = (fw_linear_range){.turn = turn, .part = turn / LINEAR_MOST, .place = {node->x[0], node->x[1]}};
}

static void look_about(fw_linear_range *range, const fw_model *model, const double *q, const double *about) {
  for (int i = 0; i < model->block_count; i++) look_at_block(range, model, &model->blocks[i], q);
  for (int i = 0; i < model->joint_count; i++) {
    look_at_arm(range, model, &model->joints[i].a, q, about);
    look_at_arm(range, model, &model->joints[i].b, q, about);
  }
  for (int i = 0; i < model->pair_count; i++)
    for (int k = 0; k < model->pairs[i]->count && model->pairs[i]->target; k++)
      look_at_arm(range, model, &model->pairs[i]->followers[k].at, q, about);
}

void fw_linear_range_look(fw_linear_range *range, const fw_model *model, const double *q) {
  look_about(range, model, q, NULL);
}

/* ---- periodic motions ---------------------------------------------------------------------- */

enum { PHASES = 16 }; /* the largest turn of a first harmonic is met within 2 % */

/* The motion with the largest displacements, by kinetic energy over omega^2. */
static const fw_orbit *furthest(const fw_orbit *orbits, int count) {
  const fw_orbit *best = NULL;
  double most = -1;
  for (int i = 0; i < count; i++) {
    double size = orbits[i].kinetic / (orbits[i].frequency * orbits[i].frequency);
    if (!orbits[i].y || !(size > most)) continue;
    most = size;
    best = &orbits[i];
  }
  return best;
}

typedef struct observer {
  fw_linear_range *range;
  const fw_model *model;
  const double *about; /* the state that the motion is linear about */
} observer;

static void look_at_state(void *user, const fw_state *state) {
  observer *o = user;
  look_about(o->range, o->model, state->q, o->about);
}

fw_status fw_linear_range_look_at_curve(fw_linear_range *range, const fw_job *job, const fw_vibration *v,
                                        fw_response_options options, const fw_orbit *orbits, int count) {
  const fw_orbit *orbit = furthest(orbits, count);
  observer o = {range, job->model, v->start->q};
  if (!orbit) return FW_OK;
  if (!options.constant_response) options.level = orbit->level;
  return fw_solver_states(job->ctx, v, &options, orbit, PHASES, look_at_state, &o);
}

/* ---- the warning --------------------------------------------------------------------------- */

fw_status fw_linear_range_judge(const fw_linear_range *range, const fw_job *job) {
  if (range->part <= 1.0) return FW_OK;
  return fw_job_warn(
      job, FW_WARN_LARGE,
      "near (%g, %g) the structure turns or stretches by %.2g, more than the %.2g that its kinematics are "
      "meant for: less load, or kinematics for large rotations (statics and time integration have them)",
      range->place[0], range->place[1], range->turn, range->turn / range->part);
}
