/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FW_OUTPUT_RASTER_H
#define FW_OUTPUT_RASTER_H

#include "output/plot.h"

/* Makes of many patches, in place, at most `most` squares (and no more than there were) that cover the same surface: each has the
 * largest value of the patches that hold its middle or have theirs in it. */
fw_status fw_raster(fw_context *ctx, size_t most, fw_patch *patches, size_t *count);

#endif
