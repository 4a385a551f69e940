/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an frf leaves: tables, summary, and states on its orbits. */
#ifndef FW_ANALYSES_FRF_REPORT_H
#define FW_ANALYSES_FRF_REPORT_H

#include "solver/analysis.h"
#include "solver/hb/response.h"

typedef struct fw_frf {
  fw_vibration *vibration;
  fw_response *responses;             /* level by level, upwards before downwards */
  int count, level_count, directions; /* of sweeps: 1 or 2 */
} fw_frf;

/* What a table's name gets if there are two directions: "-up", "-down". */
const char *fw_frf_direction(const fw_response_options *options, bool both);

/* The table frf-LEVEL, or frf-LEVEL-up and -down if `both`. */
fw_status fw_frf_write(fw_job *job, const fw_response *response, bool both);

/* Where response i stands in the summary: "levels[i]." or "levels[i].down.". */
void fw_frf_prefix(const fw_frf *frf, int i, char *prefix, size_t room);

/* The main resonance, else the peak; NULL: no orbits. */
const fw_orbit *fw_frf_main(const fw_response *response);

/* levels[i].resonance and what belongs to it, and the table resonances. */
fw_status fw_frf_summarise(fw_job *job, const fw_frf *frf);

/* A state on the response at a level and frequency, at a phase of the drive (rad). */
fw_status fw_frf_state(fw_context *ctx, const fw_frf *frf, double level, double frequency, double phase,
                       fw_state **state);

/* The state on one of a response's orbits. */
fw_status fw_frf_state_on(fw_context *ctx, const fw_frf *frf, const fw_response *response, const fw_orbit *orbit,
                          double phase, fw_state **state);

#endif
