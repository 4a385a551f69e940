/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a fit leaves: figures with deviations and intervals, rank, correlation, ellipses of confidence, profiles of the
 * misfit along each parameter. */
#ifndef FW_IDENTIFY_REPORT_H
#define FW_IDENTIFY_REPORT_H

#include "identify/fit.h"
#include "identify/method.h"

typedef struct fw_fit_report {
  const char *name; /* of the object in the summary and at the end of table names; "" : none */
  const fw_fit_problem *problem;
  const fw_fit_options *options;
  const fw_fit *fit;
  bool profiles; /* of the misfit: fits again at several values of each parameter */
} fw_fit_report;

/* Figures NAME.PARAMETER, NAME.deviation.PARAMETER, NAME.interval.PARAMETER, NAME.rank ...; tables correlation-NAME,
 * ellipse-NAME-A-B, profile-NAME-PARAMETER; warnings of parameters on a bound, without effect or not determined. */
fw_status fw_fit_tell(fw_identify_job *job, const fw_fit_report *report);

#endif
