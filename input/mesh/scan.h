/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a mesh file: text and binary numbers with bounds, errors with file and line. */
#ifndef FW_INPUT_MESH_SCAN_H
#define FW_INPUT_MESH_SCAN_H

#include <stddef.h>

#include "core/context.h"

/* A file in memory. Numbers are read as text, or as bytes while `binary`. */
typedef struct fw_scan {
  fw_context *ctx;
  const char *file; /* name for messages, lent */
  const char *data; /* `size` bytes and a terminating 0 */
  size_t size, at;
  int line;          /* of what was read last */
  int ends;          /* line ends passed so far */
  bool binary, swap; /* bytes in the other order */
} fw_scan;

/* Records "file:line: message" (or the byte where binary) and returns FW_ERR_DECK. */
fw_status fw_scan_fail(const fw_scan *scan, const char *format, ...) FW_PRINTF(2, 3);

/* The next line without its end; false at the end of the file. */
bool fw_scan_line(fw_scan *scan, const char **text, size_t *length);

/* One number: binary, 4-byte integer, 8-byte unsigned or double. Numbers must be finite, counts and
 * labels fit an int. */
fw_status fw_scan_int(fw_scan *scan, int *value);
fw_status fw_scan_size(fw_scan *scan, int *value);
fw_status fw_scan_double(fw_scan *scan, double *value);

/* Goes behind the next occurrence of `text`; fails if there is none. */
fw_status fw_scan_past(fw_scan *scan, const char *text);

/* Reads a whole file; *data has a terminating 0 and is to be freed by the caller. */
fw_status fw_scan_load(fw_context *ctx, const char *path, char **data, size_t *size);

#endif
