/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A checkpoint: numbers in order, to a file and back. One function of each object serves both ways: it names its
 * numbers in turn, and the archive copies them out or in. */
#ifndef FW_TIME_ARCHIVE_H
#define FW_TIME_ARCHIVE_H

#include <stdint.h>

#include "core/sink.h"
#include "core/state.h"

typedef struct fw_archive {
  fw_context *ctx;
  bool reading;
  double *numbers;
  size_t count, room, at;
} fw_archive;

/* FW_ERR_IO when reading beyond the end. */
fw_status fw_archive_numbers(fw_archive *archive, double *x, size_t count);
fw_status fw_archive_longs(fw_archive *archive, long *x, size_t count);
fw_status fw_archive_flag(fw_archive *archive, bool *flag);
fw_status fw_archive_state(fw_archive *archive, fw_state *state);

/* All tables of an analysis: their rows, or, reading, the same rows once more into the (open, empty) tables. */
fw_status fw_archive_tables(fw_archive *archive, fw_sink *sink, const char *analysis);

/* Writes the file whole or not at all. `mark` says which run it belongs to. */
fw_status fw_archive_save(const fw_archive *archive, const char *path, uint64_t mark);

/* FW_OK with *found false if there is no file, or one that is damaged (the log says so); FW_ERR_ARGUMENT if it is of
 * another run. */
fw_status fw_archive_load(fw_archive *archive, const char *path, uint64_t mark, bool *found);

void fw_archive_clear(fw_archive *archive);

#endif
