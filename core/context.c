/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/context.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/memo.h"

struct fw_context {
  char *message; /* newline-separated, grown as needed */
  size_t used, room;
  fw_log_fn log;
  void *log_user;
  fw_log_fn tap;
  void *tap_user;
  fw_claim_fn claim;
  void *claim_user;
  fw_progress_fn progress;
  void *progress_user;
  fw_row_fn row;
  void *row_user;
  fw_frame_fn frame;
  void *frame_user;
  atomic_bool own_stop;
  const atomic_bool *stop; /* its own, or that of the context it was forked from */
  bool plugins;
  fw_plugin_fn admits;
  void *admits_user;
  fw_memo *memo; /* NULL: nothing is remembered */
};

const char *fw_status_text(fw_status status) {
#define FW_STATUS_CASE(name, value, text) \
  case name:                              \
    return text;
  switch (status) { FW_STATUSES(FW_STATUS_CASE) }
#undef FW_STATUS_CASE
  return "unknown status";
}

fw_status fw_context_create(fw_context **ctx) {
  if (!ctx) return FW_ERR_ARGUMENT;
  *ctx = calloc(1, sizeof **ctx);
  if (!*ctx) return FW_ERR_MEMORY;
  atomic_init(&(*ctx)->own_stop, false);
  (*ctx)->stop = &(*ctx)->own_stop;
  return FW_OK;
}

void fw_context_destroy(fw_context **ctx) {
  if (!ctx || !*ctx) return;
  fw_memo_destroy(&(*ctx)->memo);
  free((*ctx)->message);
  free(*ctx);
  *ctx = NULL;
}

fw_status fw_context_fork(const fw_context *parent, fw_context **child) {
  FW_TRY(fw_context_create(child));
  (*child)->stop = parent->stop;
  fw_plugins_ask_for(*child, parent);
  (*child)->claim = parent->claim;
  (*child)->claim_user = parent->claim_user;
  return FW_OK;
}

const char *fw_context_message(const fw_context *ctx) { return ctx && ctx->message ? ctx->message : ""; }

void fw_context_clear(fw_context *ctx) {
  if (!ctx) return;
  ctx->used = 0;
  if (ctx->message) ctx->message[0] = '\0';
}

size_t fw_context_mark(const fw_context *ctx) { return ctx->used; }

void fw_context_forget(fw_context *ctx, size_t mark) {
  if (ctx->used <= mark) return;
  ctx->used = mark;
  ctx->message[mark] = '\0';
}

void fw_context_on_log(fw_context *ctx, fw_log_fn fn, void *user) {
  if (!ctx) return;
  ctx->log = fn;
  ctx->log_user = user;
}

void fw_context_tap_log(fw_context *ctx, fw_log_fn fn, void *user) {
  ctx->tap = fn;
  ctx->tap_user = user;
}

void fw_context_tap_files(fw_context *ctx, fw_claim_fn fn, void *user) {
  ctx->claim = fn;
  ctx->claim_user = user;
}

fw_status fw_claim_file(fw_context *ctx, const char *path) {
  return ctx->claim ? ctx->claim(ctx->claim_user, ctx, path) : FW_OK;
}

void fw_context_on_progress(fw_context *ctx, fw_progress_fn fn, void *user) {
  if (!ctx) return;
  ctx->progress = fn;
  ctx->progress_user = user;
}

void fw_context_on_row(fw_context *ctx, fw_row_fn fn, void *user) {
  if (!ctx) return;
  ctx->row = fn;
  ctx->row_user = user;
}

fw_status fw_tell_row(fw_context *ctx, const fw_row_view *row) {
  return ctx->row ? ctx->row(ctx->row_user, row) : FW_OK;
}

void fw_context_on_frame(fw_context *ctx, fw_frame_fn fn, void *user) {
  if (!ctx) return;
  ctx->frame = fn;
  ctx->frame_user = user;
}

bool fw_wants_frames(const fw_context *ctx) { return ctx->frame != NULL; }

fw_status fw_tell_frame(fw_context *ctx, const fw_frame_view *frame) { return ctx->frame(ctx->frame_user, frame); }

/* A store without lock: signal handlers may do it. */
void fw_context_interrupt(fw_context *ctx, bool stop) {
  if (ctx) atomic_store_explicit(&ctx->own_stop, stop, memory_order_relaxed);
}

void fw_context_allow_plugins(fw_context *ctx, bool allow) {
  if (ctx) ctx->plugins = allow;
}

void fw_context_on_plugin(fw_context *ctx, fw_plugin_fn fn, void *user) {
  if (!ctx) return;
  ctx->admits = fn;
  ctx->admits_user = user;
}

void fw_plugins_ask_for(fw_context *ctx, const fw_context *of) {
  ctx->plugins = of->plugins;
  ctx->admits = of->admits;
  ctx->admits_user = of->admits_user;
}

bool fw_plugin_admitted(const fw_context *ctx, const char *path, uint64_t mark) {
  return !ctx->admits || ctx->admits(ctx->admits_user, path, mark);
}

bool fw_plugins_allowed(const fw_context *ctx) { return ctx->plugins; }

fw_memo *fw_context_memo(const fw_context *ctx) { return ctx->memo; }

