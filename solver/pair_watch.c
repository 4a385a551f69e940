/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/pair_watch.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"

enum { KINDS = 10 };

/* Extremes and integrals of one contact pair over the observed time. */
typedef struct fw_pair_figures {
  double N_min, N_max, T_max, velocity_max, work, dissipated, stuck;
  double irreversible, impulse, impacts, square_N, square_T, open;
} fw_pair_figures;

struct fw_pair_watch {
  fw_job *job;
  fw_data_table *table;
  double *row; /* time, then KINDS per contact point */
  fw_pair_figures *figures;
  double *slip_least, *slip_most; /* [contact_count] while observing */
  fw_state *begin;                /* touches when observation began */
  double window;                  /* time over which forces are averaged before their squares are; 0: each step */
  double in_window;               /* how much of the present one has passed */
  double windows;                 /* how much time whole ones cover */
  fw_state *window_begin;
};

static fw_status open_table(fw_pair_watch *w) {
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

fw_status fw_pair_watch_create(fw_job *job, double window, fw_pair_watch **watch) {
  fw_status status = FW_OK;
  fw_pair_watch *w = NULL;
  *watch = NULL;
  if (job->model->contact_count == 0) return FW_OK;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *w, &w));
  w->job = job;
  w->window = window;
  FW_TRY_DONE(fw_alloc(job->ctx, 1 + KINDS * (size_t)job->model->contact_count, sizeof *w->row, &w->row));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)job->model->pair_count, sizeof *w->figures, &w->figures));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)job->model->contact_count, sizeof *w->slip_least, &w->slip_least));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)job->model->contact_count, sizeof *w->slip_most, &w->slip_most));
  FW_TRY_DONE(fw_state_create(job->ctx, job->model, &w->begin));
  FW_TRY_DONE(fw_state_create(job->ctx, job->model, &w->window_begin));
  FW_TRY_DONE(open_table(w));
done:
  if (status != FW_OK) fw_pair_watch_destroy(&w);
  *watch = w;
  return status;
}

void fw_pair_watch_destroy(fw_pair_watch **watch) {
  if (!watch || !*watch) return;
  fw_pair_watch *w = *watch;
  free(w->row);
  free(w->figures);
  free(w->slip_least);
  free(w->slip_most);
  fw_state_destroy(&w->begin);
  fw_state_destroy(&w->window_begin);
  free(w);
  *watch = NULL;
}

void fw_pair_watch_begin(fw_pair_watch *w, const fw_state *state) {
  if (!w) return;
  fw_state_assign(w->begin, state);
  fw_state_assign(w->window_begin, state);
  for (int p = 0; p < w->job->model->pair_count; p++)
    w->figures[p] = (fw_pair_figures){.N_min = INFINITY, .N_max = -INFINITY};
  for (int c = 0; c < w->job->model->contact_count; c++) w->slip_least[c] = w->slip_most[c] = state->touch[c].slip;
}

/* Forces over the windows that have passed since the observation began. */
static void take_windows(fw_pair_watch *w, const fw_state *state, double dt) {
  const fw_model *model = w->job->model;
  w->in_window += dt;
  if (!(w->in_window > 0.0) || w->in_window < w->window * (1.0 - 1e-9)) return;
  for (int p = 0; p < model->pair_count; p++) {
    double P_n = 0.0, P_t = 0.0;
    for (int c = model->pairs[p]->first_contact, i = 0; i < model->pairs[p]->count; i++, c++) {
      P_n += state->touch[c].impulse - w->window_begin->touch[c].impulse;
      P_t += state->touch[c].rubbed - w->window_begin->touch[c].rubbed;
    }
    w->figures[p].square_N += P_n * P_n / w->in_window;
    w->figures[p].square_T += P_t * P_t / w->in_window;
  }
  w->windows += w->in_window;
  w->in_window = 0.0;
  memcpy(w->window_begin->touch, state->touch, (size_t)model->contact_count * sizeof *state->touch);
}

