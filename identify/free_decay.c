/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/free_decay.h"

#include <math.h>
#include <stdlib.h>

fw_decay_data fw_free_decay_part(const fw_free_decay *d, int first, int count) {
  int side = first % 2 ? -d->turns.side : d->turns.side;
  return (fw_decay_data){d->x + first, d->deviation + first, count, side, d->offset};
}

/* Extremes as arrays. One whose deviation is rounding alone would count without end: none is better than 1e-9 of the
 * first swing. */
static fw_status list_extremes(fw_context *ctx, fw_free_decay *d) {
  size_t n = (size_t)d->turns.count;
  free(d->x);
  free(d->deviation);
  d->x = d->deviation = NULL;
  FW_TRY(fw_alloc(ctx, n, sizeof *d->x, &d->x));
  FW_TRY(fw_alloc(ctx, n, sizeof *d->deviation, &d->deviation));
  double least = 1e-9 * fabs(d->turns.list[0].x - d->turns.list[1].x);
  for (size_t i = 0; i < n; i++) {
    d->x[i] = d->turns.list[i].x;
    d->deviation[i] = fmax(d->turns.list[i].deviation, least);
  }
  return FW_OK;
}

/* The local fits need the damping and frequency that they serve to find: a few rounds settle them. */
static fw_status settle(fw_context *ctx, const fw_signal *signal, const fw_free_decay_options *options,
                        fw_free_decay *d) {
  enum { ROUNDS = 5 };
  fw_turns_options known = {.window = options->window};
  for (int round = 0; round < ROUNDS; round++) {
    fw_turns_clear(&d->turns);
    FW_TRY(fw_turns_find(ctx, signal, &known, &d->turns));
    FW_TRY(list_extremes(ctx, d));
    fw_decay_data data = fw_free_decay_part(d, 0, d->turns.count);
    FW_TRY(fw_decay_estimate(ctx, &data, options->half_cycles, d->estimates));
    d->chosen = options->estimator < 0 ? fw_decay_choose(d->estimates) : (fw_decay_estimator)options->estimator;
    if (d->estimates[d->chosen].found) known.beta = fmin(fmax(d->estimates[d->chosen].beta, 0.0), 0.5);
    known.omega = d->turns.omega;
  }
  if (d->estimates[d->chosen].found) return FW_OK;
  return fw_fail(ctx, FW_ERR_ANALYSIS, "%d extremes: the estimator '%s' finds no decay in them", d->turns.count,
                 fw_decay_name(d->chosen));
}

fw_status fw_free_decay_find(fw_context *ctx, const fw_signal *signal, const fw_free_decay_options *options,
                             fw_free_decay *decay) {
  *decay = (fw_free_decay){.offset = options->offset};
  fw_status status = settle(ctx, signal, options, decay);
  if (status != FW_OK) fw_free_decay_clear(decay);
  return status;
}

void fw_free_decay_clear(fw_free_decay *decay) {
  fw_turns_clear(&decay->turns);
  free(decay->x);
  free(decay->deviation);
  *decay = (fw_free_decay){0};
}
