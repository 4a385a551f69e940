/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deck as it is, then each parameter whose derivatives do not come with it a step down and a step up, the others as
 * in the deck. Where the range ends, the step is as short as it must be. */
#include <math.h>

#include "study/sampling.h"

static const fw_param params[] = {
    {"step", FW_PARAM_NUMBER, "", "0.01", 1e-6, 0.5, NULL,
     "how far a parameter is moved to either side for central differences, over its range"},
    {0}};

static bool is_moved(const fw_sampling_options *options, int k) { return !options->known || !options->known[k]; }

static fw_status size(fw_context *ctx, const fw_sampling_options *options, long *samples) {
  (void)ctx;
  *samples = 1;
  for (int k = 0; k < options->dimensions; k++) *samples += is_moved(options, k) ? 2 : 0;
  return FW_OK;
}

static fw_status fill(fw_context *ctx, const fw_sampling_options *options, long samples, double *u) {
  (void)ctx;
  int d = options->dimensions;
  double step = fw_args_number(options->args, "step");
  for (long i = 0; i < samples; i++)
    for (int k = 0; k < d; k++) u[i * d + k] = options->nominal[k];
  long i = 1;
  for (int k = 0; k < d; k++) {
    if (!is_moved(options, k)) continue;
    u[i++ * d + k] = fmax(0, options->nominal[k] - step);
    u[i++ * d + k] = fmin(1, options->nominal[k] + step);
  }
  return FW_OK;
}

extern const fw_sampling_ops fw_sampling_local;
const fw_sampling_ops fw_sampling_local = {
    .entry =
        {"local",
         "derivatives at the deck's values: from harmonic balance for parameters of friction laws, else differences",
         "1 sample, and 2 for each parameter whose derivatives harmonic balance does not give", "", params},
    .effects = FW_EFFECT_LOCAL,
    .corners = true,
    .size = size,
    .fill = fill};
