/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/recorders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/figures.h"

enum { KINDS = 10 };

struct fw_pair_recorder {
  fw_job *job;
  fw_data_table *table;
  double *row; /* time, then KINDS per contact point */
  fw_figures *figures;
};

static fw_status open_table(fw_pair_recorder *w) {
  static const fw_column kinds[KINDS] = {{"gap", "m"},
                                         {"normal", "N"},
                                         {"tangential", "N"},
                                         {"slip", "m"},
                                         {"slip velocity", "m/s"},
                                         {"state", ""},
                                         {"distance", "m"},
                                         {"work rate", "W"},
                                         {"irreversible work rate", "W"},
                                         {"dissipated power", "W"}};
  fw_status status = FW_OK;
  const fw_model *model = w->job->model;
  int count = 1 + KINDS * model->contact_count;
  fw_column *columns = NULL;
  char(*names)[96] = NULL;
  FW_TRY_DONE(fw_alloc(w->job->ctx, (size_t)count, sizeof *columns, &columns));
  FW_TRY_DONE(fw_alloc(w->job->ctx, (size_t)count, sizeof *names, &names));
  columns[0] = (fw_column){"time", "s"};
  for (int at = 1; at < count; at++) {
    const fw_column *kind = &kinds[(at - 1) % KINDS];
    fw_contact_column(model, (at - 1) / KINDS, kind->name, names[at], sizeof *names);
    columns[at] = (fw_column){names[at], kind->unit};
  }
  FW_TRY_DONE(fw_sink_table(w->job->sink, w->job->ctx, w->job->id, "contact", columns, count, false, &w->table));
done:
  free(columns);
  free(names);
  return status;
}

fw_status fw_pair_recorder_create(fw_job *job, double period, double window, fw_pair_recorder **recorder) {
  fw_status status = FW_OK;
  fw_pair_recorder *w = NULL;
  *recorder = NULL;
  if (job->model->contact_count == 0) return FW_OK;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *w, &w));
  w->job = job;
  FW_TRY_DONE(fw_alloc(job->ctx, 1 + KINDS * (size_t)job->model->contact_count, sizeof *w->row, &w->row));
  FW_TRY_DONE(fw_figures_create(job->ctx, job->model, period, window, &w->figures));
  FW_TRY_DONE(open_table(w));
done:
  if (status != FW_OK) fw_pair_recorder_destroy(&w);
  *recorder = w;
  return status;
}

void fw_pair_recorder_destroy(fw_pair_recorder **recorder) {
  if (!recorder || !*recorder) return;
  fw_pair_recorder *w = *recorder;
  free(w->row);
  fw_figures_destroy(&w->figures);
  free(w);
  *recorder = NULL;
}

void fw_pair_recorder_begin(fw_pair_recorder *w, const fw_state *state) {
  if (w) fw_figures_begin(w->figures, state->touch);
}

void fw_pair_recorder_step(fw_pair_recorder *w, const fw_state *state, double dt) {
  if (w) fw_figures_step(w->figures, state->touch, dt);
}

fw_status fw_pair_recorder_row(fw_pair_recorder *w, const fw_state *state) {
  if (!w) return FW_OK;
  const fw_model *model = w->job->model;
  w->row[0] = state->time;
  for (int c = 0; c < model->contact_count; c++) {
    const fw_touch *touch = &state->touch[c];
    const double values[KINDS] = {touch->gap,
                                  touch->N,
                                  touch->T,
                                  touch->slip,
                                  touch->slip_velocity,
                                  touch->status,
                                  touch->distance,
                                  touch->N * fabs(touch->slip_velocity),
                                  touch->irreversible_rate,
                                  touch->T * touch->slip_velocity};
    memcpy(w->row + 1 + KINDS * c, values, sizeof values);
  }
  return fw_sink_row(w->job->sink, w->job->ctx, w->table, w->row);
}

fw_status fw_pair_recorder_archive(fw_pair_recorder *w, fw_archive *archive) {
  if (!w) return FW_OK;
  size_t count;
  double *numbers = fw_figures_numbers(w->figures, &count);
  return fw_archive_numbers(archive, numbers, count);
}

fw_status fw_pair_recorder_report(fw_pair_recorder *w) {
  if (!w) return FW_OK;
  for (int p = 0; p < w->job->model->pair_count; p++) {
    fw_pair_figures found;
    fw_figures_find(w->figures, p, &found);
    for (int k = 0; k < FW_CONTACT_FIGURES; k++)
      FW_TRY(fw_record_set_number(w->job->summary, found.at[k], "contact.%s.%s", w->job->model->pairs[p]->id,
                                  fw_contact_figures[k].name));
  }
  return FW_OK;
}
