/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/recorders.h"

#include <math.h>
#include <stdlib.h>

enum { HARMONICS = 10 };
typedef struct recorder {
  fw_job *job;
  fw_sheet sheet; /* time, then the sensors */
  double period;
  int harmonics;         /* 0 without a drive: the mean only */
  double *cosine, *sine; /* [sensor_count x (HARMONICS + 1)]: trapezoidal Fourier sums */
  double *square;        /* [sensor_count] integrals of the square */
  double *least, *most;  /* [sensor_count] extremes */
  double *previous;      /* [sensor_count] values at the last step, */
  double *passed, *rate; /* [sensor_count] and at the last state passed, with their rates, */
  double passed_time;    /* at that time */
  double time;           /* of the last step, and there for every harmonic: */
  double cos[HARMONICS + 1], sin[HARMONICS + 1];
} recorder;

static fw_status open_table(recorder *w) {
  const fw_model *model = w->job->model;
  w->sheet = fw_sheet_of(w->job->ctx, w->job->sink, w->job->id);
  fw_sheet_column(&w->sheet, "s", "time");
  for (int i = 0; i < model->sensor_count; i++)
    fw_sheet_column(&w->sheet, fw_sensor_unit(&model->sensors[i]), "%s", model->sensors[i].id);
  return fw_sheet_open(&w->sheet, "history");
}

static fw_status create(fw_job *job, const fw_observation *over, void **self) {
  fw_status status = FW_OK;
  recorder *w = NULL;
  size_t sensors = (size_t)job->model->sensor_count, sums = sensors * (HARMONICS + 1);
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *w, &w));
  w->job = job;
  w->period = over->period;
  w->harmonics = over->period > 0.0 ? HARMONICS : 0;
  FW_TRY_DONE(fw_alloc(job->ctx, sums, sizeof *w->cosine, &w->cosine));
  FW_TRY_DONE(fw_alloc(job->ctx, sums, sizeof *w->sine, &w->sine));
  FW_TRY_DONE(fw_alloc(job->ctx, sensors, sizeof *w->previous, &w->previous));
  FW_TRY_DONE(fw_alloc(job->ctx, sensors, sizeof *w->passed, &w->passed));
  FW_TRY_DONE(fw_alloc(job->ctx, sensors, sizeof *w->rate, &w->rate));
  FW_TRY_DONE(fw_alloc(job->ctx, sensors, sizeof *w->square, &w->square));
  FW_TRY_DONE(fw_alloc(job->ctx, sensors, sizeof *w->least, &w->least));
  FW_TRY_DONE(fw_alloc(job->ctx, sensors, sizeof *w->most, &w->most));
  FW_TRY_DONE(open_table(w));
done:
  *self = w;
  return status;
}

static void destroy(void *self) {
  recorder *w = self;
  fw_sheet_close(&w->sheet);
  free(w->cosine);
  free(w->sine);
  free(w->previous);
  free(w->passed);
  free(w->rate);
  free(w->square);
  free(w->least);
  free(w->most);
  free(w);
}

static void turn_to(recorder *w, double time) {
  double angle = w->period > 0.0 ? 2 * M_PI * time / w->period : 0.0;
  w->time = time;
  for (int h = 0; h <= w->harmonics; h++) {
    w->cos[h] = cos(h * angle);
    w->sin[h] = sin(h * angle);
  }
}

/* Of a displacement or velocity. */
static double rate_of(const fw_state *state, const fw_sensor *sensor) {
  return fw_functional_value(&sensor->shape, sensor->quantity == FW_DISPLACEMENT ? state->v : state->a);
}

static void take_passed(recorder *w, const fw_state *state) {
  for (int i = 0; i < w->job->model->sensor_count; i++) {
    w->passed[i] = fw_state_reading(state, &w->job->model->sensors[i]);
    w->rate[i] = rate_of(state, &w->job->model->sensors[i]);
  }
  w->passed_time = state->time;
}

static void begin(void *self, const fw_state *state) {
  recorder *w = self;
  for (int i = 0; i < w->job->model->sensor_count; i++)
    w->previous[i] = w->least[i] = w->most[i] = fw_state_reading(state, &w->job->model->sensors[i]);
  turn_to(w, state->time);
  take_passed(w, state);
}

static void take_extreme(recorder *w, int i, double value) {
  w->least[i] = fmin(w->least[i], value);
  w->most[i] = fmax(w->most[i], value);
}

/* Extremes within a step of the cubic with the values x and rates r (times the step) of its ends:
 * x(s) = x0 + r0 s + a s^2 + b s^3, x'(s) = 0. */
static void take_turns(recorder *w, int i, const double x[2], const double r[2]) {
  double a = 3.0 * (x[1] - x[0]) - 2.0 * r[0] - r[1], b = r[0] + r[1] - 2.0 * (x[1] - x[0]);
  double root = a * a - 3.0 * b * r[0];
  if (!(root >= 0.0)) return;
  double q = -(a + copysign(sqrt(root), a)); /* the roots are q/(3 b) and r0/q */
  const double turns[2] = {b != 0.0 ? q / (3.0 * b) : -1.0, q != 0.0 ? r[0] / q : -1.0};
  for (int k = 0; k < 2; k++) {
    double s = turns[k];
    if (s > 0.0 && s < 1.0) take_extreme(w, i, x[0] + s * (r[0] + s * (a + s * b)));
  }
}

