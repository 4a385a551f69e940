/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_rng.h>

#include "study/sampling.h"

static const fw_param params[] = {
    {"samples", FW_PARAM_INTEGER, "", "100", 1, FW_MOST_SAMPLES, NULL, "number of samples"}, {0}};

static fw_status size(fw_context *ctx, const fw_sampling_wish *wish, long *samples) {
  (void)ctx;
  *samples = fw_args_integer(wish->args, "samples");
  return FW_OK;
}

static fw_status fill(fw_context *ctx, const fw_sampling_wish *wish, long samples, double *u) {
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  if (!random) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  gsl_rng_set(random, wish->seed);
  for (long i = 0; i < samples * wish->dimensions; i++) u[i] = gsl_rng_uniform_pos(random);
  gsl_rng_free(random);
  return FW_OK;
}

extern const fw_sampling_ops fw_sampling_random;
const fw_sampling_ops fw_sampling_random = {.entry = {"random", "independent random samples", "", "", params},
                                            .effects = FW_EFFECT_RANK,
                                            .size = size,
                                            .fill = fill};
