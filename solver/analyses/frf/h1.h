/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency response from a broadband load, measured as on a rig: time integration, spectra, H1. */
#ifndef FW_ANALYSES_FRF_H1_H
#define FW_ANALYSES_FRF_H1_H

#include "solver/analysis.h"

/* For the check of an frf with method="h1": FW_ERR_DECK unless its loads are one with many frequencies, and constant
 * ones. */
fw_status fw_frf_h1_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args);

/* All levels of the job, an frf with method="h1"; *state: the last one. */
fw_status fw_frf_h1(fw_job *job, fw_state **state);

#endif
