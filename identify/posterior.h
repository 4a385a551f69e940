/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The posterior of fitted parameters, exp(-sum of r^2/2) times a prior that is even between the bounds (of a
 * logarithmic parameter in its logarithm), sampled by an ensemble (ensemble.h) that begins around the fit. */
#ifndef FW_IDENTIFY_POSTERIOR_H
#define FW_IDENTIFY_POSTERIOR_H

#include "identify/ensemble.h"
#include "identify/fit.h"

typedef struct fw_posterior_options {
  const fw_fit_problem *problem;
  const fw_fit *fit;
  int walkers, skip, steps; /* as of an ensemble */
  unsigned long seed;
  int extras;                                      /* numbers that are known after a residual: */
  void (*extra)(const void *user, double *values); /* user: the problem's; NULL: none */
  const char *progress;
} fw_posterior_options;

/* Points of the ensemble are parameters in their own units. Where a residual fails there is no density. */
fw_status fw_posterior_run(fw_context *ctx, const fw_posterior_options *options, fw_ensemble *ensemble);

#endif
