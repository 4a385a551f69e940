/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analysis.h"

#include <cblas.h>
#include <string.h>

#include "core/load.h"

#define X(variable) extern const fw_analysis_ops variable;
#include "solver/analyses.def"
#undef X

static const fw_entry *const analysis_entries[] = {
#define X(variable) &variable.entry,
#include "solver/analyses.def"
#undef X
    NULL};

const fw_table fw_analyses = {"analyses", "What can be computed", analysis_entries};

const fw_param fw_analysis_common[] = {
    {"id", FW_PARAM_ID, "", NULL, 0, 0, NULL, "name of the analysis and of its result folder"},
    {"start", FW_PARAM_REF, "", "", 0, 0, "analysis", "begin from this analysis's final state, its loads still on"},
    {"loads", FW_PARAM_REFS, "", "", 0, 0, "load", "loads switched on besides those carried over"},
    {0}};

void fw_outcome_clear(fw_outcome *outcome) {
  if (outcome->ops && outcome->ops->destroy) outcome->ops->destroy(outcome->data);
  fw_state_destroy(&outcome->state);
  memset(outcome, 0, sizeof *outcome);
}

fw_status fw_job_loads(const fw_job *job, double level, double *factors) {
  const char *at = fw_args_text(job->common, "loads");
  while (at && *at) {
    at += strspn(at, ", \t\n");
    size_t length = strcspn(at, ", \t\n");
    if (!length) break;
    int found = -1;
    for (int i = 0; i < job->model->load_count; i++)
      if (strlen(job->model->loads[i].id) == length && !strncmp(job->model->loads[i].id, at, length)) found = i;
    if (found < 0)
      return fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place, "loads: there is no load \"%.*s\"", (int)length, at);
    factors[found] += level;
    at += length;
  }
  return FW_OK;
}

/* Every analysis comes by here. BLAS stays on one thread: parallelism is over samples, levels and frequencies, and sums
 * must not depend on how many processors there are. */
fw_status fw_job_begin(const fw_job *job, fw_state **state) {
  openblas_set_num_threads(1);
  if (job->start && job->start->state) return fw_state_copy(job->ctx, job->start->state, state);
  return fw_state_create(job->ctx, job->model, state);
}
