/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of lines that are written at once and for good: behind each stands its checksum. A line cut off by a crash is
 * dropped; one whose checksum is wrong is passed over with a line in the log. The first line says what the file is of. */
#ifndef FW_STUDY_LEDGER_H
#define FW_STUDY_LEDGER_H

#include "core/context.h"

typedef struct fw_ledger fw_ledger;

/* Opens to append to; a torn last line is cut off first. A new file begins with `head`. */
fw_status fw_ledger_open(fw_context *ctx, const char *path, const char *head, fw_ledger **ledger);

/* One line, handed to the system before this returns and to the disk at least once a second. Processes forked since it
 * was opened may add too. */
fw_status fw_ledger_add(fw_context *ctx, fw_ledger *ledger, const char *line);

/* NULL-safe; what was added is on disk afterwards. */
fw_status fw_ledger_close(fw_context *ctx, fw_ledger **ledger);

/* Hands every sound line behind the head to `take`. FW_ERR_ARGUMENT if the head is another. */
typedef fw_status (*fw_ledger_take_fn)(void *user, const char *line);
fw_status fw_ledger_read(fw_context *ctx, const char *path, const char *head, fw_ledger_take_fn take, void *user);

/* Numbers behind commas, nothing for one that is not finite: written at `at` of a text of `room` bytes, which is
 * returned moved on, and read from *at on, unknown where nothing stands; false if there are fewer. */
size_t fw_ledger_print(char *text, size_t room, size_t at, const double *numbers, int count);
bool fw_ledger_parse(const char **at, int count, double *numbers);

#endif
