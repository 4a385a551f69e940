/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "solver/analyses/clearance.h"
#include "solver/analyses/support_parts.h"

/* ---- making ------------------------------------------------------------------------------------ */

static int find_ring(const fw_model *model, const fw_pair *pair, int follower) {
  for (int r = 0; pair->target && r < model->ring_count; r++)
    if (model->rings[r].node == pair->followers[follower].at.node) return r;
  return -1;
}

static fw_status open_orbits(fw_support_sums *w) {
  const fw_model *model = w->job->model;
  w->orbits = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  fw_sheet_column(&w->orbits, "s", "time");
  for (int r = 0; r < model->ring_count; r++) {
    fw_ring_column(&w->orbits, &model->rings[r], "m", "x");
    fw_ring_column(&w->orbits, &model->rings[r], "m", "y");
  }
  return fw_sheet_open(&w->orbits, "orbits");
}

static fw_status take_room(fw_support_sums *w) {
  const fw_model *model = w->job->model;
  size_t rings = (size_t)model->ring_count, contacts = (size_t)model->contact_count;
  w->numbers = 1 + (rings * sizeof(fw_ring_sums) + contacts * sizeof(fw_ring_touch)) / sizeof(double);
  FW_TRY(fw_alloc(w->job->ctx, w->numbers, sizeof *w->clock, &w->clock));
  w->rings = (fw_ring_sums *)(w->clock + 1);
  w->points = (fw_ring_touch *)(w->rings + rings);
  FW_TRY(fw_alloc(w->job->ctx, contacts, sizeof *w->ring, &w->ring));
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++)
      w->ring[model->pairs[p]->first_contact + i] = find_ring(model, model->pairs[p], i);
  return FW_OK;
}

static fw_status create(fw_job *job, const fw_observation *over, void **self) {
  fw_status status = FW_OK;
  fw_support_sums *w = NULL;
  if (job->model->ring_count == 0 || job->model->contact_count == 0) return FW_OK;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *w, &w));
  w->job = job;
  w->windows = fw_args_integer(job->args, "windows");
  w->window = over->span / w->windows;
  w->limits = (fw_episode_limits){fw_args_number(job->args, "impact-time"), fw_args_number(job->args, "rebound-time")};
  FW_TRY_DONE(take_room(w));
  FW_TRY_DONE(open_orbits(w));
done:
  *self = w;
  return status;
}

static void destroy(void *self) {
  fw_support_sums *w = self;
  fw_sheet_close(&w->orbits);
  free(w->clock);
  free(w->ring);
  free(w);
}

/* ---- watching ---------------------------------------------------------------------------------- */

static void begin(void *self, const fw_state *state) {
  fw_support_sums *w = self;
  memset(w->clock, 0, w->numbers * sizeof *w->clock);
  for (int c = 0; c < w->job->model->contact_count; c++) {
    const fw_touch *touch = &state->touch[c];
    w->points[c] =
        (fw_ring_touch){.begin = touch->work, .work = touch->work, .impulse = touch->impulse, .rubbed = touch->rubbed};
  }
}

/* Where on the tube it is touched, from the plane's x axis: the way from the centre to the point, against the normal.
 * An open one was last touched there. */
static void find_angle(const fw_support_sums *w, const fw_state *state, const fw_pair *pair, int i,
                       fw_ring_touch *last) {
  fw_kinematic kin;
  if (!(state->touch[pair->first_contact + i].N > 0)) return;
  if (fw_pair_kinematics(w->job->model, pair, i, state->q, NULL, state->q, &kin) == FW_OK)
    last->angle = atan2(-kin.normal[1], -kin.normal[0]);
}

static void add_touch(const fw_touch *touch, fw_ring_touch *last, fw_force_sums *f) {
  f->N += fmax(touch->N, 0);
  f->T += fabs(touch->T);
  f->P_n += touch->impulse - last->impulse;
  f->P_t += fabs(touch->rubbed - last->rubbed);
  last->impulse = touch->impulse;
  last->rubbed = touch->rubbed;
}

