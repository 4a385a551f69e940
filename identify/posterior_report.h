/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of a posterior: figures and diagnostics under `posterior` of the summary, warnings where it has not
 * converged, the samples, and bands of what they foretell. */
#ifndef FW_IDENTIFY_POSTERIOR_REPORT_H
#define FW_IDENTIFY_POSTERIOR_REPORT_H

#include "identify/method.h"
#include "identify/posterior.h"

/* posterior.NAME.{mean, deviation, median, interval[2], autocorrelation, effective, split}; table `posterior`. */
fw_status fw_posterior_tell(fw_identify_job *job, const fw_fit_problem *problem, const fw_ensemble *ensemble);

/* Extras first..first+count-1 of an ensemble, in one unit, at x[count]. */
typedef struct fw_band {
  const char *table;
  fw_column along;
  const char *unit;
  const double *x;
  int first, count;
} fw_band;

/* A table of their percentiles. */
fw_status fw_posterior_band(fw_identify_job *job, const fw_ensemble *ensemble, const fw_band *band);

#endif
