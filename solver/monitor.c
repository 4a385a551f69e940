/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/monitor.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "solver/joint_watch.h"

enum { HARMONICS = 10, KINDS = 10 };
static const double two_pi = 6.283185307179586;

/* Extremes and integrals of one contact pair over the observed time. */
typedef struct fw_pair_figures {
  double N_min, N_max, T_max, slip_min, slip_max, velocity_max, work, dissipated, stuck;
  double irreversible, impulse, impacts, square_N, square_T, open;
} fw_pair_figures;

struct fw_monitor {
  fw_job *job;
  double period, from;
  fw_row_choice rows;
  long next_time; /* of rows.times */
  long step;
  bool observing;
  fw_data_table *history, *contact, *energies;
  double *row;
  double *cosine, *sine; /* [sensor_count x (HARMONICS + 1)]: trapezoidal Fourier sums */
  double *least, *most;  /* [sensor_count] extremes while observing */
  double *previous;      /* [sensor_count] sensor values at the last step */
  double last_time, begin_time;
  fw_pair_figures *figures;
  fw_energy first, last;
  double kinetic_most, numerical_most;
  fw_joint_watch *joints;
  fw_state *begin;  /* touches when observation began */
  double window;    /* time over which forces are averaged before their squares are; 0: each step */
  double in_window; /* how much of the present one has passed */
  double windows;   /* how much time whole ones cover */
  fw_state *window_begin;
};

/* ---- values ------------------------------------------------------------------------------ */

static double sensor_value(const fw_sensor *sensor, const fw_state *state) {
  const double *vector = sensor->quantity == FW_DISPLACEMENT ? state->q
                         : sensor->quantity == FW_VELOCITY   ? state->v
                                                             : state->a;
  return fw_functional_value(&sensor->shape, vector);
}

/* Forces over the windows that have passed since the observation began. */
static void take_windows(fw_monitor *m, const fw_state *state, double dt) {
  const fw_model *model = m->job->model;
  m->in_window += dt;
  if (!(m->in_window > 0.0) || m->in_window < m->window * (1.0 - 1e-9)) return;
  for (int p = 0; p < model->pair_count; p++) {
    double P_n = 0.0, P_t = 0.0;
    for (int c = model->pairs[p]->first_contact, i = 0; i < model->pairs[p]->count; i++, c++) {
      P_n += state->touch[c].impulse - m->window_begin->touch[c].impulse;
      P_t += state->touch[c].rubbed - m->window_begin->touch[c].rubbed;
    }
    m->figures[p].square_N += P_n * P_n / m->in_window;
    m->figures[p].square_T += P_t * P_t / m->in_window;
  }
  m->windows += m->in_window;
  m->in_window = 0.0;
  memcpy(m->window_begin->touch, state->touch, (size_t)model->contact_count * sizeof *state->touch);
}

/* ---- tables ------------------------------------------------------------------------------ */

static fw_status open_tables(fw_monitor *m) {
  static const fw_column energy_columns[] = {{"time", "s"},
                                             {"kinetic", "J"},
                                             {"strain", "J"},
                                             {"work of loads", "J"},
                                             {"structural damping", "J"},
                                             {"friction", "J"},
                                             {"contact stored", "J"},
                                             {"contact damping", "J"},
                                             {"numerical", "J"},
                                             {"residual", "J"}};
  static const char *const units[] = {"m", "m/s", "m/s^2"};
  fw_status status = FW_OK;
  fw_job *job = m->job;
  const fw_model *model = job->model;
  int count = 1 + model->sensor_count, contact_count = 1 + KINDS * model->contact_count;
  int most = count > contact_count ? count : contact_count;
  fw_column *columns = NULL;
  char(*names)[96] = NULL;
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)most, sizeof *columns, &columns));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)most, sizeof *names, &names));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)most + 10, sizeof *m->row, &m->row));
  columns[0] = (fw_column){"time", "s"};
  for (int i = 0; i < model->sensor_count; i++)
    columns[1 + i] = (fw_column){model->sensors[i].id, units[model->sensors[i].quantity]};
  FW_TRY_DONE(fw_sink_table(job->sink, job->ctx, job->id, "history", columns, count, false, &m->history));
  FW_TRY_DONE(fw_sink_table(job->sink, job->ctx, job->id, "energy", energy_columns, 10, false, &m->energies));
  if (model->contact_count == 0) goto done;
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
  for (int p = 0, at = 1; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++)
      for (int k = 0; k < KINDS; k++, at++) {
        if (model->pairs[p]->count > 1)
          snprintf(names[at], sizeof *names, "%s %d %s", model->pairs[p]->id, i + 1, kinds[k].name);
        else
          snprintf(names[at], sizeof *names, "%s %s", model->pairs[p]->id, kinds[k].name);
        columns[at] = (fw_column){names[at], kinds[k].unit};
      }
  FW_TRY_DONE(fw_sink_table(job->sink, job->ctx, job->id, "contact", columns, contact_count, false, &m->contact));
