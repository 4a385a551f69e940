/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every combination; the first parameter changes fastest. */
#include "study/sampling.h"

static const fw_param params[] = {
    {"steps", FW_PARAM_NUMBERS, "", "3", 2, 1000000, NULL, "values of each parameter: one number for all, or one each"},
    {0}};

static int steps_of(const fw_sampling_options *options, int k) {
  const fw_value *steps = fw_args_value(options->args, "steps");
  return (int)steps->numbers[steps->count > 1 ? k : 0];
}

static fw_status size(fw_context *ctx, const fw_sampling_options *options, long *samples) {
  const fw_value *steps = fw_args_value(options->args, "steps");
  if (steps->count != 1 && steps->count != options->dimensions)
    return fw_fail_at(ctx, FW_ERR_DECK, options->args->place,
                      "attribute 'steps': one number for all parameters, or one for each of the %d",
                      options->dimensions);
  *samples = 1;
  for (int k = 0; k < options->dimensions && *samples <= FW_MOST_SAMPLES; k++) *samples *= steps_of(options, k);
  return FW_OK;
}

static fw_status fill(fw_context *ctx, const fw_sampling_options *options, long samples, double *u) {
  (void)ctx;
  int d = options->dimensions;
  for (long i = 0; i < samples; i++) {
    long rest = i;
    for (int k = 0; k < d; k++) {
      int steps = steps_of(options, k);
      u[i * d + k] = (double)(rest % steps) / (steps - 1);
      rest /= steps;
    }
  }
  return FW_OK;
}

extern const fw_sampling_ops fw_sampling_grid;
const fw_sampling_ops fw_sampling_grid = {
    .entry = {"grid", "every combination of evenly spaced values", "steps^parameters samples", "", params},
    .effects = FW_EFFECT_RANK,
    .corners = true,
    .size = size,
    .fill = fill};
