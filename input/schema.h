/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schema (XSD 1.0), generated from the grammar. The reader's own checks speak better and come first;
 * the schema is for editors, and a second opinion on the form of every deck. */
#ifndef FW_INPUT_SCHEMA_H
#define FW_INPUT_SCHEMA_H

#include "core/context.h"

struct fw_source; /* input/source.h */

/* The schema as text, to be freed with free(); NULL without memory. */
char *fw_schema_text(void);

/* Checks the form of a whole deck; all errors are reported. */
fw_status fw_schema_validate(fw_context *ctx, const struct fw_source *source);

#endif
