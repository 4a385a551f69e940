/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record: the tree behind summary.json. Jansson stays inside record.c. */
#ifndef FW_CORE_RECORD_H
#define FW_CORE_RECORD_H

#include "core/context.h"

typedef struct fw_record fw_record;

/* A fresh, empty object at the root. */
fw_status fw_record_create(fw_record **record);
void fw_record_destroy(fw_record **record);

/* Sets a value at a path, creating what is missing: "modes[0].frequency", "contact.foot.work_rate".
 * An index may be at most one past the end of its list. A number that is not known (core/unknown.h) is left out, in a
 * list it is null; one that is not finite is refused with FW_ERR_ANALYSIS. */
fw_status fw_record_set_number(fw_record *record, double value, const char *path, ...) FW_PRINTF(3, 4);
/* The same with its unit ("": none), which travels with it: as units.NAME of the outermost object around it where that
 * tells no other NAME anything, so that a unit stands once for the figures of that name beside and below it. */
fw_status fw_record_set_figure(fw_record *record, double value, const char *unit, const char *path, ...)
    FW_PRINTF(4, 5);
fw_status fw_record_set_text(fw_record *record, const char *value, const char *path, ...) FW_PRINTF(3, 4);

/* Hangs a copy of `part` at a path. */
fw_status fw_record_set_record(fw_record *record, const fw_record *part, const char *path, ...) FW_PRINTF(3, 4);

/* Path of the first number that was refused, also in a part; NULL: none was. Lent. */
const char *fw_record_flaw(const fw_record *record);

/* FW_ERR_ARGUMENT if there is nothing of that type at the path. Text is lent. */
fw_status fw_record_number(const fw_record *record, const char *path, double *value);
fw_status fw_record_text(const fw_record *record, const char *path, const char **value);

/* Unit of the figure at a path, by the innermost units.NAME around it; "": none is told. Lent. */
const char *fw_record_unit(const fw_record *record, const char *path);

/* What stands at a path ("" for the root); a null (a number that is not known) is FW_RECORD_NULL. */
typedef enum fw_record_kind {
  FW_RECORD_ABSENT,
  FW_RECORD_NULL,
  FW_RECORD_NUMBER,
  FW_RECORD_TEXT,
  FW_RECORD_LIST,
  FW_RECORD_OBJECT
} fw_record_kind;
fw_record_kind fw_record_kind_at(const fw_record *record, const char *path);

/* Walks the members (keys in order of insertion) or items at `path` ("" for the root): number of
 * children, and the key of child i (NULL in a list). */
int fw_record_count(const fw_record *record, const char *path);
const char *fw_record_key(const fw_record *record, const char *path, int i);

/* JSON text (indented, 17 digits where needed), to be freed by the caller; NULL without memory. */
char *fw_record_json(const fw_record *record);
/* Parses JSON text. */
fw_status fw_record_parse(fw_context *ctx, const char *json, fw_record **record);

#endif
