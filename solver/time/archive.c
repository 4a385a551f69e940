/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/archive.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/hash.h"

/* ---- numbers ----------------------------------------------------------------------------- */

static fw_status make_room(fw_archive *archive, size_t count) {
  if (archive->count + count <= archive->room) return FW_OK;
  size_t room = 2 * (archive->count + count) + 64;
  double *grown = realloc(archive->numbers, room * sizeof *grown);
  if (!grown) return fw_fail(archive->ctx, FW_ERR_MEMORY, "out of memory: checkpoint of %zu numbers", room);
  archive->numbers = grown;
  archive->room = room;
  return FW_OK;
}

fw_status fw_archive_numbers(fw_archive *archive, double *x, size_t count) {
  if (count == 0) return FW_OK;
  if (archive->reading) {
    if (count > archive->count - archive->at) return fw_fail(archive->ctx, FW_ERR_IO, "the checkpoint ends too early");
    memcpy(x, archive->numbers + archive->at, count * sizeof *x);
    archive->at += count;
    return FW_OK;
  }
  FW_TRY(make_room(archive, count));
  memcpy(archive->numbers + archive->count, x, count * sizeof *x);
  archive->count += count;
  return FW_OK;
}

static fw_status damaged(const fw_archive *archive) {
  return fw_fail(archive->ctx, FW_ERR_IO, "the checkpoint is damaged: number %zu in it cannot be right", archive->at);
}

fw_status fw_archive_longs(fw_archive *archive, long *x, size_t count) {
  const double exact = 9007199254740992.0; /* 2^53: whole numbers up to there are doubles */
  for (size_t i = 0; i < count; i++) {
    double number = (double)x[i];
    FW_TRY(fw_archive_numbers(archive, &number, 1));
    if (!(fabs(number) <= exact)) return damaged(archive);
    x[i] = (long)number;
  }
  return FW_OK;
}

fw_status fw_archive_flag(fw_archive *archive, bool *flag) {
  long number = *flag;
  FW_TRY(fw_archive_longs(archive, &number, 1));
  *flag = number != 0;
  return FW_OK;
}

/* ---- states and tables ------------------------------------------------------------------- */

static fw_status archive_touch(fw_archive *archive, fw_touch *touch) {
  long status = touch->status, segment = touch->segment;
  double *numbers[] = {&touch->gap,
                       &touch->N,
                       &touch->T,
                       &touch->slip,
                       &touch->slip_velocity,
                       &touch->gap_velocity,
                       &touch->xi,
                       &touch->distance,
                       &touch->work,
                       &touch->dissipated,
                       &touch->impulse,
                       &touch->impacts,
                       &touch->irreversible,
                       &touch->irreversible_rate,
                       &touch->rubbed};
  FW_TRY(fw_archive_longs(archive, &status, 1));
  if (status < FW_OPEN || status > FW_SLIP) return damaged(archive);
  FW_TRY(fw_archive_longs(archive, &segment, 1));
  if (segment < -1 || segment > INT_MAX) return damaged(archive);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) FW_TRY(fw_archive_numbers(archive, numbers[i], 1));
  touch->status = (fw_touch_status)status;
  touch->segment = (int)segment;
  return FW_OK;
}

fw_status fw_archive_state(fw_archive *archive, fw_state *state) {
  const fw_model *model = state->model;
  size_t n = (size_t)model->dof_count;
  FW_TRY(fw_archive_numbers(archive, &state->time, 1));
  FW_TRY(fw_archive_numbers(archive, state->q, n));
  FW_TRY(fw_archive_numbers(archive, state->v, n));
  FW_TRY(fw_archive_numbers(archive, state->a, n));
  FW_TRY(fw_archive_numbers(archive, state->lambda, (size_t)model->constraint_count));
  for (int c = 0; c < model->contact_count; c++) FW_TRY(archive_touch(archive, &state->touch[c]));
  FW_TRY(fw_archive_numbers(archive, state->z, (size_t)model->z_count));
  return fw_archive_numbers(archive, state->load_factors, (size_t)model->load_count);
}

static fw_status write_table(fw_archive *archive, const fw_data_table *table) {
  for (int c = 0; c < table->columns; c++) FW_TRY(fw_archive_numbers(archive, table->values[c], table->rows));
  return FW_OK;
}

static fw_status read_table(fw_archive *archive, fw_sink *sink, fw_data_table *table, size_t rows) {
  double *values = NULL, *row = NULL;
  fw_status status = FW_OK;
  FW_TRY_DONE(fw_alloc(archive->ctx, rows * (size_t)table->columns, sizeof *values, &values));
  FW_TRY_DONE(fw_alloc(archive->ctx, (size_t)table->columns, sizeof *row, &row));
  FW_TRY_DONE(fw_archive_numbers(archive, values, rows * (size_t)table->columns));
  for (size_t r = 0; r < rows; r++) {
    for (int c = 0; c < table->columns; c++) row[c] = values[(size_t)c * rows + r];
    FW_TRY_DONE(fw_sink_row(sink, archive->ctx, table, row));
  }
done:
  free(values);
  free(row);
  return status;
}

