/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Context: messages with their places, log, progress, interruption. */
#ifndef FW_CORE_CONTEXT_H
#define FW_CORE_CONTEXT_H

#include <stdint.h>
#include "fretwork.h"

/* Passes a status other than FW_OK on to the caller. */
#define FW_TRY(call)                      \
  do {                                    \
    fw_status fw_try_ = (call);           \
    if (fw_try_ != FW_OK) return fw_try_; \
  } while (0)

/* As FW_TRY, but leaves through the label `done` with `status` set, so that resources are freed. */
#define FW_TRY_DONE(call)           \
  do {                              \
    status = (call);                \
    if (status != FW_OK) goto done; \
  } while (0)

/* Where all errors are told before any is passed on: what is passed on. Without memory anything may seem wrong, so that
 * this counts. */
static inline fw_status fw_worse(fw_status worst, fw_status status) {
  return status == FW_OK || worst == FW_ERR_MEMORY ? worst : status;
}

#if defined(__GNUC__)
#define FW_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define FW_PRINTF(f, a)
#endif

/* Where in a deck something stands. Strings are lent by the deck. file NULL: nowhere. */
typedef struct fw_place {
  const char *file;
  int line;
  const char *element;
} fw_place;

/* Records a message and returns `status`, so that `return fw_fail(...)` reads well. */
fw_status fw_fail(fw_context *ctx, fw_status status, const char *format, ...) FW_PRINTF(3, 4);
fw_status fw_fail_at(fw_context *ctx, fw_status status, fw_place place, const char *format, ...) FW_PRINTF(4, 5);

/* Messages from a mark on are of an attempt that did not come to anything, and another did. */
size_t fw_context_mark(const fw_context *ctx);
void fw_context_forget(fw_context *ctx, size_t mark);

/* For functions of the public header: FW_ERR_ARGUMENT, with function and argument in the message, where something
 * required is NULL, a count is negative, or a list has fewer entries than its count. A context may be missing too: then
 * there is no message. */
#define FW_NEED(ctx, argument) FW_TRY(fw_need(ctx, argument, __func__, #argument))
#define FW_NEED_LIST(ctx, list, count) FW_TRY(fw_need_list(ctx, list, count, __func__, #list))
fw_status fw_need(fw_context *ctx, const void *argument, const char *function, const char *name);
fw_status fw_need_list(fw_context *ctx, const char *const *list, int count, const char *function, const char *name);

/* Options of a public function as this version knows them: `given` begins with its size (0: `first`, that of version
 * 0.1), `options` has `room` bytes. FW_ERR_ARGUMENT if it is larger and says something there. */
fw_status fw_take_options(fw_context *ctx, const void *given, size_t first, size_t room, const char *function,
                          void *options);

/* Static analysis sees one file at a time: there a failure is told to return the status it is given. */
#ifdef __clang_analyzer__
#define fw_fail(ctx, status, ...) ((void)(fw_fail)(ctx, status, __VA_ARGS__), (status))
#define fw_fail_at(ctx, status, place, ...) ((void)(fw_fail_at)(ctx, status, place, __VA_ARGS__), (status))
#endif

/* One line to the log callback. */
void fw_log(fw_context *ctx, const char *format, ...) FW_PRINTF(2, 3);

/* A second receiver of log lines beside the caller's, for a run's own log file. NULL: none. */
void fw_context_tap_log(fw_context *ctx, fw_log_fn fn, void *user);

/* Who is asked before a file or folder (its path then ends with '/') is made: a result folder, which keeps account of
 * what is in it. Copied to forked contexts; NULL: none. */
typedef fw_status (*fw_claim_fn)(void *user, fw_context *ctx, const char *path);
void fw_context_tap_files(fw_context *ctx, fw_claim_fn fn, void *user);

/* To be called before a file of a result is made or written anew: a failure says why it may not be. */
fw_status fw_claim_file(fw_context *ctx, const char *path);

/* Progress of the running analysis; rate limiting is the receiver's business. */
void fw_progress(fw_context *ctx, const char *what, double fraction);

/* Rows and frames for the caller's receivers; a frame is only worth making if there is one. */
fw_status fw_tell_row(fw_context *ctx, const fw_row_view *row);
bool fw_wants_frames(const fw_context *ctx);
fw_status fw_tell_frame(fw_context *ctx, const fw_frame_view *frame);

/* What the context remembers (core/memo.h), owned by it; NULL: nothing. */
typedef struct fw_memo fw_memo;
fw_memo *fw_context_memo(const fw_context *ctx);
void fw_context_give_memo(fw_context *ctx, fw_memo *memo);

/* FW_ERR_INTERRUPTED once the caller wants it. Long loops ask this. */
fw_status fw_interrupted(fw_context *ctx);

/* A context for a thread of its own: the parent's interruption and permissions, messages apart, no log and no progress.
 */
fw_status fw_context_fork(const fw_context *parent, fw_context **child);

/* Whether law="plugin:..." may load code, and what fw_context_on_plugin says of this one. The same is asked on behalf
 * of another context after fw_plugins_ask_for. */
bool fw_plugins_allowed(const fw_context *ctx);
bool fw_plugin_admitted(const fw_context *ctx, const char *path, uint64_t mark);
void fw_plugins_ask_for(fw_context *ctx, const fw_context *of);

/* calloc with an error message; count*size overflow is checked. *memory is NULL on failure. */
fw_status fw_alloc(fw_context *ctx, size_t count, size_t size, void *memory);

/* Room for one more item in a list of `count` that doubles when full: `list` is the address of the pointer, which may
 * move. On failure the list is as it was. */
fw_status fw_grow(fw_context *ctx, int count, int *room, size_t size, void *list);

/* A copy of a text, to be freed. *copy is NULL on failure. */
fw_status fw_copy_text(fw_context *ctx, const char *text, char **copy);

/* Processor time of the calling thread so far (s). */
double fw_thread_seconds(void);

#endif
