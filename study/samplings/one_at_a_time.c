/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One parameter moves, the others stay at the deck's values. Sample 0 is the deck as it is. */
#include "study/sampling.h"

static const fw_param params[] = {
    {"steps", FW_PARAM_INTEGER, "", "2", 2, 1000000, NULL, "values of each parameter, from its least to its greatest"},
    {0}};

static fw_status size(fw_context *ctx, const fw_sampling_options *options, long *samples) {
  (void)ctx;
  *samples = 1 + (long)fw_args_integer(options->args, "steps") * options->dimensions;
  return FW_OK;
}

static fw_status fill(fw_context *ctx, const fw_sampling_options *options, long samples, double *u) {
  (void)ctx;
  int d = options->dimensions, steps = fw_args_integer(options->args, "steps");
  for (long i = 0; i < samples; i++)
    for (int k = 0; k < d; k++) u[i * d + k] = options->nominal[k];
  for (long i = 1; i < samples; i++) u[i * d + (i - 1) / steps] = (double)((i - 1) % steps) / (steps - 1);
  return FW_OK;
}

extern const fw_sampling_ops fw_sampling_one_at_a_time;
const fw_sampling_ops fw_sampling_one_at_a_time = {
    .entry = {"one-at-a-time", "each parameter from its least to its greatest value, the others as in the deck",
              "1 + steps * parameters samples", "", params},
    .effects = FW_EFFECT_SWING,
    .corners = true,
    .size = size,
    .fill = fill};
