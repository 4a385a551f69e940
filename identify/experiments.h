/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of friction from experiments made for them: constant speeds, a ramp of force, small signals. */
#ifndef FW_IDENTIFY_EXPERIMENTS_H
#define FW_IDENTIFY_EXPERIMENTS_H

#include "identify/loops.h"

typedef enum fw_experiment {
  FW_EXPERIMENT_LOOPS, /* of the chain of laws, not of this file */
  FW_EXPERIMENT_SPEEDS,
  FW_EXPERIMENT_RAMP,
  FW_EXPERIMENT_SMALL_SIGNAL
} fw_experiment;
#define FW_EXPERIMENTS "loops|speeds|ramp|small-signal"

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

#endif
