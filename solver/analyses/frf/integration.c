/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/frf/parts.h"

fw_status fw_frf_integration_init(const fw_job *job, fw_frf_integration *in) {
  const fw_args *args = job->args;
  *in = (fw_frf_integration){.job = *job, .ops = fw_integrator_chosen(args)};
  FW_TRY(fw_time_orbit_args(job->ctx, &in->args));
  in->job.args = &in->args;
  in->job.sink = NULL; /* one run among many leaves no tables of its own */
  FW_TRY(fw_system_create(job->ctx, job->model, &in->system));
  FW_TRY(fw_job_begin_vibration(job, &in->rest));
  in->options = (fw_time_orbit_options){.H = FW_TIME_HARMONICS,
                                        .steps = fw_args_integer(args, "steps"),
                                        .sensor = fw_model_sensor(job->model, fw_args_text(args, "response")),
                                        .least = fw_args_integer(args, "periods"),
                                        .rest = in->rest};
  return FW_OK;
}

void fw_frf_integration_clear(fw_frf_integration *in) {
  fw_state_destroy(&in->rest);
  fw_system_destroy(&in->system);
  fw_args_clear(&in->args);
}
