/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the analysis nnm: its curve by shooting, and what is told of a curve whatever found it. */
#ifndef FW_ANALYSES_NNM_PARTS_H
#define FW_ANALYSES_NNM_PARTS_H

#include "solver/analysis.h"
#include "solver/hb/nnm.h"

/* The curve by shooting, its tables `nnm` and `multipliers`, and its summary. options: mode, sensor, amplitudes, points
 * and tolerance. Clear nnm with fw_nnm_clear. */
fw_status fw_nnm_shooting(fw_job *job, const fw_nnm_options *options, fw_nnm *nnm);

/* Ends, limit cycles, bifurcations, note; options: its sensor, H, stability and beyond. */
fw_status fw_nnm_summarise(fw_job *job, const fw_nnm_options *options, const fw_nnm *nnm);

#endif
