/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "contact/pair.h"
#include "core/reading.h"
#include "input/warn_parts.h"

/* Of the model's size: less is rounding; a point that is further behind a surface hardly meant to be in it. */
static const double ROUNDING = 1e-9, BEHIND = 0.01;

/* The deepest of a pair's points, and how many are in. */
typedef struct overlap {
  double depth, behind; /* of its rim; of its centre */
  double place[2];
  int count;
} overlap;

static void reach(const double from[2], const double to[2], double *size) {
  *size = fmax(*size, hypot(to[0] - from[0], to[1] - from[1]));
}

/* Of nodes and contact points: a rigid body is one node. */
static double size_of(const fw_model *model) {
  double size = 0.0, place[2];
  for (int n = 0; n < model->node_count; n++) reach(model->nodes[0].x, model->nodes[n].x, &size);
  for (int p = 0; p < model->pair_count; p++)
    for (int i = 0; i < model->pairs[p]->count; i++) {
      fw_attachment_place(model, &model->pairs[p]->followers[i].at, NULL, place);
      reach(model->nodes[0].x, place, &size);
    }
  return size;
}

static void look_at_pair(const fw_model *model, const fw_pair *pair, const double *q, double rounding, overlap *found) {
  *found = (overlap){0};
  for (int i = 0; i < pair->count; i++) {
    fw_kinematic at;
    if (fw_pair_kinematics(model, pair, i, NULL, NULL, q, &at) != FW_OK || at.gap > -rounding) continue;
    found->count++;
    if (-at.gap <= found->depth) continue;
    found->depth = -at.gap;
    found->behind = -at.gap - pair->followers[i].radius;
    fw_attachment_place(model, &pair->followers[i].at, q, found->place);
  }
}

static fw_status tell(fw_context *ctx, const fw_pair *pair, double size, const overlap *found, fw_warnings *warnings) {
  if (found->behind > BEHIND * size)
    return fw_warnings_add(ctx, warnings, FW_WARN_BEHIND, pair->place,
                           "'%s': (%g, %g) is %s behind its target, which is solid there: surfaces are touched from "
                           "the left of the way from their first to their last point",
                           pair->id, found->place[0], found->place[1], fw_say(found->depth, "m").text);
  const char *done = fw_normal_is_rigid(&pair->normal)
                         ? "statics push it out, a run in time does so little by little from its first step on"
                         : "its normal law presses on it from the first moment on";
  return fw_warnings_add(ctx, warnings, FW_WARN_OVERLAP, pair->place,
                         "'%s': %d of %d points begin in their target, (%g, %g) deepest by %s: %s", pair->id,
                         found->count, pair->count, found->place[0], found->place[1], fw_say(found->depth, "m").text,
                         done);
}

/* Where the model is before anything moves: with the deck's initial displacements. */
static fw_status begin(fw_context *ctx, const fw_model *model, double **q) {
  FW_TRY(fw_alloc(ctx, (size_t)model->dof_count + 1, sizeof **q, q));
  for (int i = 0; i < model->initial_count; i++)
    if (!model->initials[i].rate) (*q)[model->initials[i].dof] = model->initials[i].value;
  return FW_OK;
}

fw_status fw_warn_of_overlap(fw_context *ctx, const fw_built *built, fw_warnings *warnings) {
  const fw_model *model = built->model;
  double size = size_of(model), *q;
  FW_TRY(begin(ctx, model, &q));
  fw_status status = FW_OK;
  for (int p = 0; p < model->pair_count && status == FW_OK; p++) {
    overlap found;
    if (!model->pairs[p]->target) continue;
    look_at_pair(model, model->pairs[p], q, ROUNDING * (1.0 + size), &found);
    if (found.count) status = tell(ctx, model->pairs[p], size, &found, warnings);
  }
  free(q);
  return status;
}
