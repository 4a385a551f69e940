/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/journal.h"

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
#include "output/files.h"

struct fw_journal {
  const fw_study *study;
  char *path, *line;
  size_t room;
  int file;
  time_t synced;
};

static const char head_format[] = "# fretwork study journal 2, mark %016" PRIx64 "\n";

static fw_status fail_io(fw_context *ctx, const char *path) {
  return fw_fail(ctx, FW_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
}

/* ---- writing ----------------------------------------------------------------------------- */

static fw_status write_all(fw_context *ctx, const fw_journal *journal, const char *text, size_t length) {
  while (length > 0) {
    ssize_t n = write(journal->file, text, length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_io(ctx, journal->path);
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

static fw_status open_file(fw_context *ctx, fw_journal *journal) {
  char head[80];
  journal->file = open(journal->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (journal->file < 0) return fail_io(ctx, journal->path);
  off_t end = whole_lines(journal->file);
  if (ftruncate(journal->file, end) != 0) return fail_io(ctx, journal->path);
  if (end > 0) return FW_OK;
  int length = snprintf(head, sizeof head, head_format, journal->study->mark);
  return write_all(ctx, journal, head, (size_t)length);
}

static fw_status journal_path(fw_context *ctx, const char *folder, int number, char **path) {
  char name[40];
  snprintf(name, sizeof name, "journal-%d.txt", number);
  return fw_path_join(ctx, folder, name, path);
}

fw_status fw_journal_claim(fw_context *ctx, const char *folder, int number) {
  char *path;
  FW_TRY(journal_path(ctx, folder, number, &path));
  fw_status status = fw_claim_file(ctx, path);
  free(path);
  return status;
}

fw_status fw_journal_open(fw_context *ctx, const fw_study *study, const char *folder, int number, fw_journal **result) {
  fw_journal *journal;
  fw_status status;
  *result = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *journal, &journal));
  journal->study = study;
  journal->file = -1;
  journal->room = 160 + FW_REASON + 26 * (size_t)(study->factor_count + study->columns);
  FW_TRY_DONE(journal_path(ctx, folder, number, &journal->path));
  FW_TRY_DONE(fw_alloc(ctx, journal->room, 1, &journal->line));
  FW_TRY_DONE(open_file(ctx, journal));
  *result = journal;
  return FW_OK;
done:
  fw_journal_close(ctx, &journal);
  return status;
}

fw_status fw_journal_add(fw_context *ctx, fw_journal *journal, const fw_sample *sample) {
  const fw_study *study = journal->study;
  size_t at =
      (size_t)snprintf(journal->line, journal->room, "%ld,%d,%.3g", sample->index, (int)sample->state, sample->seconds);
  for (int k = 0; k < study->factor_count; k++)
    at += (size_t)snprintf(journal->line + at, journal->room - at, ",%.17g",
                           study->values[sample->index * study->factor_count + k]);
  for (int c = 0; c < study->columns; c++)
    at += (size_t)snprintf(journal->line + at, journal->room - at, isfinite(sample->results[c]) ? ",%.17g" : ",",
                           sample->results[c]);
  journal->line[at++] = ',';
  for (const char *reason = sample->reason; *reason; reason++)
    journal->line[at++] = (char)(*reason == '\n' ? ' ' : *reason);
  at += (size_t)snprintf(journal->line + at, journal->room - at, ",%016" PRIx64 "\n",
                         fw_hash(FW_HASH_START, journal->line, at));
  FW_TRY(write_all(ctx, journal, journal->line, at));
  time_t now = time(NULL);
  if (now == journal->synced) return FW_OK;
  journal->synced = now;
  return fdatasync(journal->file) == 0 ? FW_OK : fail_io(ctx, journal->path);
}

fw_status fw_journal_close(fw_context *ctx, fw_journal **journal) {
  if (!journal || !*journal) return FW_OK;
  fw_journal *self = *journal;
  fw_status status = FW_OK;
  if (self->file >= 0) {
    if (fdatasync(self->file) != 0) status = fail_io(ctx, self->path);
    close(self->file);
  }
  free(self->path);
  free(self->line);
  free(self);
  *journal = NULL;
  return status;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* Numbers behind commas, nothing for one that is not known; false if there are fewer. */
static bool parse_numbers(const char **at, int count, double *numbers) {
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

/* True for the line of a sample of this study. */
static bool parse_line(const fw_study *study, const char *line, double *values, fw_sample *sample) {
  int state, used;
  double seconds;
  if (sscanf(line, "%ld,%d%n", &sample->index, &state, &used) != 2) return false;
  if (sample->index < 0 || sample->index >= study->samples) return false;
  if (state < FW_SAMPLE_DONE || state > FW_SAMPLE_KILLED) return false;
  const char *at = line + used;
  if (!parse_numbers(&at, 1, &seconds) || !parse_numbers(&at, study->factor_count, values) ||
      !parse_numbers(&at, study->columns, sample->results) || *at != ',')
    return false;
  sample->state = (fw_sample_state)state;
  sample->seconds = seconds;
  snprintf(sample->reason, sizeof sample->reason, "%s", at + 1);
  return memcmp(values, study->values + sample->index * study->factor_count,
                (size_t)study->factor_count * sizeof *values) == 0;
}

static fw_status check_head(fw_context *ctx, const fw_study *study, const char *path, const char *line) {
  uint64_t mark = 0;
  if (sscanf(line, "# fretwork study journal 2, mark %" SCNx64, &mark) == 1 && mark == study->mark) return FW_OK;
  return fw_fail(ctx, FW_ERR_ARGUMENT,
                 "%s: is of another deck, other results or another version of fretwork, so it cannot be continued; use "
                 "--force to begin again",
                 path);
}

/* What is read of a journal. */
typedef struct reading {
  fw_context *ctx;
  const fw_study *study;
  const char *path;
  fw_samples *samples;
  double *values, *results;
  long lines, others; /* others: of samples that the study has no more */
} reading;

static fw_status read_line(reading *r, char *line) {
  fw_sample sample = {.results = r->results};
  if (r->lines++ == 0) return check_head(r->ctx, r->study, r->path, line);
  if (!is_sound(line)) {
    fw_log(r->ctx, "%s: line %ld is damaged; its sample is computed again", r->path, r->lines);
    return FW_OK;
  }
  if (parse_line(r->study, line, r->values, &sample)) return fw_samples_note(r->ctx, r->samples, &sample);
  r->others++;
  return FW_OK;
}

static fw_status read_journal(fw_context *ctx, const fw_study *study, const char *path, fw_samples *samples) {
  reading r = {.ctx = ctx, .study = study, .path = path, .samples = samples};
  char *line = NULL;
  size_t room = 0;
  fw_status status = FW_OK;
  FILE *file = fopen(path, "r");
  if (!file) return fw_fail(ctx, FW_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)study->factor_count, sizeof *r.values, &r.values));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)study->columns, sizeof *r.results, &r.results));
  for (ssize_t length; (length = getline(&line, &room, file)) > 0;) {
    if (line[length - 1] != '\n') break; /* torn */
    line[length - 1] = '\0';
    FW_TRY_DONE(read_line(&r, line));
  }
  if (r.others) fw_log(ctx, "%s: %ld samples are not of this study and passed over", path, r.others);
done:
  free(line);
  free(r.values);
  free(r.results);
  fclose(file);
  return status;
}

fw_status fw_journals_read(fw_context *ctx, const fw_study *study, const char *folder, fw_samples *samples) {
  char **names;
  int count;
  if (!fw_path_exists(folder)) return FW_OK;
  FW_TRY(fw_folder_list(ctx, folder, ".txt", false, &names, &count));
  fw_status status = FW_OK;
  for (int i = 0; i < count && status == FW_OK; i++) {
    char *path;
    if (strncmp(names[i], "journal-", 8) != 0) continue;
    status = fw_path_join(ctx, folder, names[i], &path);
    if (status == FW_OK) status = read_journal(ctx, study, path, samples);
    free(path);
  }
  free(names);
  return status;
}
