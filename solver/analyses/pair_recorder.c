/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/recorders.h"

#include <math.h>
#include <stdlib.h>

#include "contact/figures.h"

enum { KINDS = 10 };

typedef struct recorder {
  fw_job *job;
  fw_sheet sheet; /* time, then KINDS per contact point */
  fw_figures *figures;
} recorder;

static fw_status open_table(recorder *w) {
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
  const fw_model *model = w->job->model;
  w->sheet = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  fw_sheet_column(&w->sheet, "s", "time");
  for (int i = 0; i < KINDS * model->contact_count; i++) {
    char name[96];
    fw_contact_column(model, i / KINDS, kinds[i % KINDS].name, name, sizeof name);
    fw_sheet_column(&w->sheet, kinds[i % KINDS].unit, "%s", name);
  }
  return fw_sheet_open(&w->sheet, "contact");
}

static fw_status create(fw_job *job, const fw_observation *over, void **self) {
  fw_status status = FW_OK;
  recorder *w = NULL;
  if (job->model->contact_count == 0) return FW_OK;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *w, &w));
  w->job = job;
  FW_TRY_DONE(fw_figures_create(job->ctx, job->model, over->period, over->window, &w->figures));
  FW_TRY_DONE(open_table(w));
done:
  *self = w;
  return status;
}

static void destroy(void *self) {
  recorder *w = self;
  fw_sheet_close(&w->sheet);
  fw_figures_destroy(&w->figures);
  free(w);
}

static void begin(void *self, const fw_state *state) {
  recorder *w = self;
  fw_figures_begin(w->figures, state->touch);
  fw_figures_step(w->figures, state->touch, 0.0);
}

static void see(void *self, const fw_state *state, double dt) {
  recorder *w = self;
  fw_figures_step(w->figures, state->touch, dt);
}

static fw_status row(void *self, const fw_state *state) {
  recorder *w = self;
  const fw_model *model = w->job->model;
  fw_sheet_put(&w->sheet, state->time);
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
    for (int k = 0; k < KINDS; k++) fw_sheet_put(&w->sheet, values[k]);
  }
  return fw_sheet_row(&w->sheet);
}

static fw_status archive(void *self, fw_archive *archive) {
  recorder *w = self;
  size_t count;
  double *numbers = fw_figures_numbers(w->figures, &count);
  return fw_archive_numbers(archive, numbers, count);
}

static fw_status write_pair(recorder *w, fw_data_table *table, int number) {
  const fw_pair *pair = w->job->model->pairs[number];
  double *along;
  FW_TRY(fw_alloc(w->job->ctx, (size_t)pair->count, sizeof *along, &along));
  fw_pair_along(w->job->model, pair, along);
  fw_status status = FW_OK;
  for (int i = 0; i < pair->count && status == FW_OK; i++) {
    double at[2];
    fw_attachment_place(w->job->model, &pair->followers[i].at, NULL, at);
    status = fw_sink_row(w->job->sink, w->job->ctx, table, (const double[]){number + 1, i + 1, at[0], at[1], along[i]});
  }
  free(along);
  return status;
}

/* Where the contact points are, of models with pairs of several: pictures along surfaces need it. */
static fw_status write_places(recorder *w) {
  static const fw_column columns[] = {{"pair", ""}, {"point", ""}, {"x", "m"}, {"y", "m"}, {"along", "m"}};
  const fw_model *model = w->job->model;
  fw_data_table *table;
  if (model->contact_count <= model->pair_count) return FW_OK;
  FW_TRY(fw_sink_table(w->job->sink, w->job->ctx, w->job->id, "contact-points", columns, 5, false, &table));
  for (int p = 0; p < model->pair_count; p++) FW_TRY(write_pair(w, table, p));
  return FW_OK;
}

static fw_status report(void *self, double span) {
  (void)span;
  recorder *w = self;
  FW_TRY(write_places(w));
  for (int p = 0; p < w->job->model->pair_count; p++) {
    fw_pair_figures found;
    fw_figures_find(w->figures, p, &found);
    FW_TRY(fw_figures_record(&found, w->job->model->pairs[p]->id, "", w->job->summary));
  }
  return FW_OK;
}

const fw_recorder_ops fw_pair_recorder = {
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .see = see,
    .row = row,
    .archive = archive,
    .report = report,
};
