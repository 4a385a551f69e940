/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver/analyses/trial_analysis.c: how many freedoms there are, as a figure and as a table. */
#include "solver/analysis.h"

static const fw_param params[] = {{"times", FW_PARAM_INTEGER, "", "1", 1, 100, NULL, "how often they are told"}, {0}};

static fw_status run(fw_job *job, fw_outcome *outcome) {
  int times = fw_args_integer(job->args, "times");
  fw_sheet sheet = fw_sheet_of(job->ctx, job->sink, job->id);
  FW_TRY(fw_job_begin(job, &outcome->state));
  fw_sheet_column(&sheet, "", "row");
  fw_sheet_column(&sheet, "", "freedoms");
  fw_status status = fw_sheet_open(&sheet, "freedoms");
  for (int i = 0; i < times && status == FW_OK; i++) {
    fw_sheet_put(&sheet, i);
    fw_sheet_put(&sheet, job->model->dof_count);
    status = fw_sheet_row(&sheet);
  }
  fw_sheet_close(&sheet);
  return status == FW_OK ? fw_record_set_figure(job->summary, job->model->dof_count, "", "freedoms") : status;
}

extern const fw_analysis_ops fw_analysis_trial_analysis;
const fw_analysis_ops fw_analysis_trial_analysis = {.entry = {"trial-analysis", "an analysis on trial", "", "", params},
                                                    .run = run};
