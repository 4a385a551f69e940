/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equilibrium paths by arc length: f_int(q) = f_0 + mu f_1 is followed in (q, mu) from mu = 0 through limit points and
 * folds until mu = 1. Structures without contact. */
#ifndef FW_CONTINUATION_LOAD_PATH_H
#define FW_CONTINUATION_LOAD_PATH_H

#include "solver/assembly/system.h"

/* Called with every point of the path; iterations: of all its Newton steps. */
typedef fw_status (*fw_load_path_point)(void *user, double mu, const fw_state *state, int iterations);

/* What defines a path. */
typedef struct fw_load_path_job {
  fw_system *system;
  const double *f_0, *f_1; /* [size] load at the beginning, and its growth; joint rows 0 */
  int steps;               /* the first arc is as long as a step of 1/steps of the load; none is longer */
  fw_load_path_point point;
  void *user;
} fw_load_path_job;

/* Figures of the path. */
typedef struct fw_load_path {
  int points, limits;
  double limit[8]; /* the first loads at which mu turned, by a parabola through the three points around it */
} fw_load_path;

/* Moves `state` along the path to mu = 1. FW_ERR_ANALYSIS if it gets stuck or never arrives: the state is the last
 * point. */
fw_status fw_load_path_follow(fw_context *ctx, const fw_load_path_job *job, fw_state *state, fw_load_path *path);

#endif
