/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Impacts of hard contact: Newton's law with friction, all closed points together. */
#ifndef FW_TIME_IDA_IMPACT_H
#define FW_TIME_IDA_IMPACT_H

#include "solver/time/ida/events.h"

/* Velocities after the points `closing` [contact_count] have struck; those that do not bounce are closed. What the
 * impulses take of the kinetic energy is added to *lost. */
fw_status fw_impact_apply(fw_context *ctx, fw_dae *dae, const bool *closing, const fw_rest *rest, fw_state *state,
                          fw_impact_loss *lost);

/* A point of hard contact is closed from now on. */
void fw_impact_close(fw_dae_point *point, const fw_touch *touch);

#endif
