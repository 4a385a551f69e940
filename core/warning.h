/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings: what is allowed, but hardly meant. Each has a number in one table (warnings.def); docs/warnings.md lists
 * them. */
#ifndef FW_CORE_WARNING_H
#define FW_CORE_WARNING_H

#include "core/context.h"

typedef enum fw_warning {
#define FW_WARNING(number, name, in_check, title) FW_WARN_##name = (number),
#include "core/warnings.def"
#undef FW_WARNING
} fw_warning;

typedef struct fw_warning_kind {
  int number;
  bool in_check; /* `check` can see it, before anything runs */
  const char *title;
} fw_warning_kind;

extern const fw_warning_kind fw_warning_kinds[]; /* ends with number 0 */

/* Warnings found, each as one line: "warning 3: deck.xml:12: <force>: ...". */
typedef struct fw_warnings {
  char **texts;
  int count, room;
} fw_warnings;

fw_status fw_warnings_add(fw_context *ctx, fw_warnings *warnings, fw_warning kind, fw_place place, const char *format,
                          ...) FW_PRINTF(5, 6);
void fw_warnings_clear(fw_warnings *warnings);

#endif
