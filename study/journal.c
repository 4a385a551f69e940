/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/journal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/files.h"
#include "study/ledger.h"

struct fw_journal {
  const fw_study *study;
  fw_ledger *ledger;
  char *line;
  size_t room;
};

enum { HEAD = 80 };

static void head_of(const fw_study *study, char head[HEAD]) {
  snprintf(head, HEAD, "# fretwork study journal 2, mark %016" PRIx64, study->mark);
}

/* ---- writing ----------------------------------------------------------------------------- */

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
  char head[HEAD], *path = NULL;
  fw_status status;
  *result = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *journal, &journal));
  journal->study = study;
  journal->room = 160 + FW_REASON + 26 * (size_t)(study->factor_count + study->columns);
  head_of(study, head);
  FW_TRY_DONE(journal_path(ctx, folder, number, &path));
  FW_TRY_DONE(fw_alloc(ctx, journal->room, 1, &journal->line));
  FW_TRY_DONE(fw_ledger_open(ctx, path, head, &journal->ledger));
  *result = journal;
done:
  free(path);
  if (status != FW_OK) fw_journal_close(ctx, &journal);
  return status;
}

fw_status fw_journal_add(fw_context *ctx, fw_journal *journal, const fw_sample *sample) {
  const fw_study *study = journal->study;
  size_t at =
      (size_t)snprintf(journal->line, journal->room, "%ld,%d,%.3g", sample->index, (int)sample->state, sample->seconds);
  at = fw_ledger_print(journal->line, journal->room, at, study->values + sample->index * study->factor_count,
                       study->factor_count);
  at = fw_ledger_print(journal->line, journal->room, at, sample->results, study->columns);
  journal->line[at++] = ',';
  for (const char *reason = sample->reason; *reason; reason++)
    journal->line[at++] = (char)(*reason == '\n' ? ' ' : *reason);
  journal->line[at] = '\0';
  return fw_ledger_add(ctx, journal->ledger, journal->line);
}

fw_status fw_journal_close(fw_context *ctx, fw_journal **journal) {
  if (!journal || !*journal) return FW_OK;
  fw_status status = fw_ledger_close(ctx, &(*journal)->ledger);
  free((*journal)->line);
  free(*journal);
  *journal = NULL;
  return status;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* True for the line of a sample of this study. */
static bool parse_line(const fw_study *study, const char *line, double *values, fw_sample *sample) {
  int state, used;
  double seconds;
  if (sscanf(line, "%ld,%d%n", &sample->index, &state, &used) != 2) return false;
  if (sample->index < 0 || sample->index >= study->samples) return false;
  if (state < FW_SAMPLE_DONE || state > FW_SAMPLE_KILLED) return false;
  const char *at = line + used;
  if (!fw_ledger_parse(&at, 1, &seconds) || !fw_ledger_parse(&at, study->factor_count, values) ||
      !fw_ledger_parse(&at, study->columns, sample->results) || *at != ',')
    return false;
  sample->state = (fw_sample_state)state;
  sample->seconds = seconds;
  snprintf(sample->reason, sizeof sample->reason, "%s", at + 1);
  return memcmp(values, study->values + sample->index * study->factor_count,
                (size_t)study->factor_count * sizeof *values) == 0;
}

/* What is read of a journal. */
typedef struct reading {
  fw_context *ctx;
  const fw_study *study;
  fw_samples *samples;
  double *values, *results;
  long others; /* of samples that the study has no more */
} reading;

static fw_status take_line(void *user, const char *line) {
  reading *r = user;
  fw_sample sample = {.results = r->results};
  if (parse_line(r->study, line, r->values, &sample)) return fw_samples_note(r->ctx, r->samples, &sample);
  r->others++;
  return FW_OK;
}

static fw_status read_journal(fw_context *ctx, const fw_study *study, const char *path, fw_samples *samples) {
  reading r = {.ctx = ctx, .study = study, .samples = samples};
  char head[HEAD];
  fw_status status = FW_OK;
  head_of(study, head);
  FW_TRY_DONE(fw_alloc(ctx, (size_t)study->factor_count, sizeof *r.values, &r.values));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)study->columns, sizeof *r.results, &r.results));
  FW_TRY_DONE(fw_ledger_read(ctx, path, head, take_line, &r));
  if (r.others && !study->wanted) /* a search comes to the lines of its later samples by and by */
    fw_log(ctx, "%s: %ld samples are not of this study and passed over", path, r.others);
done:
  free(r.values);
  free(r.results);
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
