/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_rng.h>

#include "study/sampling.h"

static fw_status fill(fw_context *ctx, const fw_sampling_options *options, long samples, double *u) {
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  if (!random) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  gsl_rng_set(random, options->seed);
  for (long i = 0; i < samples * options->dimensions; i++) u[i] = gsl_rng_uniform_pos(random);
  gsl_rng_free(random);
  return FW_OK;
}

extern const fw_sampling_ops fw_sampling_random;
const fw_sampling_ops fw_sampling_random = {
    .entry = {"random", "independent random samples", "", "", fw_sampling_counted},
    .effects = FW_EFFECT_RANK,
    .size = fw_sampling_count,
    .fill = fill};
