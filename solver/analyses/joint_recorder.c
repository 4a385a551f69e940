/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/recorders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "elements/joint.h"
#include "solver/assembly/constraints.h"

enum { REACTIONS = 3 };

struct fw_joint_recorder {
  fw_job *job;
  fw_data_table *table;
  double *row;            /* time, then REACTIONS per joint */
  double *phi, *rate;     /* [constraint_count] */
  double *force, *moment; /* [joint_count] largest so far */
  double position, velocity;
  int shown; /* joints of the deck; they come first */
};

static fw_status open_table(fw_joint_recorder *w) {
  static const fw_column kinds[REACTIONS] = {{"fx", "N"}, {"fy", "N"}, {"mz", "N m"}};
  fw_status status = FW_OK;
  const fw_model *model = w->job->model;
  int count = 1 + REACTIONS * w->shown;
  fw_column *columns = NULL;
  char(*names)[96] = NULL;
  FW_TRY_DONE(fw_alloc(w->job->ctx, (size_t)count, sizeof *columns, &columns));
  FW_TRY_DONE(fw_alloc(w->job->ctx, (size_t)count, sizeof *names, &names));
  columns[0] = (fw_column){"time", "s"};
  for (int i = 0; i < REACTIONS * w->shown; i++) {
    snprintf(names[1 + i], sizeof *names, "%s %s", model->joints[i / REACTIONS].id, kinds[i % REACTIONS].name);
    columns[1 + i] = (fw_column){names[1 + i], kinds[i % REACTIONS].unit};
  }
  FW_TRY_DONE(fw_sink_table(w->job->sink, w->job->ctx, w->job->id, "joints", columns, count, false, &w->table));
done:
  free(columns);
  free(names);
  return status;
}

fw_status fw_joint_recorder_create(fw_job *job, fw_joint_recorder **recorder) {
  fw_status status = FW_OK;
  fw_joint_recorder *w = NULL;
  size_t joints = (size_t)job->model->joint_count, equations = (size_t)job->model->constraint_count;
  *recorder = NULL;
  if (equations == 0) return FW_OK;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *w, &w));
  w->job = job;
  while (w->shown < job->model->joint_count && !job->model->joints[w->shown].hidden) w->shown++;
  FW_TRY_DONE(fw_alloc(job->ctx, 1 + REACTIONS * joints, sizeof *w->row, &w->row));
  FW_TRY_DONE(fw_alloc(job->ctx, equations, sizeof *w->phi, &w->phi));
  FW_TRY_DONE(fw_alloc(job->ctx, equations, sizeof *w->rate, &w->rate));
  FW_TRY_DONE(fw_alloc(job->ctx, joints + 1, sizeof *w->force, &w->force));
  FW_TRY_DONE(fw_alloc(job->ctx, joints + 1, sizeof *w->moment, &w->moment));
  if (w->shown) FW_TRY_DONE(open_table(w));
done:
  if (status != FW_OK) fw_joint_recorder_destroy(&w);
  *recorder = w;
  return status;
}

void fw_joint_recorder_destroy(fw_joint_recorder **recorder) {
  if (!recorder || !*recorder) return;
  free((*recorder)->row);
  free((*recorder)->phi);
  free((*recorder)->rate);
  free((*recorder)->force);
  free((*recorder)->moment);
  free(*recorder);
  *recorder = NULL;
}

fw_status fw_joint_recorder_step(fw_joint_recorder *w, const fw_state *state, bool row) {
  if (!w) return FW_OK;
  const fw_model *model = w->job->model;
  fw_constraints_find(model, state->q, state->v, state->time, &(fw_constraints){.phi = w->phi, .rate = w->rate});
  w->position = fmax(w->position, fw_constraints_worst(w->phi, model->constraint_count, NULL));
  w->velocity = fmax(w->velocity, fw_constraints_worst(w->rate, model->constraint_count, NULL));
  for (int j = 0; j < w->shown; j++) {
    double *r = w->row + 1 + REACTIONS * j;
    fw_joint_reaction(model, &model->joints[j], state->q, state->lambda, state->time, r);
    w->force[j] = fmax(w->force[j], hypot(r[FW_X], r[FW_Y]));
    w->moment[j] = fmax(w->moment[j], fabs(r[FW_RZ]));
  }
  w->row[0] = state->time;
  return row && w->table ? fw_sink_row(w->job->sink, w->job->ctx, w->table, w->row) : FW_OK;
}

fw_status fw_joint_recorder_report(fw_joint_recorder *w) {
  if (!w) return FW_OK;
  fw_record *summary = w->job->summary;
  for (int j = 0; j < w->shown; j++) {
    const char *id = w->job->model->joints[j].id;
    FW_TRY(fw_record_set_number(summary, w->force[j], "joints.%s.force_max", id));
    FW_TRY(fw_record_set_number(summary, w->moment[j], "joints.%s.moment_max", id));
  }
  FW_TRY(fw_record_set_number(summary, w->position, "constraints.position_error"));
  return fw_record_set_number(summary, w->velocity, "constraints.velocity_error");
}

fw_status fw_joint_recorder_archive(fw_joint_recorder *w, fw_archive *archive) {
  if (!w) return FW_OK;
  FW_TRY(fw_archive_numbers(archive, w->force, (size_t)w->job->model->joint_count));
  FW_TRY(fw_archive_numbers(archive, w->moment, (size_t)w->job->model->joint_count));
  FW_TRY(fw_archive_numbers(archive, &w->position, 1));
  return fw_archive_numbers(archive, &w->velocity, 1);
}
