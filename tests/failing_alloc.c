/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "failing_alloc.h"

#include <stddef.h>

static long allowed = -1, count;
static bool hit;

void failing_alloc_after(long n) {
  allowed = n;
  count = 0;
  hit = false;
}

bool failing_alloc_hit(void) { return hit; }

long failing_alloc_count(void) { return count; }

static bool fails(void) {
  if (count++ != allowed) return false;
  hit = true;
  return true;
}

/* The linker's --wrap sends f to __wrap_f and keeps the true f as __real_f. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t many, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t most);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t many, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t many, size_t size) { return fails() ? NULL : __real_calloc(many, size); }
void *__wrap_realloc(void *old, size_t size) { return fails() ? NULL : __real_realloc(old, size); }
char *__wrap_strdup(const char *text) { return fails() ? NULL : __real_strdup(text); }
char *__wrap_strndup(const char *text, size_t most) { return fails() ? NULL : __real_strndup(text, most); }
