/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a context remembers of costly pure functions, so that runs one after the other (the samples of a study) need not
 * compute again what does not change between them: orderings of matrices, reductions. A result is found by the whole of
 * its input, byte by byte, never by a guess of what has changed: remembered or computed, it is the same to the last
 * digit, whatever ran before. */
#ifndef FW_CORE_MEMO_H
#define FW_CORE_MEMO_H

#include "core/context.h"

/* A stretch of the input. */
typedef struct fw_memo_part {
  const void *bytes;
  size_t size;
} fw_memo_part;

/* Where a function looks: its name and all its input, lent. */
typedef struct fw_memo_key {
  const char *function;
  const fw_memo_part *parts;
  int count;
} fw_memo_key;

/* A context remembers nothing until told to; forked ones do not. */
fw_status fw_context_remember(fw_context *ctx);

/* The result for this input, lent until the next fw_memo_keep: to be copied, or shared by counting its users. NULL: not
 * known. */
void *fw_memo_find(fw_context *ctx, const fw_memo_key *key);

/* Takes over a result of `size` bytes. Those used longest ago are given up where it would be too much; without
 * fw_context_remember, or without memory, this one is. */
void fw_memo_keep(fw_context *ctx, const fw_memo_key *key, void *result, size_t size, void (*release)(void *result));

/* How often a result was found and how often not. */
void fw_memo_count(const fw_context *ctx, long *found, long *missed);

/* For the context, which owns it. */
void fw_memo_destroy(fw_memo **memo);

#endif