static void observe_pairs(fw_pair_watch *w, const fw_state *state, double dt) {
  for (int p = 0; p < w->job->model->pair_count; p++) {
    const fw_pair *pair = w->job->model->pairs[p];
    fw_pair_figures *f = &w->figures[p];
    double N = 0.0, T = 0.0, share = dt / pair->count;
    f->work = f->irreversible = f->dissipated = f->impulse = f->impacts = 0.0;
    for (int i = 0, c = pair->first_contact; i < pair->count; i++, c++) {
      const fw_touch *touch = &state->touch[c], *begin = &w->begin->touch[c];
      N += touch->N;
      T += touch->T;
      f->stuck += touch->status == FW_STICK ? share : 0.0;
      f->open += touch->status == FW_OPEN ? share : 0.0;
      f->irreversible += touch->irreversible - begin->irreversible;
      if (touch->status != FW_OPEN) f->velocity_max = fmax(f->velocity_max, fabs(touch->slip_velocity));
      w->slip_least[c] = fmin(w->slip_least[c], touch->slip);
      w->slip_most[c] = fmax(w->slip_most[c], touch->slip);
      f->work += touch->work - begin->work;
      f->dissipated += touch->dissipated - begin->dissipated;
      f->impulse += touch->impulse - begin->impulse;
      f->impacts += touch->impacts - begin->impacts;
    }
    f->N_min = fmin(f->N_min, N);
    f->N_max = fmax(f->N_max, N);
    f->T_max = fmax(f->T_max, fabs(T));
  }
}

void fw_pair_watch_step(fw_pair_watch *w, const fw_state *state, double dt) {
  if (!w) return;
  observe_pairs(w, state, dt);
  take_windows(w, state, dt);
}

fw_status fw_pair_watch_row(fw_pair_watch *w, const fw_state *state) {
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

fw_status fw_pair_watch_archive(fw_pair_watch *w, fw_archive *archive) {
  if (!w) return FW_OK;
  FW_TRY(fw_archive_numbers(archive, (double *)w->figures,
                            (size_t)w->job->model->pair_count * sizeof *w->figures / sizeof(double)));
  FW_TRY(fw_archive_numbers(archive, w->slip_least, (size_t)w->job->model->contact_count));
  FW_TRY(fw_archive_numbers(archive, w->slip_most, (size_t)w->job->model->contact_count));
  FW_TRY(fw_archive_state(archive, w->begin));
  FW_TRY(fw_archive_numbers(archive, &w->in_window, 1));
  FW_TRY(fw_archive_numbers(archive, &w->windows, 1));
  return fw_archive_state(archive, w->window_begin);
}

/* Of the point of a pair that slips farthest. */
static double slip_amplitude(const fw_pair_watch *w, const fw_pair *pair) {
  double most = 0.0;
  for (int c = pair->first_contact; c < pair->first_contact + pair->count; c++)
    most = fmax(most, 0.5 * (w->slip_most[c] - w->slip_least[c]));
  return most;
}

fw_status fw_pair_watch_report(fw_pair_watch *w, double span) {
  if (!w) return FW_OK;
  fw_record *summary = w->job->summary;
  for (int p = 0; p < w->job->model->pair_count; p++) {
    const fw_pair *pair = w->job->model->pairs[p];
    const fw_pair_figures *f = &w->figures[p];
    FW_TRY(fw_record_set_number(summary, f->work / span, "contact.%s.work_rate", pair->id));
    FW_TRY(fw_record_set_number(summary, f->dissipated / span, "contact.%s.dissipated_power", pair->id));
    FW_TRY(fw_record_set_number(summary, fw_pair_wear_rate(pair, f->work / span), "contact.%s.wear_rate", pair->id));
    FW_TRY(fw_record_set_number(summary, slip_amplitude(w, pair), "contact.%s.slip_amplitude", pair->id));
    FW_TRY(fw_record_set_number(summary, f->velocity_max, "contact.%s.slip_velocity_max", pair->id));
    FW_TRY(fw_record_set_number(summary, f->N_max, "contact.%s.normal_max", pair->id));
    FW_TRY(fw_record_set_number(summary, f->N_min, "contact.%s.normal_min", pair->id));
    FW_TRY(fw_record_set_number(summary, f->T_max, "contact.%s.tangential_max", pair->id));
    FW_TRY(fw_record_set_number(summary, f->stuck / span, "contact.%s.stick_fraction", pair->id));
    FW_TRY(fw_record_set_number(summary, f->open / span, "contact.%s.open_fraction", pair->id));
    FW_TRY(fw_record_set_number(summary, f->irreversible / span, "contact.%s.irreversible_work_rate", pair->id));
    FW_TRY(fw_record_set_number(summary, f->impulse / span, "contact.%s.normal_mean", pair->id));
    FW_TRY(fw_record_set_number(summary, f->impacts / span, "contact.%s.impact_mean", pair->id));
    FW_TRY(fw_record_set_number(summary, sqrt(f->square_N / fmax(w->windows, DBL_MIN)), "contact.%s.normal_rms",
                                pair->id));
    FW_TRY(fw_record_set_number(summary, sqrt(f->square_T / fmax(w->windows, DBL_MIN)), "contact.%s.tangential_rms",
                                pair->id));
  }
  return FW_OK;
}
