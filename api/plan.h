/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which analyses of a deck run, and what each starts from. */
#ifndef FW_API_PLAN_H
#define FW_API_PLAN_H

#include "input/deck.h"
#include "solver/analysis.h"

typedef struct fw_task {
  const char *id;
  const fw_item *item;
  const fw_analysis_ops *ops;
  int start; /* index of the task it starts from, -1: none */
  bool wanted;
  fw_status status; /* of its run; FW_OK before */
  bool ran;
  fw_outcome outcome;
} fw_task;

typedef struct fw_plan {
  fw_task *tasks;
  int count;
} fw_plan;

/* Tasks in deck order; with `only`, those named and all they start from; of an identification that is named, the
 * analysis whose results it takes; names of studies are passed over. FW_ERR_ARGUMENT for an unknown name (with a
 * suggestion), FW_ERR_DECK for a start that does not come before. */
fw_status fw_plan_make(fw_context *ctx, const fw_built *built, const char *const *only, int only_count, fw_plan *plan);
void fw_plan_clear(fw_plan *plan);

#endif
