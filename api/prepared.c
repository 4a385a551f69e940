/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/prepared.h"

#include <string.h>

static fw_job job_of(fw_context *ctx, const fw_prepared *p, const fw_task *task, int threads) {
  return (fw_job){.ctx = ctx,
                  .model = p->built->model,
                  .id = task->id,
                  .common = &task->item->args,
                  .args = &task->item->entry_args,
                  .start = task->start >= 0 ? &p->plan.tasks[task->start].outcome : NULL,
                  .summary = p->record,
                  .sink = p->sink,
                  .threads = threads};
}

fw_status fw_prepare(fw_context *ctx, const fw_deck *deck, const char *id, int threads, fw_prepared *p) {
  FW_TRY(fw_deck_build(ctx, deck, &p->built));
  FW_TRY(fw_plan_make(ctx, p->built, &id, 1, &p->plan));
  FW_TRY(fw_sink_create(ctx, &p->sink));
  if (fw_record_create(&p->record) != FW_OK) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  for (int i = 0; i < p->plan.count; i++) {
    fw_task *task = &p->plan.tasks[i];
    if (!task->wanted) continue;
    p->task = task;
    p->job = job_of(ctx, p, task, threads);
    if (strcmp(task->id, id) == 0) return FW_OK;
    task->outcome.ops = task->ops;
    FW_TRY(task->ops->run(&p->job, &task->outcome));
  }
  return fw_fail(ctx, FW_ERR_ARGUMENT, "\"%s\" is not an analysis", id);
}

void fw_prepared_clear(fw_prepared *p) {
  fw_plan_clear(&p->plan);
  fw_sink_destroy(&p->sink);
  fw_record_destroy(&p->record);
  fw_built_destroy(&p->built);
}
