/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction laws from words, as `fretwork loop` takes them. */
#ifndef FW_API_SPECIMEN_H
#define FW_API_SPECIMEN_H

#include "contact/friction/friction.h"

/* The law at words[*at]: its name, its settings, perhaps '+' and a law in parallel. *at moves behind it; `name` becomes
 * "a+b". Clear with fw_friction_clear. */
fw_status fw_law_read(fw_context *ctx, const char *const *words, int word_count, int *at, fw_friction *law, char *name,
                      size_t room);

#endif
