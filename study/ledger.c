/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/hash.h"
#include "core/unknown.h"

struct fw_ledger {
  char *path;
  int file;
  time_t synced;
};

static fw_status fail_io(fw_context *ctx, const char *path) {
  return fw_fail(ctx, FW_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
}

/* ---- writing ----------------------------------------------------------------------------- */

static fw_status write_all(fw_context *ctx, const fw_ledger *ledger, const char *text, size_t length) {
  while (length > 0) {
    ssize_t n = write(ledger->file, text, length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_io(ctx, ledger->path);
    text += n;
    length -= (size_t)n;
  }
  return FW_OK;
}

/* Length of the file up to its last line end. */
static off_t whole_lines(int file) {
  off_t end = lseek(file, 0, SEEK_END);
  char byte = 0;
  while (end > 0 && pread(file, &byte, 1, end - 1) == 1 && byte != '\n') end--;
  return end;
}

static fw_status open_file(fw_context *ctx, fw_ledger *ledger, const char *head) {
  ledger->file = open(ledger->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (ledger->file < 0) return fail_io(ctx, ledger->path);
  off_t end = whole_lines(ledger->file);
  if (ftruncate(ledger->file, end) != 0) return fail_io(ctx, ledger->path);
  if (end > 0) return FW_OK;
  FW_TRY(write_all(ctx, ledger, head, strlen(head)));
  return write_all(ctx, ledger, "\n", 1);
}

fw_status fw_ledger_open(fw_context *ctx, const char *path, const char *head, fw_ledger **result) {
  fw_ledger *ledger;
  fw_status status;
  *result = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *ledger, &ledger));
  ledger->file = -1;
  FW_TRY_DONE(fw_copy_text(ctx, path, &ledger->path));
  FW_TRY_DONE(open_file(ctx, ledger, head));
  *result = ledger;
  return FW_OK;
done:
  fw_ledger_close(ctx, &ledger);
  return status;
}

/* In one piece: lines of several processes do not mix. */
fw_status fw_ledger_add(fw_context *ctx, fw_ledger *ledger, const char *line) {
  enum { SUM = 20 }; /* comma, checksum, line end */
  size_t length = strlen(line);
  char *text;
  FW_TRY(fw_alloc(ctx, length + SUM, 1, &text));
  int whole = snprintf(text, length + SUM, "%s,%016" PRIx64 "\n", line, fw_hash(FW_HASH_START, line, length));
  fw_status status = write_all(ctx, ledger, text, (size_t)whole);
  free(text);
  time_t now = time(NULL);
  if (status != FW_OK || now == ledger->synced) return status;
  ledger->synced = now;
  return fdatasync(ledger->file) == 0 ? FW_OK : fail_io(ctx, ledger->path);
}

fw_status fw_ledger_close(fw_context *ctx, fw_ledger **ledger) {
  if (!ledger || !*ledger) return FW_OK;
  fw_ledger *self = *ledger;
  fw_status status = FW_OK;
  if (self->file >= 0) {
    if (fdatasync(self->file) != 0) status = fail_io(ctx, self->path);
    close(self->file);
  }
  free(self->path);
  free(self);
  *ledger = NULL;
  return status;
}

size_t fw_ledger_print(char *text, size_t room, size_t at, const double *numbers, int count) {
  for (int i = 0; i < count; i++)
    at += (size_t)snprintf(text + at, room - at, isfinite(numbers[i]) ? ",%.17g" : ",", numbers[i]);
  return at;
}

/* ---- reading ----------------------------------------------------------------------------- */

bool fw_ledger_parse(const char **at, int count, double *numbers) {
  for (int i = 0; i < count; i++) {
    char *end;
    if (**at != ',') return false;
    numbers[i] = strtod(*at + 1, &end);
    if (end == *at + 1) numbers[i] = fw_unknown();
    *at = end;
  }
  return true;
}

/* Cuts the checksum off a line; false if the line is not what was written. */
static bool is_sound(char *line) {
  char *last = strrchr(line, ','), *end;
  if (!last) return false;
  *last = '\0';
  uint64_t sum = strtoull(last + 1, &end, 16);
  return end == last + 17 && !*end && sum == fw_hash(FW_HASH_START, line, (size_t)(last - line));
}

static fw_status read_line(fw_context *ctx, const char *path, long number, char *line, fw_ledger_take_fn take,
                           void *user) {
  if (is_sound(line)) return take(user, line);
  fw_log(ctx, "%s: line %ld is damaged; what it held is computed again", path, number);
  return FW_OK;
}

static fw_status check_head(fw_context *ctx, const char *path, const char *head, const char *line) {
  if (strcmp(head, line) == 0) return FW_OK;
  return fw_fail(ctx, FW_ERR_ARGUMENT,
                 "%s: is of another deck, other results or another version of fretwork, so it cannot be continued; use "
                 "--force to begin again",
                 path);
}

fw_status fw_ledger_read(fw_context *ctx, const char *path, const char *head, fw_ledger_take_fn take, void *user) {
  char *line = NULL;
  size_t room = 0;
  fw_status status = FW_OK;
  FILE *file = fopen(path, "r");
  if (!file) return fw_fail(ctx, FW_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
  ssize_t length;
  for (long number = 1; status == FW_OK && (length = getline(&line, &room, file)) > 0; number++) {
    if (line[length - 1] != '\n') break; /* torn */
    line[length - 1] = '\0';
    status = number == 1 ? check_head(ctx, path, head, line) : read_line(ctx, path, number, line, take, user);
  }
  free(line);
  fclose(file);
  return status;
}