void fw_context_give_memo(fw_context *ctx, fw_memo *memo) { ctx->memo = memo; }

/* Appends one line; a message that finds no memory is dropped, the status still tells. */
static void context_append(fw_context *ctx, const char *text) {
  size_t length = strlen(text), need = ctx->used + length + 2;
  if (need > ctx->room) {
    char *grown = realloc(ctx->message, 2 * need);
    if (!grown) return;
    ctx->message = grown;
    ctx->room = 2 * need;
  }
  if (ctx->used) ctx->message[ctx->used++] = '\n';
  memcpy(ctx->message + ctx->used, text, length + 1);
  ctx->used += length;
}

static void context_message(fw_context *ctx, const char *prefix, const char *format, va_list args) {
  char text[4096];
  int at = snprintf(text, sizeof text, "%s", prefix);
  if (at < 0) return;
  if ((size_t)at < sizeof text) vsnprintf(text + at, sizeof text - (size_t)at, format, args);
  context_append(ctx, text);
}

fw_status(fw_fail)(fw_context *ctx, fw_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  context_message(ctx, "", format, args);
  va_end(args);
  return status;
}

fw_status(fw_fail_at)(fw_context *ctx, fw_status status, fw_place place, const char *format, ...) {
  char prefix[1024] = "";
  if (place.file && place.element)
    snprintf(prefix, sizeof prefix, "%s:%d: <%s>: ", place.file, place.line, place.element);
  else if (place.file && place.line)
    snprintf(prefix, sizeof prefix, "%s:%d: ", place.file, place.line);
  else if (place.file) /* of the file as a whole, or of a binary one */
    snprintf(prefix, sizeof prefix, "%s: ", place.file);
  va_list args;
  va_start(args, format);
  context_message(ctx, prefix, format, args);
  va_end(args);
  return status;
}

fw_status fw_need(fw_context *ctx, const void *argument, const char *function, const char *name) {
  if (argument) return FW_OK;
  return ctx ? fw_fail(ctx, FW_ERR_ARGUMENT, "%s: %s is NULL", function, name) : FW_ERR_ARGUMENT;
}

fw_status fw_need_list(fw_context *ctx, const char *const *list, int count, const char *function, const char *name) {
  if (count < 0) return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: the count of %s is %d", function, name, count);
  if (count > 0 && !list) return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: %s is NULL, its count %d", function, name, count);
  for (int i = 0; i < count; i++)
    if (!list[i]) return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: %s[%d] is NULL", function, name, i);
  return FW_OK;
}

fw_status fw_take_options(fw_context *ctx, const void *given, size_t first, size_t room, const char *function,
                          void *options) {
  const unsigned char *bytes = given;
  size_t size;
  memcpy(&size, given, sizeof size);
  if (size == 0) size = first;
  if (size < sizeof size) return fw_fail(ctx, FW_ERR_ARGUMENT, "%s: options->struct_size is %zu", function, size);
  for (size_t i = room; i < size; i++)
    if (bytes[i])
      return fw_fail(ctx, FW_ERR_ARGUMENT,
                     "%s: options of %zu bytes say something that version %s, which knows %zu, does not know", function,
                     size, fw_version(), room);
  memset(options, 0, room);
  memcpy(options, given, size < room ? size : room);
  return FW_OK;
}

void fw_free(void *text) { free(text); }

void fw_log(fw_context *ctx, const char *format, ...) {
  if (!ctx->log && !ctx->tap) return;
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (ctx->log) ctx->log(ctx->log_user, text);
  if (ctx->tap) ctx->tap(ctx->tap_user, text);
}

void fw_progress(fw_context *ctx, const char *what, double fraction) {
  if (ctx->progress) ctx->progress(ctx->progress_user, what, fraction);
}

fw_status fw_interrupted(fw_context *ctx) {
  if (atomic_load_explicit(ctx->stop, memory_order_relaxed)) return fw_fail(ctx, FW_ERR_INTERRUPTED, "interrupted");
  return FW_OK;
}

fw_status fw_alloc(fw_context *ctx, size_t count, size_t size, void *memory) {
  void *block = calloc(count ? count : 1, size);
  memcpy(memory, &block, sizeof block);
  /* cppcheck-suppress memleak ; handed out through memcpy */
  if (block) return FW_OK;
  return fw_fail(ctx, FW_ERR_MEMORY, "out of memory (%zu x %zu bytes)", count, size);
}

fw_status fw_grow(fw_context *ctx, int count, int *room, size_t size, void *list) {
  if (count < *room) return FW_OK;
  int wanted = *room > 0 ? 2 * *room : 8;
  void *old;
  memcpy(&old, list, sizeof old); /* any pointer type: copied, not cast */
  void *grown = realloc(old, (size_t)wanted * size);
  if (!grown) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory (%d x %zu bytes)", wanted, size);
  memcpy(list, &grown, sizeof grown);
  *room = wanted;
  /* cppcheck-suppress memleak ; handed out through memcpy */
  return FW_OK;
}

fw_status fw_copy_text(fw_context *ctx, const char *text, char **copy) {
  *copy = strdup(text);
  return *copy ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
}

double fw_thread_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
