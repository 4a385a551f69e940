/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the stability of the motions along a curve changes, in the summary. */
#ifndef FW_ANALYSES_BIFURCATIONS_H
#define FW_ANALYSES_BIFURCATIONS_H

#include "core/record.h"
#include "solver/hb/orbit.h"

/* PREFIXunstable_points and PREFIXbifurcations[k].{kind, frequency, amplitude, level}, half way between two motions of
 * which one is stable: `fold` (a real multiplier above 1), `period-doubling` (below -1), `torus` (a pair). The
 * amplitude is entry `reading` of the sensors' harmonics. unjudged: NULL, or why some could not be judged. */
fw_status fw_bifurcations_record(fw_record *to, const fw_orbit *orbits, int count, int reading, const char *unjudged,
                                 const char *prefix);

#endif
