/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FW_ANALYSES_FRF_SENSITIVITY_H
#define FW_ANALYSES_FRF_SENSITIVITY_H

#include "solver/analyses/frf/report.h"

/* Derivatives of the main resonance with respect to every number of the friction laws, into the summary:
 * PREFIXsensitivity.PAIR.NUMBER.{value, frequency, amplitude, damping, work_rate, ..., changed}; of a pair's second law
 * on below sensitivity.PAIR.law2. A response without resonance has none. */
fw_status fw_frf_sensitivities(fw_job *job, const fw_frf *frf, const fw_response *response, const char *prefix);

#endif
