/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What time integration of an frf needs, on its own and as a check of harmonic balance. */
#ifndef FW_ANALYSES_FRF_INTEGRATION_H
#define FW_ANALYSES_FRF_INTEGRATION_H

#include "solver/analyses/frf/report.h"
#include "solver/analyses/time_orbit.h"

enum { FW_TIME_HARMONICS = 10 };

/* The job as a transient with its defaults, the system, the state before the vibration. */
typedef struct fw_frf_integration {
  fw_job job;
  fw_args args;
  fw_system *system;
  fw_state *rest;
  const fw_integrator_ops *ops;
  fw_time_orbit_options options;
} fw_frf_integration;

/* Clear is safe on a zeroed struct and after a failed init. */
fw_status fw_frf_integration_init(const fw_job *job, fw_frf_integration *in);
void fw_frf_integration_clear(fw_frf_integration *in);

#endif
