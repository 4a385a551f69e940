/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FW_ANALYSES_HB_PREPARE_H
#define FW_ANALYSES_HB_PREPARE_H

#include "solver/analysis.h"
#include "solver/hb/vibration.h"

/* The job's model about its start state, driven by the job's loads at level 1. f_max (Hz): highest frequency of the
 * analysis; 0: not known, the first frequency with all contact held is taken. driven: it is an error if no load drives.
 */
fw_status fw_hb_prepare(fw_job *job, double f_max, fw_reduction how, bool driven, fw_vibration **vibration);

#endif
