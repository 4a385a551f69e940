/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One attribute: its text checked against its description and evaluated. */
#ifndef FW_INPUT_ATTRIBUTE_H
#define FW_INPUT_ATTRIBUTE_H

#include "core/table.h"
#include "input/scope.h"

/* Fills *value from `text` (or from the fallback when text is NULL). `place` is that of the attribute. The
 * value is owned by the caller, also after a failure. */
fw_status fw_attribute_read(fw_context *ctx, fw_scope *scope, fw_place place, const fw_param *param, const char *text,
                            fw_value *value);

/* True for attributes that name a file, relative to the file of the deck they stand in. */
bool fw_attribute_is_file(const char *name);

#endif
