/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The journal of a study: a line for each finished sample, in the order they finished, on disk at once. It is all that
 * --resume needs (ledger.h). A line whose parameter values are not those of the design (the study was changed) is passed
 * over.
 *
 *   # fretwork study journal 2, mark 0123456789abcdef
 *   index,state,seconds,values...,results...,reason,checksum
 */
#ifndef FW_STUDY_JOURNAL_H
#define FW_STUDY_JOURNAL_H

#include "study/sample.h"

typedef struct fw_journal fw_journal;

/* To be called by whoever has the result folder before a process, this or another, opens a journal in it. */
fw_status fw_journal_claim(fw_context *ctx, const char *folder, int number);

/* Opens FOLDER/journal-NUMBER.txt to append to; a torn last line is cut off first. */
fw_status fw_journal_open(fw_context *ctx, const fw_study *study, const char *folder, int number, fw_journal **journal);

/* One line, handed to the system before this returns and to the disk at least once a second. */
fw_status fw_journal_add(fw_context *ctx, fw_journal *journal, const fw_sample *sample);

/* NULL-safe; what was added is on disk afterwards. */
fw_status fw_journal_close(fw_context *ctx, fw_journal **journal);

/* Reads every journal of a folder. FW_ERR_ARGUMENT if one belongs to another deck. */
fw_status fw_journals_read(fw_context *ctx, const fw_study *study, const char *folder, fw_samples *samples);

#endif
