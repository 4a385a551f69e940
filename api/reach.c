/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/plan.h"

#include <string.h>

static fw_status run_task(fw_context *ctx, const fw_built *built, fw_plan *plan, fw_task *task, fw_sink *sink,
                          fw_record *record) {
  fw_job job = {.ctx = ctx,
                .model = built->model,
                .id = task->id,
                .common = &task->item->args,
                .args = &task->item->entry_args,
                .start = task->start >= 0 ? &plan->tasks[task->start].outcome : NULL,
                .summary = record,
                .sink = sink,
                .threads = 1};
  task->outcome.ops = task->ops;
  return task->ops->run(&job, &task->outcome);
}

fw_status fw_reach(fw_context *ctx, const fw_deck *deck, const char *analysis, fw_use_reached_fn use, void *user) {
  fw_built *built = NULL;
  fw_plan plan = {0};
  fw_sink *sink = NULL;
  fw_record *record = NULL;
  fw_reached reached = {0};
  fw_status status;
  FW_TRY_DONE(fw_deck_build(ctx, deck, &built));
  FW_TRY_DONE(fw_plan_make(ctx, built, &analysis, 1, &plan));
  FW_TRY_DONE(fw_sink_create(ctx, &sink));
  FW_TRY_DONE(fw_record_create(&record));
  for (int i = 0; i < plan.count; i++) {
    fw_task *task = &plan.tasks[i];
    if (!task->wanted) continue;
    FW_TRY_DONE(run_task(ctx, built, &plan, task, sink, record));
    if (strcmp(task->id, analysis) == 0)
      reached = (fw_reached){built->model, task->outcome.state, &task->outcome, sink};
  }
  status = reached.state ? use(user, ctx, &reached)
                         : fw_fail(ctx, FW_ERR_ANALYSIS, "analysis %s has left no state", analysis);
done:
  fw_record_destroy(&record);
  fw_sink_destroy(&sink);
  fw_plan_clear(&plan);
  fw_built_destroy(&built);
  return status;
}
