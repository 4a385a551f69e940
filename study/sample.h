/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples: how one is computed, and those that are finished. */
#ifndef FW_STUDY_SAMPLE_H
#define FW_STUDY_SAMPLE_H

#include "core/record.h"
#include "core/sink.h"
#include "study/study.h"

enum { FW_REASON = 240, FW_UNIT = 32 };

/* How an analysis of a deck, and those it starts from, are run in memory: the library above supplies it. What was
 * computed is lent to `read`, also after a failure. */
typedef fw_status (*fw_read_fn)(void *user, fw_context *ctx, const fw_record *summary, const fw_sink *sink);
typedef fw_status (*fw_run_fn)(fw_context *ctx, const fw_deck *deck, const char *analysis, fw_read_fn read, void *user);

/* Computes the numbers of one sample: results[columns], NaN where the run has no such figure. A pure function of the
 * deck and the index: nothing is carried over from other samples. `deck` is the caller's own copy; its parameters are
 * left as the sample set them. */
fw_status fw_sample_compute(fw_context *ctx, const fw_study *study, fw_deck *deck, fw_run_fn run, long index,
                            double *results, char units[FW_REASON]);

/* Unit number i among `units`, those of the study's figures, then x and y of its fans: text of the caller's room, "" where
 * none is known. */
const char *fw_sample_unit(const char *units, int i, char unit[FW_UNIT]);

typedef enum fw_sample_state {
  FW_SAMPLE_OPEN,    /* not computed yet */
  FW_SAMPLE_DONE,    /* all figures read, NaN where there is none */
  FW_SAMPLE_FAILED,  /* the analysis failed, in the way `reason` says */
  FW_SAMPLE_CRASHED, /* its process ended by itself, or took longer than the limit */
  FW_SAMPLE_KILLED,  /* its process was killed from outside: it is computed again when the study is resumed */
} fw_sample_state;

/* One finished sample. */
typedef struct fw_sample {
  long index;
  fw_sample_state state;
  double seconds;         /* processor time; 0: not known */
  char reason[FW_REASON]; /* why it failed; of one that is done, the units of what it collected (fw_sample_unit) */
  double *results;        /* [columns] */
} fw_sample;

/* All samples of a study. */
typedef struct fw_samples {
  long count, done, failed, killed; /* done includes failed, failed includes killed */
  int columns;
  unsigned char *states; /* [count] */
  double *results;       /* [count * columns], NaN until known */
  double *seconds;       /* [count] */
  char **reasons;        /* [count] of those that failed, NULL: none */
  char units[FW_REASON]; /* of what is collected, as the first sample that was done tells them */
} fw_samples;

/* results: whether there is room for them, or only for what is done. */
fw_status fw_samples_create(fw_context *ctx, const fw_study *study, bool results, fw_samples **samples);
void fw_samples_destroy(fw_samples **samples);

/* Notes a finished sample; one that is already there stays as it is, unless its process was killed. */
fw_status fw_samples_note(fw_context *ctx, fw_samples *samples, const fw_sample *sample);

/* Forgets those whose process was killed: they are open again. */
void fw_samples_reopen(fw_samples *samples);

#endif
