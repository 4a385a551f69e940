/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/reading.h"
#include "solver/analyses/recorders.h"

#include <math.h>
#include <stdlib.h>

#include "contact/pair.h"

static const double SMALL = 0.1; /* of the slip in the plane: 0.5 % of its size */

typedef struct recorder {
  fw_job *job;
  int *host;     /* of each node that is a ring: the tube's node; else -1 */
  double *slips; /* of each pair: across the plane, within it (m) */
} recorder;

/* The node in space that shares the axes of a ring, or -1. */
static int host_of(const fw_model *model, int ring) {
  const fw_node *node = &model->nodes[ring];
  if (node->space || !node->triad) return -1;
  for (int n = 0; n < model->node_count; n++)
    if (model->nodes[n].space && model->nodes[n].triad == node->triad) return n;
  return -1;
}

static fw_status create(fw_job *job, const fw_observation *over, void **self) {
  (void)over;
  const fw_model *model = job->model;
  fw_status status = FW_OK;
  recorder *w = NULL;
  if (model->triad_count == 0 || model->pair_count == 0) return FW_OK;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *w, &w));
  w->job = job;
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)model->node_count, sizeof *w->host, &w->host));
  FW_TRY_DONE(fw_alloc(job->ctx, 2 * (size_t)model->pair_count, sizeof *w->slips, &w->slips));
  for (int n = 0; n < model->node_count; n++) w->host[n] = host_of(model, n);
done:
  *self = w;
  return status;
}

static void destroy(void *self) {
  recorder *w = self;
  free(w->host);
  free(w->slips);
  free(w);
}

/* Velocity across the plane of the tube's touching point, at a from its axis: e3 . (v + w times a). */
static double across(const fw_model *model, int host, const double a[2], const double *v) {
  const fw_node *node = &model->nodes[host];
  return fw_node_value(node, FW_Z, v) + fw_node_value(node, FW_RX, v) * a[1] - fw_node_value(node, FW_RY, v) * a[0];
}

/* The tube's node behind a follower, or -1. */
static int tube_behind(const recorder *w, const fw_pair *pair, int i) {
  int node = pair->followers[i].at.node;
  return pair->target && node >= 0 ? w->host[node] : -1;
}

static fw_status add_follower(recorder *w, const fw_state *state, int p, int i, double dt) {
  const fw_model *model = w->job->model;
  const fw_pair *pair = model->pairs[p];
  const fw_touch *touch = &state->touch[pair->first_contact + i];
  const fw_follower *follower = &pair->followers[i];
  fw_kinematic kin;
  FW_TRY(fw_pair_kinematics(model, pair, i, state->q, NULL, state->q, &kin));
  const double a[2] = {follower->at.arm[0] - follower->radius * kin.normal[0],
                       follower->at.arm[1] - follower->radius * kin.normal[1]};
  w->slips[2 * p] += dt * fabs(across(model, tube_behind(w, pair, i), a, state->v));
  w->slips[2 * p + 1] += dt * fabs(touch->slip_velocity);
  return FW_OK;
}

static fw_status step(void *self, const fw_state *state, double dt) {
  recorder *w = self;
  for (int p = 0; p < w->job->model->pair_count; p++) {
    const fw_pair *pair = w->job->model->pairs[p];
    for (int i = 0; i < pair->count; i++)
      if (tube_behind(w, pair, i) >= 0 && state->touch[pair->first_contact + i].N > 0.0)
        FW_TRY(add_follower(w, state, p, i, dt));
  }
  return FW_OK;
}

static fw_status archive(void *self, fw_archive *archive) {
  recorder *w = self;
  return fw_archive_numbers(archive, w->slips, 2 * (size_t)w->job->model->pair_count);
}

static fw_status report(void *self, double span) {
  (void)span;
  recorder *w = self;
  for (int p = 0; p < w->job->model->pair_count; p++) {
    const fw_pair *pair = w->job->model->pairs[p];
    double off = w->slips[2 * p], within = w->slips[2 * p + 1];
    if (pair->count == 0 || tube_behind(w, pair, 0) < 0) continue;
    FW_TRY(fw_record_set_figure(w->job->summary, off, "m", "contact.%s.off_plane_slip", pair->id));
    if (fw_pair_rubs(pair) && off > SMALL * within)
      FW_TRY(fw_job_warn(w->job, FW_WARN_OFF_PLANE,
                         "pair %s: it slides %s across the plane of its support and %s within it; friction acts "
                         "within it only",
                         pair->id, fw_say(off, "m").text, fw_say(within, "m").text));
  }
  return FW_OK;
}

const fw_recorder_ops fw_off_plane_recorder = {
    .create = create,
    .destroy = destroy,
    .step = step,
    .archive = archive,
    .report = report,
};
