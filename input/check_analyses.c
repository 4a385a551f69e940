/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analyses run in the order of the deck: one can only start from an earlier one. What has a meaning in the frequency
 * domain only is refused in time. Then each analysis looks at its own attributes. Damping is looked at as a whole. */
#include <string.h>

#include "input/builder.h"
#include "solver/analysis.h"
#include "solver/assembly/constraints.h"
#include "solver/assembly/modal_damping.h"

static bool has_hysteretic(const fw_item *root) {
  const fw_item *damping = fw_item_child(root, "damping");
  return damping && fw_item_child(damping, "hysteretic");
}

fw_status fw_check_damping(fw_builder *builder) {
  const fw_item *damping = fw_item_child(builder->root, "damping");
  const fw_item *modal = damping ? fw_item_child(damping, "modal") : NULL;
  return modal && !builder->incomplete ? fw_modal_damping_check(builder->ctx, builder->model, modal->args.place)
                                       : FW_OK;
}

/* Joints that hold the same motion twice. A model that begins elsewhere than it is drawn is looked at there, by the
 * analysis: a mechanism may be stretched or folded only as drawn. */
fw_status fw_check_joints(fw_builder *builder) {
  const fw_model *model = builder->model;
  if (model->joint_count == 0 || model->initial_count > 0) return FW_OK;
  return fw_constraints_redundant(builder->ctx, model, NULL, 0.0);
}

static bool knows(const fw_item *item, const char *attribute) {
  for (const fw_param *param = item->entry_args.params; param->name; param++)
    if (strcmp(param->name, attribute) == 0) return true;
  return false;
}

/* Whether an analysis integrates in time, all of it or beside harmonic balance, the first of the methods. */
static bool is_in_time(const fw_item *item) {
  if (knows(item, "method")) return fw_args_integer(&item->entry_args, "method") != 0;
  return strcmp(item->name, "transient") == 0 || strcmp(item->name, "ring-down") == 0 ||
         strcmp(item->name, "cycle") == 0;
}

static bool wants_stability(const fw_item *item) {
  return knows(item, "stability") && fw_args_flag(&item->entry_args, "stability");
}

/* The motion that a transient starts on must be one that the analysis before it computes. */
static fw_status check_level(fw_builder *builder, const fw_item *item, const fw_item *start) {
  const fw_analysis_ops *ops = (const fw_analysis_ops *)start->entry;
  const fw_args *args = &item->entry_args;
  if (strcmp(item->name, "transient") != 0 || !ops || !ops->state_at || !fw_args_given(args, "at-level")) return FW_OK;
  if (!fw_analysis_keeps_motions(start))
    return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "at-level"),
                      "attribute 'at-level': method=\"%s\" of '%s' keeps no motions to start on",
                      fw_args_text(&start->entry_args, "method"), fw_args_text(&start->args, "id"));
  if (fw_analysis_has_level(start, fw_args_number(args, "at-level"))) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "at-level"),
                    "attribute 'at-level': analysis '%s' has no level %g", fw_args_text(&start->args, "id"),
                    fw_args_number(args, "at-level"));
}

/* A level of nothing. */
static fw_status check_level_of_loads(fw_builder *builder, const fw_item *item, const fw_item *start) {
  const fw_analysis_ops *ops = start ? (const fw_analysis_ops *)start->entry : NULL;
  bool integrates = strcmp(item->name, "transient") == 0 || strcmp(item->name, "ring-down") == 0;
  bool picks = strcmp(item->name, "transient") == 0 && ops && ops->state_at;
  if (!integrates || picks || !fw_args_given(&item->entry_args, "at-level") || fw_args_given(&item->args, "loads"))
    return FW_OK;
  return fw_fail_at(
      builder->ctx, FW_ERR_DECK, fw_builder_place(&item->entry_args, "at-level"),
      "attribute 'at-level': it is a factor of 'loads', of which there are none; loads that the start has "
      "left on stay as they are");
}

/* What supports hold has neither amplitude nor phase. */
static fw_status check_response(fw_builder *builder, const fw_item *item) {
  const char *response = knows(item, "response") ? fw_args_text(&item->entry_args, "response") : NULL;
  int sensor = response ? fw_model_sensor(builder->model, response) : -1;
  if (sensor < 0 || fw_functional_acts(&builder->model->sensors[sensor].shape)) return FW_OK;
  return fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->entry_args, "response"),
                    "attribute 'response': the sensor '%s' reads what supports hold: it is always 0", response);
}

fw_status fw_check_analyses(fw_builder *builder) {
  const fw_item *analyses = fw_item_child(builder->root, "analyses");
  fw_status worst = FW_OK;
  for (int i = 0; analyses && i < analyses->child_count; i++) {
    const fw_item *item = &analyses->children[i];
    const fw_analysis_ops *ops = (const fw_analysis_ops *)item->entry;
    const fw_args *args = &item->args;
    const char *start = fw_args_text(args, "start");
    const fw_item *from = NULL;
    for (int k = 0; start && k < i && !from; k++)
      if (strcmp(fw_args_text(&analyses->children[k].args, "id"), start) == 0) from = &analyses->children[k];
    if (from) worst = fw_worse(worst, check_level(builder, item, from));
    worst = fw_worse(worst, check_level_of_loads(builder, item, from));
    if (start && !from)
      worst = fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(args, "start"),
                         "attribute 'start': '%s' stands further down; analyses run in order", start);
    if (is_in_time(item) && has_hysteretic(builder->root))
      worst = fw_fail_at(builder->ctx, FW_ERR_DECK, args->place,
                         "hysteretic damping has no meaning in time: use rayleigh or modal damping");
    if (wants_stability(item) && has_hysteretic(builder->root))
      worst = fw_fail_at(builder->ctx, FW_ERR_DECK, fw_builder_place(&item->entry_args, "stability"),
                         "attribute 'stability': a disturbance in time knows no hysteretic damping: use rayleigh or "
                         "modal damping");
    if (builder->incomplete) continue; /* what follows looks at the model */
    worst = fw_worse(worst, check_response(builder, item));
    if (!ops->check) continue;
    fw_status own = ops->check(builder->ctx, builder->model, args, &item->entry_args);
    worst = fw_worse(worst, own);
  }
  return worst;
}
