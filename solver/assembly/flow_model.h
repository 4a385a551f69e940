/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model with its fluid-elastic forces at another flow or frequency than the deck's. */
#ifndef FW_ASSEMBLY_FLOW_MODEL_H
#define FW_ASSEMBLY_FLOW_MODEL_H

#include "elements/flow.h"

/* All fluid-elastic forces at one flow and frequency; everything else is lent by `model`. FW_ERR_ANALYSIS with a message where one of
 * their matrices is not a finite number. Clear after a failure too. */
fw_status fw_flow_model_make(fw_context *ctx, const fw_model *model, fw_flow_at where, fw_model *at);
void fw_flow_model_clear(fw_model *at);

#endif
