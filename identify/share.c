/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/share.h"

#include <string.h>

#include "core/unknown.h"
#include "study/runner.h"

typedef struct sharing {
  fw_context *ctx;
  const fw_share *share;
  double *results;
  int next, done;
} sharing;

static long next_piece(void *user) {
  sharing *s = user;
  return s->next < s->share->count ? s->next++ : FW_NONE_LEFT;
}

static fw_status compute_piece(void *user, fw_context *ctx, long index, double *results, char said[FW_REASON]) {
  const sharing *s = user;
  (void)said;
  return s->share->compute(s->share->user, ctx, (int)index, results);
}

static fw_status take_piece(void *user, const fw_sample *sample) {
  sharing *s = user;
  size_t columns = (size_t)s->share->columns;
  if (sample->state == FW_SAMPLE_DONE)
    memcpy(s->results + (size_t)sample->index * columns, sample->results, columns * sizeof *s->results);
  if (s->share->progress) fw_progress(s->ctx, s->share->progress, (double)++s->done / s->share->count);
  return FW_OK;
}

fw_status fw_share_run(fw_context *ctx, const fw_share *share, double *results) {
  sharing s = {.ctx = ctx, .share = share, .results = results};
  for (int i = 0; i < share->count * share->columns; i++) results[i] = fw_unknown();
  fw_runner runner = {.workers = share->workers < share->count ? share->workers : share->count,
                      .columns = share->columns,
                      .user = &s,
                      .next = next_piece,
                      .compute = compute_piece,
                      .take = take_piece};
  return fw_runner_run(ctx, &runner);
}
