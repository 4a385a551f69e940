/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/clearance.h"

#include <math.h>
#include <stdlib.h>

#include "contact/pair.h"
#include "core/bisect.h"
#include "core/unknown.h"

void fw_ring_column(fw_sheet *sheet, const fw_ring *ring, const char *unit, const char *what) {
  if (ring->faces > 1)
    fw_sheet_column(sheet, unit, "%s.%d.%s", ring->support, ring->face + 1, what);
  else
    fw_sheet_column(sheet, unit, "%s.%s", ring->support, what);
}

enum { DIRECTIONS = 72, HALVINGS = 40 };

typedef struct probe {
  const fw_job *job;
  const fw_node *node;
  int ring;
  double *q; /* undeformed but for the ring */
} probe;

static void move(const probe *self, double distance, double angle) {
  if (self->node->dof[FW_X] >= 0) self->q[self->node->dof[FW_X]] = distance * cos(angle);
  if (self->node->dof[FW_Y] >= 0) self->q[self->node->dof[FW_Y]] = distance * sin(angle);
}

/* The least gap of the ring's discs there. */
static double gap_at(const probe *self, double distance, double angle) {
  const fw_model *model = self->job->model;
  double least = INFINITY;
  fw_kinematic kin;
  move(self, distance, angle);
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; model->pairs[p]->target && i < model->pairs[p]->count; i++)
      if (model->pairs[p]->followers[i].at.node == model->rings[self->ring].node &&
          fw_pair_kinematics(model, model->pairs[p], i, self->q, NULL, self->q, &kin) == FW_OK)
        least = fmin(least, kin.gap);
  return least;
}

static double radius_of(const fw_model *model, int ring) {
  double radius = 0;
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++)
      if (model->pairs[p]->followers[i].at.node == model->rings[ring].node)
        radius = fmax(radius, model->pairs[p]->followers[i].radius);
  return radius;
}

typedef struct way {
  const probe *probe;
  double angle;
} way;

static bool touches(void *user, double distance) {
  const way *w = user;
  return !(gap_at(w->probe, distance, w->angle) > 0);
}

/* How far it may go: by steps until it touches, then by halves; unknown if it never does. */
static double free_way(const probe *self, double angle) {
  double most = radius_of(self->job->model, self->ring), low = 0, high = most / 1024;
  if (!(gap_at(self, 0, angle) > 0)) return 0;
  while (high < most && gap_at(self, high, angle) > 0) {
    low = high;
    high *= 2;
  }
  if (gap_at(self, high, angle) > 0) return fw_unknown();
  fw_bisect(touches, &(way){self, angle}, 0, HALVINGS, &low, &high);
  return low;
}

static void put_way(const fw_job *job, int ring, double angle, double *q, fw_sheet *sheet) {
  const fw_node *node = &job->model->nodes[job->model->rings[ring].node];
  const probe self = {job, node, ring, q};
  double length = free_way(&self, angle);
  move(&self, 0, 0);
  fw_sheet_put(sheet, fw_is_unknown(length) ? length : node->x[0] + length * cos(angle));
  fw_sheet_put(sheet, fw_is_unknown(length) ? length : node->x[1] + length * sin(angle));
}

fw_status fw_clearance_table(const fw_job *job) {
  const fw_model *model = job->model;
  fw_sheet sheet = fw_sheet_of(job->ctx, job->sink, job->id);
  fw_status status;
  double *q = NULL;
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)model->dof_count, sizeof *q, &q));
  fw_sheet_column(&sheet, "deg", "direction");
  for (int r = 0; r < model->ring_count; r++)
    for (int k = 0; k < 2; k++) fw_ring_column(&sheet, &model->rings[r], "m", k ? "y" : "x");
  FW_TRY_DONE(fw_sheet_open(&sheet, "clearances"));
  for (int d = 0; d <= DIRECTIONS; d++) {
    fw_sheet_put(&sheet, d * 360.0 / DIRECTIONS);
    for (int r = 0; r < model->ring_count; r++) put_way(job, r, d * 2 * M_PI / DIRECTIONS, q, &sheet);
    FW_TRY_DONE(fw_sheet_row(&sheet));
  }
done:
  free(q);
  fw_sheet_close(&sheet);
  return status;
}
