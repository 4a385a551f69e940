/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stick or slip, sample by sample: a state that a step forgets altogether (its derivative with respect to what it was
 * is zero) slips. Laws that forget gradually have one pattern throughout. */
#ifndef FW_HB_AFT_STICK_PATTERN_H
#define FW_HB_AFT_STICK_PATTERN_H

#include "solver/hb/aft/aft.h"

/* pattern[samples]: values other than 0 that are equal where the same of the states slip. The cycle must have been run.
 */
fw_status fw_stick_pattern(fw_context *ctx, const fw_aft *aft, const fw_aft_point *point, char *pattern);

#endif
