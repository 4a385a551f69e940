/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of a posterior: figures and diagnostics under `posterior` of the summary, warnings where it has not
 * converged, the samples, and bands of what they foretell. */
#ifndef FW_IDENTIFY_POSTERIOR_REPORT_H
#define FW_IDENTIFY_POSTERIOR_REPORT_H

#include "identify/method.h"
#include "identify/posterior.h"

/* posterior.NAME.{mean, deviation, median, interval[2], autocorrelation, effective, split}; table `posterior`. */
fw_status fw_posterior_tell(fw_identify_job *job, const fw_fit_problem *problem, const fw_ensemble *ensemble);

/* Table `bands`: percentiles of extra i at x[i], all of which are in the unit of y. */
fw_status fw_posterior_bands(fw_identify_job *job, const fw_ensemble *ensemble, fw_column along, const double *x,
                             const char *unit);

#endif
