/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/enforce/penalty.h"

#include <stdlib.h>

#include "core/reading.h"
#include "elements/element.h"

/* So much stiffer than what backs it: penetration a tenth of the structure's own deflection there. */
static const double STIFFER = 10.0;

double fw_penalty_backing(const fw_kinematic *kin, const double *gradient, const double *diagonal) {
  double compliance = 0.0;
  for (int i = 0; i < kin->count; i++) {
    const double k = diagonal[kin->dof[i]];
    if (k > 0.0) compliance += gradient[i] * gradient[i] / k;
  }
  return compliance > 0.0 ? 1.0 / compliance : 0.0;
}

/* Diagonal of the undeformed model's stiffness. */
static fw_status add_diagonal(const fw_model *model, const fw_block *block, double *diagonal) {
  const int n = fw_element_dofs(block->ops);
  const double rest[FW_ELEMENT_DOFS] = {0};
  for (int e = 0; e < block->count; e++) {
    double X[FW_ELEMENT_PLACES], f[FW_ELEMENT_DOFS], K[FW_ELEMENT_DOFS * FW_ELEMENT_DOFS];
    fw_element_places(model, block, e, X);
    FW_TRY(block->ops->force(&block->props, X, rest, NULL, f, K, NULL));
    for (int i = 0; i < n; i++) {
      const int dof = block->dofs[(ptrdiff_t)e * n + i];
      if (dof >= 0) diagonal[dof] += K[i * n + i];
    }
  }
  return FW_OK;
}

/* Harmonic mean of the backing of a pair's followers where they are, so that a few that face a stiff
 * direction (off the end of the target, say) do not count for much; 0 if none has any. */
static fw_status mean_backing(const fw_model *model, const fw_pair *pair, const double *diagonal, const double *q,
                              double *mean) {
  double sum = 0.0;
  int count = 0;
  for (int i = 0; i < pair->count; i++) {
    fw_kinematic kin;
    FW_TRY(fw_pair_kinematics(model, pair, i, q, NULL, q, &kin));
    const double backing = fw_penalty_backing(&kin, kin.gap_q, diagonal);
    if (!(backing > 0.0)) continue;
    sum += 1.0 / backing;
    count++;
  }
  *mean = count ? count / sum : 0.0;
  return FW_OK;
}

static bool wants_penalty(const fw_pair *pair) {
  return !pair->normal.ops->force && pair->normal.enforcement == FW_PENALTY && !(pair->normal.penalty > 0.0);
}

fw_status fw_penalty_choose(fw_context *ctx, fw_model *model) {
  fw_status status = FW_OK;
  double *diagonal = NULL, *q = NULL;
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->dof_count, sizeof *diagonal, &diagonal));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->dof_count, sizeof *q, &q));
  for (int b = 0; b < model->block_count; b++) FW_TRY_DONE(add_diagonal(model, &model->blocks[b], diagonal));
  for (int p = 0; p < model->pair_count; p++) {
    fw_pair *pair = model->pairs[p];
    if (!wants_penalty(pair)) continue;
    double backing;
    FW_TRY_DONE(mean_backing(model, pair, diagonal, q, &backing));
    if (!(backing > 0.0)) {
      status =
          fw_fail_at(ctx, FW_ERR_DECK, pair->place,
                     "nothing elastic backs this contact from which a penalty could be chosen: give its stiffness");
      goto done;
    }
    pair->normal.penalty = STIFFER * backing;
    fw_log(ctx, "pair %s: penalty %s, %g times the stiffness behind it", pair->id,
           fw_say(pair->normal.penalty, "N/m").text, STIFFER);
  }
done:
  free(diagonal);
  free(q);
  return status;
}