static void pass(void *self, const fw_state *state) {
  recorder *w = self;
  double dt = state->time - w->passed_time;
  for (int i = 0; i < w->job->model->sensor_count; i++) {
    const fw_sensor *sensor = &w->job->model->sensors[i];
    const double x[2] = {w->passed[i], fw_state_reading(state, sensor)};
    const double r[2] = {dt * w->rate[i], dt * rate_of(state, sensor)};
    take_extreme(w, i, x[1]);
    if (dt > 0.0 && sensor->quantity != FW_ACCELERATION && r[0] * r[1] < 0.0) take_turns(w, i, x, r);
  }
  take_passed(w, state);
}

/* One end of a step in the trapezoidal rule, which is spectrally accurate over whole periods at equal steps. */
static void add_end(recorder *w, double dt) {
  for (int i = 0; i < w->job->model->sensor_count; i++) w->square[i] += 0.5 * dt * w->previous[i] * w->previous[i];
  for (int i = 0; i < w->job->model->sensor_count; i++)
    for (int h = 0; h <= w->harmonics; h++) {
      w->cosine[i * (HARMONICS + 1) + h] += 0.5 * dt * w->previous[i] * w->cos[h];
      w->sine[i * (HARMONICS + 1) + h] += 0.5 * dt * w->previous[i] * w->sin[h];
    }
}

static fw_status step(void *self, const fw_state *state, double dt) {
  recorder *w = self;
  add_end(w, dt);
  for (int i = 0; i < w->job->model->sensor_count; i++) {
    double value = fw_state_reading(state, &w->job->model->sensors[i]);
    w->previous[i] = value;
    take_extreme(w, i, value);
  }
  turn_to(w, state->time);
  add_end(w, dt);
  return FW_OK;
}

static fw_status row(void *self, const fw_state *state) {
  recorder *w = self;
  const fw_model *model = w->job->model;
  fw_sheet_put(&w->sheet, state->time);
  for (int i = 0; i < model->sensor_count; i++) fw_sheet_put(&w->sheet, fw_state_reading(state, &model->sensors[i]));
  return fw_sheet_row(&w->sheet);
}

static fw_status archive(void *self, fw_archive *archive) {
  recorder *w = self;
  size_t sensors = (size_t)w->job->model->sensor_count, sums = sensors * (HARMONICS + 1);
  FW_TRY(fw_archive_numbers(archive, w->cosine, sums));
  FW_TRY(fw_archive_numbers(archive, w->sine, sums));
  FW_TRY(fw_archive_numbers(archive, w->square, sensors));
  FW_TRY(fw_archive_numbers(archive, w->least, sensors));
  FW_TRY(fw_archive_numbers(archive, w->most, sensors));
  FW_TRY(fw_archive_numbers(archive, w->previous, sensors));
  FW_TRY(fw_archive_numbers(archive, w->passed, sensors));
  FW_TRY(fw_archive_numbers(archive, w->rate, sensors));
  FW_TRY(fw_archive_numbers(archive, &w->passed_time, 1));
  FW_TRY(fw_archive_numbers(archive, &w->time, 1));
  turn_to(w, w->time);
  return FW_OK;
}

static fw_status report(void *self, double span) {
  recorder *w = self;
  const fw_model *model = w->job->model;
  for (int i = 0; i < model->sensor_count; i++) {
    static const char *const measured[] = {"final", "min", "max", "rms", "amplitude"};
    const char *id = model->sensors[i].id, *unit = fw_sensor_unit(&model->sensors[i]);
    for (int k = 0; k < 5; k++)
      FW_TRY(fw_record_set_text(w->job->summary, unit, "sensors.%s.units.%s", id, measured[k]));
    FW_TRY(fw_record_set_number(w->job->summary, w->previous[i], "sensors.%s.final", id));
    FW_TRY(fw_record_set_number(w->job->summary, w->least[i], "sensors.%s.min", id));
    FW_TRY(fw_record_set_number(w->job->summary, w->most[i], "sensors.%s.max", id));
    FW_TRY(fw_record_set_number(w->job->summary, sqrt(w->square[i] / span), "sensors.%s.rms", id));
    for (int h = 0; h <= w->harmonics; h++) {
      double c = w->cosine[i * (HARMONICS + 1) + h], s = w->sine[i * (HARMONICS + 1) + h];
      double amplitude = h ? 2.0 * hypot(c, s) / span : c / span;
      double phase = h ? atan2(-s, c) * 360.0 / (2 * M_PI) : 0.0; /* amplitude cos(h omega t + phase) */
      FW_TRY(fw_record_set_number(w->job->summary, amplitude, "sensors.%s.harmonics[%d].amplitude", id, h));
      FW_TRY(fw_record_set_figure(w->job->summary, phase, "deg", "sensors.%s.harmonics[%d].phase", id, h));
    }
  }
  return FW_OK;
}

const fw_recorder_ops fw_sensor_recorder = {
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .step = step,
    .pass = pass,
    .row = row,
    .archive = archive,
    .report = report,
};
