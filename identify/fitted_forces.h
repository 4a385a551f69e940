/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contact forces by fitted shapes: inverse harmonic balance as published, and how well each of its approaches gives back what the
 * sensors read. */
#ifndef FW_IDENTIFY_FITTED_FORCES_H
#define FW_IDENTIFY_FITTED_FORCES_H

#include "identify/weak_form.h"

typedef struct fw_fitted_job {
  fw_identify_job *job;
  const fw_harmonics *data; /* with phases */
  int load, pair;
  fw_form_options forms;
  fw_weak_options weak;
} fw_fitted_job;

/* Whether attributes and data go together. */
fw_status fw_fitted_check(const fw_fitted_job *fitted);

/* Figures, the tables period, shapes, sensors, orders and approaches; about a state where the contact is closed. */
fw_status fw_fitted_run(fw_context *ctx, const fw_model *model, const fw_state *state, const fw_fitted_job *fitted);

#endif
