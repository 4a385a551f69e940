/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How accelerations (or velocity jumps) answer to forces (or impulses) at the contact points, joints kept:
 * [M G^T; G 0] factored, and its answer to every contact direction. */
#ifndef FW_TIME_IDA_MOBILITY_H
#define FW_TIME_IDA_MOBILITY_H

#include "solver/time/ida/dae.h"

typedef struct fw_mobility {
  int64_t size; /* freedoms and joint multipliers */
  fw_factor *factor;
  double *columns; /* [2 contact_count x size]: to a unit gap force, then a unit slip force, of each point */
  double *D;       /* [2 contact_count square] row major: gap and slip acceleration of each to each */
} fw_mobility;

/* For the configuration at which dae->points were last evaluated. FW_ERR_SINGULAR if a freedom has no mass. */
fw_status fw_mobility_create(fw_context *ctx, fw_dae *dae, const fw_state *state, fw_mobility *mobility);
void fw_mobility_clear(fw_mobility *mobility);

#endif