done:
  free(columns);
  free(names);
  return status;
}

static double energy_residual(const fw_energy *e, const fw_energy *from) {
  return e->loads - from->loads - (e->kinetic - from->kinetic) - (e->strain - from->strain) -
         (e->damping - from->damping) - (e->friction - from->friction) - (e->contact_stored - from->contact_stored) -
         (e->contact_damping - from->contact_damping) - (e->numerical - from->numerical);
}

static fw_status write_rows(fw_monitor *m, const fw_state *state, const fw_energy *e) {
  fw_job *job = m->job;
  const fw_model *model = job->model;
  m->row[0] = state->time;
  for (int i = 0; i < model->sensor_count; i++) m->row[1 + i] = sensor_value(&model->sensors[i], state);
  FW_TRY(fw_sink_row(job->sink, job->ctx, m->history, m->row));
  const double energies[] = {
      state->time, e->kinetic,        e->strain,          e->loads,     e->damping,
      e->friction, e->contact_stored, e->contact_damping, e->numerical, energy_residual(e, &m->first)};
  FW_TRY(fw_sink_row(job->sink, job->ctx, m->energies, energies));
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
    memcpy(m->row + 1 + KINDS * c, values, sizeof values);
  }
  return model->contact_count ? fw_sink_row(job->sink, job->ctx, m->contact, m->row) : FW_OK;
}

/* ---- creation ---------------------------------------------------------------------------- */

fw_status fw_monitor_create(fw_job *job, double period, double from, const fw_row_choice *rows, double window,
                            fw_monitor **monitor) {
  fw_status status = FW_OK;
  fw_monitor *m = NULL;
  size_t sums = (size_t)job->model->sensor_count * (HARMONICS + 1);
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *m, &m));
  m->job = job;
  m->period = period;
  m->from = from;
  m->rows = *rows;
  m->window = window;
  FW_TRY_DONE(open_tables(m));
  FW_TRY_DONE(fw_alloc(job->ctx, sums, sizeof *m->cosine, &m->cosine));
  FW_TRY_DONE(fw_alloc(job->ctx, sums, sizeof *m->sine, &m->sine));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)job->model->sensor_count, sizeof *m->previous, &m->previous));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)job->model->sensor_count, sizeof *m->least, &m->least));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)job->model->sensor_count, sizeof *m->most, &m->most));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)job->model->pair_count, sizeof *m->figures, &m->figures));
  FW_TRY_DONE(fw_state_create(job->ctx, job->model, &m->begin));
  FW_TRY_DONE(fw_joint_watch_create(job, &m->joints));
  FW_TRY_DONE(fw_state_create(job->ctx, job->model, &m->window_begin));
done:
  if (status != FW_OK) fw_monitor_destroy(&m);
  *monitor = m;
  return status;
}

void fw_monitor_destroy(fw_monitor **monitor) {
  if (!monitor || !*monitor) return;
  fw_monitor *m = *monitor;
  free(m->row);
  free(m->cosine);
  free(m->sine);
  free(m->previous);
  free(m->least);
  free(m->most);
  free(m->figures);
  fw_state_destroy(&m->window_begin);
  fw_state_destroy(&m->begin);
  fw_joint_watch_destroy(&m->joints);
  free(m);
  *monitor = NULL;
}

