/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdint.h>

#include "study/sampling.h"

enum { BITS = 30 }; /* of GSL's Sobol sequence */

/* GSL leaves out the first point, the origin; it is put back, since blocks of 2^k points are balanced only from there.
 * A digital shift (exclusive or with one random word per dimension) keeps that balance. */
fw_status fw_sobol_fill(fw_context *ctx, int dimensions, unsigned long seed, long samples, int stride, double *u) {
  if (dimensions > FW_SOBOL_DIMENSIONS) return fw_fail(ctx, FW_ERR_ARGUMENT, "too many dimensions");
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_qrng *sequence = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)dimensions);
  if (random && sequence) {
    uint32_t shift[FW_SOBOL_DIMENSIONS];
    double point[FW_SOBOL_DIMENSIONS] = {0};
    gsl_rng_set(random, seed);
    for (int k = 0; k < dimensions; k++) shift[k] = (uint32_t)gsl_rng_uniform_int(random, 1UL << BITS);
    for (long i = 0; i < samples; i++) {
      if (i > 0) gsl_qrng_get(sequence, point);
      for (int k = 0; k < dimensions; k++)
        u[i * stride + k] = ldexp(((uint32_t)lround(ldexp(point[k], BITS)) ^ shift[k]) + 0.5, -BITS);
    }
  }
  fw_status status = random && sequence ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  if (sequence) gsl_qrng_free(sequence);
  if (random) gsl_rng_free(random);
  return status;
}

static const fw_param params[] = {
    {"samples", FW_PARAM_INTEGER, "", "128", 1, FW_MOST_SAMPLES, NULL, "number of samples; a power of two is best"},
    {0}};

static fw_status size(fw_context *ctx, const fw_sampling_options *options, long *samples) {
  if (options->dimensions > FW_SOBOL_DIMENSIONS)
    return fw_fail_at(ctx, FW_ERR_DECK, options->args->place, "a Sobol sequence varies at most %d parameters, not %d",
                      FW_SOBOL_DIMENSIONS, options->dimensions);
  *samples = fw_args_integer(options->args, "samples");
  return FW_OK;
}

static fw_status fill(fw_context *ctx, const fw_sampling_options *options, long samples, double *u) {
  return fw_sobol_fill(ctx, options->dimensions, options->seed, samples, options->dimensions, u);
}

extern const fw_sampling_ops fw_sampling_sobol;
const fw_sampling_ops fw_sampling_sobol = {
    .entry = {"sobol", "a scrambled Sobol sequence: even cover; more samples continue the same sequence", "",
              "Sobol 1967; digital shift after Owen 1995", params},
    .effects = FW_EFFECT_RANK,
    .size = size,
    .fill = fill};
