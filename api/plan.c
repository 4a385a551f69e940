/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/plan.h"

#include <stdlib.h>
#include <string.h>

#include "api/identifications.h"
#include "api/studies.h"

static int find_task(const fw_plan *plan, const char *id) {
  for (int i = 0; i < plan->count; i++)
    if (strcmp(plan->tasks[i].id, id) == 0) return i;
  return -1;
}

static fw_status unknown_analysis(fw_context *ctx, const fw_plan *plan, const char *id) {
  const char **names;
  FW_TRY(fw_alloc(ctx, (size_t)plan->count + 1, sizeof *names, &names));
  for (int i = 0; i < plan->count; i++) names[i] = plan->tasks[i].id;
  const char *near = fw_nearest(names, id);
  free(names);
  return fw_fail(ctx, FW_ERR_ARGUMENT, "the deck has no analysis \"%s\"%s%s%s", id, near ? "; did you mean \"" : "",
                 near ? near : "", near ? "\"?" : "");
}

/* Wants a task and the chain it starts from. */
static void want(fw_plan *plan, int task) {
  for (; task >= 0 && !plan->tasks[task].wanted; task = plan->tasks[task].start) plan->tasks[task].wanted = true;
}

static fw_status link_start(fw_context *ctx, fw_plan *plan, int i) {
  fw_task *task = &plan->tasks[i];
  const char *start = fw_args_text(&task->item->args, "start");
  task->start = -1;
  if (!start || !*start) return FW_OK;
  task->start = find_task(plan, start);
  if (task->start >= 0 && task->start < i) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, task->item->args.place, "start=\"%s\" must be an analysis that comes before",
                    start);
}

/* Wants what a name of the command line stands for. */
static fw_status want_named(fw_context *ctx, const fw_built *built, const char *id, fw_plan *plan) {
  int task = find_task(plan, id);
  const fw_item *identify = fw_identifications_find(built->identification, id);
  if (task < 0 && identify) {
    const char *needed = fw_identifications_analysis(identify);
    if (needed) want(plan, find_task(plan, needed));
    return FW_OK;
  }
  if (task < 0 && fw_studies_has(built->studies, id)) return FW_OK;
  if (task < 0) return unknown_analysis(ctx, plan, id);
  want(plan, task);
  return FW_OK;
}

static fw_status check_work(fw_context *ctx, const fw_built *built) {
  const fw_item *lists[] = {built->analyses, built->identification, built->studies};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (lists[i] && lists[i]->child_count > 0) return FW_OK;
  return fw_fail_at(ctx, FW_ERR_DECK, built->root.args.place,
                    "has neither analyses, identification nor studies: nothing to run");
}

fw_status fw_plan_make(fw_context *ctx, const fw_built *built, const char *const *only, int only_count, fw_plan *plan) {
  const fw_item *analyses = built->analyses;
  *plan = (fw_plan){0};
  FW_TRY(check_work(ctx, built));
  int count = analyses ? analyses->child_count : 0;
  FW_TRY(fw_alloc(ctx, (size_t)count, sizeof *plan->tasks, &plan->tasks));
  plan->count = count;
  for (int i = 0; i < count; i++) {
    const fw_item *item = &analyses->children[i];
    plan->tasks[i].item = item;
    plan->tasks[i].id = fw_args_text(&item->args, "id");
    plan->tasks[i].ops = (const fw_analysis_ops *)item->entry;
  }
  for (int i = 0; i < count; i++) FW_TRY(link_start(ctx, plan, i));
  for (int i = 0; i < count && only_count == 0; i++) plan->tasks[i].wanted = true;
  for (int k = 0; k < only_count; k++) FW_TRY(want_named(ctx, built, only[k], plan));
  return FW_OK;
}

void fw_plan_clear(fw_plan *plan) {
  for (int i = 0; i < plan->count; i++) fw_outcome_clear(&plan->tasks[i].outcome);
  free(plan->tasks);
  *plan = (fw_plan){0};
}