/* ---- observation ------------------------------------------------------------------------- */

static void begin_observation(fw_monitor *m, const fw_state *state, const fw_energy *energy) {
  m->observing = true;
  m->begin_time = state->time;
  m->first = *energy;
  fw_state_assign(m->begin, state);
  fw_state_assign(m->window_begin, state);
  for (int p = 0; p < m->job->model->pair_count; p++) {
    double slip = state->touch[m->job->model->pairs[p]->first_contact].slip;
    m->figures[p] = (fw_pair_figures){.N_min = INFINITY, .N_max = -INFINITY, .slip_min = slip, .slip_max = slip};
  }
}

static void observe_pairs(fw_monitor *m, const fw_state *state, double dt) {
  for (int p = 0; p < m->job->model->pair_count; p++) {
    const fw_pair *pair = m->job->model->pairs[p];
    fw_pair_figures *f = &m->figures[p];
    double N = 0.0, T = 0.0, share = dt / pair->count;
    f->work = f->irreversible = f->dissipated = f->impulse = f->impacts = 0.0;
    for (int i = 0, c = pair->first_contact; i < pair->count; i++, c++) {
      const fw_touch *touch = &state->touch[c], *begin = &m->begin->touch[c];
      N += touch->N;
      T += touch->T;
      f->stuck += touch->status == FW_STICK ? share : 0.0;
      f->open += touch->status == FW_OPEN ? share : 0.0;
      f->irreversible += touch->irreversible - begin->irreversible;
      f->velocity_max = fmax(f->velocity_max, fabs(touch->slip_velocity));
      f->work += touch->work - begin->work;
      f->dissipated += touch->dissipated - begin->dissipated;
      f->impulse += touch->impulse - begin->impulse;
      f->impacts += touch->impacts - begin->impacts;
    }
    f->N_min = fmin(f->N_min, N);
    f->N_max = fmax(f->N_max, N);
    f->T_max = fmax(f->T_max, fabs(T));
    double slip = state->touch[pair->first_contact].slip;
    f->slip_min = fmin(f->slip_min, slip);
    f->slip_max = fmax(f->slip_max, slip);
  }
}

/* Trapezoidal rule: spectrally accurate over whole periods at equal steps. */
static void observe_sensors(fw_monitor *m, const fw_state *state, double dt, bool begins) {
  double omega = m->period > 0.0 ? two_pi / m->period : 0.0;
  for (int i = 0; i < m->job->model->sensor_count; i++) {
    double value = sensor_value(&m->job->model->sensors[i], state);
    for (int h = 0; h <= HARMONICS && dt > 0.0; h++) {
      double a = h * omega * m->last_time, b = h * omega * state->time;
      m->cosine[i * (HARMONICS + 1) + h] += 0.5 * dt * (m->previous[i] * cos(a) + value * cos(b));
      m->sine[i * (HARMONICS + 1) + h] += 0.5 * dt * (m->previous[i] * sin(a) + value * sin(b));
    }
    m->previous[i] = value;
    m->least[i] = begins ? value : fmin(m->least[i], value);
    m->most[i] = begins ? value : fmax(m->most[i], value);
  }
}

static bool wants_row(fw_monitor *m, double time) {
  const fw_row_choice *rows = &m->rows;
  double reached = time + 1e-9 * fmax(fabs(time), 1e-9);
  if (!rows->times) return m->step % rows->every == 0 && reached >= rows->from;
  bool wanted = false;
  while (m->next_time < rows->time_count && rows->times[m->next_time] <= reached) {
    m->next_time++;
    wanted = true;
  }
  return wanted;
}

