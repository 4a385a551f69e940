/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Worker processes on one machine. Each computes one sample at a time, with the next ones in its pipe where samples are
 * short; a worker that dies takes only the sample it computes with it and is replaced. */
#ifndef FW_STUDY_RUNNER_H
#define FW_STUDY_RUNNER_H

#include "study/sample.h"

enum { FW_NONE_LEFT = -1, FW_NONE_YET = -2 };

/* What the runner needs; all functions but `compute` are called in the caller's process. */
typedef struct fw_runner {
  int workers;       /* 0: none, samples are computed here, one after the other, without a time limit */
  int columns;       /* numbers each sample gives */
  double time_limit; /* s; 0: none */
  void *user;
  /* Index of the next sample, FW_NONE_LEFT or FW_NONE_YET (ask again in a millisecond). */
  long (*next)(void *user);
  /* In a worker: computes a sample, with what else is to be told of it in `said` (fw_sample.reason), empty so far. The
   * context is the worker's own. */
  fw_status (*compute)(void *user, fw_context *ctx, long index, double *results, char said[FW_REASON]);
  /* Called at least every `rhythm` seconds while samples are being computed; NULL: not needed. */
  void (*turned)(void *user);
  double rhythm;
  /* Takes a finished sample; its results are lent. */
  fw_status (*take)(void *user, const fw_sample *sample);
} fw_runner;

/* Runs until there are no samples left, the caller is interrupted or `take` fails. What is being computed then is lost,
 * but for samples that end within half a second after an interruption. */
fw_status fw_runner_run(fw_context *ctx, const fw_runner *runner);

#endif
