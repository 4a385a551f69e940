/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One frequency response by harmonic balance, with as many harmonics as it needs or the deck says. */
#ifndef FW_ANALYSES_FRF_HARMONICS_H
#define FW_ANALYSES_FRF_HARMONICS_H

#include "core/table.h"
#include "solver/hb/response.h"

/* args: of the analysis frf; wish: without harmonics and samples. Beyond 33 harmonics the orbits at resonances and peak
 * say how many are needed before the curve is followed once more. */
fw_status fw_frf_respond(fw_context *ctx, const fw_args *args, const fw_vibration *vibration,
                         fw_response_options options, fw_response *response);

#endif