fw_status fw_monitor_step(fw_monitor *m, const fw_state *state, const fw_energy *energy) {
  bool begins = !m->observing && state->time >= m->from * (1.0 - 1e-12);
  if (m->step == 0) m->first = *energy;
  if (begins) begin_observation(m, state, energy);
  if (m->observing) {
    double dt = begins ? 0.0 : state->time - m->last_time;
    observe_sensors(m, state, dt, begins);
    observe_pairs(m, state, dt);
    take_windows(m, state, dt);
  }
  bool row = wants_row(m, state->time);
  if (row) FW_TRY(write_rows(m, state, energy));
  FW_TRY(fw_joint_watch_step(m->joints, state, row));
  m->kinetic_most = fmax(m->kinetic_most, energy->kinetic);
  m->numerical_most = fmax(m->numerical_most, fabs(energy->numerical));
  long frame_steps = (long)m->rows.every * m->job->frame_every;
  if (frame_steps > 0 && m->step % frame_steps == 0)
    FW_TRY(fw_sink_frame(m->job->sink, m->job->ctx, m->job->id, &(fw_frame){"motion", state->time, state, 0.0}));
  m->last_time = state->time;
  m->last = *energy;
  m->step++;
  return FW_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------- */

fw_status fw_monitor_archive(fw_monitor *m, fw_archive *archive) {
  const fw_model *model = m->job->model;
  size_t sensors = (size_t)model->sensor_count, sums = sensors * (HARMONICS + 1);
  FW_TRY(fw_archive_longs(archive, &m->step, 1));
  FW_TRY(fw_archive_longs(archive, &m->next_time, 1));
  FW_TRY(fw_archive_flag(archive, &m->observing));
  FW_TRY(fw_archive_numbers(archive, m->cosine, sums));
  FW_TRY(fw_archive_numbers(archive, m->sine, sums));
  FW_TRY(fw_archive_numbers(archive, m->least, sensors));
  FW_TRY(fw_archive_numbers(archive, m->most, sensors));
  FW_TRY(fw_archive_numbers(archive, m->previous, sensors));
  FW_TRY(fw_archive_numbers(archive, &m->last_time, 1));
  FW_TRY(fw_archive_numbers(archive, &m->begin_time, 1));
  FW_TRY(fw_archive_numbers(archive, &m->kinetic_most, 1));
  FW_TRY(fw_archive_numbers(archive, &m->numerical_most, 1));
  FW_TRY(fw_joint_watch_archive(m->joints, archive));
  FW_TRY(fw_archive_numbers(archive, (double *)m->figures,
                            (size_t)model->pair_count * sizeof *m->figures / sizeof(double)));
  FW_TRY(fw_archive_numbers(archive, (double *)&m->first, sizeof m->first / sizeof(double)));
  FW_TRY(fw_archive_numbers(archive, (double *)&m->last, sizeof m->last / sizeof(double)));
  FW_TRY(fw_archive_state(archive, m->begin));
  FW_TRY(fw_archive_numbers(archive, &m->in_window, 1));
  FW_TRY(fw_archive_numbers(archive, &m->windows, 1));
  FW_TRY(fw_archive_state(archive, m->window_begin));
  return fw_archive_tables(archive, m->job->sink, m->job->id);
}

/* ---- report ------------------------------------------------------------------------------ */

static fw_status report_sensors(fw_monitor *m, double span) {
  const fw_model *model = m->job->model;
  for (int i = 0; i < model->sensor_count; i++) {
    const char *id = model->sensors[i].id;
    FW_TRY(fw_record_set_number(m->job->summary, m->previous[i], "sensors.%s.final", id));
    FW_TRY(fw_record_set_number(m->job->summary, m->least[i], "sensors.%s.min", id));
    FW_TRY(fw_record_set_number(m->job->summary, m->most[i], "sensors.%s.max", id));
    for (int h = 0; h <= (m->period > 0.0 ? HARMONICS : 0); h++) {
      double c = m->cosine[i * (HARMONICS + 1) + h], s = m->sine[i * (HARMONICS + 1) + h];
      double amplitude = h ? 2.0 * hypot(c, s) / span : c / span;
      double phase = h ? atan2(-s, c) * 360.0 / two_pi : 0.0; /* amplitude cos(h omega t + phase) */
      FW_TRY(fw_record_set_number(m->job->summary, amplitude, "sensors.%s.harmonics[%d].amplitude", id, h));
      FW_TRY(fw_record_set_number(m->job->summary, phase, "sensors.%s.harmonics[%d].phase", id, h));
    }
  }
  return FW_OK;
}

static fw_status report_pairs(fw_monitor *m, double span) {
  fw_record *summary = m->job->summary;
  for (int p = 0; p < m->job->model->pair_count; p++) {
    const fw_pair *pair = m->job->model->pairs[p];
    const fw_pair_figures *f = &m->figures[p];
    FW_TRY(fw_record_set_number(summary, f->work / span, "contact.%s.work_rate", pair->id));
    FW_TRY(fw_record_set_number(summary, f->dissipated / span, "contact.%s.dissipated_power", pair->id));
    FW_TRY(fw_record_set_number(summary, fw_pair_wear_rate(pair, f->work / span), "contact.%s.wear_rate", pair->id));
    FW_TRY(fw_record_set_number(summary, 0.5 * (f->slip_max - f->slip_min), "contact.%s.slip_amplitude", pair->id));
    FW_TRY(fw_record_set_number(summary, f->velocity_max, "contact.%s.slip_velocity_max", pair->id));
    FW_TRY(fw_record_set_number(summary, f->N_max, "contact.%s.normal_max", pair->id));
    FW_TRY(fw_record_set_number(summary, f->N_min, "contact.%s.normal_min", pair->id));
    FW_TRY(fw_record_set_number(summary, f->T_max, "contact.%s.tangential_max", pair->id));
    FW_TRY(fw_record_set_number(summary, f->stuck / span, "contact.%s.stick_fraction", pair->id));
    FW_TRY(fw_record_set_number(summary, f->open / span, "contact.%s.open_fraction", pair->id));
    FW_TRY(fw_record_set_number(summary, f->irreversible / span, "contact.%s.irreversible_work_rate", pair->id));
    FW_TRY(fw_record_set_number(summary, f->impulse / span, "contact.%s.normal_mean", pair->id));
    FW_TRY(fw_record_set_number(summary, f->impacts / span, "contact.%s.impact_mean", pair->id));
    FW_TRY(fw_record_set_number(summary, sqrt(f->square_N / fmax(m->windows, DBL_MIN)), "contact.%s.normal_rms",
                                pair->id));
    FW_TRY(fw_record_set_number(summary, sqrt(f->square_T / fmax(m->windows, DBL_MIN)), "contact.%s.tangential_rms",
                                pair->id));
  }
  return FW_OK;
}

static fw_status report_energy(fw_monitor *m) {
  const fw_energy *a = &m->first, *b = &m->last;
  double residual = energy_residual(b, a);
  double through = fmax(fabs(b->loads - a->loads),
                        fmax(fabs(b->damping - a->damping) + fabs(b->friction - a->friction) +
                                 fabs(b->contact_damping - a->contact_damping) + fabs(b->numerical - a->numerical),
                             b->kinetic + fabs(b->strain)));
  const struct {
    const char *name;
    double value;
  } terms[] = {{"loads", b->loads - a->loads},
               {"stored", b->kinetic - a->kinetic + b->strain - a->strain + b->contact_stored - a->contact_stored},
               {"structural_damping", b->damping - a->damping},
               {"friction", b->friction - a->friction},
               {"contact_damping", b->contact_damping - a->contact_damping},
               {"numerical", b->numerical - a->numerical},
               {"drift", m->kinetic_most > 0.0 ? m->numerical_most / m->kinetic_most : 0.0},
               {"residual", through > 0.0 ? residual / through : 0.0}};
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
    FW_TRY(fw_record_set_number(m->job->summary, terms[i].value, "energy.%s", terms[i].name));
  return FW_OK;
}

fw_status fw_monitor_report(fw_monitor *m) {
  double span = m->last_time - m->begin_time;
  if (!m->observing || !(span > 0.0)) return FW_OK;
  FW_TRY(fw_record_set_number(m->job->summary, m->begin_time, "observed.from"));
  FW_TRY(fw_record_set_number(m->job->summary, m->last_time, "observed.to"));
  FW_TRY(report_sensors(m, span));
  FW_TRY(report_pairs(m, span));
  FW_TRY(fw_joint_watch_report(m->joints));
  return report_energy(m);
}
