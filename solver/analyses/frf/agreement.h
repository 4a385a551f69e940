/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmonic balance checked by time integration, which shares nothing with it but the model and the laws. */
#ifndef FW_ANALYSES_FRF_AGREEMENT_H
#define FW_ANALYSES_FRF_AGREEMENT_H

#include "solver/analyses/frf/report.h"

/* Integrates from some orbits of a response; the table agreement-LEVEL and `prefix`agreement of the summary say how far
 * the two methods differ and, where they do, why. */
fw_status fw_frf_agreement(fw_job *job, const fw_frf *frf, const fw_response *response, bool both, const char *prefix);

#endif
