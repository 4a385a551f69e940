/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest response at one drive level, near a motion of that level. */
#ifndef FW_HB_PEAK_H
#define FW_HB_PEAK_H

#include "solver/hb/response.h"

typedef struct fw_peak {
  double frequency; /* Hz */
  double amplitude; /* first harmonic of the options's sensor, in its quantity */
  double phase;     /* rad, of the displacement against the drive */
  double gain;      /* amplitude over the level */
} fw_peak;

/* Sets response->top and its bandwidth: the largest response and the frequencies of half its power, to the digits of
 * the equations and not those of the grid. Where no maximum is found near the largest row (undamped, beyond the range,
 * not resolved) that row stays the peak and the bandwidth is not known. */
fw_status fw_peak_measure(fw_context *ctx, const fw_vibration *vibration, fw_response *response);

/* Of the rows and resonances of a response that has a peak, the motion with the largest gain. */
const fw_orbit *fw_peak_highest(const fw_response *response);

/* Along the response at options->level, on which the phase is the parameter: it grows evenly through a resonance, folds
 * or not. The first harmonic's maximum by parabolas. Positive status: none found near. */
fw_status fw_peak_find(fw_context *ctx, const fw_vibration *vibration, const fw_response_options *options,
                       const fw_orbit *near, fw_peak *peak);

#endif
