/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What watches a time integration: sensors, contact pairs, joints, energy, derivatives, each on its own, and the
 * monitor of them all. */
#ifndef FW_ANALYSES_RECORDERS_H
#define FW_ANALYSES_RECORDERS_H

#include "solver/analysis.h"
#include "solver/assembly/reduced_model.h"
#include "solver/time/alpha.h"
#include "solver/time/archive.h"
#include "solver/time/integrator.h"

/* ---- recorders ------------------------------------------------------------------------------------------- */

/* What watches a time integration: sensors, contact pairs, joints, energy, each on its own, and the monitor of them
 * all. */

/* ---- sensor recorder ------------------------------------------------------------------------------------- */

/* Watches sensors during a time integration: their history, extremes and harmonics. */

typedef struct fw_sensor_recorder fw_sensor_recorder;

/* Opens the table `history`. `period`: of the drive, 0 without one. */
fw_status fw_sensor_recorder_create(fw_job *job, double period, fw_sensor_recorder **recorder);
void fw_sensor_recorder_destroy(fw_sensor_recorder **recorder);

/* The observation begins at this state; then every state, `dt` after the one before. */
void fw_sensor_recorder_begin(fw_sensor_recorder *recorder, const fw_state *state);
void fw_sensor_recorder_step(fw_sensor_recorder *recorder, const fw_state *state, double dt);

/* A state between two of these, passed on the way: counts for the extremes, which are looked for between states too. */
void fw_sensor_recorder_pass(fw_sensor_recorder *recorder, const fw_state *state);

/* The state becomes a row of the table. */
fw_status fw_sensor_recorder_row(fw_sensor_recorder *recorder, const fw_state *state);

/* Keeps what was observed so far, or takes it back. */
fw_status fw_sensor_recorder_archive(fw_sensor_recorder *recorder, fw_archive *archive);

/* sensors.ID.{final,min,max,harmonics[h].{amplitude,phase}} over the observed time `span`. */
fw_status fw_sensor_recorder_report(fw_sensor_recorder *recorder, double span);

/* ---- pair recorder --------------------------------------------------------------------------------------- */

/* Watches contact pairs during a time integration: the history of every contact point, and figures of every pair. */

typedef struct fw_pair_recorder fw_pair_recorder;

/* *recorder is NULL for a model without contact; all functions accept that. Opens the table `contact`. period, window: as
 * of contact/figures.h. */
fw_status fw_pair_recorder_create(fw_job *job, double period, double window, fw_pair_recorder **recorder);
void fw_pair_recorder_destroy(fw_pair_recorder **recorder);

/* The observation begins at this state; then every state, `dt` after the one before (0 for the first). */
void fw_pair_recorder_begin(fw_pair_recorder *recorder, const fw_state *state);
void fw_pair_recorder_step(fw_pair_recorder *recorder, const fw_state *state, double dt);

/* The state becomes a row of the table. */
fw_status fw_pair_recorder_row(fw_pair_recorder *recorder, const fw_state *state);

/* Keeps what was observed so far, or takes it back. */
fw_status fw_pair_recorder_archive(fw_pair_recorder *recorder, fw_archive *archive);

/* contact.ID.FIGURE of the observed time. */
fw_status fw_pair_recorder_report(fw_pair_recorder *recorder);

/* ---- joint recorder -------------------------------------------------------------------------------------- */

/* Watches joints during a time integration: reactions, and how well they stay closed. */

typedef struct fw_joint_recorder fw_joint_recorder;

/* *recorder is NULL for a model without constraints; all functions accept that. Opens the table `joints`: force (x, y) and
 * moment of each joint on its first body, at its point there. */
fw_status fw_joint_recorder_create(fw_job *job, fw_joint_recorder **recorder);
void fw_joint_recorder_destroy(fw_joint_recorder **recorder);

/* After every step; `row`: into the table too. */
fw_status fw_joint_recorder_step(fw_joint_recorder *recorder, const fw_state *state, bool row);

