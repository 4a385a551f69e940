/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/recorders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "elements/joint.h"
#include "solver/assembly/constraints.h"

enum { REACTIONS = 3 };

typedef struct recorder {
  fw_job *job;
  fw_sheet sheet;         /* time, then REACTIONS per joint */
  double *phi, *rate;     /* [constraint_count] */
  double *force, *moment; /* [joint_count] largest so far */
  double position, velocity;
  int shown; /* joints of the deck; they come first */
} recorder;

static fw_status open_table(recorder *w) {
  static const fw_column kinds[REACTIONS] = {{"fx", "N"}, {"fy", "N"}, {"mz", "N m"}};
  w->sheet = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  fw_sheet_column(&w->sheet, "s", "time");
  for (int i = 0; i < REACTIONS * w->shown; i++)
    fw_sheet_column(&w->sheet, kinds[i % REACTIONS].unit, "%s %s", w->job->model->joints[i / REACTIONS].id,
                    kinds[i % REACTIONS].name);
  return fw_sheet_open(&w->sheet, "joints");
}

static fw_status create(fw_job *job, const fw_observation *over, void **self) {
  (void)over;
  fw_status status = FW_OK;
  recorder *w = NULL;
  size_t joints = (size_t)job->model->joint_count, equations = (size_t)job->model->constraint_count;
  if (equations == 0) return FW_OK;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *w, &w));
  w->job = job;
  while (w->shown < job->model->joint_count && !job->model->joints[w->shown].hidden) w->shown++;
  FW_TRY_DONE(fw_alloc(job->ctx, equations, sizeof *w->phi, &w->phi));
  FW_TRY_DONE(fw_alloc(job->ctx, equations, sizeof *w->rate, &w->rate));
  FW_TRY_DONE(fw_alloc(job->ctx, joints + 1, sizeof *w->force, &w->force));
  FW_TRY_DONE(fw_alloc(job->ctx, joints + 1, sizeof *w->moment, &w->moment));
  if (w->shown) FW_TRY_DONE(open_table(w));
done:
  *self = w;
  return status;
}

static void destroy(void *self) {
  recorder *w = self;
  fw_sheet_close(&w->sheet);
  free(w->phi);
  free(w->rate);
  free(w->force);
  free(w->moment);
  free(w);
}

static void always(void *self, const fw_state *state) {
  recorder *w = self;
  const fw_model *model = w->job->model;
  fw_constraints_find(model, state->q, state->v, state->time, &(fw_constraints){.phi = w->phi, .rate = w->rate});
  w->position = fmax(w->position, fw_constraints_worst(w->phi, model->constraint_count, NULL));
  w->velocity = fmax(w->velocity, fw_constraints_worst(w->rate, model->constraint_count, NULL));
  for (int j = 0; j < w->shown; j++) {
    double *r = w->sheet.row + 1 + REACTIONS * j;
    fw_joint_reaction(model, &model->joints[j], state->q, state->lambda, state->time, r);
    w->force[j] = fmax(w->force[j], hypot(r[FW_X], r[FW_Y]));
    w->moment[j] = fmax(w->moment[j], fabs(r[FW_RZ]));
  }
}

/* What was found last. */
static fw_status row(void *self, const fw_state *state) {
  recorder *w = self;
  if (!w->shown) return FW_OK;
  w->sheet.row[0] = state->time;
  return fw_sheet_row(&w->sheet);
}

static fw_status report(void *self, double span) {
  (void)span;
  recorder *w = self;
  fw_record *summary = w->job->summary;
  for (int j = 0; j < w->shown; j++) {
    const char *id = w->job->model->joints[j].id;
    FW_TRY(fw_record_set_figure(summary, w->force[j], "N", "joints.%s.force_max", id));
    FW_TRY(fw_record_set_figure(summary, w->moment[j], "N m", "joints.%s.moment_max", id));
  }
  FW_TRY(fw_record_set_figure(summary, w->position, "m", "constraints.position_error"));
  return fw_record_set_figure(summary, w->velocity, "m/s", "constraints.velocity_error");
}

static fw_status archive(void *self, fw_archive *archive) {
  recorder *w = self;
  FW_TRY(fw_archive_numbers(archive, w->force, (size_t)w->job->model->joint_count));
  FW_TRY(fw_archive_numbers(archive, w->moment, (size_t)w->job->model->joint_count));
  FW_TRY(fw_archive_numbers(archive, &w->position, 1));
  return fw_archive_numbers(archive, &w->velocity, 1);
}

const fw_recorder_ops fw_joint_recorder = {
    .create = create,
    .destroy = destroy,
    .always = always,
    .row = row,
    .archive = archive,
    .report = report,
};
