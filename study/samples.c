/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "study/sample.h"

fw_status fw_samples_create(fw_context *ctx, const fw_study *study, bool results, fw_samples **samples) {
  fw_samples *all;
  fw_status status;
  *samples = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *all, &all));
  all->count = study->samples;
  all->columns = results ? study->columns : 0;
  size_t count = (size_t)all->count, numbers = count * (size_t)all->columns;
  FW_TRY_DONE(fw_alloc(ctx, count, 1, &all->states));
  FW_TRY_DONE(fw_alloc(ctx, numbers, sizeof *all->results, &all->results));
  FW_TRY_DONE(fw_alloc(ctx, count, sizeof *all->seconds, &all->seconds));
  FW_TRY_DONE(fw_alloc(ctx, count, sizeof *all->reasons, &all->reasons));
  for (size_t i = 0; i < numbers; i++) all->results[i] = fw_unknown();
  *samples = all;
  return FW_OK;
done:
  fw_samples_destroy(&all);
  return status;
}

void fw_samples_destroy(fw_samples **samples) {
  if (!samples || !*samples) return;
  fw_samples *all = *samples;
  for (long i = 0; all->reasons && i < all->count; i++) free(all->reasons[i]);
  free(all->reasons);
  free(all->states);
  free(all->results);
  free(all->seconds);
  free(all);
  *samples = NULL;
}

static void forget(fw_samples *all, long i) {
  free(all->reasons[i]);
  all->reasons[i] = NULL;
  all->states[i] = FW_SAMPLE_OPEN;
  all->done--;
  all->failed--;
  all->killed--;
}

void fw_samples_reopen(fw_samples *all) {
  for (long i = 0; i < all->count; i++)
    if (all->states[i] == FW_SAMPLE_KILLED) forget(all, i);
}

fw_status fw_samples_note(fw_context *ctx, fw_samples *all, const fw_sample *sample) {
  if (all->states[sample->index] == FW_SAMPLE_KILLED) forget(all, sample->index);
  if (all->states[sample->index] != FW_SAMPLE_OPEN) return FW_OK;
  if (sample->state == FW_SAMPLE_DONE && !all->units[0]) memcpy(all->units, sample->reason, sizeof all->units);
  if (sample->state != FW_SAMPLE_DONE && sample->reason[0])
    FW_TRY(fw_copy_text(ctx, sample->reason, &all->reasons[sample->index]));
  memcpy(all->results + sample->index * all->columns, sample->results, (size_t)all->columns * sizeof(double));
  all->seconds[sample->index] = sample->seconds;
  all->states[sample->index] = (unsigned char)sample->state;
  all->done++;
  all->failed += sample->state != FW_SAMPLE_DONE;
  all->killed += sample->state == FW_SAMPLE_KILLED;
  return FW_OK;
}
