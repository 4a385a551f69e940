/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits of one deck to the same resonances and responses, the best first. */
#ifndef FW_IDENTIFY_RANKING_H
#define FW_IDENTIFY_RANKING_H

#include "core/record.h"

/* Reads the fits of method "frf" among identification.* of a summary and leaves `ranking`: those that meet the same
 * targets together, by the information criterion where all of them have one, else by what they leave. A fit that is
 * alone with its targets is not told. */
fw_status fw_ranking_tell(fw_context *ctx, fw_record *summary);

#endif
