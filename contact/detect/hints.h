/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where open followers of moving surfaces should look first. Within a step a follower is tracked
 * from segment to neighbour; once a step is accepted the whole surface is looked at again, so that
 * one that comes near elsewhere is not missed. Surfaces that stand still need none of this. */
#ifndef FW_CONTACT_HINTS_H
#define FW_CONTACT_HINTS_H

#include "core/state.h"

typedef struct fw_hints fw_hints;

fw_status fw_hints_create(fw_context *ctx, const fw_model *model, fw_hints **hints);
void fw_hints_destroy(fw_hints **hints);

/* Sets touch[c].segment and xi of every open follower of a moving surface to the nearest place at q.
 * Costs n log m for n followers and m segments. */
void fw_hints_update(fw_hints *hints, const fw_model *model, const double *q, fw_touch *touch);

#endif
