/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/memo.h"

#include <stdlib.h>
#include <string.h>

/* Enough for two structures at a time (the blocks of Sobol indices mix two) with the orderings of all their matrices;
 * the bound on bytes matters for models of tens of thousands of freedoms. */
enum { ENTRIES = 16 };
static const size_t most_bytes = (size_t)512 << 20;

typedef struct entry {
  const char *function; /* NULL: free */
  unsigned char *input;
  size_t input_size, result_size;
  void *result;
  void (*release)(void *result);
  long used; /* when, by the memo's clock */
} entry;

struct fw_memo {
  entry entries[ENTRIES];
  size_t bytes;
  long clock, found, missed;
};

static void forget(fw_memo *memo, entry *e) {
  if (!e->function) return;
  memo->bytes -= e->input_size + e->result_size;
  e->release(e->result);
  free(e->input);
  *e = (entry){0};
}

fw_status fw_context_remember(fw_context *ctx) {
  fw_memo *memo;
  if (fw_context_memo(ctx)) return FW_OK;
  FW_TRY(fw_alloc(ctx, 1, sizeof *memo, &memo));
  fw_context_give_memo(ctx, memo);
  return FW_OK;
}

void fw_memo_destroy(fw_memo **memo) {
  for (int i = 0; *memo && i < ENTRIES; i++) forget(*memo, &(*memo)->entries[i]);
  free(*memo);
  *memo = NULL;
}

static size_t size_of(const fw_memo_key *key) {
  size_t size = 0;
  for (int i = 0; i < key->count; i++) size += key->parts[i].size;
  return size;
}

static bool is_for(const entry *e, const fw_memo_key *key, size_t size) {
  if (!e->function || strcmp(e->function, key->function) != 0 || e->input_size != size) return false;
  const unsigned char *at = e->input;
  for (int i = 0; i < key->count; at += key->parts[i++].size)
    if (key->parts[i].size && memcmp(at, key->parts[i].bytes, key->parts[i].size) != 0) return false;
  return true;
}

void *fw_memo_find(fw_context *ctx, const fw_memo_key *key) {
  fw_memo *memo = fw_context_memo(ctx);
  if (!memo) return NULL;
  size_t size = size_of(key);
  for (int i = 0; i < ENTRIES; i++) {
    entry *e = &memo->entries[i];
    if (!is_for(e, key, size)) continue;
    e->used = ++memo->clock;
    memo->found++;
    return e->result;
  }
  memo->missed++;
  return NULL;
}

static entry *longest_unused(fw_memo *memo) {
  entry *oldest = &memo->entries[0];
  for (int i = 1; i < ENTRIES; i++)
    if (memo->entries[i].function && (!oldest->function || memo->entries[i].used < oldest->used))
      oldest = &memo->entries[i];
  return oldest;
}

static entry *free_entry(fw_memo *memo) {
  for (int i = 0; i < ENTRIES; i++)
    if (!memo->entries[i].function) return &memo->entries[i];
  entry *oldest = longest_unused(memo);
  forget(memo, oldest);
  return oldest;
}

void fw_memo_keep(fw_context *ctx, const fw_memo_key *key, void *result, size_t size, void (*release)(void *result)) {
  fw_memo *memo = fw_context_memo(ctx);
  size_t input_size = size_of(key), bytes = input_size + size;
  unsigned char *input = memo && bytes <= most_bytes ? malloc(input_size ? input_size : 1) : NULL;
  if (!input) {
    release(result);
    return;
  }
  while (memo->bytes + bytes > most_bytes) forget(memo, longest_unused(memo));
  unsigned char *at = input;
  for (int i = 0; i < key->count; at += key->parts[i++].size)
    if (key->parts[i].size) memcpy(at, key->parts[i].bytes, key->parts[i].size);
  *free_entry(memo) = (entry){key->function, input, input_size, size, result, release, ++memo->clock};
  memo->bytes += bytes;
}

void fw_memo_count(const fw_context *ctx, long *found, long *missed) {
  const fw_memo *memo = fw_context_memo(ctx);
  *found = memo ? memo->found : 0;
  *missed = memo ? memo->missed : 0;
}
