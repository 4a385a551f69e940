/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places that coincide. */
#ifndef FW_INPUT_MESH_TWINS_H
#define FW_INPUT_MESH_TWINS_H

#include "core/context.h"

/* map[i] becomes an earlier one of the n places that is closer to place i than `tolerance` (0: 1e-9 of their extent),
 * or i if there is none: following it leads to the first of all that coincide. */
fw_status fw_find_twins(fw_context *ctx, const double (*places)[2], int n, double tolerance, int *map);

#endif