/* Keeps the largest values so far, or takes them back. */
fw_status fw_joint_recorder_archive(fw_joint_recorder *recorder, fw_archive *archive);

/* joints.ID.{force_max,moment_max} and constraints.{position_error,velocity_error}, the largest of the run. */
fw_status fw_joint_recorder_report(fw_joint_recorder *recorder);

/* ---- off-plane recorder ------------------------------------------------------------------------------- */

/* How far tubes in contact slide across the planes of their supports, which friction there does not resist. */

typedef struct fw_off_plane_recorder fw_off_plane_recorder;

/* *recorder is NULL for a model without support planes; all functions accept that. */
fw_status fw_off_plane_recorder_create(fw_job *job, fw_off_plane_recorder **recorder);
void fw_off_plane_recorder_destroy(fw_off_plane_recorder **recorder);

/* A state `dt` after the one before. */
fw_status fw_off_plane_recorder_step(fw_off_plane_recorder *recorder, const fw_state *state, double dt);

/* Keeps what was observed so far, or takes it back. */
fw_status fw_off_plane_recorder_archive(fw_off_plane_recorder *recorder, fw_archive *archive);

/* contact.ID.off_plane_slip, and a warning of pairs with friction where it is not small beside the slip in the plane. */
fw_status fw_off_plane_recorder_report(fw_off_plane_recorder *recorder);

/* ---- support recorder ------------------------------------------------------------------------------------ */

/* What a fretting engineer asks of the supports of tubes: work rate and how sure it is, impacts and sliding, forces of
 * impacts, on which side of the tube, and the orbits in the clearances. */

typedef struct fw_support_recorder fw_support_recorder;

/* *recorder is NULL for a model without rings or contact; all functions accept that. Opens the table `orbits`. span:
 * time that will be observed, divided into windows. */
fw_status fw_support_recorder_create(fw_job *job, double span, fw_support_recorder **recorder);
void fw_support_recorder_destroy(fw_support_recorder **recorder);

/* The observation begins at this state; then every state, `dt` after the one before. */
void fw_support_recorder_begin(fw_support_recorder *recorder, const fw_state *state);
void fw_support_recorder_step(fw_support_recorder *recorder, const fw_state *state, double dt);

/* The state becomes a row of the table. */
fw_status fw_support_recorder_row(fw_support_recorder *recorder, const fw_state *state);

/* Keeps what was observed so far, or takes it back. */
fw_status fw_support_recorder_archive(fw_support_recorder *recorder, fw_archive *archive);

/* supports.ID.FIGURE, what wears most first, and the tables `supports`, `impacts`, `angles`, `clearances`. */
fw_status fw_support_recorder_report(fw_support_recorder *recorder);

/* ---- energy recorder ------------------------------------------------------------------------------------- */

/* Watches the energies of a time integration: their history and the balance over the observed time. */

typedef struct fw_energy_recorder {
  fw_job *job;
  fw_data_table *table;
  bool film, flow;       /* films of liquid, fluid-elastic forces have a column */
  fw_energy first, last; /* balanced are the differences of these */
  double kinetic_most, numerical_most;
  double pressed;      /* largest force of a contact point, N */
  double kinetic_time; /* integral of the kinetic energy over the observed time */
} fw_energy_recorder;

/* Opens the table `energy`. */
fw_status fw_energy_recorder_open(fw_energy_recorder *recorder, fw_job *job);

/* The balance begins here. */
void fw_energy_recorder_begin(fw_energy_recorder *recorder, const fw_energy *energy);
void fw_energy_recorder_step(fw_energy_recorder *recorder, const fw_state *state, const fw_energy *energy);

/* These energies lasted for dt of the observed time. */
void fw_energy_recorder_dwell(fw_energy_recorder *recorder, const fw_energy *energy, double dt);

/* The energies become a row of the table, with what is missing since the balance began. */
fw_status fw_energy_recorder_row(fw_energy_recorder *recorder, double time, const fw_energy *energy);

