/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Affine-invariant ensemble sampler (Goodman and Weare 2010): a walker x of one half moves along the line through a
 * walker w of the other half,
 *
 *   y = w + z (x - w),  z with density ~ 1/sqrt(z) on [1/a, a],  accepted with probability min(1, z^(d-1) p(y)/p(x)).
 *
 * How the parameters are scaled and correlated makes no difference. All of a half is evaluated at once, so that many
 * processors may share it; what is drawn does not depend on how many there are. */
#ifndef FW_IDENTIFY_ENSEMBLE_H
#define FW_IDENTIFY_ENSEMBLE_H

#include "core/context.h"

typedef struct fw_ensemble_options {
  int dimensions, walkers; /* even, more than dimensions */
  int extras;              /* numbers that come with each density */
  int skip, steps;         /* steps of all walkers that do not count, and that do */
  unsigned long seed;
  const double *starts; /* [walkers * dimensions] */
  void *user;
  /* Logarithms of the density at points[count * dimensions], -INFINITY where it is none, and extras[count * extras]. */
  fw_status (*evaluate)(void *user, fw_context *ctx, int count, const double *points, double *density, double *extras);
  const char *progress; /* name for fw_progress; NULL: none */
} fw_ensemble_options;

/* Where the walkers were, step by step. Arrays are owned. */
typedef struct fw_ensemble {
  int dimensions, walkers, extras, steps;
  double *points;  /* [steps * walkers * dimensions] */
  double *density; /* [steps * walkers] */
  double *more;    /* [steps * walkers * extras] */
  double accepted; /* part of the moves */
} fw_ensemble;

/* Clear is safe on a zeroed struct. */
fw_status fw_ensemble_run(fw_context *ctx, const fw_ensemble_options *options, fw_ensemble *ensemble);
void fw_ensemble_clear(fw_ensemble *ensemble);

/* What is known of one dimension. */
typedef struct fw_ensemble_figures {
  double mean, deviation, low, median, high; /* low to high: 95 % */
  double time;      /* integrated autocorrelation of a walker in steps, with Sokal's window of five times itself */
  double effective; /* independent samples that all are worth */
  double split; /* spread of halves of walkers over that within them (R hat of Gelman and Rubin): 1 when converged */
} fw_ensemble_figures;
fw_status fw_ensemble_look(fw_context *ctx, const fw_ensemble *ensemble, int dimension, fw_ensemble_figures *figures);

/* Percentiles, parts of 1, of an extra over all samples that have it (finite); NaN: none has. */
fw_status fw_ensemble_percentiles(fw_context *ctx, const fw_ensemble *ensemble, int extra, const double *parts,
                                  int count, double *values);

#endif
