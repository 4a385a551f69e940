/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of n equal slices of each parameter's range every one holds exactly one sample. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "study/sampling.h"

static fw_status fill(fw_context *ctx, const fw_sampling_options *options, long samples, double *u) {
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  long *slices = malloc((size_t)samples * sizeof *slices);
  int d = options->dimensions;
  if (random && slices) {
    gsl_rng_set(random, options->seed);
    for (int k = 0; k < d; k++) {
      for (long i = 0; i < samples; i++) slices[i] = i;
      gsl_ran_shuffle(random, slices, (size_t)samples, sizeof *slices);
      for (long i = 0; i < samples; i++)
        u[i * d + k] = ((double)slices[i] + gsl_rng_uniform_pos(random)) / (double)samples;
    }
  }
  fw_status status = random && slices ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  free(slices);
  if (random) gsl_rng_free(random);
  return status;
}

extern const fw_sampling_ops fw_sampling_latin_hypercube;
const fw_sampling_ops fw_sampling_latin_hypercube = {
    .entry = {"latin-hypercube", "each slice of each parameter holds one sample", "", "McKay, Beckman and Conover 1979",
              fw_sampling_counted},
    .effects = FW_EFFECT_RANK,
    .size = fw_sampling_count,
    .fill = fill};
