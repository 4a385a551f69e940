/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/recorders.h"

#include <math.h>
#include <stdlib.h>

#include "solver/analyses/linear_range.h"

static const fw_recorder_ops *const recorders[] = {&fw_sensor_recorder, &fw_pair_recorder,    &fw_off_plane_recorder,
                                                   &fw_joint_recorder,  &fw_support_recorder, &fw_flow_recorder};
enum { RECORDERS = sizeof recorders / sizeof *recorders };

struct fw_monitor {
  fw_job *job;
  double from;
  fw_row_options rows;
  long next_time; /* of rows.times */
  long step;
  bool observing;
  bool expects_passed; /* states on the way come too */
  double begin_time, last_time, passed_time;
  void *watching[RECORDERS];
  fw_energy_recorder energies;
  fw_linear_range range;
  const fw_reduced_model *reduced; /* NULL: states are of the whole model */
  fw_state *whole;                 /* work space for it */
  double strain_most;              /* of the states that were looked at as a whole */
};

fw_status fw_monitor_create(fw_job *job, double period, double from, double to, const fw_row_options *rows,
                            double window, fw_monitor **monitor) {
  fw_status status = FW_OK;
  fw_monitor *m = NULL;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *m, &m));
  m->job = job;
  m->from = from;
  m->rows = *rows;
  const fw_observation over = {period, to - from, window};
  for (int i = 0; i < RECORDERS; i++) FW_TRY_DONE(recorders[i]->create(job, &over, &m->watching[i]));
  FW_TRY_DONE(fw_energy_recorder_open(&m->energies, job));
done:
  if (status != FW_OK) fw_monitor_destroy(&m);
  *monitor = m;
  return status;
}

void fw_monitor_destroy(fw_monitor **monitor) {
  if (!monitor || !*monitor) return;
  fw_monitor *m = *monitor;
  for (int i = 0; i < RECORDERS; i++)
    if (m->watching[i]) recorders[i]->destroy(m->watching[i]);
  fw_state_destroy(&m->whole);
  free(m);
  *monitor = NULL;
}

static bool wants_row(fw_monitor *m, double time) {
  const fw_row_options *rows = &m->rows;
  double reached = time + 1e-9 * fmax(fabs(time), 1e-9);
  if (!rows->times) return m->step % rows->every == 0 && reached >= rows->from;
  bool wanted = false;
  while (m->next_time < rows->time_count && rows->times[m->next_time] <= reached) {
    m->next_time++;
    wanted = true;
  }
  return wanted;
}

/* ---- what the recorders are told --------------------------------------------------------- */

static void tell_always(fw_monitor *m, const fw_state *state) {
  for (int i = 0; i < RECORDERS; i++)
    if (m->watching[i] && recorders[i]->always) recorders[i]->always(m->watching[i], state);
}

static void tell_begin(fw_monitor *m, const fw_state *state) {
  for (int i = 0; i < RECORDERS; i++)
    if (m->watching[i] && recorders[i]->begin) recorders[i]->begin(m->watching[i], state);
}

static fw_status tell_step(fw_monitor *m, const fw_state *state, double dt) {
  for (int i = 0; i < RECORDERS; i++)
    if (m->watching[i] && recorders[i]->step) FW_TRY(recorders[i]->step(m->watching[i], state, dt));
  return FW_OK;
}

static void tell_passed(fw_monitor *m, const fw_state *state) {
  for (int i = 0; i < RECORDERS; i++)
    if (m->watching[i] && recorders[i]->pass) recorders[i]->pass(m->watching[i], state);
}

static void tell_seen(fw_monitor *m, const fw_state *state, double dt) {
  for (int i = 0; i < RECORDERS; i++)
    if (m->watching[i] && recorders[i]->see) recorders[i]->see(m->watching[i], state, dt);
}

static fw_status tell_row(fw_monitor *m, const fw_state *state) {
  for (int i = 0; i < RECORDERS; i++)
    if (m->watching[i] && recorders[i]->row) FW_TRY(recorders[i]->row(m->watching[i], state));
  return FW_OK;
}

/* ---- steps ------------------------------------------------------------------------------- */

static fw_status observe(fw_monitor *m, const fw_state *state, const fw_energy *energy) {
  if (!m->observing) {
    m->observing = true;
    m->begin_time = m->passed_time = state->time;
    fw_energy_recorder_begin(&m->energies, energy);
    tell_begin(m, state);
    return FW_OK;
  }
  double dt = state->time - m->last_time;
  FW_TRY(tell_step(m, state, dt));
  fw_energy_recorder_dwell(&m->energies, energy, dt);
  if (dt > 0.0 && !m->expects_passed) tell_seen(m, state, dt);
  return FW_OK;
}

