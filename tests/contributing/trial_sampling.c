/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study/samplings/trial_sampling.c: a quarter and three quarters of every range. */
#include "study/sampling.h"

static const fw_param params[] = {{0}};

static fw_status size(fw_context *ctx, const fw_sampling_options *options, long *samples) {
  (void)ctx, (void)options;
  *samples = 2;
  return FW_OK;
}

static fw_status fill(fw_context *ctx, const fw_sampling_options *options, long samples, double *u) {
  (void)ctx;
  for (long i = 0; i < samples * options->dimensions; i++) u[i] = i < options->dimensions ? 0.25 : 0.75;
  return FW_OK;
}

extern const fw_sampling_ops fw_sampling_trial_sampling;
const fw_sampling_ops fw_sampling_trial_sampling = {
    .entry = {"trial-sampling", "a sampling on trial", "2 samples", "", params},
    .effects = FW_EFFECT_RANK,
    .size = size,
    .fill = fill};
