/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What watches a time integration: sensors, contact pairs, joints, supports, energy, derivatives, each on its own, and
 * the monitor of them all. */
#ifndef FW_ANALYSES_RECORDERS_H
#define FW_ANALYSES_RECORDERS_H

#include "solver/analysis.h"
#include "solver/assembly/reduced_model.h"
#include "solver/time/alpha.h"
#include "solver/time/archive.h"
#include "solver/time/integrator.h"

/* ---- recorders ------------------------------------------------------------------------------------------- */

/* What is observed: the drive's period (0 without one), the time span, the time that forces are averaged over before
 * their squares are. */
typedef struct fw_observation {
  double period, span, window;
} fw_observation;

/* What watches one kind of thing during a time integration; what it has no use for is NULL. */
typedef struct fw_recorder_ops {
  /* Opens its tables; *self, NULL before, stays so where the model has nothing to watch, and nothing else is called. */
  fw_status (*create)(fw_job *job, const fw_observation *over, void **self);
  void (*destroy)(void *self);
  /* Every step of the run, observed or not, from its beginning. */
  void (*always)(void *self, const fw_state *state);
  /* The observation begins at this state; then every step, `dt` after the one before. */
  void (*begin)(void *self, const fw_state *state);
  fw_status (*step)(void *self, const fw_state *state, double dt);
  /* States between two of these, where the integrator shows them. */
  void (*pass)(void *self, const fw_state *state);
  /* Every state that is seen, those between steps too where there are any, `dt` after the one before. */
  void (*see)(void *self, const fw_state *state, double dt);
  /* The state, that of the present step, becomes a row of its table. */
  fw_status (*row)(void *self, const fw_state *state);
  /* Keeps what was observed so far, or takes it back. */
  fw_status (*archive)(void *self, fw_archive *archive);
  /* Figures of the observed time `span` into the summary, and tables of its own. */
  fw_status (*report)(void *self, double span);
} fw_recorder_ops;

/* Sensors: the table `history`, sensors.ID.{final,min,max,harmonics[h].{amplitude,phase}}. */
extern const fw_recorder_ops fw_sensor_recorder;
/* Contact pairs: the table `contact` of every point, contact.ID.FIGURE (contact/figures.h). */
extern const fw_recorder_ops fw_pair_recorder;
/* How far tubes in contact slide across the planes of their supports, which friction there does not resist:
 * contact.ID.off_plane_slip, and a warning where it is not small beside the slip in the plane. */
extern const fw_recorder_ops fw_off_plane_recorder;
/* Joints: the table `joints` of force (x, y) and moment of each on its first body at its point there,
 * joints.ID.{force_max,moment_max}, constraints.{position_error,velocity_error}, the largest of the run. */
extern const fw_recorder_ops fw_joint_recorder;
/* What a fretting engineer asks of the supports of tubes: work rate and how sure it is, impacts and sliding, forces of
 * impacts, on which side of the tube, and the orbits in the clearances: supports.ID.FIGURE, what wears most first, and the
 * tables `orbits`, `supports`, `impacts`, `angles`, `clearances`. */
extern const fw_recorder_ops fw_support_recorder;
/* How fast tubes move in fluid-elastic forces whose matrices belong to one frequency: fluid_elastic.ID.{frequency,
 * frequency_seen}. */
extern const fw_recorder_ops fw_flow_recorder;

/* ---- energy recorder ------------------------------------------------------------------------------------- */

/* Watches the energies of a time integration: their history and the balance over the observed time. */

typedef struct fw_energy_recorder {
  fw_job *job;
  fw_data_table *table;
  bool film, flow;       /* films of liquid, fluid-elastic forces have a column */
  fw_energy first, last; /* balanced are the differences of these */
  double kinetic_most, numerical_most;
  double pressed;      /* largest force of a contact point in each step, summed, N */
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
