/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trajectories through a grid of `levels` values: each starts anywhere and moves every parameter once, in random order,
 * by delta = levels / (2 (levels - 1)). */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

#include "study/sampling.h"

static const fw_param params[] = {
    {"trajectories", FW_PARAM_INTEGER, "", "10", 2, 1000000, NULL, "number of trajectories"},
    {"levels", FW_PARAM_INTEGER, "", "4", 2, 1000, NULL, "values of each parameter; even"},
    {0}};

static fw_status size(fw_context *ctx, const fw_sampling_options *options, long *samples) {
  if (fw_args_integer(options->args, "levels") % 2)
    return fw_fail_at(ctx, FW_ERR_DECK, options->args->place,
                      "attribute 'levels': must be even, so that every value is as likely");
  *samples = (long)fw_args_integer(options->args, "trajectories") * (options->dimensions + 1);
  return FW_OK;
}

static void walk(gsl_rng *random, int d, int levels, int *order, double *u) {
  int half = levels / 2;
  for (int k = 0; k < d; k++) {
    order[k] = k;
    u[k] = (double)gsl_rng_uniform_int(random, (unsigned long)levels) / (levels - 1);
  }
  gsl_ran_shuffle(random, order, (size_t)d, sizeof *order);
  for (int step = 0; step < d; step++) {
    double *from = u + (long)step * d, *to = from + d;
    memcpy(to, from, (size_t)d * sizeof *u);
    int at = (int)(from[order[step]] * (levels - 1) + 0.5);
    to[order[step]] = (double)(at < half ? at + half : at - half) / (levels - 1);
  }
}

static fw_status fill(fw_context *ctx, const fw_sampling_options *options, long samples, double *u) {
  int d = options->dimensions, levels = fw_args_integer(options->args, "levels");
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  int *order = malloc((size_t)d * sizeof *order);
  if (random && order) {
    gsl_rng_set(random, options->seed);
    for (long i = 0; i < samples; i += d + 1) walk(random, d, levels, order, u + i * d);
  }
  fw_status status = random && order ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  free(order);
  if (random) gsl_rng_free(random);
  return status;
}

extern const fw_sampling_ops fw_sampling_morris;
const fw_sampling_ops fw_sampling_morris = {
    .entry = {"morris", "screening by elementary effects: mean, mean magnitude and spread for each parameter",
              "trajectories * (parameters + 1) samples\n"
              "EE_k = (f(u + delta e_k) - f(u)) / delta, mu* = mean |EE_k|, sigma = deviation of EE_k",
              "Morris 1991; mu* after Campolongo et al. 2007", params},
    .effects = FW_EFFECT_MORRIS,
    .corners = true,
    .size = size,
    .fill = fill};
