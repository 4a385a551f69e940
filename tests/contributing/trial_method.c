/* SPDX-License-Identifier: GPL-3.0-or-later */
/* identify/methods/trial_method.c: how far a sensor has come when a transient ends. */
#include "core/unknown.h"
#include "identify/method.h"

static const fw_param params[] = {{"analysis", FW_PARAM_REF, "", NULL, 0, 0, "analysis", "the transient"},
                                  {"sensor", FW_PARAM_REF, "", NULL, 0, 0, "sensor", "whose history is looked at"},
                                  {0}};

static fw_status check(fw_identify_job *job) {
  (void)job;
  return FW_OK;
}

static fw_status run(fw_identify_job *job) {
  const fw_data_table *history = fw_sink_find(job->computed, fw_args_text(job->args, "analysis"), "history");
  int column = history ? fw_data_table_column(history, fw_args_text(job->args, "sensor")) : -1;
  double last = column >= 0 && history->rows ? history->values[column][history->rows - 1] : fw_unknown();
  return fw_identify_figure(job, "reach", "m", last, fw_unknown());
}

extern const fw_method_ops fw_method_trial_method;
const fw_method_ops fw_method_trial_method = {
    .entry = {"trial-method", "a method on trial", "", "", params}, .check = check, .run = run, .of_results = true};
