/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The resonance, a phase between response and drive, followed as the drive level changes: one curve with its folds
 * (several resonances at one level) and its maxima (levels beyond which friction loses the resonance). */
#ifndef FW_HB_RESONANCE_CURVE_H
#define FW_HB_RESONANCE_CURVE_H

#include "solver/hb/response.h"

typedef struct fw_resonance_curve {
  fw_orbit *orbits;
  int count, room;
  fw_status status; /* FW_OK: from the first level to the last, or back again */
  char note[320];
  const char *unjudged; /* as of a response */
} fw_resonance_curve;

/* start: a resonance of a response at its level, where the curve begins; level_to: where it ends; points: of the
 * grid of levels. Returns a fatal status only. */
fw_status fw_resonance_curve_run(fw_context *ctx, const fw_vibration *vibration, const fw_response_options *options,
                                 const fw_orbit *start, double level_to, int points, fw_resonance_curve *locus);
void fw_resonance_curve_clear(fw_resonance_curve *locus);

#endif
