/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/recorders.h"

#include <math.h>
#include <stdlib.h>

enum { HARMONICS = 10 };
static const double two_pi = 6.283185307179586;

struct fw_sensor_recorder {
  fw_job *job;
  fw_data_table *table;
  double period;
  int harmonics;         /* 0 without a drive: the mean only */
  double *row;           /* time, then the sensors */
  double *cosine, *sine; /* [sensor_count x (HARMONICS + 1)]: trapezoidal Fourier sums */
  double *least, *most;  /* [sensor_count] extremes */
  double *previous;      /* [sensor_count] values at the last step */
  double time;           /* of the last step, and there for every harmonic: */
  double cos[HARMONICS + 1], sin[HARMONICS + 1];
};

static fw_status open_table(fw_sensor_recorder *w) {
  fw_status status = FW_OK;
  const fw_model *model = w->job->model;
  fw_column *columns = NULL;
  FW_TRY_DONE(fw_alloc(w->job->ctx, 1 + (size_t)model->sensor_count, sizeof *columns, &columns));
  columns[0] = (fw_column){"time", "s"};
  for (int i = 0; i < model->sensor_count; i++)
    columns[1 + i] = (fw_column){model->sensors[i].id, fw_sensor_unit(&model->sensors[i])};
  FW_TRY_DONE(fw_sink_table(w->job->sink, w->job->ctx, w->job->id, "history", columns, 1 + model->sensor_count, false,
                            &w->table));
done:
  free(columns);
  return status;
}

fw_status fw_sensor_recorder_create(fw_job *job, double period, fw_sensor_recorder **recorder) {
  fw_status status = FW_OK;
  fw_sensor_recorder *w = NULL;
  size_t sensors = (size_t)job->model->sensor_count, sums = sensors * (HARMONICS + 1);
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *w, &w));
  w->job = job;
  w->period = period;
  w->harmonics = period > 0.0 ? HARMONICS : 0;
  FW_TRY_DONE(fw_alloc(job->ctx, 1 + sensors, sizeof *w->row, &w->row));
  FW_TRY_DONE(fw_alloc(job->ctx, sums, sizeof *w->cosine, &w->cosine));
  FW_TRY_DONE(fw_alloc(job->ctx, sums, sizeof *w->sine, &w->sine));
  FW_TRY_DONE(fw_alloc(job->ctx, sensors, sizeof *w->previous, &w->previous));
  FW_TRY_DONE(fw_alloc(job->ctx, sensors, sizeof *w->least, &w->least));
  FW_TRY_DONE(fw_alloc(job->ctx, sensors, sizeof *w->most, &w->most));
  FW_TRY_DONE(open_table(w));
done:
  if (status != FW_OK) fw_sensor_recorder_destroy(&w);
  *recorder = w;
  return status;
}

void fw_sensor_recorder_destroy(fw_sensor_recorder **recorder) {
  if (!recorder || !*recorder) return;
  fw_sensor_recorder *w = *recorder;
  free(w->row);
  free(w->cosine);
  free(w->sine);
  free(w->previous);
  free(w->least);
  free(w->most);
  free(w);
  *recorder = NULL;
}

static void turn_to(fw_sensor_recorder *w, double time) {
  double angle = w->period > 0.0 ? two_pi * time / w->period : 0.0;
  w->time = time;
  for (int h = 0; h <= w->harmonics; h++) {
    w->cos[h] = cos(h * angle);
    w->sin[h] = sin(h * angle);
  }
}

void fw_sensor_recorder_begin(fw_sensor_recorder *w, const fw_state *state) {
  for (int i = 0; i < w->job->model->sensor_count; i++)
    w->previous[i] = w->least[i] = w->most[i] = fw_state_reading(state, &w->job->model->sensors[i]);
  turn_to(w, state->time);
}

/* One end of a step in the trapezoidal rule, which is spectrally accurate over whole periods at equal steps. */
static void add_end(fw_sensor_recorder *w, double dt) {
  for (int i = 0; i < w->job->model->sensor_count; i++)
    for (int h = 0; h <= w->harmonics; h++) {
      w->cosine[i * (HARMONICS + 1) + h] += 0.5 * dt * w->previous[i] * w->cos[h];
      w->sine[i * (HARMONICS + 1) + h] += 0.5 * dt * w->previous[i] * w->sin[h];
    }
}

void fw_sensor_recorder_step(fw_sensor_recorder *w, const fw_state *state, double dt) {
  add_end(w, dt);
  for (int i = 0; i < w->job->model->sensor_count; i++) {
    double value = fw_state_reading(state, &w->job->model->sensors[i]);
    w->previous[i] = value;
    w->least[i] = fmin(w->least[i], value);
    w->most[i] = fmax(w->most[i], value);
  }
  turn_to(w, state->time);
  add_end(w, dt);
}

fw_status fw_sensor_recorder_row(fw_sensor_recorder *w, const fw_state *state) {
  const fw_model *model = w->job->model;
  w->row[0] = state->time;
  for (int i = 0; i < model->sensor_count; i++) w->row[1 + i] = fw_state_reading(state, &model->sensors[i]);
  return fw_sink_row(w->job->sink, w->job->ctx, w->table, w->row);
}

fw_status fw_sensor_recorder_archive(fw_sensor_recorder *w, fw_archive *archive) {
  size_t sensors = (size_t)w->job->model->sensor_count, sums = sensors * (HARMONICS + 1);
  FW_TRY(fw_archive_numbers(archive, w->cosine, sums));
  FW_TRY(fw_archive_numbers(archive, w->sine, sums));
  FW_TRY(fw_archive_numbers(archive, w->least, sensors));
  FW_TRY(fw_archive_numbers(archive, w->most, sensors));
  FW_TRY(fw_archive_numbers(archive, w->previous, sensors));
  FW_TRY(fw_archive_numbers(archive, &w->time, 1));
  turn_to(w, w->time);
  return FW_OK;
}

fw_status fw_sensor_recorder_report(fw_sensor_recorder *w, double span) {
  const fw_model *model = w->job->model;
  for (int i = 0; i < model->sensor_count; i++) {
    static const char *const measured[] = {"final", "min", "max", "amplitude"};
    const char *id = model->sensors[i].id, *unit = fw_sensor_unit(&model->sensors[i]);
    for (int k = 0; k < 4; k++)
      FW_TRY(fw_record_set_text(w->job->summary, unit, "sensors.%s.units.%s", id, measured[k]));
    FW_TRY(fw_record_set_number(w->job->summary, w->previous[i], "sensors.%s.final", id));
    FW_TRY(fw_record_set_number(w->job->summary, w->least[i], "sensors.%s.min", id));
    FW_TRY(fw_record_set_number(w->job->summary, w->most[i], "sensors.%s.max", id));
    for (int h = 0; h <= w->harmonics; h++) {
      double c = w->cosine[i * (HARMONICS + 1) + h], s = w->sine[i * (HARMONICS + 1) + h];
      double amplitude = h ? 2.0 * hypot(c, s) / span : c / span;
      double phase = h ? atan2(-s, c) * 360.0 / two_pi : 0.0; /* amplitude cos(h omega t + phase) */
      FW_TRY(fw_record_set_number(w->job->summary, amplitude, "sensors.%s.harmonics[%d].amplitude", id, h));
      FW_TRY(fw_record_set_number(w->job->summary, phase, "sensors.%s.harmonics[%d].phase", id, h));
    }
  }
  return FW_OK;
}
