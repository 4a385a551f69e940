/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FW_ANALYSES_FRF_LOOPS_H
#define FW_ANALYSES_FRF_LOOPS_H

#include "solver/analyses/frf/report.h"

/* Slip and forces of every contact point over a period, at all orbits of the responses or at the main resonance (else
 * the peak) of each only: table loops. */
fw_status fw_frf_loops(fw_job *job, const fw_frf *frf, bool all);

#endif