static void look_at_point(fw_support_sums *w, const fw_state *state, const fw_pair *pair, int i) {
  int c = pair->first_contact + i;
  fw_ring_sums *ring = &w->rings[w->ring[c]];
  fw_ring_touch *last = &w->points[c];
  double done = state->touch[c].work - last->work;
  find_angle(w, state, pair, i, last);
  int bin = (int)floor(last->angle / (2 * M_PI) * FW_SUPPORT_ANGLES); /* from -FW_SUPPORT_ANGLES/2 up */
  ring->angle[(bin + FW_SUPPORT_ANGLES) % FW_SUPPORT_ANGLES] += done;
  add_touch(&state->touch[c], last, &ring->force);
  ring->work += done;
  last->work = state->touch[c].work;
}

static void add_force(double dt, fw_force_sums *f) {
  if (!(dt > 0)) return;
  f->N2 += f->P_n * f->P_n / dt;
  f->T2 += f->P_t * f->P_t / dt;
  f->N_most = fmax(f->N_most, f->N);
  f->T_most = fmax(f->T_most, f->T);
}

/* The forces of rings, and of supports as the sums over their rings. */
static void add_forces(fw_support_sums *w, double dt) {
  const fw_model *model = w->job->model;
  for (int r = 0, first = 0; r < model->ring_count; r++) {
    if (model->rings[r].face == 0) first = r;
    fw_force_sums *all = &w->rings[first].support, *one = &w->rings[r].force;
    all->N += one->N;
    all->T += one->T;
    all->P_n += one->P_n;
    all->P_t += one->P_t;
    add_force(dt, one);
  }
  for (int r = 0; r < model->ring_count; r++)
    if (model->rings[r].face == 0) add_force(dt, &w->rings[r].support);
}

static void forget_step(fw_ring_sums *ring) {
  ring->force.N = ring->force.T = ring->force.P_n = ring->force.P_t = 0;
  ring->support.N = ring->support.T = ring->support.P_n = ring->support.P_t = 0;
  ring->work = 0;
}

static void see(void *self, const fw_state *state, double dt) {
  fw_support_sums *w = self;
  const fw_model *model = w->job->model;
  *w->clock += dt;
  int window = (int)((*w->clock - 0.5 * dt) / w->window);
  for (int r = 0; r < model->ring_count; r++) forget_step(&w->rings[r]);
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++)
      if (w->ring[model->pairs[p]->first_contact + i] >= 0) look_at_point(w, state, model->pairs[p], i);
  add_forces(w, dt);
  for (int r = 0; r < model->ring_count; r++) {
    fw_ring_sums *ring = &w->rings[r];
    fw_episodes_step(&w->limits, ring->force.N, ring->work, dt, &ring->episodes);
    ring->window[window < w->windows ? window : w->windows - 1] += ring->work;
  }
}

static fw_status row(void *self, const fw_state *state) {
  fw_support_sums *w = self;
  const fw_model *model = w->job->model;
  fw_sheet_put(&w->orbits, state->time);
  for (int r = 0; r < model->ring_count; r++) {
    const fw_node *node = &model->nodes[model->rings[r].node];
    for (int k = 0; k < 2; k++) fw_sheet_put(&w->orbits, node->x[k] + fw_node_value(node, k, state->q));
  }
  return fw_sheet_row(&w->orbits);
}

static fw_status archive(void *self, fw_archive *archive) {
  fw_support_sums *w = self;
  return fw_archive_numbers(archive, w->clock, w->numbers);
}

static fw_status report(void *self, double span) {
  (void)span;
  return self ? fw_support_report(self) : FW_OK;
}

const fw_recorder_ops fw_support_recorder = {
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .see = see,
    .row = row,
    .archive = archive,
    .report = report,
};
