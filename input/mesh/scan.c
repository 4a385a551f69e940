/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/mesh/import.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fw_status fw_scan_fail(const fw_scan *scan, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const fw_place place = {.file = scan->file, .line = scan->line};
  if (scan->binary) return fw_fail_at(scan->ctx, FW_ERR_DECK, place, "%s (byte %zu)", text, scan->at);
  return fw_fail_at(scan->ctx, FW_ERR_DECK, place, "%s", text);
}

bool fw_scan_line(fw_scan *scan, const char **text, size_t *length) {
  if (scan->at >= scan->size) return false;
  const char *start = scan->data + scan->at, *stop = memchr(start, '\n', scan->size - scan->at);
  *text = start;
  *length = stop != NULL ? (size_t)(stop - start) : scan->size - scan->at;
  scan->at += *length + (stop != NULL);
  scan->line = ++scan->ends;
  if (*length > 0 && start[*length - 1] == '\r') --*length;
  return true;
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Skips blanks; the text of the next word, which ends before `size` because of the terminating 0. */
static fw_status next_word(fw_scan *scan, const char **word) {
  while (scan->at < scan->size && blank(scan->data[scan->at])) scan->ends += scan->data[scan->at++] == '\n';
  scan->line = scan->ends + 1;
  if (scan->at >= scan->size) return fw_scan_fail(scan, "the file ends where a number is expected");
  *word = scan->data + scan->at;
  return FW_OK;
}

static fw_status end_word(fw_scan *scan, const char *word, const char *end) {
  if (end != word && (blank(*end) || end == scan->data + scan->size)) {
    scan->at = (size_t)(end - scan->data);
    return FW_OK;
  }
  size_t length = strcspn(word, " \t\r\n");
  return fw_scan_fail(scan, "'%.*s' is not a number that is allowed here", (int)(length < 40 ? length : 40), word);
}

static fw_status text_integer(fw_scan *scan, int *value) {
  const char *word = NULL;
  char *end;
  FW_TRY(next_word(scan, &word));
  errno = 0;
  const long long number = strtoll(word, &end, 10);
  FW_TRY(end_word(scan, word, end));
  if (errno != 0 || number > INT_MAX || number < INT_MIN) return fw_scan_fail(scan, "an integer is too large");
  *value = (int)number;
  return FW_OK;
}

static fw_status take(fw_scan *scan, size_t size, void *bytes) {
  if (scan->size - scan->at < size) return fw_scan_fail(scan, "the file ends within its data");
  memcpy(bytes, scan->data + scan->at, size);
  if (scan->swap) {
    unsigned char *b = bytes;
    for (size_t i = 0; i < size / 2; i++) {
      const unsigned char keep = b[i];
      b[i] = b[size - 1 - i];
      b[size - 1 - i] = keep;
    }
  }
  scan->at += size;
  return FW_OK;
}

fw_status fw_scan_int(fw_scan *scan, int *value) {
  if (!scan->binary) return text_integer(scan, value);
  int32_t number = 0;
  FW_TRY(take(scan, sizeof number, &number));
  *value = number;
  return FW_OK;
}

fw_status fw_scan_size(fw_scan *scan, int *value) {
  if (!scan->binary) {
    FW_TRY(text_integer(scan, value));
    return *value < 0 ? fw_scan_fail(scan, "%d where a count or a label is expected", *value) : FW_OK;
  }
  uint64_t number = 0;
  FW_TRY(take(scan, sizeof number, &number));
  if (number > INT_MAX) return fw_scan_fail(scan, "%llu is too large", (unsigned long long)number);
  *value = (int)number;
  return FW_OK;
}

fw_status fw_scan_double(fw_scan *scan, double *value) {
  if (scan->binary) {
    FW_TRY(take(scan, sizeof *value, value));
  } else {
    const char *word = NULL;
    char *end;
    FW_TRY(next_word(scan, &word));
    *value = strtod(word, &end);
    FW_TRY(end_word(scan, word, end));
  }
  return isfinite(*value) ? FW_OK : fw_scan_fail(scan, "a number is not finite");
}

fw_status fw_scan_past(fw_scan *scan, const char *text) {
  const size_t length = strlen(text);
  for (; scan->at + length <= scan->size; scan->at++) {
    if (memcmp(scan->data + scan->at, text, length) == 0) {
      scan->at += length;
      return FW_OK;
    }
    scan->ends += scan->data[scan->at] == '\n';
  }
  scan->line = scan->ends + 1;
  return fw_scan_fail(scan, "the file ends before %s", text);
}

fw_status fw_scan_load(fw_context *ctx, const char *path, char **data, size_t *size) {
  fw_status status = FW_OK;
  *data = NULL;
  FILE *file = fopen(path, "rb");
  if (file == NULL) return fw_fail(ctx, FW_ERR_IO, "cannot open %s: %s", path, strerror(errno));
  long length = -1;
  if (fseek(file, 0, SEEK_END) == 0) length = ftell(file);
  if (length < 0 || fseek(file, 0, SEEK_SET) != 0) {
    status = fw_fail(ctx, FW_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    goto done;
  }
  *size = (size_t)length;
  FW_TRY_DONE(fw_alloc(ctx, *size + 1, 1, data));
  if (fread(*data, 1, *size, file) != *size) status = fw_fail(ctx, FW_ERR_IO, "cannot read all of %s", path);
done:
  if (status != FW_OK) {
    free(*data);
    *data = NULL;
  }
  fclose(file);
  return status;
}
