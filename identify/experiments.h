/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of friction from experiments made for them: constant speeds, a ramp of force, small signals;
 * stick_slip.h has the fourth. */
#ifndef FW_IDENTIFY_EXPERIMENTS_H
#define FW_IDENTIFY_EXPERIMENTS_H

#include "identify/loops.h"

typedef enum fw_experiment {
  FW_EXPERIMENT_LOOPS, /* of the chain of laws, */
  FW_EXPERIMENT_SPEEDS,
  FW_EXPERIMENT_RAMP,
  FW_EXPERIMENT_SMALL_SIGNAL,
  FW_EXPERIMENT_STICK_SLIP /* of stick_slip.h: neither is of this file */
} fw_experiment;
#define FW_EXPERIMENTS "loops|speeds|ramp|small-signal|stick-slip"

typedef struct fw_experiment_options {
  fw_experiment kind;
  const char *hold; /* "sigma-2=0": NULL: none */
  fw_fit_options fit;
  bool profiles;
} fw_experiment_options;

/* Whether the records can tell what is asked; FW_ERR_DECK if not. */
fw_status fw_experiment_check(fw_identify_job *job, const fw_loops *loops, const fw_experiment_options *options);

/* speeds: stretches of constant velocity, mu = mu_c + (mu_s - mu_c) exp(-(v/v_s)^2) + sigma_2 |v| by least squares; table
 * `speeds`. ramp: the largest force before sliding and the slope of the beginning; table `ramps`. small-signal: T = sigma_0 u
 * + (sigma_1 + loss/w) v over the last cycle of each record; table `signals`. */
fw_status fw_experiment_run(fw_identify_job *job, const fw_loops *loops, const fw_experiment_options *options);

/* Where a record of growing force breaks away, and how stiff the contact is before. */
typedef struct fw_ramp {
  size_t at;               /* row where it breaks away */
  double force, normal;    /* there */
  double stiffness, error; /* slope where it begins, from the first third of the force (N/m); NaN: unknown */
  double rate;             /* N/s up to there */
} fw_ramp;
fw_ramp fw_ramp_take(const fw_loop_data *loop);

#endif
