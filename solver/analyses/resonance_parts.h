/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the analysis resonance: its curve by shooting, and what is told of a curve whatever found it. */
#ifndef FW_ANALYSES_RESONANCE_PARTS_H
#define FW_ANALYSES_RESONANCE_PARTS_H

#include "solver/analysis.h"
#include "solver/hb/resonance.h"

/* The curve by shooting, its tables `locus` and `multipliers`, and its summary. A curve that ends early is told in
 * curve->status and note. */
fw_status fw_resonance_shooting(fw_job *job, fw_resonance_curve *curve);

/* Points, maxima, bifurcations, note; options: its sensor, H and stability. */
fw_status fw_resonance_summarise(fw_job *job, const fw_response_options *options, const fw_resonance_curve *curve);

/* The resonance where the curve first passes a level, to the last digit, with its derivatives by those numbers of
 * friction laws. Positive status: not found, or of a curve by shooting. Clear with fw_sensitivities_clear. */
fw_status fw_resonance_at(fw_context *ctx, const fw_outcome *outcome, double level, const fw_law_place *places,
                          int count, fw_sensitivities *found);

#endif
