/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A periodic motion found by time integration, with the figures harmonic balance gives of its orbits. */
#ifndef FW_ANALYSES_TIME_ORBIT_H
#define FW_ANALYSES_TIME_ORBIT_H

#include "solver/analyses/linear_range.h"
#include "solver/time/integrator.h"

enum { FW_TIME_BLOCK = 10 }; /* periods over which figures are taken, at most */

typedef struct fw_time_orbit_options {
  double frequency;       /* Hz */
  int H;                  /* harmonics of the sensors */
  int steps;              /* of a period */
  int sensor;             /* whose first harmonic tells whether the motion is steady */
  int least, most;        /* periods */
  double tolerance;       /* relative distance from the steady motion at which it counts as steady */
  const fw_state *rest;   /* before the vibration: means are differences from it */
  const double *drift;    /* [dof_count] rates at which displacements grow from period to period; NULL: none do */
  fw_linear_range *range; /* takes every step into account; NULL: none is watched */
} fw_time_orbit_options;

/* Takes the figures of an orbit from its motion, step by step over whole periods. */
typedef struct fw_orbit_recorder {
  const fw_model *model;
  const fw_time_orbit_options *options;
  int periods; /* over which it goes on */
  fw_orbit *orbit;
  double *rest; /* per sensor: value before the vibration */
  fw_figures *figures;
  fw_energy begin;
  double complex first[FW_TIME_BLOCK]; /* per period: first harmonic of the options's sensor */
  int steps;                           /* seen so far */
} fw_orbit_recorder;

/* options and orbit are lent; the orbit is overwritten. Clear leaves the orbit alone and is safe after a failed init. */
fw_status fw_orbit_recorder_init(fw_context *ctx, const fw_model *model, const fw_time_orbit_options *options,
                                 int periods, fw_orbit *orbit, fw_orbit_recorder *recorder);
void fw_orbit_recorder_clear(fw_orbit_recorder *recorder);
/* What a sensor shows, less its value before the vibration and what has drifted since time 0. */
double fw_orbit_recorder_reading(const fw_orbit_recorder *recorder, const fw_state *state, int sensor);
/* The state at the beginning; the one after each step; all figures when the last was seen. */
void fw_orbit_recorder_begin(fw_orbit_recorder *recorder, const fw_state *state, const fw_energy *energy);
void fw_orbit_recorder_step(fw_orbit_recorder *recorder, const fw_state *state, const fw_energy *energy);
void fw_orbit_recorder_end(fw_orbit_recorder *recorder, const fw_energy *energy);

/* How the integration ended. */
typedef struct fw_time_end {
  int periods;
  /* Estimated relative distance of the first harmonic from its steady value: the changes within the last block of
   * periods, as a geometric series with the ratio to those of the block before. INFINITY: they grow. */
  double distance;
} fw_time_end;

/* Attributes of the transient by whose steps periodic motions are found: the defaults, but each step in balance to 1e-12.
 * Where disturbances die out slowly, the motion that 1e-9 leads to is off by several thousand times that, and by what
 * the steps before have left. */
fw_status fw_time_orbit_args(fw_context *ctx, fw_args *args);

/* From `state`, with its loads, at time 0; `state` becomes the last one, at time 0 again. job->args: of
 * fw_time_orbit_args. orbit->y stays NULL. */
fw_status fw_time_orbit(const fw_job *job, fw_system *system, const fw_integrator_ops *ops,
                        const fw_time_orbit_options *options, fw_state *state, fw_orbit *orbit, fw_time_end *end);

#endif
