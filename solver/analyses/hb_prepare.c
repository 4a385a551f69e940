/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/hb_prepare.h"

#include <math.h>
#include <stdlib.h>

#include "solver/hb/rigid_motion.h"

/* Samples need not resolve the moment that friction takes to change over: it may be shorter. */
static void switch_exactly(fw_vibration *v) {
  for (int i = 0; i < v->contact_count; i++) {
    v->contacts[i].point.exact = true;
    v->contacts[i].point.stick_penalty *= 10;
  }
}

fw_status fw_hb_prepare(fw_job *job, double f_max, fw_reduction how, bool driven, fw_vibration **v) {
  fw_status status = FW_OK;
  double begin = fw_thread_seconds();
  fw_state *start = NULL;
  fw_system *system = NULL;
  double *drive = NULL;
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)job->model->load_count, sizeof *drive, &drive));
  FW_TRY_DONE(fw_job_loads(job, 1, drive));
  FW_TRY_DONE(fw_job_begin(job, &start));
  FW_TRY_DONE(fw_system_create(job->ctx, job->model, &system));
  status = fw_vibration_create(job->ctx, system, start, drive, 2 * M_PI * FW_VIBRATION_RANGE * f_max, how, v);
  if (status == FW_ERR_SINGULAR) status = fw_rigid_motion_explain(job->ctx, job->model, start);
  FW_TRY_DONE(status);
  if (fw_args_integer(job->args, "switching") == 1) switch_exactly(*v);
  (*v)->seconds = fw_thread_seconds() - begin;
  if (driven && !(*v)->drive_count)
    FW_TRY_DONE(fw_fail(job->ctx, FW_ERR_ANALYSIS, "no harmonic load is named: nothing drives the structure"));
  if ((*v)->left_out)
    fw_log(job->ctx, "%s: %d hard contact points are open at the start and stay so", job->id, (*v)->left_out);
done:
  free(drive);
  fw_state_destroy(&start);
  fw_system_destroy(&system);
  return status;
}