void fw_monitor_expect_passed(fw_monitor *m) { m->expects_passed = true; }

void fw_monitor_pass(void *monitor, const fw_state *state) {
  fw_monitor *m = monitor;
  if (!m->observing) return;
  tell_passed(m, state);
  tell_seen(m, state, state->time - m->passed_time);
  m->passed_time = state->time;
}

fw_status fw_monitor_show_whole(fw_monitor *m, const fw_reduced_model *reduced) {
  m->reduced = reduced;
  return fw_state_create(m->job->ctx, reduced->whole, &m->whole);
}

static const fw_state *whole_of(fw_monitor *m, const fw_state *state) {
  if (m->reduced) fw_reduced_model_expand(m->reduced, state, m->whole);
  return m->reduced ? m->whole : state;
}

/* Of a reduced model where its strain energy is the largest so far by a twentieth: to see it as a whole takes longer than
 * a step. */
static void look_at_range(fw_monitor *m, const fw_state *state, const fw_energy *energy) {
  if (m->reduced && energy->strain <= 1.05 * m->strain_most) return;
  m->strain_most = energy->strain;
  const fw_state *whole = whole_of(m, state);
  fw_linear_range_look(&m->range, whole->model, whole->q);
}

fw_status fw_monitor_step(fw_monitor *m, const fw_state *state, const fw_energy *energy) {
  if (m->step == 0) fw_energy_recorder_begin(&m->energies, energy);
  tell_always(m, state);
  if (m->observing || state->time >= m->from * (1.0 - 1e-12)) FW_TRY(observe(m, state, energy));
  look_at_range(m, state, energy);
  if (wants_row(m, state->time)) {
    FW_TRY(tell_row(m, state));
    FW_TRY(fw_energy_recorder_row(&m->energies, state->time, energy));
  }
  fw_energy_recorder_step(&m->energies, state, energy);
  long frame_steps = (long)m->rows.every * m->job->frame_every;
  if (frame_steps > 0 && m->step % frame_steps == 0)
    FW_TRY(fw_sink_frame(m->job->sink, m->job->ctx, m->job->id,
                         &(fw_frame){"motion", state->time, whole_of(m, state), 0.0, NULL}));
  m->last_time = state->time;
  m->step++;
  return FW_OK;
}

fw_status fw_monitor_archive(fw_monitor *m, fw_archive *archive) {
  FW_TRY(fw_archive_longs(archive, &m->step, 1));
  FW_TRY(fw_archive_longs(archive, &m->next_time, 1));
  FW_TRY(fw_archive_flag(archive, &m->observing));
  FW_TRY(fw_archive_numbers(archive, &m->begin_time, 1));
  FW_TRY(fw_archive_numbers(archive, &m->last_time, 1));
  FW_TRY(fw_archive_numbers(archive, &m->passed_time, 1));
  FW_TRY(fw_archive_numbers(archive, &m->range.turn, 1));
  FW_TRY(fw_archive_numbers(archive, &m->range.part, 1));
  FW_TRY(fw_archive_numbers(archive, m->range.place, 2));
  FW_TRY(fw_archive_numbers(archive, &m->strain_most, 1));
  for (int i = 0; i < RECORDERS; i++)
    if (m->watching[i]) FW_TRY(recorders[i]->archive(m->watching[i], archive));
  FW_TRY(fw_energy_recorder_archive(&m->energies, archive));
  return fw_archive_tables(archive, m->job->sink, m->job->id);
}

fw_status fw_monitor_report(fw_monitor *m) {
  FW_TRY(fw_linear_range_judge(&m->range, m->job));
  double span = m->last_time - m->begin_time;
  if (!m->observing || !(span > 0.0)) return FW_OK;
  FW_TRY(fw_record_set_figure(m->job->summary, m->begin_time, "s", "observed.from"));
  FW_TRY(fw_record_set_figure(m->job->summary, m->last_time, "s", "observed.to"));
  for (int i = 0; i < RECORDERS; i++)
    if (m->watching[i]) FW_TRY(recorders[i]->report(m->watching[i], span));
  FW_TRY(fw_energy_recorder_report(&m->energies));
  return fw_energy_recorder_criterion(&m->energies, span);
}
