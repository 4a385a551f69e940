/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several results in one picture: tables that they have in common, with a curve for each. */
#ifndef FW_OUTPUT_OVERLAY_H
#define FW_OUTPUT_OVERLAY_H

#include <stdio.h>

#include "core/context.h"

/* Writes the figures of all analyses that two or more of the folders have, curves named "run 1" ... in the order of the
 * folders, in at most about `most` characters. */
fw_status fw_overlay_put(fw_context *ctx, FILE *out, const char *const *folders, int count, size_t most);

#endif
