/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether an equilibrium is stable. */
#ifndef FW_ASSEMBLY_GROWTH_H
#define FW_ASSEMBLY_GROWTH_H

#include "solver/assembly/system.h"

/* How fast the fastest of the modes nearest to rest grows about a state (1/s); 0: it is stable, or free to move. */
fw_status fw_growth_find(fw_context *ctx, fw_system *system, const fw_state *state, double *growth);

#endif
