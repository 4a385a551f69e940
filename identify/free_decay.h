/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a signal to the damping of the decay it shows: extremes and estimates, which need each other. */
#ifndef FW_IDENTIFY_FREE_DECAY_H
#define FW_IDENTIFY_FREE_DECAY_H

#include "identify/decay.h"
#include "identify/extremes.h"

typedef struct fw_free_decay_wish {
  double window;   /* part of a half swing fitted beside each extreme */
  double offset;   /* NaN: not known */
  int half_cycles; /* of the estimators that take first and last; 0: all */
  int estimator;   /* -1: the one that fits the scatter */
} fw_free_decay_wish;

/* Arrays are owned. */
typedef struct fw_free_decay {
  fw_turns turns;
  double *x, *deviation; /* of the extremes */
  double offset;         /* as wished */
  fw_decay estimates[FW_DECAY_COUNT];
  fw_decay_estimator chosen;
} fw_free_decay;

fw_status fw_free_decay_find(fw_context *ctx, const fw_signal *signal, const fw_free_decay_wish *wish,
                             fw_free_decay *decay);
void fw_free_decay_clear(fw_free_decay *decay);

/* The extremes from `first` on, as estimators take them. */
fw_decay_data fw_free_decay_part(const fw_free_decay *decay, int first, int count);

#endif
