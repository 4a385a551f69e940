/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two Sobol samples A and B; AB_k is A with its k-th column from B. Block i holds A_i, B_i, AB_1 ... AB_d of row i, so
 * that a study cut short has whole blocks. */
#include <stdlib.h>
#include <string.h>

#include "study/sampling.h"

static const fw_param params[] = {
    {"samples", FW_PARAM_INTEGER, "", "128", 2, FW_MOST_SAMPLES, NULL,
     "rows n of the two base samples; a power of two"},
    {"bootstrap", FW_PARAM_INTEGER, "", "500", 2, 1000000, NULL, "resamplings behind the confidence intervals"},
    {0}};

static fw_status size(fw_context *ctx, const fw_sampling_options *options, long *samples) {
  if (2 * options->dimensions > FW_SOBOL_DIMENSIONS)
    return fw_fail_at(ctx, FW_ERR_DECK, options->args->place, "Sobol indices of at most %d parameters, not %d",
                      FW_SOBOL_DIMENSIONS / 2, options->dimensions);
  *samples = (long)fw_args_integer(options->args, "samples") * (options->dimensions + 2);
  return FW_OK;
}

static fw_status fill(fw_context *ctx, const fw_sampling_options *options, long samples, double *u) {
  int d = options->dimensions;
  long rows = samples / (d + 2);
  double *both;
  FW_TRY(fw_alloc(ctx, (size_t)rows * 2 * (size_t)d, sizeof *both, &both));
  fw_status status = fw_sobol_fill(ctx, 2 * d, options->seed, rows, 2 * d, both);
  for (long i = 0; i < rows && status == FW_OK; i++) {
    const double *a = both + i * 2 * d, *b = a + d;
    double *block = u + i * (d + 2) * d;
    memcpy(block, a, 2 * (size_t)d * sizeof *u); /* A_i, then B_i */
    for (int k = 0; k < d; k++) {
      double *mixed = block + (k + 2) * (long)d;
      memcpy(mixed, a, (size_t)d * sizeof *u);
      mixed[k] = b[k];
    }
  }
  free(both);
  return status;
}

extern const fw_sampling_ops fw_sampling_sobol_indices;
const fw_sampling_ops fw_sampling_sobol_indices = {
    .entry = {"sobol-indices", "shares of variance: first-order and total index of each parameter, with confidence",
              "samples * (parameters + 2) runs\n"
              "S_k = mean(f_B (f_ABk - f_A)) / V, ST_k = mean((f_A - f_ABk)^2) / (2 V)",
              "Sobol 1993; Saltelli et al. 2010; Jansen 1999", params},
    .effects = FW_EFFECT_SOBOL,
    .size = size,
    .fill = fill};
