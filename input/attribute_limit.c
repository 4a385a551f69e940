/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/attribute_limit.h"

#include <string.h>

enum { ATTRIBUTES_MOST = 1000 };

static bool begins_with(const char *at, const char *end, const char *word) {
  size_t length = strlen(word);
  return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

/* Behind a comment, a CDATA section or an instruction that begins at `at`; NULL: none does. */
static const char *behind_other(const char *at, const char *end) {
  static const char *const pairs[][2] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
  for (int i = 0; i < 3; i++) {
    if (!begins_with(at, end, pairs[i][0])) continue;
    for (at += strlen(pairs[i][0]); at < end; at++)
      if (begins_with(at, end, pairs[i][1])) return at + strlen(pairs[i][1]);
    return end;
  }
  return NULL;
}

/* Attributes of the tag that begins at *at, which is moved to its end: each has a value in quotes. */
static int count_attributes(const char **at, const char *end) {
  const char *c = *at;
  int count = 0;
  for (; c < end && *c != '>'; c++) {
    if (*c != '"' && *c != '\'') continue;
    const char *close = memchr(c + 1, *c, (size_t)(end - c) - 1);
    if (!close) break;
    c = close;
    count++;
  }
  *at = c;
  return count;
}

static int line_of(const char *text, const char *at) {
  int line = 1;
  for (; text < at; text++) line += *text == '\n';
  return line;
}

fw_status fw_attribute_limit(fw_context *ctx, const char *name, const char *text, size_t size) {
  const char *end = text + size, *at = text;
  while (at < end && (at = memchr(at, '<', (size_t)(end - at)))) {
    const char *tag = at, *other = behind_other(at, end);
    if (other) {
      at = other;
      continue;
    }
    if (count_attributes(&at, end) <= ATTRIBUTES_MOST) continue;
    fw_place place = {name, line_of(text, tag), NULL};
    return fw_fail_at(ctx, FW_ERR_DECK, place, "a tag of more than %d attributes", ATTRIBUTES_MOST);
  }
  return FW_OK;
}