/* Keeps what was observed so far, or takes it back. */
fw_status fw_energy_recorder_archive(fw_energy_recorder *recorder, fw_archive *archive);

/* energy.{loads, stored, structural_damping, friction, contact_damping, numerical, drift, residual}; the residual
 * relative to what went through the model. */
fw_status fw_energy_recorder_report(const fw_energy_recorder *recorder);

/* energy_criterion.{input_power, damping_power, support_power, damping_decay, support_decay} of the observed time `span`,
 * where tubes have supports: a mode loses 2 zeta omega times twice its mean kinetic energy, so that
 * zeta omega = power/(4 mean kinetic energy). */
fw_status fw_energy_recorder_criterion(const fw_energy_recorder *recorder, double span);

/* ---- monitor --------------------------------------------------------------------------------------------- */

/* Watches a time integration: writes the histories and condenses the last whole periods to harmonics,
 * contact figures and an energy balance. Knows nothing of the integrator. */

typedef struct fw_monitor fw_monitor;

/* Which steps become history rows. */
typedef struct fw_row_options {
  int every;           /* each so many steps */
  double from;         /* and not before this time */
  const double *times; /* or, if not NULL, the first step at or after each of these (ascending; lent) */
  int time_count;
} fw_row_options;

/* `period`: of the drive, 0 without one. The figures are taken from time `from` (a whole number of
 * periods before the end) to the end `to`. `window`: forces are averaged over this time before their squares are (s). */
fw_status fw_monitor_create(fw_job *job, double period, double from, double to, const fw_row_options *rows,
                            double window, fw_monitor **monitor);
void fw_monitor_destroy(fw_monitor **monitor);

/* States to come are of a reduced model: pictures are of the whole one. Lent. */
fw_status fw_monitor_show_whole(fw_monitor *monitor, const fw_reduced_model *reduced);

/* After every accepted step (and once at the start). */
fw_status fw_monitor_step(fw_monitor *monitor, const fw_state *state, const fw_energy *energy);

/* Of an integrator with steps of its own: extremes and contact figures are then taken from every state that it passes,
 * not only from those of fw_monitor_step. The first makes it so, before the first step. */
void fw_monitor_expect_passed(fw_monitor *monitor);
void fw_monitor_pass(void *monitor, const fw_state *state);

/* Keeps what was observed so far, tables included, or takes it back. */
fw_status fw_monitor_archive(fw_monitor *monitor, fw_archive *archive);

/* Puts the figures into the job's summary. */
fw_status fw_monitor_report(fw_monitor *monitor);

/* ---- patch table ----------------------------------------------------------------------------------------- */

/* The table `contact` of a state at rest: a row for each point of pairs of three points and more, with its place in the
 * undeformed model, gap, forces, slip and state. */
fw_status fw_patch_table(const fw_job *job, const fw_state *state);

/* ---- sensitivity table ----------------------------------------------------------------------------------- */

/* Derivatives of the sensors by parameters, as a table and in the summary. */

typedef struct fw_sensitivity_table {
  const fw_job *job;
  const fw_integrator_ops *ops;
  const void *integrator;
  fw_sheet sheet;
} fw_sensitivity_table;

/* Opens the table `sensitivity`: time, then d SENSOR/d PARAMETER of all pairs. The integrator must follow the job's
 * variants. Clear is safe on a zeroed one. */
fw_status fw_sensitivity_table_open(const fw_job *job, const fw_integrator_ops *ops, const void *integrator,
                                    fw_sensitivity_table *table);
void fw_sensitivity_table_clear(fw_sensitivity_table *table);

/* A row of where the integrator is; the last one as sensitivities.PARAMETER.SENSOR of the summary. */
fw_status fw_sensitivity_table_row(fw_sensitivity_table *table);
fw_status fw_sensitivity_table_report(const fw_sensitivity_table *table);

#endif
