/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/detect/hints.h"

#include <stdlib.h>

#include "contact/detect/search.h"
#include "contact/pair.h"

struct fw_hints {
  int pairs;
  fw_tree **tree; /* one for each pair; NULL where the target stands still or has one segment */
};

fw_status fw_hints_create(fw_context *ctx, const fw_model *model, fw_hints **hints) {
  fw_status status = FW_OK;
  fw_hints *h = NULL;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof *h, &h));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->pair_count, sizeof(fw_tree *), &h->tree));
  h->pairs = model->pair_count;
  for (int p = 0; p < h->pairs; p++) {
    const fw_surface *target = model->pairs[p]->target;
    if (target && !target->tree && target->segment_count > 1)
      FW_TRY_DONE(fw_tree_create(ctx, model, target, NULL, &h->tree[p]));
  }
done:
  if (status != FW_OK) fw_hints_destroy(&h);
  *hints = h;
  return status;
}

void fw_hints_destroy(fw_hints **hints) {
  if (!hints || !*hints) return;
  for (int p = 0; (*hints)->tree && p < (*hints)->pairs; p++) fw_tree_destroy(&(*hints)->tree[p]);
  free((*hints)->tree);
  free(*hints);
  *hints = NULL;
}

void fw_hints_update(fw_hints *hints, const fw_model *model, const double *q, fw_touch *touch) {
  for (int p = 0; p < hints->pairs; p++) {
    if (!hints->tree[p]) continue;
    const fw_pair *pair = model->pairs[p];
    fw_tree_fit(model, pair->target, q, hints->tree[p]);
    for (int i = 0; i < pair->count; i++) {
      fw_touch *t = &touch[pair->first_contact + i];
      if (t->status != FW_OPEN) continue;
      double centre[2];
      fw_attachment_place(model, &pair->followers[i].at, q, centre);
      t->segment = fw_tree_nearest(hints->tree[p], model, pair->target, q, centre, t->segment, &t->xi);
    }
  }
}
