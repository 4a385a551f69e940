/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FW_ANALYSES_FRF_SHAPES_H
#define FW_ANALYSES_FRF_SHAPES_H

#include "solver/analyses/frf/report.h"

/* Shapes of the harmonics at the main resonance (else the peak), mass-normalised, and their MAC against `modes` linear
 * modes with the contact stuck: table shapes-LEVEL (-up, -down if `both`), pictures, and PREFIXshape in the summary. */
fw_status fw_frf_shapes(fw_job *job, const fw_frf *frf, const fw_response *response, bool both, int modes,
                        const char *prefix);

#endif
