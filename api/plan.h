/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The analyses of a deck in their order, the state that one ends in, and the same in decks a little beside it. */
#ifndef FW_API_PLAN_H
#define FW_API_PLAN_H

#include "identify/method.h"
#include "input/deck.h"
#include "solver/analysis.h"

/* ---- plan ------------------------------------------------------------------------------------------------ */

/* Which analyses of a deck run, and what each starts from. */

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

/* ---- reach ----------------------------------------------------------------------------------------------- */

/* What an analysis of a deck leaves. */

/* Builds the deck, runs the analysis and what it starts from in memory, and calls `use` with what it has left. */
fw_status fw_reach(fw_context *ctx, const fw_deck *deck, const char *analysis, fw_use_reached_fn use, void *user);

/* ---- variants -------------------------------------------------------------------------------------------- */

/* The same analysis in decks with one parameter moved a little to either side: what derivatives by parameters need. */

typedef struct fw_variants {
  struct fw_variant_side *sides; /* [2 count] */
  fw_variant *list;
  int count;
} fw_variants;

/* For every parameter that the task's attribute `sensitivities` names: builds both decks and runs what the task starts
 * from, in memory. None without the attribute. `deck` must outlive the variants. */
fw_status fw_variants_make(fw_context *ctx, const fw_deck *deck, const fw_task *task, int threads,
                           fw_variants *variants);
void fw_variants_clear(fw_variants *variants);

#endif
