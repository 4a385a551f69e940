/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency response by time integration: stepped sine. */
#ifndef FW_ANALYSES_FRF_TIME_H
#define FW_ANALYSES_FRF_TIME_H

#include "solver/analyses/frf/report.h"

/* The response at one level from options->f_from to f_to, each frequency from the last state of the one before; writes
 * its table. */
fw_status fw_frf_time(fw_job *job, const fw_response_options *options, bool both, fw_response *response);

#endif
