/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libxml2 compares each attribute of a tag with all others: a hundred thousand of them take a minute. */
#ifndef FW_INPUT_ATTRIBUTE_LIMIT_H
#define FW_INPUT_ATTRIBUTE_LIMIT_H

#include "core/context.h"

/* FW_ERR_DECK with file and line if a tag of the text, not yet known to be XML, has more attributes than any deck
 * needs. */
fw_status fw_attribute_limit(fw_context *ctx, const char *name, const char *text, size_t size);

#endif
