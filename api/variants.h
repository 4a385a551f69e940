/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same analysis in decks with one parameter moved a little to either side: what derivatives by parameters need. */
#ifndef FW_API_VARIANTS_H
#define FW_API_VARIANTS_H

#include "api/plan.h"
#include "input/deck.h"

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