fw_status fw_archive_tables(fw_archive *archive, fw_sink *sink, const char *analysis) {
  for (int i = 0; i < sink->table_count; i++) {
    fw_data_table *table = sink->tables[i];
    if (strcmp(table->analysis, analysis) != 0 || table->stream) continue;
    long rows = (long)table->rows;
    FW_TRY(fw_archive_longs(archive, &rows, 1));
    if (archive->reading && (rows < 0 || (size_t)rows > (archive->count - archive->at) / (size_t)table->columns))
      return damaged(archive);
    FW_TRY(archive->reading ? read_table(archive, sink, table, (size_t)rows) : write_table(archive, table));
  }
  return FW_OK;
}

/* ---- files ------------------------------------------------------------------------------- */

typedef struct fw_archive_head {
  char magic[24];
  uint64_t mark, count, sum;
} fw_archive_head;

static const char magic[24] = "fretwork checkpoint 2\n";

static fw_status write_file(const fw_archive *archive, const char *path, const fw_archive_head *head) {
  FILE *file = fopen(path, "wb");
  if (!file) return fw_fail(archive->ctx, FW_ERR_IO, "%s: cannot write: %s", path, strerror(errno));
  bool written = fwrite(head, sizeof *head, 1, file) == 1 &&
                 fwrite(archive->numbers, sizeof *archive->numbers, archive->count, file) == archive->count &&
                 fflush(file) == 0 && fsync(fileno(file)) == 0;
  int reason = errno;
  if (fclose(file) != 0) written = false;
  return written ? FW_OK : fw_fail(archive->ctx, FW_ERR_IO, "%s: cannot write: %s", path, strerror(reason));
}

fw_status fw_archive_save(const fw_archive *archive, const char *path, uint64_t mark) {
  fw_archive_head head = {.mark = mark, .count = archive->count};
  char *part = NULL;
  memcpy(head.magic, magic, sizeof magic);
  FW_TRY(fw_claim_file(archive->ctx, path));
  head.sum = fw_hash(mark, archive->numbers, archive->count * sizeof *archive->numbers);
  FW_TRY(fw_alloc(archive->ctx, strlen(path) + 6, 1, &part));
  snprintf(part, strlen(path) + 6, "%s.part", path);
  fw_status status = write_file(archive, part, &head);
  if (status == FW_OK && rename(part, path) != 0)
    status = fw_fail(archive->ctx, FW_ERR_IO, "%s: cannot write: %s", path, strerror(errno));
  if (status != FW_OK) remove(part);
  free(part);
  return status;
}

/* Whether a file is as long as its head says. */
static bool is_whole(FILE *file, const fw_archive_head *head) {
  struct stat about;
  if (fstat(fileno(file), &about) != 0 || (size_t)about.st_size < sizeof *head) return false;
  return head->count == ((size_t)about.st_size - sizeof *head) / sizeof(double);
}

/* False if the file is not sound. */
static bool read_file(fw_archive *archive, FILE *file, fw_archive_head *head) {
  if (fread(head, sizeof *head, 1, file) != 1 || memcmp(head->magic, magic, sizeof magic) != 0) return false;
  if (!is_whole(file, head) || make_room(archive, head->count) != FW_OK) return false;
  archive->count = head->count;
  return fread(archive->numbers, sizeof *archive->numbers, archive->count, file) == archive->count &&
         fw_hash(head->mark, archive->numbers, archive->count * sizeof *archive->numbers) == head->sum;
}

fw_status fw_archive_load(fw_archive *archive, const char *path, uint64_t mark, bool *found) {
  fw_archive_head head;
  *found = false;
  archive->reading = true;
  archive->count = archive->at = 0;
  FILE *file = fopen(path, "rb");
  if (!file) return FW_OK;
  bool sound = read_file(archive, file, &head);
  fclose(file);
  if (sound && head.mark != mark)
    return fw_fail(archive->ctx, FW_ERR_ARGUMENT,
                   "%s: is of another run: the state it began from or what is written of it was different; use --force "
                   "to begin again",
                   path);
  *found = sound;
  if (!sound) fw_log(archive->ctx, "%s: is damaged; begins anew", path);
  return FW_OK;
}

void fw_archive_clear(fw_archive *archive) {
  free(archive->numbers);
  *archive = (fw_archive){.ctx = archive->ctx};
}
