/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FW_ANALYSES_NNM_SYNTHESIS_H
#define FW_ANALYSES_NNM_SYNTHESIS_H

#include "solver/analysis.h"
#include "solver/hb/synthesis.h"

/* The forced response at each of the job's `levels`, put together from the mode, beside the full one: tables
 * synthesis-LEVEL and levels[i] in the summary. */
fw_status fw_nnm_synthesise(fw_job *job, const fw_vibration *vibration, const fw_nnm *nnm);

#endif
