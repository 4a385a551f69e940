/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches a time integration: writes the histories and condenses the last whole periods to harmonics,
 * contact figures and an energy balance. Knows nothing of the integrator. */
#ifndef FW_ANALYSES_MONITOR_H
#define FW_ANALYSES_MONITOR_H

#include "solver/analysis.h"
#include "solver/time/alpha.h"
#include "solver/time/archive.h"

typedef struct fw_monitor fw_monitor;

/* Which steps become history rows. */
typedef struct fw_row_options {
  int every;           /* each so many steps */
  double from;         /* and not before this time */
  const double *times; /* or, if not NULL, the first step at or after each of these (ascending; lent) */
  int time_count;
} fw_row_options;

/* `period`: of the drive, 0 without one. The figures are taken from time `from` on (a whole number of
 * periods before the end). `window`: forces are averaged over this time before their squares are (s). */
fw_status fw_monitor_create(fw_job *job, double period, double from, const fw_row_options *rows, double window,
                            fw_monitor **monitor);
void fw_monitor_destroy(fw_monitor **monitor);

/* After every accepted step (and once at the start). */
fw_status fw_monitor_step(fw_monitor *monitor, const fw_state *state, const fw_energy *energy);

/* Keeps what was observed so far, tables included, or takes it back. */
fw_status fw_monitor_archive(fw_monitor *monitor, fw_archive *archive);

/* Puts the figures into the job's summary. */
fw_status fw_monitor_report(fw_monitor *monitor);

#endif
