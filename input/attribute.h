/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One attribute: its text checked against its description and evaluated. */
#ifndef FW_INPUT_ATTRIBUTE_H
#define FW_INPUT_ATTRIBUTE_H

#include <math.h>

#include "core/table.h"
#include "input/scope.h"

/* Fills *value from `text` (or from the fallback when text is NULL). `place` is that of the attribute. The
 * value is owned by the caller, also after a failure. */
fw_status fw_attribute_read(fw_context *ctx, fw_scope *scope, fw_place place, const fw_param *param, const char *text,
                            fw_value *value);

/* The whole number that a number is but for the rounding of its expression, else itself: 6*(41 - 1)/5 may be evaluated as
 * 1.2*40, a little above 48. */
static inline double fw_whole_but_rounding(double number) {
  double whole = nearbyint(number);
  return fabs(number - whole) <= 1e-12 * fabs(whole) ? whole : number;
}

/* True for attributes that name a file, relative to the file of the deck they stand in. */
bool fw_attribute_is_file(const char *name);

#endif
